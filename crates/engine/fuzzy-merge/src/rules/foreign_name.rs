//! The edit inserts a name for which the file has another one.
//!
//! The file lacks the name, and has another one on a copied line: the inserted name may be wrong. `style::spelling`
//! finds these names.
//!
//! Example: file `user = load()`, old `account = load()`, new `account = load()  save(account)`.

use crate::merge::Merge;
use crate::write::Written;

use super::{Part, part};

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> Option<Part> {
    Some(part([None, None, Some(*written.foreign_names.first()?)]))
}
