//! New lines belong somewhere among forgotten lines.
//!
//! There is no evidence for one of the places.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `a()  c()  b()`.

use crate::hunks::{Change, Hunk, Placement};
use crate::merge::Merge;

pub(super) fn check(_: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    matches!(hunk.change, Change::Insert { placement: Placement::AmongUnknown, .. })
}
