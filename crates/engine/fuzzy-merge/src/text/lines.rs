//! Lines: what they say, how much that proves, and whether they stand for others.

use crate::text::normalize::{self, Key};

/// A line with what aligning it needs.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// The text of the line, without its `\n`.
    pub text: &'t str,
    /// The key of the text.
    pub key: Key,
    /// How much finding this line proves, more than 0.
    pub weight: f32,
    /// Marks a line that stands for any number of others.
    pub elision: bool,
}

impl<'t> Line<'t> {
    /// Builds a line that weighs by how much it says.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let key = normalize::key(text);
        Self { text, key, weight: information(key), elision: is_elision(text) }
    }
}

/// Returns how much a line tells, from its length alone: 0.05 for a lone bracket, at most 1.
#[must_use]
pub fn information(key: Key) -> f32 {
    // About 20 letters make a line as telling as it gets.
    0.05 + 0.95 * (key.word.min(20) as f32 / 20.0)
}

/// Returns whether a line says "and so on": an ellipsis alone or in a comment, or a comment
/// that promises the rest unchanged.
#[must_use]
pub fn is_elision(line: &str) -> bool {
    let text = line.trim_matches(|c: char| {
        normalize::is_blank(c)
            || matches!(c, '#' | '/' | '*' | '-' | '<' | '>' | '!' | ';' | '%' | '(' | ')' | '[' | ']' | '{' | '}')
    });
    if text.len() > MAX_ELISION_BYTES || text.is_empty() {
        return false;
    }
    let bare = text.trim_matches(|c: char| c == '.' || c == '…' || normalize::is_blank(c));
    if bare.is_empty() {
        return begins_with_dots(text);
    }
    let lower = bare.to_lowercase();
    if PROMISES.contains(&lower.as_str()) {
        return line.trim_start_matches(normalize::is_blank).starts_with(|c: char| !c.is_alphanumeric());
    }
    let marked = begins_with_dots(text) || text.ends_with("...") || text.ends_with('…');
    let comment = line
        .trim_start_matches(normalize::is_blank)
        .starts_with(['#', '/', '*', '-', '<', ';', '%', '.', '…', '(', '[', '{']);
    comment && marked && PROMISING_WORDS.iter().any(|word| lower.contains(word))
}

/// The most bytes of an "and so on": what is longer says something.
const MAX_ELISION_BYTES: usize = 80;

/// Comments that promise the rest unchanged, without dots too.
const PROMISES: &[&str] = &[
    "rest unchanged",
    "unchanged",
    "existing code",
    "rest of code",
    "rest of the code",
    "rest of file",
    "rest of the file",
    "remaining code unchanged",
    "rest of code unchanged",
    "same as before",
];

/// What a comment with dots says that promises the rest unchanged.
const PROMISING_WORDS: &[&str] = &[
    "existing",
    "unchanged",
    "rest of",
    "remaining",
    "omitted",
    "same as before",
    "previous code",
    "other code",
    "snip",
    "truncated",
    "no changes",
];

/// Returns whether a text begins with an ellipsis.
fn begins_with_dots(text: &str) -> bool {
    text.starts_with("...") || text.starts_with('…')
}
