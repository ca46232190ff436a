//! The languages of generated files: templates of lines in `languages.txt`, which [`corpus`](super::corpus) fills.
//!
//! A line of `languages.txt` begins with its subject. ` | ` separates templates, and ` … ` the lines of one: the start
//! and the end of a block, with the entries of a list between them. Indentation alone marks a block without an end.
//!
//! | field | becomes |
//! |---|---|
//! | `{n}` | a name, of the few that the file uses |
//! | `{N}` | such a name in the form of a type |
//! | `{v}` | a verb |
//! | `{d}` | a number |
//! | `{w}` | a few words of prose |
//! | `{k}` | a word with two spellings |
//! | `{a}` | two to four arguments |

use std::sync::LazyLock;

/// The start and the end of a block, with all lines between them.
pub(super) type Block = Vec<&'static str>;

/// A language with templates of its lines.
#[derive(Debug, Default)]
pub(super) struct Language {
    /// The extensions of its files.
    pub(super) files: Vec<&'static str>,
    /// One step of indentation.
    pub(super) unit: &'static str,
    /// The separator of names of two words; empty if the second one begins with a capital.
    pub(super) joint: &'static str,
    /// The mark of a comment; empty if there is none.
    pub(super) comment: &'static str,
    /// Whether the last entry of a list has no comma.
    pub(super) is_last_bare: bool,
    /// The first lines of a file.
    pub(super) first: Vec<&'static str>,
    pub(super) lines: Vec<&'static str>,
    pub(super) blocks: Vec<Block>,
    /// The items of the outermost level: functions, types, sections.
    pub(super) items: Vec<Block>,
    /// Lists with one entry per line.
    pub(super) tables: Vec<Block>,
}

pub(super) static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let texts = include_str!("languages.txt").split("\n\n");
    texts.map(|text| text.lines().fold(Language::default(), Language::with)).collect()
});

impl Language {
    /// Adds a line of `languages.txt`.
    fn with(mut self, line: &'static str) -> Self {
        let (subject, text) = line.split_once(' ').expect("a subject");
        let parts = text.split(" | ");
        let blocks = parts.clone().map(|part| part.split(" … ").collect());
        match subject {
            "language" => return parts.fold(self, Self::with),
            "files" => self.files.extend(text.split(' ')),
            "unit" => self.unit = if text == "tab" { "\t" } else { &"    "[..text.parse().expect("a width")] },
            "joint" => self.joint = text,
            "comment" => self.comment = text,
            "last" => self.is_last_bare = true,
            "first" => self.first.extend(parts),
            "line" => self.lines.extend(parts),
            "block" => self.blocks.extend(blocks),
            "item" => self.items.extend(blocks),
            "table" => self.tables.extend(blocks),
            _ => panic!("unknown subject {subject:?}"),
        }
        self
    }
}
