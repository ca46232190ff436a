//! Generated files that resemble files of real projects.

use fastrand::Rng;

use super::languages::{LANGUAGES, Language};
use super::words::{NOUNS, PROSE, SPELLINGS, VERBS, capital, one};

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
            let line = file.line(0, one(&language.first, rng), Role::Plain, rng);
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
        let Language { items, tables, comment, .. } = self.language;
        let mut lines = Vec::new();
        if items.is_empty() || (!tables.is_empty() && rng.usize(..4) == 0) {
            self.table(0, rng, &mut lines);
            return lines;
        }
        if !comment.is_empty() && rng.bool() {
            lines.push(self.comment(0, rng));
        }
        self.block(items, 0, rng, &mut lines);
        lines
    }

    /// Generates a statement, or an entry in a language without.
    pub(super) fn statement(&self, depth: usize, rng: &mut Rng) -> Line {
        match self.language.lines.as_slice() {
            [] => self.line(depth, one(entries(&self.language.tables[0]), rng), Role::Entry, rng),
            lines => self.line(depth, one(lines, rng), Role::Plain, rng),
        }
    }

    /// Generates an entry that resembles `near`: with the same end or the same alignment.
    pub(super) fn entry(&self, near: &Line, rng: &mut Rng) -> Line {
        let end = |text: &str| text.chars().next_back();
        let mut all: Vec<&str> = self.language.tables.iter().flat_map(|table| entries(table)).copied().collect();
        all.retain(|entry| end(entry) == end(&near.text) || entry.contains("  ") == near.text.contains("  "));
        match rng.choice(all) {
            None => self.statement(near.depth, rng),
            Some(entry) => self.line(near.depth, entry, Role::Entry, rng),
        }
    }

    /// Generates a comment.
    pub(super) fn comment(&self, depth: usize, rng: &mut Rng) -> Line {
        self.line(depth, &format!("{} {{w}}", self.language.comment), Role::Comment, rng)
    }

    /// Generates the start and end of a block.
    pub(super) fn ends_of_block(&self, rng: &mut Rng) -> Option<(Line, Option<Line>)> {
        let block = rng.choice(&self.language.blocks)?;
        let close = block.get(1).map(|close| self.line(0, close, Role::Close, rng));
        Some((self.line(0, block[0], Role::Open, rng), close))
    }

    /// Returns a name of the file.
    pub(super) fn name(&self, rng: &mut Rng) -> &str {
        &self.names[rng.usize(..self.names.len())]
    }

    /// Generates one of some blocks with its lines.
    fn block(&self, blocks: &[Vec<&str>], depth: usize, rng: &mut Rng, lines: &mut Vec<Line>) {
        let Language { blocks: inner, tables, comment, .. } = self.language;
        let block = &blocks[rng.usize(..blocks.len())];
        lines.push(self.line(depth, block[0], Role::Open, rng));
        for index in 0..rng.usize(2..7) {
            match rng.usize(..12) {
                0 | 1 if depth < 3 && !inner.is_empty() => {
                    self.block(inner, depth + 1, rng, lines);
                    continue;
                }
                2 if depth < 2 && !tables.is_empty() => {
                    self.table(depth + 1, rng, lines);
                    continue;
                }
                3 if !comment.is_empty() => lines.push(self.comment(depth + 1, rng)),
                4 if index > 0 => lines.push(blank()),
                _ => {}
            }
            lines.push(self.statement(depth + 1, rng));
        }
        lines.extend(block.get(1).map(|close| self.line(depth, close, Role::Close, rng)));
    }

    /// Generates a list with its entries.
    fn table(&self, depth: usize, rng: &mut Rng, lines: &mut Vec<Line>) {
        let table = &self.language.tables[rng.usize(..self.language.tables.len())];
        lines.push(self.line(depth, table[0], Role::Open, rng));
        for _ in 0..rng.usize(2..7) {
            lines.push(self.line(depth + 1, one(entries(table), rng), Role::Entry, rng));
        }
        if let Some(last) = lines.last_mut().filter(|last| self.language.is_last_bare && last.text.ends_with(',')) {
            last.text.pop();
        }
        lines.push(self.line(depth, table[table.len() - 1], Role::Close, rng));
    }

    fn line(&self, depth: usize, template: &str, role: Role, rng: &mut Rng) -> Line {
        Line { depth, text: self.fill(template, rng), role }
    }

    /// Fills the fields of a template.
    fn fill(&self, template: &str, rng: &mut Rng) -> String {
        let mut parts = template.split('{');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (field, rest) = part.split_once('}').unwrap_or(("", part));
            match field {
                "n" => text.push_str(self.name(rng)),
                "N" => text.push_str(&capital(one(NOUNS, rng))),
                "v" => text.push_str(one(VERBS, rng)),
                "d" => text.push_str(&number(rng)),
                "k" => text.push_str(one(SPELLINGS, rng).0),
                "w" => text.push_str(&prose(rng)),
                "a" => text.push_str(&(0..rng.usize(2..5)).map(|_| self.name(rng)).collect::<Vec<_>>().join(", ")),
                _ => {
                    text.push('{');
                    text.push_str(part);
                    continue;
                }
            }
            text.push_str(rest);
        }
        text
    }
}

/// Returns the templates of the entries of a list.
fn entries<'t>(table: &'t [&'static str]) -> &'t [&'static str] {
    &table[1..table.len() - 1]
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
    (0..rng.usize(2..6)).map(|_| one(&known, rng)).collect::<Vec<_>>().join(" ")
}

/// Chooses the names of a file. Some differ by one letter, like real ones.
fn names(language: &Language, rng: &mut Rng) -> Vec<String> {
    let mut names = Vec::new();
    for _ in 0..rng.usize(12..24) {
        let (noun, other) = (one(NOUNS, rng), one(NOUNS, rng));
        let other = if language.joint.is_empty() { capital(other) } else { language.joint.to_owned() + other };
        match rng.usize(..8) {
            0..4 => names.push(noun.to_owned()),
            4 => names.extend([noun.to_owned(), format!("{noun}s")]),
            _ => names.push(format!("{noun}{other}")),
        }
    }
    names
}
