//! The file has another operator where the edit changes one.
//!
//! `<` for `<=` is no slip of the pen: the file was changed there, too.
//!
//! Example: file `if (a < b)`, old `if (a <= b)`, new `if (a > b)`.

use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::text::characters::is_operator;
use crate::text::tokens::Tokens;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, file) = (merge.texts, hunk.file.clone());
    if operators(&texts.new, hunk.inserted().iter().copied()).is_empty() {
        return false;
    }
    let ours = operators(&texts.old, hunk.old.clone().filter(|&old| !texts.is_kept(old)));
    let theirs = operators(&texts.file, file);
    !ours.is_empty() && !theirs.is_empty() && ours != theirs
}

/// Returns the operators among some tokens.
fn operators<'t>(tokens: &Tokens<'t>, indices: impl Iterator<Item = usize>) -> Vec<&'t str> {
    indices.map(|index| tokens.get(index)).filter(|text| is_operator(text)).collect()
}
