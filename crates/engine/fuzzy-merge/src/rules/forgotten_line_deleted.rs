//! Lines that only the file has are among deleted ones.
//!
//! The author of the edit did not know them. Whether they are to be deleted, too, is a guess.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `c()`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Some(known)) = (merge.texts, hunk.certainly_known()) else { return false };
    let mut own = known.clone().filter(|&index| texts.is_unknown(index));
    own.any(|index| texts.is_foreign_line(index))
}
