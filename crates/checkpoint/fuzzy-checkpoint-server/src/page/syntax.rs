//! Syntax colours of code: comments, strings, numbers and keywords, line by line.
//!
//! A page has only some lines of a file, so this uses no grammar: it scans each line once and remembers only the open
//! comment or string. Uncertain parts have no colour.

use std::ops::Range;

use fuzzy_checkpoint::RepoPath;
use maud::{Markup, html};

/// The syntax of a part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Comment,
    Text,
    Number,
    Word,
}

impl Part {
    /// Returns its class name in the style sheet.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Comment => "c",
            Self::Text => "s",
            Self::Number => "n",
            Self::Word => "w",
        }
    }
}

/// The syntax of a family of languages.
#[derive(Debug)]
pub(super) struct Language {
    /// File extensions, and names after fences.
    names: &'static str,
    /// The starts of line comments.
    line: &'static [&'static str],
    /// The starts and ends of multi-line comments and strings.
    long: &'static [(&'static str, &'static str, Part)],
    /// The quotes of strings on one line.
    quotes: &'static str,
    /// Whether single quotes enclose one character; a lone quote then has another meaning.
    has_characters: bool,
    words: &'static str,
}

const BLOCK: (&str, &str, Part) = ("/*", "*/", Part::Comment);
const TICKS: (&str, &str, Part) = ("`", "`", Part::Text);

const LANGUAGES: &[Language] = &[
    Language {
        names: "rs rust",
        line: &["//"],
        long: &[BLOCK],
        quotes: "\"'",
        has_characters: true,
        words: "as async await box break const continue crate dyn else enum extern false fn for if impl in let loop macro_rules match mod move mut pub ref return self Self static struct super trait true type union unsafe use where while yield",
    },
    Language {
        names: "c h cc cpp cxx hh hpp c++ java kt kts kotlin scala cs csharp swift m mm proto zig",
        line: &["//"],
        long: &[BLOCK],
        quotes: "\"'",
        has_characters: true,
        words: "abstract alignas as auto bool boolean break byte case catch char class companion const constexpr continue data default defer delegate delete do double else enum explicit export extends extension extern false final finally float fn for foreach friend fun func goto guard if implements import in init inline instanceof int interface internal is lazy let long message mutable namespace new nil null nullptr object operator out override package private protected protocol public readonly record return sealed self short signed sizeof static string struct super switch template this throw throws trait true try typedef typename union unsigned using val var virtual void volatile when where while with yield",
    },
    Language {
        names: "js mjs cjs jsx ts mts cts tsx javascript typescript go dart php vue svelte",
        line: &["//"],
        long: &[BLOCK, TICKS],
        quotes: "\"'",
        has_characters: false,
        words: "abstract any as async await bool boolean break case catch chan class const continue debugger declare default defer delete do echo else enum error export extends fallthrough false final finally float64 for foreach from func function get go goto if implements import in instanceof int int64 interface is keyof let map module namespace never new nil null number of package private protected public range readonly return select set static string struct super switch this throw true try type typeof undefined unknown use var void while with yield",
    },
    Language {
        names: "py pyi python",
        line: &["#"],
        long: &[("\"\"\"", "\"\"\"", Part::Text), ("'''", "'''", Part::Text)],
        quotes: "\"'",
        has_characters: false,
        words: "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
    },
    Language {
        names: "sh bash zsh shell console rb ruby pl perl r jl ex exs tf hcl nix ps1 mk makefile dockerfile cmake",
        line: &["#"],
        long: &[],
        quotes: "\"'",
        has_characters: false,
        words: "ADD CMD COPY ENTRYPOINT ENV EXPOSE FROM LABEL RUN USER WORKDIR and begin break case class continue def defmodule do done echo elif else elsif end ensure esac eval exec exit export false fi for function if in include let local module my next nil not or our raise require rescue return self set shift source sub then true unless unset until use when while yield",
    },
    Language {
        names: "toml yaml yml ini cfg conf properties gitignore",
        line: &["#"],
        long: &[],
        quotes: "\"'",
        has_characters: false,
        words: "true false null yes no on off",
    },
    Language {
        names: "json jsonc json5 jsonl",
        line: &["//"],
        long: &[BLOCK],
        quotes: "\"",
        has_characters: false,
        words: "true false null",
    },
    Language {
        names: "css scss less",
        line: &[],
        long: &[BLOCK],
        quotes: "\"'",
        has_characters: false,
        words: "important media supports import keyframes inherit initial none auto",
    },
    Language {
        names: "sql psql lua hs haskell elm",
        line: &["--"],
        long: &[BLOCK],
        quotes: "\"'",
        has_characters: false,
        words: "ADD ALTER AND AS ASC BEGIN BY CASE COMMIT CREATE CROSS DEFAULT DELETE DESC DISTINCT DROP ELSE END EXISTS FALSE FOREIGN FROM FULL GROUP HAVING IF IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER PRIMARY REFERENCES RETURNING RIGHT ROLLBACK SELECT SET TABLE THEN TRUE UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHERE WITH add alter and as asc begin break by case class commit create data default delete deriving desc distinct do drop else elseif end exists false for foreign from full function goto group having if import in index inner insert instance into is join key left let like limit local module newtype nil not null of on or order outer primary references repeat return returning right rollback select set table then true type union unique until update using values view when where while with",
    },
    Language {
        names: "html htm xml svg xhtml plist",
        line: &[],
        long: &[("<!--", "-->", Part::Comment)],
        quotes: "",
        has_characters: false,
        words: "",
    },
];

/// Returns the language of a file, by the extension of its name.
pub(super) fn of_path(path: &RepoPath) -> Option<&'static Language> {
    let name = path.as_bytes().rsplit(|byte| *byte == b'/').next()?;
    let name = std::str::from_utf8(name).ok()?;
    of_name(name.rsplit('.').next()?)
}

/// Returns the language of a code fence's name.
pub(super) fn of_name(name: &str) -> Option<&'static Language> {
    let name = name.split(|c: char| c.is_whitespace() || c == ',' || c == '{').next()?.to_ascii_lowercase();
    LANGUAGES.iter().find(|language| !name.is_empty() && language.names.split(' ').any(|known| known == name))
}

/// Scans the lines of one text in order.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    language: &'static Language,
    /// The end and the syntax of the open comment or string.
    open: Option<(&'static str, Part)>,
}

impl Reader {
    pub(super) fn new(language: &'static Language) -> Self {
        Self { language, open: None }
    }

    /// Discards an open comment or string, because the next line is from elsewhere.
    pub(super) fn jump(&mut self) {
        self.open = None;
    }

    /// Returns the parts of the next line, in order and without overlaps.
    pub(super) fn line(&mut self, line: &str) -> Vec<(Range<usize>, Part)> {
        let mut parts = Vec::new();
        let mut at = 0;
        // The middle of a comment that begins above the visible lines.
        let within = self.language.long.contains(&BLOCK) && line.trim_start().starts_with("* ");
        if self.open.is_none() && within {
            return vec![(0..line.len(), Part::Comment)];
        }
        while at < line.len() {
            let (length, part) = self.next(line, at);
            if let Some(part) = part {
                parts.push((at..at + length, part));
            }
            at += length;
        }
        parts
    }

    /// Returns the length and the syntax of the part at a position.
    fn next(&mut self, line: &str, at: usize) -> (usize, Option<Part>) {
        let (rest, before) = (&line[at..], line[..at].chars().next_back());
        if let Some((end, part)) = self.open {
            let found = rest.find(end);
            if found.is_some() {
                self.open = None;
            }
            return (found.map_or(rest.len(), |found| found + end.len()), Some(part));
        }
        let language = self.language;
        if let Some((begin, end, part)) = language.long.iter().find(|(begin, ..)| rest.starts_with(begin)) {
            let found = rest[begin.len()..].find(end);
            if found.is_none() {
                self.open = Some((end, *part));
            }
            return (found.map_or(rest.len(), |found| begin.len() + found + end.len()), Some(*part));
        }
        // In `$#` and `a#b` the hash does not begin a comment.
        let is_apart = before.is_none_or(char::is_whitespace);
        if language.line.iter().any(|begin| rest.starts_with(begin) && (is_apart || *begin != "#")) {
            return (rest.len(), Some(Part::Comment));
        }
        let Some(first) = rest.chars().next() else { return (rest.len(), None) };
        if language.quotes.contains(first) && !before.is_some_and(|before| first == '\'' && before.is_alphanumeric()) {
            return text(rest, first, language.has_characters).map_or((1, None), |length| (length, Some(Part::Text)));
        }
        if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let word = &rest[..length];
            // `r'…'` is a string.
            if language.names.starts_with("py") && length <= 2 && rest[length..].starts_with(['"', '\'']) {
                let quote = if rest[length..].starts_with('"') { '"' } else { '\'' };
                let is_long = language.long.iter().any(|(begin, ..)| rest[length..].starts_with(begin));
                let found = if is_long { None } else { text(&rest[length..], quote, false) };
                return found.map_or((length, None), |found| (length + found, Some(Part::Text)));
            }
            let part = if first.is_ascii_digit() {
                Some(Part::Number)
            } else {
                language.words.split(' ').any(|known| known == word).then_some(Part::Word)
            };
            return (length, part);
        }
        if language.words.is_empty() && first == '<' {
            let tag = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
            let skipped = rest.len() - tag.len();
            let name = tag.find(|c: char| !is_word(c) && c != '-' && c != ':').unwrap_or(tag.len());
            return (skipped + name, (name > 0).then_some(Part::Word));
        }
        (first.len_utf8(), None)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of a quoted string, if it ends on this line.
fn text(rest: &str, quote: char, has_characters: bool) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => {
                let held = &rest[1..at];
                let is_one = held.chars().count() == 1 || held.starts_with('\\') && held.len() <= 10;
                return (quote != '\'' || !has_characters || is_one).then_some(at + 1);
            }
            _ => {}
        }
    }
    None
}

/// Longer code has no colours, because each coloured part adds a tag.
const BYTES: usize = 30_000;

/// Renders a block of code.
pub(super) fn code(text: &str, language: Option<&'static Language>) -> Markup {
    let Some(language) = language.filter(|_| text.len() <= BYTES) else { return html! { (text) } };
    let mut reader = Reader::new(language);
    html! { @for line in text.split_inclusive('\n') { (coloured(line, 0..line.len(), &reader.line(line))) } }
}

/// Renders a range of a line with the given parts.
pub(super) fn coloured(line: &str, range: Range<usize>, parts: &[(Range<usize>, Part)]) -> Markup {
    let mut at = range.start;
    let mut pieces = Vec::new();
    for (part, kind) in parts {
        let (start, end) = (part.start.max(at), part.end.min(range.end));
        if start < end {
            pieces.push((&line[at..start], &line[start..end], kind.class()));
            at = end;
        }
    }
    html! {
        @for (plain, part, class) in pieces { (plain) span class=(class) { (part) } }
        (line[at..range.end])
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Reader, code, of_name, of_path};

    fn read(name: &str, text: &str) -> Vec<(String, Part)> {
        let mut reader = Reader::new(of_name(name).expect(name));
        let lines = text.split_inclusive('\n').flat_map(|line| {
            let parts = reader.line(line.trim_end_matches('\n'));
            parts.into_iter().map(|(range, part)| (line[range].to_owned(), part)).collect::<Vec<_>>()
        });
        lines.collect()
    }

    #[test]
    fn comments_strings_numbers_and_keywords_are_recognized() {
        use Part::{Comment, Number, Text, Word};
        for (name, text, expected) in [
            ("rs", "let x = 'a'; // it's", &[("let", Word), ("'a'", Text), ("// it's", Comment)][..]),
            ("rs", "fn f<'a, 'b>(x: &'a str)", &[("fn", Word)]),
            ("rs", "/* a\nb */ 1u8", &[("/* a", Comment), ("b */", Comment), ("1u8", Number)]),
            ("py", "def f(): return r'#' # x", &[("def", Word), ("return", Word), ("r'#'", Text), ("# x", Comment)]),
            ("py", "x = \"\"\"a\nb\"\"\" + \"\\\"\"", &[("\"\"\"a", Text), ("b\"\"\"", Text), ("\"\\\"\"", Text)]),
            ("sh", "if [ $# = 'a b' ] # n", &[("if", Word), ("'a b'", Text), ("# n", Comment)]),
            ("yaml", "key: it's a text", &[]),
            ("js", "const a = `x\ny`;", &[("const", Word), ("`x", Text), ("y`", Text)]),
            ("sql", "SELECT 1 -- no", &[("SELECT", Word), ("1", Number), ("-- no", Comment)]),
            ("html", "<p class>it's</p><!-- n -->", &[("<p", Word), ("</p", Word), ("<!-- n -->", Comment)]),
            ("c", " * of a comment\n*p = 1;", &[(" * of a comment", Comment), ("1", Number)]),
            ("json", "{\"a\": null}", &[("\"a\"", Text), ("null", Word)]),
            ("js", "x = \"not closed", &[]),
        ] {
            let expected: Vec<_> = expected.iter().map(|(text, part)| ((*text).to_owned(), *part)).collect();
            assert_eq!(read(name, text), expected, "{name}: {text}");
        }
    }

    #[test]
    fn languages_are_found_by_extension() {
        for path in ["src/main.rs", "a.b/Dockerfile", "X.PY"] {
            assert!(of_path(&path.into()).is_some(), "{path}");
        }
        assert!(of_path(&"a.rs/notes".into()).is_none() && of_path(&"a.unknown".into()).is_none());
        assert!(of_name("rust,ignore").is_some() && of_name("").is_none() && of_name("text").is_none());
    }

    #[test]
    fn code_is_escaped_and_keeps_every_character() {
        let text = "let a = \"<b>\"; // é & 'x\n\tif a < 2 { `\n";
        for name in ["rs", "py", "js", "html", "sql", "yaml", "text"] {
            let rendered = code(text, of_name(name)).into_string();
            let mut plain = String::new();
            for (at, piece) in rendered.split('<').enumerate() {
                plain.push_str(if at == 0 { piece } else { piece.split_once('>').expect("a tag").1 });
            }
            let plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
            assert_eq!(plain, text, "{name}: {rendered}");
        }
        assert!(
            !code(&"let x;\n".repeat(10_000), of_name("rs")).into_string().contains("span"),
            "plain where it is long"
        );
    }
}
