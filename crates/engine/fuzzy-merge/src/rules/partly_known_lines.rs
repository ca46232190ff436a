//! The new text has some forgotten lines of the file, and lacks others beside them.
//!
//! Whether the others are to be deleted is a guess.
//!
//! Example: file `a()  log()  trace()  b()`, old `a()  b()`, new `a()  log()  c()`.

use crate::merge::Merge;
use crate::regions::Region;

pub(super) fn check(merge: &Merge<'_, '_>, region: &Region) -> bool {
    let (texts, file) = (merge.texts, &merge.texts.file);
    let lines = file.line_starts(region.file.clone()).filter(|&token| texts.is_forgotten_line(token));
    let is_in_new = |token: usize| merge.columns.file_to_new[file.line_of(token)].iter().any(Option::is_some);
    let mut in_new = lines.map(is_in_new);
    let Some(first) = in_new.next() else { return false };
    in_new.any(|other| other != first)
}
