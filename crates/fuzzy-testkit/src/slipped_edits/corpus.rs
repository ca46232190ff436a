//! Generated files that resemble files of real projects.

use fastrand::Rng;

use super::languages::{Block, LANGUAGES, Language};
use super::words::{NOUNS, PROSE, SPELLINGS, VERBS, capital};

/// The role of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A blank line.
    Blank,
    /// A comment on a line of its own.
    Comment,
    /// The start of a block.
    Open,
    /// The end of a block.
    Close,
    /// An entry of a list.
    Entry,
    /// Anything else.
    Plain,
}

/// A line, without its indentation and line break.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Steps of indentation.
    pub(super) depth: usize,
    pub(super) text: String,
    pub(super) role: Role,
}

/// A file of one language, and the means to write more of it.
#[derive(Debug)]
pub(super) struct File {
    pub(super) language: &'static Language,
    pub(super) lines: Vec<Line>,
    /// The names for new lines.
    pub(super) names: Vec<String>,
}

impl File {
    /// Generates a file.
    pub(super) fn new(rng: &mut Rng) -> Self {
        let language = &LANGUAGES[rng.usize(..LANGUAGES.len())];
        let mut file = Self { language, lines: Vec::new(), names: names(language, rng) };
        for _ in 0..rng.usize(2..6).min(language.first.len() * 6) {
            let template = language.first[rng.usize(..language.first.len())];
            let line = file.line(0, template, Role::Plain, rng);
            file.lines.push(line);
        }
        for _ in 0..rng.usize(3..9) {
            let blanks = rng.usize(..10);
            if !file.lines.is_empty() {
                file.lines.extend((0..=usize::from(blanks == 0)).map(|_| blank()));
            }
            let item = file.item(rng);
            file.lines.extend(item);
        }
        file
    }

    /// Generates a function, a type, or another item of the outermost level.
    pub(super) fn item(&self, rng: &mut Rng) -> Vec<Line> {
        let language = self.language;
        let mut lines = Vec::new();
        if language.items.is_empty() || (!language.tables.is_empty() && rng.usize(..4) == 0) {
            self.table(0, rng, &mut lines);
            return lines;
        }
        if !language.comment.is_empty() && rng.bool() {
            lines.push(self.comment(0, rng));
        }
        self.block(language.items[rng.usize(..language.items.len())], 0, rng, &mut lines);
        lines
    }

    /// Generates a statement.
    pub(super) fn statement(&self, depth: usize, rng: &mut Rng) -> Line {
        let templates = match self.language.statements {
            [] => self.language.tables[0].1,
            statements => statements,
        };
        let role = if self.language.statements.is_empty() { Role::Entry } else { Role::Plain };
        self.line(depth, templates[rng.usize(..templates.len())], role, rng)
    }

    /// Generates an entry that resembles `near`: with the same end or the same alignment.
    pub(super) fn entry(&self, near: &Line, rng: &mut Rng) -> Line {
        let entries = self.language.tables.iter().flat_map(|(_, entries, _)| *entries);
        let all: Vec<&&str> = entries
            .filter(|entry| {
                entry.chars().next_back() == near.text.chars().next_back()
                    || entry.contains("  ") == near.text.contains("  ")
            })
            .collect();
        match all.as_slice() {
            [] => self.statement(near.depth, rng),
            all => self.line(near.depth, all[rng.usize(..all.len())], Role::Entry, rng),
        }
    }

    /// Generates a comment.
    pub(super) fn comment(&self, depth: usize, rng: &mut Rng) -> Line {
        self.line(depth, &format!("{} {{w}}", self.language.comment), Role::Comment, rng)
    }

    /// Generates the start and end of a block.
    pub(super) fn ends_of_block(&self, depth: usize, rng: &mut Rng) -> Option<(Line, Option<Line>)> {
        let blocks = self.language.blocks;
        let (open, close) = *blocks.get(rng.usize(..blocks.len().max(1)))?;
        let close = (!close.is_empty()).then(|| self.line(depth, close, Role::Close, rng));
        Some((self.line(depth, open, Role::Open, rng), close))
    }

    /// Returns a name of the file.
    pub(super) fn name(&self, rng: &mut Rng) -> &str {
        &self.names[rng.usize(..self.names.len())]
    }

    /// Generates a block with its lines.
    fn block(&self, (open, close): Block, depth: usize, rng: &mut Rng, lines: &mut Vec<Line>) {
        let language = self.language;
        lines.push(self.line(depth, open, Role::Open, rng));
        for index in 0..rng.usize(2..7) {
            match rng.usize(..12) {
                0 | 1 if depth < 3 && !language.blocks.is_empty() => {
                    self.block(language.blocks[rng.usize(..language.blocks.len())], depth + 1, rng, lines);
                }
                2 if depth < 2 && !language.tables.is_empty() => self.table(depth + 1, rng, lines),
                3 if !language.comment.is_empty() => {
                    lines.push(self.comment(depth + 1, rng));
                    lines.push(self.statement(depth + 1, rng));
                }
                4 if index > 0 => {
                    lines.push(blank());
                    lines.push(self.statement(depth + 1, rng));
                }
                _ => lines.push(self.statement(depth + 1, rng)),
            }
        }
        if !close.is_empty() {
            lines.push(self.line(depth, close, Role::Close, rng));
        }
    }

    /// Generates a list with its entries.
    fn table(&self, depth: usize, rng: &mut Rng, lines: &mut Vec<Line>) {
        let (open, entries, close) = self.language.tables[rng.usize(..self.language.tables.len())];
        lines.push(self.line(depth, open, Role::Open, rng));
        let count = rng.usize(2..7);
        for index in 0..count {
            let mut line = self.line(depth + 1, entries[rng.usize(..entries.len())], Role::Entry, rng);
            if index + 1 == count && !self.language.last_comma && line.text.ends_with(',') {
                line.text.pop();
            }
            lines.push(line);
        }
        lines.push(self.line(depth, close, Role::Close, rng));
    }

    fn line(&self, depth: usize, template: &str, role: Role, rng: &mut Rng) -> Line {
        Line { depth, text: self.fill(template, rng), role }
    }

    /// Fills the fields of a template.
    fn fill(&self, template: &str, rng: &mut Rng) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('{') {
            let field = rest.get(at + 1..at + 3).filter(|field| field.ends_with('}')).map(|field| field.as_bytes()[0]);
            text.push_str(&rest[..at]);
            rest = &rest[at + 3 * usize::from(field.is_some()) + usize::from(field.is_none())..];
            match field {
                Some(b'n') => text.push_str(self.name(rng)),
                Some(b'N') => text.push_str(&capital(NOUNS[rng.usize(..NOUNS.len())])),
                Some(b'v') => text.push_str(VERBS[rng.usize(..VERBS.len())]),
                Some(b'd') => text.push_str(&number(rng)),
                Some(b'k') => text.push_str(SPELLINGS[rng.usize(..SPELLINGS.len())].0),
                Some(b'w') => text.push_str(&prose(rng)),
                Some(b'a') => {
                    let arguments: Vec<&str> = (0..rng.usize(2..5)).map(|_| self.name(rng)).collect();
                    text.push_str(&arguments.join(", "));
                }
                _ => text.push('{'),
            }
        }
        text + rest
    }
}

/// Returns a blank line.
pub(super) const fn blank() -> Line {
    Line { depth: 0, text: String::new(), role: Role::Blank }
}

/// Returns a number that is typical for code.
pub(super) fn number(rng: &mut Rng) -> String {
    match rng.usize(..4) {
        0 => rng.usize(2..10).to_string(),
        1 => (rng.usize(1..100) * 10).to_string(),
        2 => rng.usize(10..1000).to_string(),
        _ => format!("{}.{}", rng.usize(0..10), rng.usize(1..100)),
    }
}

/// Returns a few words.
pub(super) fn prose(rng: &mut Rng) -> String {
    let known: Vec<&str> = PROSE.split(' ').collect();
    let words: Vec<&str> = (0..rng.usize(2..6)).map(|_| known[rng.usize(..known.len())]).collect();
    words.join(" ")
}

/// Chooses the names of a file. Some differ by one letter, like real ones.
fn names(language: &Language, rng: &mut Rng) -> Vec<String> {
    let mut names = Vec::new();
    for _ in 0..rng.usize(12..24) {
        let noun = NOUNS[rng.usize(..NOUNS.len())];
        let other = NOUNS[rng.usize(..NOUNS.len())];
        let joined = if language.joint.is_empty() {
            noun.to_owned() + &capital(other)
        } else {
            format!("{noun}{}{other}", language.joint)
        };
        match rng.usize(..8) {
            0..4 => names.push(noun.to_owned()),
            4 => names.extend([noun.to_owned(), format!("{noun}s")]),
            _ => names.push(joined),
        }
    }
    names
}
