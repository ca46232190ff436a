//! The file lacks most of each old line beside an insertion.
//!
//! Then there is no evidence for the place.
//!
//! Example: file `import warnings  import numpy`, old `import warnings  import numbers`, new `import warnings  import
//! numbers  import time`.

use crate::hunks::{Change, Hunk};
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (Change::Insert { .. }, texts) = (&hunk.change, merge.texts) else { return false };
    let before = hunk.old.start.checked_sub(1);
    let after = Some(hunk.old.end).filter(|&index| index < texts.old.len());
    let beside: Vec<usize> = before.into_iter().chain(after).collect();
    let lost = beside.iter().copied().filter(|&token| texts.is_mostly_lost(token)).count();
    lost > 0 && lost == beside.len()
}
