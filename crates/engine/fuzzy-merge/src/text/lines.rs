//! Lines: their keys, weights, and elisions.

use crate::text::characters::{ELISION_STARTS, surrounds_elision};
use crate::text::normalize::{self, Key};

/// A line to align.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// The text without its `\n`.
    pub text: &'t str,
    /// The key of the text.
    pub key: Key,
    /// The weight of the line in an alignment, more than 0.
    pub weight: f32,
    /// Whether the line is an elision: it is for any number of others.
    pub elision: bool,
}

impl<'t> Line<'t> {
    /// Makes a line weighted by its [`information`]. Cost: one pass over the text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let key = normalize::key(text);
        Self { text, key, weight: information(key), elision: is_elision(text) }
    }
}

/// Returns the information of a line, from its length alone: 0.05 for a lone bracket, at most 1.
#[must_use]
pub fn information(key: Key) -> f32 {
    // More than about 20 letters make no line more distinctive.
    0.05 + 0.95 * (key.word.min(20) as f32 / 20.0)
}

/// Returns whether a line is an elision: an ellipsis alone or in a comment, or a comment like `// rest unchanged`.
/// Cost: one pass over the line.
#[must_use]
pub fn is_elision(line: &str) -> bool {
    let text = line.trim_matches(|c: char| normalize::is_blank(c) || surrounds_elision(c));
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
    let comment = line.trim_start_matches(normalize::is_blank).starts_with(ELISION_STARTS);
    comment && marked && PROMISING_WORDS.iter().any(|word| lower.contains(word))
}

/// Returns the start of the line of the byte at `at`.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The most bytes of an elision: a longer comment has other contents.
const MAX_ELISION_BYTES: usize = 80;

/// Comments that are elisions without dots, too.
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

/// Words that make a comment with dots an elision.
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

fn begins_with_dots(text: &str) -> bool {
    text.starts_with("...") || text.starts_with('…')
}
