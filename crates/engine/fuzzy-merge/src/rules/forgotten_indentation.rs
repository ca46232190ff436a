//! The edit reindents lines, and a forgotten line is among them.
//!
//! The indentation of the forgotten line is a guess.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `with c:<line break>    a()<line break>    b()`.

use crate::merge::Merge;
use crate::write::Written;

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> bool {
    written.has_unknown_indentation
}
