//! Edits whose old text is a substring of the file.

use std::ops::Range;

use fastrand::Rng;

use super::super::case::{Case, edit};
use super::super::texts::Text;
use super::super::words::{SHOWN, changed, indentation, is_word, lengthened, one, words};

/// Lines of an old text, at most.
const MAX_LINES: usize = 5;

/// The least number of bytes and words of a piece that a person would quote.
const MIN_PIECE_BYTES: usize = 8;
const MIN_PIECE_WORDS: usize = 2;

/// Indentations that a person may put before a piece.
const INDENTATIONS: [&str; 5] = ["  ", "    ", "\t", "      ", "            "];

/// Returns whether a text occurs exactly once, overlapping places included.
fn occurs_once(text: &str, needle: &str) -> bool {
    let Some(first) = text.find(needle) else { return false };
    let next = text[first..].chars().next().map_or(0, char::len_utf8);
    !text[first + next..].contains(needle)
}

/// Returns the positions between the first and the last visible character of a line.
fn cuts(line: &str) -> impl Iterator<Item = usize> {
    let inside = indentation(line) + 1..line.trim_end().len();
    line.char_indices().map(|(at, _)| at).filter(move |at| inside.contains(at))
}

/// Returns the positions that divide no word.
fn cuts_between_words(line: &str) -> Vec<usize> {
    cuts(line).filter(|at| !(line[..*at].ends_with(is_word) && line[*at..].starts_with(is_word))).collect()
}

/// Returns the offset of a line's first byte.
fn start_of(lines: &[&str], at: usize) -> usize {
    lines[..at].iter().map(|line| line.len() + 1).sum()
}

/// Picks a range of a text that begins inside a line and ends inside the same or a later line.
fn cut(lines: &[&str], rng: &mut Rng) -> Option<Range<usize>> {
    let first = rng.usize(..lines.len());
    let last = (first + rng.usize(..MAX_LINES)).min(lines.len() - 1);
    let start = start_of(lines, first) + rng.choice(cuts(lines[first]).collect::<Vec<_>>())?;
    // The end of a divided word would be a word of its own in the new text.
    let end = start_of(lines, last) + rng.choice(cuts_between_words(lines[last]))?;
    (start < end).then_some(start..end)
}

/// Makes an edit of a range that occurs once, and whose new text occurs nowhere.
fn literal(text: &Text, range: Range<usize>, rng: &mut Rng) -> Option<Case> {
    let file = &text.text;
    let old = &file[range.clone()];
    let new = changed(old, rng)?;
    if old.trim().is_empty() || !occurs_once(file, old) || file.contains(&new) {
        return None;
    }
    let expected = [&file[..range.start], &new, &file[range.end..]].concat();
    Some(edit(text, old.to_owned(), new, Some(expected)))
}

/// The old text occurs once, and begins inside a line.
pub(super) fn inside_line(text: &Text, rng: &mut Rng) -> Option<Case> {
    literal(text, cut(&text.lines(), rng)?, rng)
}

/// The old text occurs once, has line breaks without `\r`, and ends inside a line of a file with `\r\n`.
pub(super) fn inside_crlf(text: &Text, rng: &mut Rng) -> Option<Case> {
    let lines = text.lines();
    let mut range = cut(&lines, rng)?;
    if rng.bool() {
        range.start = text.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    }
    let edit = literal(text, range, rng).filter(|edit| edit.old.contains('\n'))?;
    let crlf = |text: String| text.replace('\n', "\r\n");
    Some(Case { content: crlf(edit.content), expected: edit.expected.map(crlf), ..edit })
}

/// Old and new text have `\r\n`, and the file has not; apart from that the old text occurs once.
pub(super) fn crlf_text(text: &Text, rng: &mut Rng) -> Option<Case> {
    let edit = inside_line(text, rng).filter(|edit| edit.old.contains('\n'))?;
    let crlf = |text: &str| text.replace('\n', "\r\n");
    Some(Case { old: crlf(&edit.old), new: crlf(&edit.new), ..edit })
}

/// The old text is copied with the marks of a prompt, the new text without.
pub(super) fn shown_lines(text: &Text, rng: &mut Rng) -> Option<Case> {
    let lines = text.lines();
    let first = rng.usize(..lines.len());
    let last = (first + rng.usize(1..MAX_LINES)).min(lines.len() - 1);
    let start = start_of(&lines, first);
    let edit = literal(text, start..start_of(&lines, last) + lines[last].len(), rng)?;
    let quoted = &lines[first..=last];
    let has_mark =
        text.text.contains(['│', '`']) || quoted.iter().any(|line| line.trim_start().starts_with(char::is_numeric));
    // A text of one word may be anything.
    if has_mark || quoted.len() < 2 || words(&edit.old).len() < MIN_PIECE_WORDS {
        return None;
    }
    let old = if rng.usize(..4) == 0 {
        format!("{}{}\n```", ["", "```\n"][rng.usize(..2)], edit.old)
    } else {
        let show = one(&SHOWN, rng);
        quoted.iter().zip(first + 1..).map(|(line, number)| show(number, line)).collect::<Vec<_>>().join("\n")
    };
    Some(Case { old, ..edit })
}

/// Returns a few lines of a text, with or without their indentation and last line break.
fn some_lines(lines: &[&str], rng: &mut Rng) -> String {
    let first = rng.usize(..lines.len());
    let last = (first + rng.usize(..3)).min(lines.len() - 1);
    let some = lines[first..=last].join("\n");
    let some = if rng.bool() { some.trim_start() } else { &some };
    format!("{some}{}", if rng.bool() { "\n" } else { "" })
}

/// The old text occurs several times: whole lines, or a text that begins inside a line.
pub(super) fn several_places(text: &Text, rng: &mut Rng) -> Option<Case> {
    let lines = text.lines();
    let old = if rng.bool() { some_lines(&lines, rng) } else { text.text[cut(&lines, rng)?].to_owned() };
    if old.trim().is_empty() {
        return None;
    }
    let new = changed(&old, rng)?;
    let is_several = text.text.contains(&old) && !occurs_once(&text.text, &old);
    (is_several && !text.text.contains(&new)).then(|| edit(text, old, new, None))
}

/// The old text is a line, and the new text adds a line that is the start of the file's next line.
pub(super) fn longer_line(text: &Text, rng: &mut Rng) -> Option<Case> {
    let lines = text.lines();
    let at = rng.usize(..lines.len() - 1);
    let (line, next) = (lines[at], lines[at + 1]);
    let word = rng.choice(words(next))?;
    let (added, rest) = next.split_at_checked(word.start + rng.usize(2..=word.len()))?;
    // A line that only lacks punctuation may be intended as the same line.
    if words(added).len() < MIN_PIECE_WORDS || !rest.contains(is_word) {
        return None;
    }
    if line.trim().is_empty() || !occurs_once(&text.text, line) || lines.contains(&added) {
        return None;
    }
    let end = start_of(&lines, at) + line.len();
    let expected = [&text.text[..end], "\n", added, &text.text[end..]].concat();
    let last = if rng.bool() { "\n" } else { "" };
    let (old, new) = (format!("{line}{last}"), format!("{line}\n{added}{last}"));
    Some(edit(text, old, new, Some(expected)))
}

/// The old text is a piece of one line, on a line of its own with other blanks before it.
pub(super) fn piece(text: &Text, rng: &mut Rng) -> Option<Case> {
    let lines = text.lines();
    let at = rng.usize(..lines.len());
    let cuts = cuts_between_words(lines[at]);
    let (start, end) = (*rng.choice(&cuts)?, *rng.choice(&cuts)?);
    let piece = lines[at][start.min(end)..start.max(end)].trim();
    if piece.len() < MIN_PIECE_BYTES || words(piece).len() < MIN_PIECE_WORDS || !occurs_once(&text.text, piece) {
        return None;
    }
    let new = lengthened(piece, &rng.choice(words(piece))?, "_next");
    let blanks = one(&INDENTATIONS, rng);
    let (old, last) = (format!("{blanks}{piece}"), if rng.bool() { "\n" } else { "" });
    if text.text.contains(&old) || text.text.contains(&new) {
        return None;
    }
    let expected = text.text.replacen(piece, &new, 1);
    let (old, new) = (format!("{old}{last}"), format!("{blanks}{new}{last}"));
    Some(edit(text, old, new, Some(expected)))
}
