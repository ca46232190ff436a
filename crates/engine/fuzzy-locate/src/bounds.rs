//! The bounds of places: a word of the file is never torn, and neither is a name with joined parts.

use std::ops::Range;

use fuzzy_core::blank::{is_blank, is_inline};
use fuzzy_core::{Query, line_start};
use fuzzy_merge::is_word;
use memchr::memmem;

/// The marks that join the parts of a name: `max-width`, `read.timeout`.
const JOINERS: [char; 4] = ['-', '.', ':', '/'];

/// Returns whether a place begins or ends inside a word of the file, or behind a mark that joins a name, although a line
/// elsewhere has the rest of the name as its own.
///
/// Cost: none for most places; one pass over the file for one that begins behind such a mark.
#[must_use]
pub fn tears(query: &Query<'_>, at: &Range<usize>) -> bool {
    let text = query.text();
    tears_word(text, at.start)
        || tears_word(text, at.end)
        || (is_joined(text, at.start) && {
            // The answer depends on the whole file.
            let text = query.whole_text();
            head_elsewhere(text, &text[at.start..], Some(at.start))
        })
}

/// Returns whether a line of the file has another one inside, which begins inside a word there, or behind a mark that
/// joins a name, and whose own name begins a line of `text`.
///
/// Cost: one pass over both lines; one over the text where the line begins inside a name.
#[must_use]
pub fn is_torn(text: &str, ours: &str, theirs: &str) -> bool {
    let ((ours, _), (theirs, is_after_blank)) = (squeezed(ours), squeezed(theirs));
    let mut places = memmem::find_iter(theirs.as_bytes(), &ours).peekable();
    places.peek().is_some()
        && places.all(|at| {
            let is_inside = tears_word(&theirs, at) || (is_joined(&theirs, at) && !is_after_blank[at]);
            is_inside && head_elsewhere(text, &theirs[at..], None)
        })
}

/// Returns a line with one space for each run of blanks that parts two words, and none beside marks, and for each of its
/// bytes whether a blank was before it.
fn squeezed(line: &str) -> (String, Vec<bool>) {
    let mut squeezed = String::with_capacity(line.len());
    let mut is_after_blank = Vec::with_capacity(line.len());
    let mut after_blank = false;
    for c in line.trim_matches(is_blank).chars() {
        if is_blank(c) {
            after_blank = true;
            continue;
        }
        if after_blank && is_word(c) && squeezed.ends_with(is_word) {
            squeezed.push(' ');
        }
        squeezed.push(c);
        is_after_blank.resize(squeezed.len(), after_blank);
        after_blank = false;
    }
    (squeezed, is_after_blank)
}

/// Returns whether an offset is inside a word, in a script with blanks between words.
pub(crate) fn tears_word(text: &str, at: usize) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| is_word(c) && !is_unspaced(c));
    is_part(text[..at].chars().next_back()) && is_part(text[at..].chars().next())
}

/// Returns whether a character belongs to a script without blanks between words: Thai, Lao, Tibetan, Burmese, Khmer,
/// Japanese or Chinese.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Returns whether a word begins behind a mark that joins it to another word.
fn is_joined(text: &str, at: usize) -> bool {
    let before = &text[..at];
    text[at..].starts_with(is_word) && before.ends_with(JOINERS) && before.trim_end_matches(JOINERS).ends_with(is_word)
}

/// Returns whether the head of a line, a name and the mark after it, begins a line of a text, or follows a bracket, a
/// quote or a comma there, at another offset than `at`.
fn head_elsewhere(text: &str, line: &str, at: Option<usize>) -> bool {
    let Some((name, mark)) = head(line) else { return false };
    let mut others = memmem::find_iter(text.as_bytes(), name).filter(|&other| Some(other) != at);
    others.any(|other| {
        let before = text[line_start(text, other)..other].trim_end_matches(is_blank);
        let begins = before.is_empty() || before.ends_with(['(', '[', '{', '<', '"', '\'', '`', ',']);
        begins && head(&text[other..]) == Some((name, mark))
    })
}

/// Returns the name that a text begins with, and the mark after it on its line.
fn head(text: &str) -> Option<(&str, char)> {
    let name = &text[..text.len() - text.trim_start_matches(is_word).len()];
    let mark = text[name.len()..].trim_start_matches(is_inline).chars().next()?;
    (!name.is_empty() && !is_word(mark) && !is_blank(mark)).then_some((name, mark))
}
