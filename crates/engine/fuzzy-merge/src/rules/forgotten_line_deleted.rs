//! Forgotten lines are among deleted ones.
//!
//! Whether to delete them, too, is a guess.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `c()`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Some(known)) = (merge.texts, hunk.known()) else { return false };
    let mut unknown = known.clone().filter(|&index| texts.is_unknown(index));
    unknown.any(|index| texts.is_forgotten_line(index))
}
