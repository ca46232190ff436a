//! The file lacks the better half of each line of the old text beside an insertion.
//!
//! Then nothing shows that this is the place.
//!
//! Example: file `x = load(1)`, old `value = fetch(2)`, new `value = fetch(2)  save(value)`.

use crate::hunks::Change;
use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (Change::Insert { .. }, texts) = (&hunk.change, merge.texts) else { return false };
    let before = hunk.old.start.checked_sub(1);
    let after = Some(hunk.old.end).filter(|&index| index < texts.old.len());
    let beside: Vec<usize> = before.into_iter().chain(after).collect();
    let lost = beside.iter().copied().filter(|&token| texts.is_mostly_lost(token)).count();
    lost > 0 && lost == beside.len()
}
