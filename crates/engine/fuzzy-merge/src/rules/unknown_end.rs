//! The edit changes an end of the old text, and the file lacks a line of that end.
//!
//! Then that end of the place is unknown.
//!
//! Example: file `a()  b()`, old `a()  b()  c()`, new `a()  b()  c()  d()`.

use crate::merge::Merge;
use crate::regions::Region;

pub(super) fn check(merge: &Merge<'_, '_>, region: &Region) -> bool {
    let texts = merge.texts;
    if region.old.start > 0 && region.old.end < texts.old.len() {
        return false;
    }
    region.old.clone().any(|old| texts.is_lost_line(old))
}
