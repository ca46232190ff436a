//! The file has an escaped line break where the edit inserts a line break.
//!
//! They may be the same line break.
//!
//! Example: file `say("one\n two")`, old `say("one two")`, new `say("one  and two")` in two lines.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (file, new) = (&merge.texts.file, &merge.texts.new);
    let breaks_line = hunk.inserted().iter().any(|&index| new.breaks_before(index));
    // A forgotten line has its own breaks.
    let is_unknown = |index: &usize| merge.texts.is_unknown(*index) && !merge.texts.is_forgotten_line(*index);
    let mut unknown = hunk.file.clone().filter(is_unknown);
    breaks_line && unknown.any(|index| matches!(file.get(index), "\\n" | "\\r"))
}
