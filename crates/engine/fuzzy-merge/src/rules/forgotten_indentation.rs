//! The edit reindents a line, and the old text has another one before it than the file.
//!
//! The indentation of the reindented line is a guess.
//!
//! Example: file `a()  b()`, old `a()  log()  b()`, new `with c:<line break>    a()<line break>    b()`.

use crate::merge::Merge;
use crate::write::Written;

use super::Part;

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> Option<Part> {
    written.has_unknown_indentation.then_some([0..0, 0..0, 0..0])
}
