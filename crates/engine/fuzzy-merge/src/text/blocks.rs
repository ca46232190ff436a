//! Lines that begin and continue blocks, by their words and depths.

use crate::text::characters::{HEAD_WORDS, comment_mark};
use crate::text::tokens::is_word;

/// Returns the bytes of a line's indentation.
pub(crate) fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns whether a line has more than blanks and a comment.
pub(crate) fn has_code(line: &str) -> bool {
    let body = line.trim();
    !body.is_empty() && comment_mark(body).is_none()
}

/// Returns whether a line only continues the block of an earlier one: `else:`, `} catch (e) {`.
pub(crate) fn is_branch(line: &str) -> bool {
    let (word, rest) = first_word(line.trim());
    match word {
        "else" if rest.starts_with("if") => true,
        "else" | "finally" => rest.chars().next().is_none_or(|mark| matches!(mark, ':' | '{')),
        "catch" => rest.starts_with(['(', '{']),
        "except" => rest.ends_with(':'),
        "elif" | "elsif" | "elseif" | "rescue" => true,
        _ => false,
    }
}

/// Returns whether a line may be the one that a branch continues.
pub(crate) fn may_have_branch(line: &str) -> bool {
    line.trim().starts_with('}') || line.split(|c| !is_word(c)).any(|word| HEAD_WORDS.contains(&word))
}

/// Returns the first word of a line, after a bracket that ends a block, and the rest.
fn first_word(body: &str) -> (&str, &str) {
    let body = body.trim_start_matches('}').trim_start();
    let (word, rest) = body.split_at(body.len() - body.trim_start_matches(is_word).len());
    (word, rest.trim())
}

/// Returns the lines of a text from the last to the first, each with the byte at which it starts.
pub(crate) fn lines_up(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = text.len() + 1;
    text.rsplit('\n').map(move |line| {
        end -= line.len() + 1;
        (end, line)
    })
}
