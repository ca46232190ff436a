//! The file has an unknown mark where the new text continues: a `;` after the head of a new block, or a mark after a
//! statement that becomes an expression.
//!
//! `if (a);` has no block, and no mark ends the argument of a call. The old text forgot the mark.
//!
//! Example: file `while (next());`, old `while (next())`, new `while (next())<line break>    step()`.

use crate::merge::Merge;
use crate::text::tokens::{Class, Tokens};

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    let (texts, file) = (merge.texts, &merge.texts.file);
    let ends = (1..file.len()).filter(|&mark| file.class(mark) == Class::Separator && file.ends_line(mark));
    let mut forgotten = ends.filter(|&mark| !file.opens_line(mark) && texts.is_unknown(mark));
    forgotten.any(|mark| begins_block(merge, mark) || is_in_expression(merge, mark))
}

/// Returns whether the new text has the statement before a mark of the file in an expression of several lines.
fn is_in_expression(merge: &Merge<'_, '_>, mark: usize) -> bool {
    let texts = merge.texts;
    let (Some(old), Some(new)) = (texts.file_to_old[mark - 1], merge.columns.file_to_new[mark - 1]) else {
        return false;
    };
    let is_kept = merge.columns.file_to_new[mark].is_none() && texts.new.ends_line(new);
    is_kept && texts.is_in_expression(old + 1, new + 1)
}

/// Returns whether the new text begins a block at a `;` of the file.
fn begins_block(merge: &Merge<'_, '_>, mark: usize) -> bool {
    let texts = merge.texts;
    let (file, new) = (&texts.file, &texts.new);
    let last = merge.columns.file_to_new[mark - 1].filter(|_| file.get(mark) == ";");
    let Some(last) = last else { return false };
    if !new.ends_line(last) || !has_deeper_line(new, last) || new.class(last + 1) == Class::Continuer {
        return false;
    }
    let old = texts.file_to_old[mark - 1].filter(|&old| has_deeper_line(&texts.old, old));
    old.is_none() && !has_deeper_line(file, mark)
}

/// Returns whether the line after the line that ends with token `last` is deeper.
fn has_deeper_line(tokens: &Tokens<'_>, last: usize) -> bool {
    let first = tokens.line_of(last).start;
    last + 1 < tokens.len() && tokens.indent(last + 1).len() > tokens.indent(first).len()
}
