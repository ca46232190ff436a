//! The file has an unknown `;` after a head for which the new text has a block.
//!
//! `if (a);` has no block. The old text forgot the mark.
//!
//! Example: file `while (next());`, old `while (next())`, new `while (next())<line break>    step()`.

use crate::merge::Merge;
use crate::text::tokens::{Class, Tokens};

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    let file = &merge.texts.file;
    let ends = (1..file.len()).filter(|&mark| file.get(mark) == ";" && file.ends_line(mark));
    let mut forgotten = ends.filter(|&mark| !file.opens_line(mark)).filter(|&mark| merge.texts.is_unknown(mark));
    forgotten.any(|mark| begins_block(merge, mark))
}

/// Returns whether the new text begins a block at a `;` of the file.
fn begins_block(merge: &Merge<'_, '_>, mark: usize) -> bool {
    let texts = merge.texts;
    let (file, new) = (&texts.file, &texts.new);
    let Some(last) = merge.columns.file_to_new[mark - 1] else { return false };
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
