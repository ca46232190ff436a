//! New lines belong somewhere among lines that only the file has.
//!
//! Nothing shows before or after which of them.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `a()  c()  b()`.

use crate::hunks::Hunk;
use crate::hunks::{Change, Placement};
use crate::merge::Merge;

pub(super) fn check(_: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    matches!(hunk.change, Change::Insert { placement: Placement::AmongUnknown, .. })
}
