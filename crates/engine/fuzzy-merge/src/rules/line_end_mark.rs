//! File and old text end a changed line with different marks, and the new text keeps neither for certain.
//!
//! Whether the mark was a slip or a change is open.
//!
//! ```text
//! file: first;
//! old:  first,    new: first. second
//! ```

use crate::merge::Merge;
use crate::outcome::Kind;
use super::{Check, Checked};

pub(super) const RULE: Checked = Checked::new(
    "line-end-mark",
    Kind::Conflict,
    "a changed line ends with another mark in the file than in the old text",
    Check::Merge(check),
);

fn check(merge: &Merge<'_, '_>) -> bool {
    merge.columns.affixes.are_unsettled
}
