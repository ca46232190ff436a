//! Several new lines replace a part of a line, and the file has more on that line.
//!
//! Which new line the rest belongs to is a guess. A single separator is no rest.
//!
//! Example: file `build all # slow`, old `build all`, new `fetch it  compile it`.

use crate::hunks::{Change, Hunk};
use crate::merge::Merge;
use crate::text::tokens::Class;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Change::Replace { known, new }) = (merge.texts, &hunk.change) else { return false };
    let (_, rest) = hunk.beside(&texts.file, known);
    let has_rest = match rest.len() {
        0 => false,
        1 => texts.file.class(rest.start) != Class::Separator,
        _ => true,
    };
    has_rest && new[1..].iter().any(|&index| texts.new.opens_line(index))
}
