//! Real files: their lines have marks, blanks and repetitions that templates lack.

use fastrand::Rng;

use super::corpus::{File, Line, Role};
use super::languages::{LANGUAGES, Language};
use super::words::{indentation, tokens};

/// A real text.
#[derive(Debug)]
pub(super) struct Text {
    /// The extension of its file.
    pub(super) extension: String,
    pub(super) text: String,
}

impl Text {
    /// Returns the lines without their breaks.
    pub(super) fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }
}

/// Real texts to edit.
#[derive(Debug, Default)]
pub struct Texts {
    pub(super) all: Vec<Text>,
    /// Those in a known language: their index, and the language for new lines.
    known: Vec<(usize, &'static Language)>,
}

/// Lines of a file, at most: a longer one is cut.
const MAX_LINES: usize = 200;

/// The fewest lines of a text that edits can be made of.
const MIN_LINES: usize = 12;

/// The most bytes of a text, and of a line, that a person writes.
const MAX_BYTES: usize = 200_000;
const MAX_LINE_BYTES: usize = 300;

/// The fewest names that new lines are made up with.
const MIN_NAMES: usize = 4;

impl Texts {
    /// Adds the text of a file whose name ends with `extension`, if it is long enough and a person may have written it.
    pub fn add(&mut self, extension: &str, text: String) {
        let is_written = text.lines().all(|line| line.len() <= MAX_LINE_BYTES) && !text.contains('\r');
        if !is_written || text.len() > MAX_BYTES || text.lines().count() < MIN_LINES {
            return;
        }
        let language = LANGUAGES.iter().find(|language| language.files.contains(&extension));
        let language = language.filter(|_| names(&text).len() >= MIN_NAMES);
        self.known.extend(language.map(|language| (self.all.len(), language)));
        self.all.push(Text { extension: extension.to_owned(), text });
    }

    /// Returns whether there are no texts.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Cuts a file out of one of the texts in a known language, if there is one.
    pub(super) fn file(&self, rng: &mut Rng) -> Option<File> {
        let (at, language) = *rng.choice(&self.known)?;
        let text = &self.all[at].text;
        let lines: Vec<&str> = text.lines().collect();
        let start = rng.usize(..=lines.len().saturating_sub(MAX_LINES));
        let lines = lines.into_iter().skip(start).take(MAX_LINES);
        Some(File { language, lines: lines.map(|text| line(language, text)).collect(), names: names(text) })
    }
}

/// Reads a line.
fn line(language: &Language, text: &str) -> Line {
    let text = text.trim_end();
    let mut depth = 0;
    let mut rest = text;
    while let Some(deeper) = rest.strip_prefix(language.unit) {
        (depth, rest) = (depth + 1, deeper);
    }
    let bare = &text[indentation(text)..];
    let role = if bare.is_empty() {
        Role::Blank
    } else if !language.comment.is_empty() && bare.starts_with(language.comment) {
        Role::Comment
    } else if bare.starts_with(['}', ')', ']']) {
        Role::Close
    } else if bare.ends_with(['{', '(', '[', ':']) {
        Role::Open
    } else if bare.ends_with(',') {
        Role::Entry
    } else {
        Role::Plain
    };
    Line { depth, text: rest.to_owned(), role }
}

/// Returns the words that a text uses as names, each once.
fn names(text: &str) -> Vec<String> {
    let words = text.lines().flat_map(|line| tokens(line).into_iter().map(move |place| &line[place]));
    let mut names: Vec<String> =
        words.filter(|word| word.len() > 4 && word.starts_with(char::is_alphabetic)).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::Texts;
    use crate::slipped_edits::{Case, cases_of};

    const TEXT: &str = include_str!("texts.rs");

    fn texts() -> Texts {
        let mut texts = Texts::default();
        texts.add("rs", TEXT.to_owned());
        assert!(!texts.is_empty());
        texts
    }

    #[test]
    fn only_texts_that_a_person_can_have_written_are_taken() {
        let mut texts = Texts::default();
        texts.add("rs", "use std::fmt;\n".to_owned());
        texts.add("js", TEXT.replace('\n', ";"));
        texts.add("rs", TEXT.replace('\n', "\r\n"));
        assert!(texts.is_empty());
        // Slips need a language for new lines; plain edits do not.
        texts.add("png", TEXT.to_owned());
        assert!(cases_of(1, &texts).take(5).all(|case| case.kind.starts_with("plain:")));
    }

    #[test]
    fn edits_are_made_of_the_text() {
        let shown = |case: Case| (case.content.clone(), format!("{case:?}"));
        let made: Vec<_> = cases_of(1, &texts()).take(60).map(shown).collect();
        assert_eq!(made, cases_of(1, &texts()).take(60).map(shown).collect::<Vec<_>>());
        let is_real = |content: &str| content.lines().filter(|line| TEXT.contains(*line)).count() > 10;
        assert!(made.iter().all(|(content, _)| is_real(content)));
    }
}
