//! The edit inserts a separator beside one of the file.
//!
//! Two marks would end one item: `a: 2,,`.
//!
//! Example: file `first: 1;`, old `first: 1`, new `first: 2,`.

use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::text::tokens::Class;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (file, new) = (&merge.texts.file, &merge.texts.new);
    let (Some(&first), Some(&last)) = (hunk.inserted().first(), hunk.inserted().last()) else { return false };
    let after = hunk.known().map_or(hunk.file.start, |known| known.end);
    if after == hunk.file.end || file.opens_line(after) {
        return false;
    }
    let is_inside_line = hunk.known().is_some() || !new.opens_line(first);
    is_inside_line && (file.class(after), new.class(last)) == (Class::Separator, Class::Separator)
}
