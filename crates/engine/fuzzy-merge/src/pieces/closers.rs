//! Asks whether lines that need their block to be told apart are those of the block that was meant.

use std::ops::Range;

use crate::align::three_way::{MIN_CHANGED_LIKENESS, Texts};
use crate::align::tokens::likeness;
use crate::text::tokens::Class;

/// Returns whether the edit changes something beside a line that ends a block, and that may be another block's end: it
/// is not as deep as the old text has it against the line before it, or after it where it is the old text's first.
pub(crate) fn has_doubtful_closer(texts: &Texts<'_>) -> bool {
    let old = &texts.old;
    let mut opening = (0..old.len()).filter(|&token| old.opens_line(token));
    opening.any(|first| {
        let line = old.line_of(first);
        ends_block(texts, &line) && is_doubtful(texts, first) && is_changed_beside(texts, line)
    })
}

/// Returns whether a line of the old text is nothing but the end of a block.
fn ends_block(texts: &Texts<'_>, line: &Range<usize>) -> bool {
    let old = &texts.old;
    let is_mark = |token| matches!(old.class(token), Class::Opener | Class::Closer | Class::Separator);
    (old.class(line.start) == Class::Closer && line.clone().all(is_mark))
        || ["end", "fi", "done", "esac"].iter().any(|end| old.get(line.start).eq_ignore_ascii_case(end))
}

/// Returns whether a old text's line that ends a block may be another line than the one that it was found to be.
fn is_doubtful(texts: &Texts<'_>, first: usize) -> bool {
    let (file, old) = (&texts.file, &texts.old);
    let Some(partner) = texts.old_to_file[first] else {
        // What ends a block is no part of a line that does not.
        return old.line_of(first).any(|token| texts.old_to_file[token].is_some());
    };
    if !file.opens_line(partner) {
        return false;
    }
    let is_known = |&token: &usize| {
        old.opens_line(token) && texts.old_to_file[token].is_some_and(|partner| file.opens_line(partner))
    };
    let before = (0..first).rev().find(is_known);
    let Some(beside) = before.or_else(|| (first + 1..old.len()).find(is_known)) else { return false };
    let theirs = texts.old_to_file[beside].unwrap_or(partner);
    let between = theirs.min(partner)..theirs.max(partner);
    let forgotten = between.clone().any(|token| file.opens_line(token) && texts.is_foreign_line(token));
    let depths = [old.indent(first).len(), file.indent(partner).len()];
    let bases = [old.indent(beside).len(), file.indent(theirs).len()];
    if bases[0] != bases[1] {
        return forgotten && depths[0].cmp(&bases[0]) != depths[1].cmp(&bases[1]);
    }
    let is_elsewhere = if before.is_some() { closes_later } else { closed_before };
    depths[0] != depths[1]
        && (forgotten || (!is_indented_otherwise(texts, first) && is_elsewhere(texts, old.line_of(first))))
}

/// Returns whether the old text ends a block with another mark than the file, and the new text brings a line beside that
/// end, as deep, that has the one or the other: it may be that end, too.
pub(crate) fn has_two_ends(texts: &Texts<'_>) -> bool {
    let (file, old, new) = (&texts.file, &texts.old, &texts.new);
    old.full_lines().filter(|line| ends_block(texts, line)).any(|line| {
        let (Some(theirs), Some(stays)) = (texts.old_to_file[line.start], texts.old_to_new[line.start]) else {
            return false;
        };
        let theirs = file.line_of(theirs);
        if file.ids(theirs.clone()).eq(old.ids(line.clone())) {
            return false;
        }
        let ours = |at: usize| Some(new.on_line(at)).filter(|ours| !ours.is_empty());
        let is_fresh = |at: &usize| ours(*at).is_none_or(|ours| texts.new_to_old[ours].iter().all(Option::is_none));
        let is_end = |at: usize| {
            ours(at).is_some_and(|ours| {
                let is_either = new.ids(ours.clone()).eq(old.ids(line.clone()))
                    || new.ids(ours.clone()).eq(file.ids(theirs.clone()));
                is_either && new.indent(ours.start) == new.indent(new.line_of(stays).start)
            })
        };
        let at = new.line_number(stays);
        (0..at).rev().take_while(is_fresh).any(is_end) || (at + 1..new.lines()).take_while(is_fresh).any(is_end)
    })
}

/// Returns whether the old text indents some other line otherwise than the file: then its depths say little.
fn is_indented_otherwise(texts: &Texts<'_>, but: usize) -> bool {
    let (file, old) = (&texts.file, &texts.old);
    (0..old.len()).filter(|&token| token != but && old.opens_line(token)).any(|token| {
        let partner = texts.old_to_file[token].filter(|&partner| file.opens_line(partner));
        partner.is_some_and(|partner| file.indent(partner) != old.indent(token))
    })
}

/// Returns whether the file has a old text's line after its place, as deep as the old text has it, too.
fn closes_later(texts: &Texts<'_>, line: Range<usize>) -> bool {
    is_nearest(texts.after.lines(), texts.old.line_text(line))
}

/// Returns whether the file has a old text's line before its place, as deep as the old text has it, too.
fn closed_before(texts: &Texts<'_>, line: Range<usize>) -> bool {
    is_nearest(texts.before.lines().rev(), texts.old.line_text(line))
}

/// Returns whether a line is the first one of some that is no deeper.
fn is_nearest<'l>(lines: impl Iterator<Item = &'l str>, text: &str) -> bool {
    let mut lines = lines.filter(|line| !line.trim().is_empty()).take(MAX_LINES_BESIDE);
    lines
        .find(|line| depth(line) <= depth(text))
        .is_some_and(|line| line.trim() == text.trim() && depth(line) == depth(text))
}

/// Returns how many bytes a line is indented by.
fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The most lines beside a place that are read for the end of a block: longer blocks are rare.
const MAX_LINES_BESIDE: usize = 200;

/// Returns whether a line that is inside the block of the line before it in the old text is after the head of
/// another such block in the file.
pub(crate) fn leaves_block(texts: &Texts<'_>) -> bool {
    let (file, old) = (&texts.file, &texts.old);
    let lines: Vec<usize> = (0..old.len()).filter(|&token| old.opens_line(token)).collect();
    lines.windows(2).any(|pair| {
        let (Some(from), Some(to)) = (texts.old_to_file[pair[0]], texts.old_to_file[pair[1]]) else { return false };
        let inside = old.indent(pair[1]).len() > old.indent(pair[0]).len();
        let depth = file.indent(from).len();
        let header = old.line_text(old.line_of(pair[0])).trim();
        inside
            && file.opens_line(from)
            && (from + 1..to).any(|token| {
                file.opens_line(token)
                    && texts.is_unknown(token)
                    && file.indent(token).len() <= depth
                    && likeness(header, file.line_text(file.line_of(token)).trim()) >= MIN_CHANGED_LIKENESS
            })
    })
}

/// Returns whether the edit takes away some tokens of the old text, or takes away or brings something right before or after
/// them.
fn is_changed_beside(texts: &Texts<'_>, old: Range<usize>) -> bool {
    let (first, last) = (texts.old_to_new[old.start], texts.old_to_new[old.end - 1]);
    first.is_none()
        || is_unpaired(&texts.old_to_new, old.start.checked_sub(1))
        || is_unpaired(&texts.old_to_new, Some(old.end))
        || is_unpaired(&texts.new_to_old, first.and_then(|token| token.checked_sub(1)))
        || is_unpaired(&texts.new_to_old, last.map(|token| token + 1))
}

/// Returns whether there is such a token, and it has no partner.
fn is_unpaired(partners: &[Option<usize>], token: Option<usize>) -> bool {
    token.is_some_and(|token| partners.get(token).is_some_and(Option::is_none))
}
