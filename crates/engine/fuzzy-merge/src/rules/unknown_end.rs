//! The edit changes an end of the old text, and the file lacks a line of that end.
//!
//! That end of the place is then not known.
//!
//! ```text
//! file: a()  b()
//! old:  a()  b()  c()    new: a()  b()  c()  d()
//! ```

use crate::align::shared::Region;
use crate::merge::Merge;
use crate::outcome::Kind;
use super::{Check, Checked};

pub(super) const RULE: Checked = Checked::new(
    "unknown-end",
    Kind::Guess,
    "the file lacks the lines at the end of the old text that the edit changes",
    Check::Region(check),
);

fn check(merge: &Merge<'_, '_>, region: &Region) -> bool {
    let texts = merge.texts;
    if region.old.start > 0 && region.old.end < texts.old.len() {
        return false;
    }
    region.old.clone().any(|old| texts.is_lost_line(old))
}
