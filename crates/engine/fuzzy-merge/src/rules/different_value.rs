//! The file has a different word or number where the edit changes one.
//!
//! File and new text both changed the value: the caller decides which one is right.
//! `Texts::is_different_word` compares the words.
//!
//! Example: file `port = 9000`, old `port = 8080`, new `port = 8081`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let Some(known) = hunk.known() else { return false };
    let mut old = merge.texts.file_to_old[known.clone()].iter().flatten();
    old.any(|&old| merge.texts.is_different_word(old))
}
