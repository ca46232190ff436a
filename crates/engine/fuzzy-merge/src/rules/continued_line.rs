//! New text goes on with a line after words that only the file has.
//!
//! The result would be a line that neither author wrote.
//!
//! ```text
//! file: let a = first second;
//! old:  let a = second;    new: let a = third;
//! ```

use crate::hunks::Change;
use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::outcome::Kind;
use super::{Check, Checked};

pub(super) const RULE: Checked = Checked::new(
    "continued-line",
    Kind::Conflict,
    "the new text goes on with a line after what only the file has",
    Check::Hunk(check),
);

fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let Change::Replace { file, new, .. } = &hunk.change else { return false };
    file.start > hunk.file.start && !merge.texts.new.breaks_before(new[0])
}
