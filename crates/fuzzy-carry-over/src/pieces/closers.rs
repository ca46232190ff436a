//! Asks whether lines that need their block to be told apart are those of the block that was meant.

use std::ops::Range;

use crate::align::pair::likeness;
use crate::align::texts::Texts;
use crate::text::tokens::Class;

/// Returns whether the edit changes something beside a line of closing marks that may be another block's: lines that
/// the needle does not know are before it, and it is not as deep as the needle has it.
pub(crate) fn has_doubtful_closer(texts: &Texts<'_>) -> bool {
    let (file, needle) = (&texts.file, &texts.needle);
    let opening = (1..needle.len()).filter(|&token| needle.opens_line(token));
    opening.into_iter().any(|first| {
        let line = needle.line_of(first);
        let Some(partner) = texts.in_file[first].filter(|&partner| file.opens_line(partner)) else { return false };
        let closes = line.clone().all(|token| matches!(needle.class(token), Class::Closer | Class::Separator));
        let is_end = ["end", "fi", "done", "esac"].iter().any(|end| needle.get(first).eq_ignore_ascii_case(end));
        if !closes && !is_end {
            return false;
        }
        let Some(before) = (0..first).rev().find(|&token| needle.opens_line(token) && texts.in_file[token].is_some())
        else {
            return false;
        };
        let from = texts.in_file[before].unwrap_or(0);
        let forgotten = (from..partner).any(|token| file.opens_line(token) && texts.is_foreign_line(token));
        let (ours, theirs) = (needle.indent(first).len(), file.indent(partner).len());
        let (our_base, their_base) = (needle.indent(before).len(), file.indent(from).len());
        let as_deep = if our_base == their_base {
            ours == theirs
                || (!forgotten && (is_indented_otherwise(texts, first) || !closes_later(texts, line.clone())))
        } else {
            !forgotten || ours.cmp(&our_base) == theirs.cmp(&their_base)
        };
        !as_deep && is_changed_beside(texts, line)
    })
}

/// The least likeness of the heads of two blocks of which the one may have been taken for the other.
const MIN_SIBLING_LIKENESS: f32 = 0.6;

/// Returns whether the needle indents some other line otherwise than the file: then its depths say little.
fn is_indented_otherwise(texts: &Texts<'_>, but: usize) -> bool {
    let (file, needle) = (&texts.file, &texts.needle);
    (0..needle.len()).filter(|&token| token != but && needle.opens_line(token)).any(|token| {
        let partner = texts.in_file[token].filter(|&partner| file.opens_line(partner));
        partner.is_some_and(|partner| file.indent(partner) != needle.indent(token))
    })
}

/// Returns whether the file has a needle's line after its place, as deep as the needle has it, too.
fn closes_later(texts: &Texts<'_>, line: Range<usize>) -> bool {
    let text = texts.needle.line_text(line);
    let mut lines = texts.after.lines().filter(|line| !line.trim().is_empty()).take(MAX_LINES_AFTER);
    lines
        .find(|line| depth(line) <= depth(text))
        .is_some_and(|line| line.trim() == text.trim() && depth(line) == depth(text))
}

/// Returns how many bytes a line is indented by.
fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The most lines after a place that are read for the end of a block: longer blocks are rare.
const MAX_LINES_AFTER: usize = 200;

/// Returns whether a line that is inside the block of the line before it in the needle is after the head of
/// another such block in the file.
pub(crate) fn leaves_block(texts: &Texts<'_>) -> bool {
    let (file, needle) = (&texts.file, &texts.needle);
    let lines: Vec<usize> = (0..needle.len()).filter(|&token| needle.opens_line(token)).collect();
    lines.windows(2).any(|pair| {
        let (Some(from), Some(to)) = (texts.in_file[pair[0]], texts.in_file[pair[1]]) else { return false };
        let inside = needle.indent(pair[1]).len() > needle.indent(pair[0]).len();
        let depth = file.indent(from).len();
        let header = needle.line_text(needle.line_of(pair[0])).trim();
        inside
            && file.opens_line(from)
            && (from + 1..to).any(|token| {
                file.opens_line(token)
                    && texts.is_unknown(token)
                    && file.indent(token).len() <= depth
                    && likeness(header, file.line_text(file.line_of(token)).trim()) >= MIN_SIBLING_LIKENESS
            })
    })
}

/// Returns whether the edit takes away or brings something right before or after kept tokens of the needle.
fn is_changed_beside(texts: &Texts<'_>, needle: Range<usize>) -> bool {
    let (first, last) = (texts.in_new[needle.start], texts.in_new[needle.end - 1]);
    is_unpaired(&texts.in_new, needle.start.checked_sub(1))
        || is_unpaired(&texts.in_new, Some(needle.end))
        || is_unpaired(&texts.of_new, first.and_then(|token| token.checked_sub(1)))
        || is_unpaired(&texts.of_new, last.map(|token| token + 1))
}

/// Returns whether there is such a token, and it has no partner.
fn is_unpaired(partners: &[Option<usize>], token: Option<usize>) -> bool {
    token.is_some_and(|token| partners.get(token).is_some_and(Option::is_none))
}
