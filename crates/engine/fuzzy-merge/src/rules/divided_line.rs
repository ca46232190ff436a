//! An insertion would divide a line of the file.
//!
//! The file has words of its own where the edit inserts some inside a line.
//!
//! ```text
//! file: call(x, y)
//! old:  call()    new: call(z)
//! ```

use crate::hunks::Hunk;
use crate::hunks::{Change, Placement};
use crate::merge::Merge;
use crate::outcome::Kind;
use super::{Check, Checked};

pub(super) const RULE: Checked = Checked::new(
    "divided-line",
    Kind::Conflict,
    "the insertion would divide a line of the file",
    Check::Hunk(check),
);

fn check(_: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    matches!(hunk.change, Change::Insert { placement: Placement::DividesLine, .. })
}
