//! Describes lines: what they say, how much that proves, and whether they stand for others.

use crate::text::fold::{self, Key};

/// One line with what aligning it needs.
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
        let key = fold::key(text);
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
        fold::is_blank(c)
            || matches!(c, '#' | '/' | '*' | '-' | '<' | '>' | '!' | ';' | '%' | '(' | ')' | '[' | ']' | '{' | '}')
    });
    let dots = |text: &str| text.starts_with("...") || text.starts_with('…');
    if text.len() > 80 || text.is_empty() {
        return false;
    }
    let bare = text.trim_matches(|c: char| c == '.' || c == '…' || fold::is_blank(c));
    if bare.is_empty() {
        return dots(text);
    }
    let lower = bare.to_lowercase();
    if matches!(
        lower.as_str(),
        "rest unchanged"
            | "unchanged"
            | "existing code"
            | "rest of code"
            | "rest of the code"
            | "rest of file"
            | "rest of the file"
            | "remaining code unchanged"
            | "rest of code unchanged"
            | "same as before"
    ) {
        return line.trim_start_matches(fold::is_blank).starts_with(|c: char| !c.is_alphanumeric());
    }
    let marked = dots(text) || text.ends_with("...") || text.ends_with('…');
    let words = [
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
    let comment = line
        .trim_start_matches(fold::is_blank)
        .starts_with(['#', '/', '*', '-', '<', ';', '%', '.', '…', '(', '[', '{']);
    comment && marked && words.iter().any(|word| lower.contains(word))
}
