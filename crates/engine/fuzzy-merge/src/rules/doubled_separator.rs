//! The edit inserts a separator where the file has one already.
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
    let goes_on = hunk.known().is_some() || !new.opens_line(first);
    goes_on && (file.class(after), new.class(last)) == (Class::Separator, Class::Separator)
}
