//! An insertion would divide a line of the file.
//!
//! The file has unknown words where the edit inserts some inside a line. `hunks` finds the place of an insertion.
//!
//! Example: file `call(x, y)`, old `call()`, new `call(z)`.

use crate::hunks::{Change, Hunk, Placement};
use crate::merge::Merge;

pub(super) fn check(_: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    matches!(hunk.change, Change::Insert { placement: Placement::DividesLine, .. })
}
