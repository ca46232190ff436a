//! The edit indents lines anew, and the old text forgot one among them.
//!
//! Whether the forgotten line is to be indented anew, too, is a guess.
//!
//! ```text
//! file: a()  log()  b()
//! old:  a()  b()    new: a()    b(), a step deeper
//! ```

use crate::merge::Merge;
use crate::outcome::Kind;
use crate::write::Written;
use super::{Check, Checked};

pub(super) const RULE: Checked = Checked::new(
    "forgotten-indentation",
    Kind::Guess,
    "the indentation of a line that the old text does not have is a guess",
    Check::Text(check),
);

fn check(_: &Merge<'_, '_>, written: &Written) -> bool {
    written.has_unknown_indentation
}
