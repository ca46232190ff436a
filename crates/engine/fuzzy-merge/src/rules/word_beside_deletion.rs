//! Unknown words are beside deleted ones on a line of which a part is kept.
//!
//! They may belong to the deleted words.
//!
//! Example: file `run(fast, twice)`, old `run(fast)`, new `run()`.

use crate::hunks::{Change, Hunk};
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (Change::Delete { known, .. }, file) = (&hunk.change, &merge.texts.file) else { return false };
    let (head, rest) = hunk.beside(file, known);
    let mut words = file.words(head).chain(file.words(rest));
    words.any(|word| !file.in_comment(word))
}
