//! A token of the file is paired with two lines of the new text, directly and by the old text, and equals neither line.
//!
//! Each of the two lines may be the changed line of the file.
//!
//! Example: file `let style = a[9]`, old `style = a[9]`, new `let style = b[7]  style = c[9]`.

use crate::merge::Merge;

use super::Part;

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let (file, new) = (&merge.texts.file, &merge.texts.new);
    let token = (0..file.len()).find(|&token| has_two_origins(merge, token))?;
    let line = merge.columns.file_to_new[token].map_or(0..0, |token| new.line_of(token));
    Some([file.line_of(token), 0..0, line])
}

/// Returns whether a token of the file is on two lines of the new text, and neither is the file's line.
fn has_two_origins(merge: &Merge<'_, '_>, token: usize) -> bool {
    let texts = merge.texts;
    let (file, new) = (&texts.file, &texts.new);
    let by_old = texts.file_to_old[token].and_then(|old| texts.old_to_new[old]);
    let (Some(by_old), Some(by_file)) = (by_old, merge.columns.file_to_new[token]) else { return false };
    let is_file_line = |token_of_new: usize| new.equal(new.line_of(token_of_new), file, file.line_of(token));
    new.line_number(by_old) != new.line_number(by_file) && !is_file_line(by_old) && !is_file_line(by_file)
}
