//! Words of a text, and small changes of it.

use std::ops::Range;

use fastrand::Rng;

/// The least number of letters of a word to change.
const MIN_LETTERS: usize = 3;

/// Returns whether a character is a part of a word.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns whether a cut at `at` would divide a word.
pub(super) fn divides_word(text: &str, at: usize) -> bool {
    text[..at].ends_with(is_word) && text[at..].starts_with(is_word)
}

/// Returns the words of a text that begin with an ASCII letter.
pub(super) fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = 0;
    while let Some(skipped) = text[start..].find(is_word) {
        start += skipped;
        let end = text[start..].find(|c| !is_word(c)).map_or(text.len(), |length| start + length);
        if text[start..].starts_with(|c: char| c.is_ascii_alphabetic()) && end - start >= MIN_LETTERS {
            words.push(start..end);
        }
        start = end;
    }
    words
}

/// Returns the words of a text.
pub(super) fn word_texts(text: &str) -> Vec<&str> {
    words(text).into_iter().map(|word| &text[word]).collect()
}

/// Appends `suffix` to the word at `word`.
pub(super) fn lengthened(text: &str, word: &Range<usize>, suffix: &str) -> String {
    [&text[..word.end], suffix, &text[word.end..]].concat()
}

/// Makes a small change inside a text: of a word, or of a line that is neither the first nor the last one.
pub(super) fn changed(text: &str, rng: &mut Rng) -> Option<String> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.len() >= 3 && rng.bool() {
        let at = rng.usize(1..lines.len() - 1);
        if rng.bool() {
            lines.remove(at);
            return Some(lines.join("\n"));
        }
        let word = rng.choice(words(lines[at]))?;
        let line = lengthened(lines[at], &word, "_next");
        lines.insert(at, &line);
        return Some(lines.join("\n"));
    }
    let word = rng.choice(words(text))?;
    Some(lengthened(text, &word, "_next"))
}

/// Returns the share of the words of `line` that `other` has, 0 to 1; 0 for a line without words.
pub(super) fn shared_words(line: &str, other: &str) -> f64 {
    let (line, other) = (word_texts(line), word_texts(other));
    let shared = line.iter().filter(|word| other.contains(word)).count();
    shared as f64 / line.len().max(1) as f64
}
