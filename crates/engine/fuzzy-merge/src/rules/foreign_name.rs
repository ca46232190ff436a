//! The edit inserts a name for which the file has another one.
//!
//! The file lacks the name, and has another one on a copied line: the inserted name may be wrong. `style::spelling`
//! finds these names.
//!
//! Example: file `user = load()`, old `account = load()`, new `account = load()  save(account)`.

use crate::merge::Merge;
use crate::write::Written;

pub(super) fn check(_: &Merge<'_, '_>, written: &Written) -> bool {
    !written.foreign_names.is_empty()
}
