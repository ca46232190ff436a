//! New lines belong somewhere among lines that only the file has.
//!
//! Nothing shows before or after which of them.
//!
//! ```text
//! file: a()  log()  b()
//! old:  a()  b()    new: a()  c()  b()
//! ```

use crate::hunks::Hunk;
use crate::hunks::{Change, Placement};
use crate::merge::Merge;
use crate::outcome::Kind;
use super::{Check, Checked};

pub(super) const RULE: Checked = Checked::new(
    "insertion-point",
    Kind::InsertionPoint,
    "new lines could be inserted at several places",
    Check::Hunk(check),
);

fn check(_: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    matches!(hunk.change, Change::Insert { placement: Placement::AmongUnknown, .. })
}
