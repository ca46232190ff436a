//! A new line is a step deeper than the line before it, and the old text has lost its indentation.
//!
//! Lines of one depth in the old text have several depths in the file: there is no evidence for the step.
//!
//! Example: file `if a:<line break>    for b in c:<line break>        go(b)`, old `if a:  for b in c:  go(b)`, new
//! `if a:  for b in c:  while d:  wait()  go(b)`.

use crate::merge::Merge;
use crate::write::Written;

use super::Part;

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> Option<Part> {
    written.has_unknown_step.then_some([0..0, 0..0, 0..0])
}
