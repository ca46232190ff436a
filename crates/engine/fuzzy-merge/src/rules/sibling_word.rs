//! The file has a different word where the edit keeps one on a changed line.
//!
//! The place is a sibling. If the edit only inserts, the word may be misremembered, unless the file has it elsewhere.
//!
//! Example: file `let width = load("width");`, old `let height = load("height");`, new `let height =
//! read("height");`; and `height` elsewhere.

use crate::align::three_way::Texts;
use crate::merge::Merge;

use super::{Part, part};

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let texts = merge.texts;
    let old = (0..texts.old.len()).find(|&old| is_sibling(texts, old))?;
    Some(part([texts.old_to_file[old], Some(old), texts.old_to_new[old]]))
}

/// Returns whether the file has a different word for a kept token of the old text.
fn is_sibling(texts: &Texts<'_>, old: usize) -> bool {
    match texts.old_to_new[old] {
        Some(_) if texts.is_on_touched_line(old) => texts.is_different_word(old) || texts.elsewhere[old],
        Some(new) => texts.elsewhere[old] && texts.inserts_on_line(new),
        None => false,
    }
}
