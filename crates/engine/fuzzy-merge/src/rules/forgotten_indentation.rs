//! The edit indents lines anew, and the old text forgot one among them.
//!
//! Whether the forgotten line is to be indented anew, too, is a guess.
//!
//! Example: file `a()  log()  b()`, old `a()  b()`, new `with c:<line break>    a()<line break>    b()`.

use crate::merge::Merge;
use crate::write::Written;

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> bool {
    written.has_unknown_indentation
}
