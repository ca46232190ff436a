//! The new text has some lines that the old text forgot, and lacks others beside them.
//!
//! Its author knew the lines. Whether the others are to be deleted is a guess.
//!
//! Example: file `a()  log()  trace()  b()`, old `a()  b()`, new `a()  log()  c()`.

use crate::align::shared::Region;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, region: &Region) -> bool {
    let (texts, file) = (merge.texts, &merge.texts.file);
    let lines = file.line_starts(region.file.clone()).filter(|&token| texts.is_foreign_line(token));
    let is_known = |token: usize| merge.columns.file_to_new[file.line_of(token)].iter().any(Option::is_some);
    let mut known = lines.map(is_known);
    let Some(first) = known.next() else { return false };
    known.any(|known| known != first)
}
