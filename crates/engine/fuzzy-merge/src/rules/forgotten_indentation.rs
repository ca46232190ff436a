//! The edit indents lines anew, and the old text forgot one among them.
//!
//! Whether the forgotten line is to be indented anew, too, is a guess.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `a()` and `b()` a step deeper.

use crate::merge::Merge;
use crate::write::Written;

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> bool {
    written.has_unknown_indentation
}
