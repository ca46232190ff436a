//! The edit inserts a name that the old text has for another name of the file.
//!
//! The file lacks the name, and has another one on a line that is otherwise the same: the inserted name may be wrong.
//!
//! Example: file `user = load()`, old `account = load()`, new `account = load()  save(account)`.

use crate::merge::Merge;
use crate::write::Written;

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> bool {
    !written.foreign_names.is_empty()
}
