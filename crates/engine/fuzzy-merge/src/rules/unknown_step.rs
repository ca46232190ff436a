//! A new line belongs a step deeper than the one before it, and the old text lost its indentation.
//!
//! Lines of one depth in the old text have several depths in the file: they do not show the step.
//!
//! Example: file `if a:<line break>    b()`, old `if a:<line break>b()`, new `if a:<line break>while c:<line
//! break>b()`.

use crate::merge::Merge;
use crate::write::Written;

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> bool {
    written.has_unknown_step
}
