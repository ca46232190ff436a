//! The file has an escaped line break where the edit inserts a line break.
//!
//! They may be the same line break.
//!
//! Example: file `open()  print("a\n")  close()`, old `open()  close()`, new `open()  flush()  close()`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (file, new) = (&merge.texts.file, &merge.texts.new);
    let breaks_line = hunk.inserted().iter().any(|&index| new.breaks_before(index));
    let mut unknown = hunk.file.clone().filter(|&index| merge.texts.is_unknown(index));
    breaks_line && unknown.any(|index| matches!(file.get(index), "\\n" | "\\r"))
}
