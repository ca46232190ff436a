//! The edit reindents lines, and a forgotten line is among them.
//!
//! The indentation of the forgotten line is a guess.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `with c:<line break>    a()<line break>    b()`.

use crate::merge::Merge;
use crate::write::Written;

use super::Part;

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> Option<Part> {
    written.has_unknown_indentation.then_some([0..0, 0..0, 0..0])
}
