//! The edit inserts a separator where the file has one already.
//!
//! Two marks would end one item: `a: 2,,`.
//!
//! ```text
//! file: a: 1,
//! old:  a: 1     new: a: 2,
//! ```

use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::text::tokens::Class;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (file, new) = (&merge.texts.file, &merge.texts.new);
    let &[first, ..] = hunk.inserted() else { return false };
    let last = hunk.inserted()[hunk.inserted().len() - 1];
    let after = hunk.known().map_or(hunk.file.start, |known| known.end);
    let goes_on = hunk.known().is_some() || !new.opens_line(first);
    let is_ended = after < hunk.file.end && file.class(after) == Class::Separator && !file.opens_line(after);
    goes_on && is_ended && new.class(last) == Class::Separator
}
