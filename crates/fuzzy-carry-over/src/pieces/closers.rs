//! Asks whether a closing line beside a change is the one that was meant.

use std::ops::Range;

use crate::align::texts::Texts;
use crate::text::tokens::Class;

/// Tells whether the edit changes something beside a line of closing marks that may be another block's: lines that the
/// needle does not know stand before it, and it is not as deep as the needle has it.
pub(crate) fn has_doubtful_closer(texts: &Texts<'_>) -> bool {
    let (file, needle) = (&texts.file, &texts.needle);
    let opening = (1..needle.len()).filter(|&token| needle.opens_line(token));
    opening.into_iter().any(|first| {
        let line = needle.on_line(needle.items[first].line as usize);
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
        let forgotten = (from..partner).any(|token| {
            file.opens_line(token) && file.on_line(file.items[token].line as usize).all(|token| texts.is_unknown(token))
        });
        if !forgotten {
            return false;
        }
        let (ours, theirs) = (needle.indent(first).len(), file.indent(partner).len());
        let (our_base, their_base) = (needle.indent(before).len(), file.indent(from).len());
        let as_deep = ours.cmp(&our_base) == theirs.cmp(&their_base) && (our_base != their_base || ours == theirs);
        !as_deep && is_changed_beside(texts, line)
    })
}

/// Tells whether the edit takes away or brings something right before or after kept tokens of the needle.
fn is_changed_beside(texts: &Texts<'_>, needle: Range<usize>) -> bool {
    let gone = |token: Option<usize>| token.is_some_and(|token| texts.in_new.get(token).is_some_and(Option::is_none));
    let fresh = |token: Option<usize>| token.is_some_and(|token| texts.of_new.get(token).is_some_and(Option::is_none));
    let (first, last) = (texts.in_new[needle.start], texts.in_new[needle.end - 1]);
    gone(needle.start.checked_sub(1))
        || gone(Some(needle.end))
        || fresh(first.and_then(|token| token.checked_sub(1)))
        || fresh(last.map(|token| token + 1))
}
