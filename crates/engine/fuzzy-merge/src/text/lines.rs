//! Lines: their keys, weights, and elisions.

use fuzzy_core::blank::is_blank;

use crate::text::characters::{ELISION_STARTS, comment_mark, surrounds_elision};
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
    // Most lines begin with a letter, and then are none.
    let line = line.trim_start_matches(is_blank);
    if line.starts_with(char::is_alphanumeric) {
        return false;
    }
    let text = line.trim_matches(|c: char| is_blank(c) || surrounds_elision(c));
    if text.len() > MAX_ELISION_BYTES || text.is_empty() {
        return false;
    }
    let bare = text.trim_matches(|c: char| c == '.' || c == '…' || is_blank(c));
    if bare.is_empty() {
        return begins_with_dots(text);
    }
    let lower = bare.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let has_other_words = words.any(|word| !ELISION_WORDS.contains(&word));
    if lower == "unchanged" || PROMISES.iter().any(|promise| lower.contains(promise)) && !has_other_words {
        return true;
    }
    let promises = line.starts_with(ELISION_STARTS) && PROMISING_WORDS.iter().any(|word| lower.contains(word));
    if begins_with_dots(text) {
        // `...existing,` and `...remaining` spread a value.
        let is_glued = text.trim_start_matches(['.', '…']).starts_with(|c: char| c == '_' || c.is_alphanumeric());
        return promises && !(is_glued && begins_with_dots(line));
    }
    // `# Loading the remaining pages...` has contents of its own.
    promises && (text.ends_with("...") || text.ends_with('…')) && !has_other_words
}

/// Returns whether a new text has a placeholder that it would write into the document: an elision that neither the old
/// text nor the document has. Cost: one pass over both texts; over the document only if there is an elision.
#[must_use]
pub fn adds_placeholder(document: &str, old: &str, new: &str) -> bool {
    let is_known = |line: &str| document.lines().any(|other| other.trim() == line.trim());
    // Bare dots are an elision where the old text has some that the document lacks.
    let bare = |text: &str| text.lines().filter(|line| line.trim() == "...").count();
    if bare(old) > 0 && bare(new) > bare(old) && !is_known("...") {
        return true;
    }
    // In any language: a comment with dots in the place of lines.
    let stands_for_lines = |line: &&str| is_dotted_comment(line) && !old.contains(line.trim()) && !is_known(line);
    let comments = new.lines().filter(stands_for_lines).count();
    let lines = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
    if comments > 0 && lines(new) - comments < lines(old) {
        return true;
    }
    // Most new texts have none.
    let count = elisions(new).count();
    count > 0 && count > elisions(old).count() && elisions(new).any(|line| !is_known(line))
}

/// Returns whether a line is a comment that begins with an ellipsis.
fn is_dotted_comment(line: &str) -> bool {
    let line = line.trim_matches(is_blank);
    // A comment of JSX is in braces.
    let line = line.strip_prefix('{').unwrap_or(line);
    let is_mark = |c: char| is_blank(c) || "#/*-!".contains(c);
    comment_mark(line).is_some_and(|mark| begins_with_dots(line[mark.len()..].trim_start_matches(is_mark)))
}

/// Returns the elisions of a text, and the notices of tools. Three bare dots are none: they are code in Python.
fn elisions(text: &str) -> impl Iterator<Item = &str> {
    let is_bare = |line: &str| line.trim_matches(is_blank) == "...";
    text.split('\n').filter(move |line| is_notice(line) || (is_elision(line) && !is_bare(line)))
}

/// Returns whether a line, or its end, is a notice of a tool that has left out a part of a file: `[7 more lines in file]`,
/// `(End of file - total 10 lines)`, `...[truncated]`.
///
/// It is a line of its own in brackets, with a number of lines or with the words of a tool, or a cut with dots.
fn is_notice(line: &str) -> bool {
    let text = line.trim_matches(is_blank);
    let is_dot = |c: char| c == '.' || c == '…' || is_blank(c);
    if text.contains('⋮') && text.trim_matches(|c| is_dot(c) || c == '⋮').is_empty() {
        return true;
    }
    if CUTS.iter().any(|cut| text.ends_with(cut)) {
        return true;
    }
    let inner = text.trim_matches(is_dot);
    let is_dotted = ["...", "…"].iter().any(|dots| text.starts_with(dots) || text.ends_with(dots));
    let in_brackets = ['(', '[', '<']
        .iter()
        .zip([')', ']', '>'])
        .any(|(open, close)| inner.starts_with(*open) && inner.ends_with(close))
        || (inner.starts_with("/*") && inner.ends_with("*/"));
    if text.len() > MAX_NOTICE_BYTES || !(in_brackets || is_dotted) {
        return false;
    }
    let lower = inner.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let has_unit = words.clone().any(|word| matches!(word, "line" | "lines" | "characters" | "chars" | "bytes"));
    let has_number = words.clone().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let is_only_mark = in_brackets && words.clone().eq(["truncated"]);
    let has_verb = words.any(|word| NOTICE_WORDS.contains(&word));
    is_only_mark || (has_unit && has_number && has_verb) || NOTICES.iter().any(|notice| lower.contains(notice))
}

/// The most bytes of a notice.
const MAX_NOTICE_BYTES: usize = 200;

/// The ends of lines that a tool has cut.
const CUTS: [&str; 3] = ["...[truncated]", "…[truncated]", "... [truncated]"];

/// Words of notices beside a number of lines.
const NOTICE_WORDS: [&str; 10] =
    ["clipped", "hidden", "more", "offset", "omitted", "remaining", "shown", "showing", "total", "truncated"];

/// Words of notices without a number.
const NOTICES: [&str; 4] = ["response clipped", "system-reminder", "use offset", "use 'offset'"];

/// The most bytes of an elision: a longer comment has other contents.
const MAX_ELISION_BYTES: usize = 80;

/// The words of elisions without dots.
const PROMISES: &[&str] =
    &["rest unchanged", "code unchanged", "existing code", "rest of", "remaining code", "same as before"];

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

/// The only words of an elision that does not begin with dots.
const ELISION_WORDS: &[&str] = &[
    "all",
    "and",
    "are",
    "as",
    "before",
    "below",
    "class",
    "code",
    "content",
    "existing",
    "fields",
    "file",
    "for",
    "function",
    "functions",
    "goes",
    "here",
    "implementation",
    "imports",
    "in",
    "is",
    "keep",
    "lines",
    "logic",
    "method",
    "methods",
    "no",
    "changes",
    "of",
    "omitted",
    "original",
    "other",
    "previous",
    "properties",
    "remaining",
    "remains",
    "rest",
    "same",
    "section",
    "snip",
    "stays",
    "tests",
    "the",
    "this",
    "truncated",
    "unchanged",
    "your",
];

fn begins_with_dots(text: &str) -> bool {
    text.starts_with("...") || text.starts_with('…')
}

/// Returns the length of the line break that was put before a text, in bytes.
pub(crate) fn leading_break(text: &str) -> usize {
    text.find('\n').map_or(0, |at| at + 1)
}

/// Removes the line break that was put before a text.
pub(crate) fn without_leading_break(mut text: String) -> String {
    text.drain(..leading_break(&text));
    text
}
