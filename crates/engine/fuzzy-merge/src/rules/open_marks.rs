//! A new line has marks that the file may write otherwise.
//!
//! The kept lines have other marks in the file than in the new text, and do not show which ones belong to the new line, or
//! whether the marks that join a kept line to the new one after it are written: the [map](mod@crate::map) is open there.
//!
//! Example: file `"a"`, old `"a\n",`, new `"a\n",  "b"`.

use crate::merge::Merge;

use super::{Part, part};

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let open = merge.map.open?;
    Some(part([None, merge.texts.new_to_old[open], Some(open)]))
}
