//! The file has a different operator where the edit changes one.
//!
//! `<` for `<=` is no slip: the file was changed there, too. The `=` of an argument is an operator, as all of
//! `<>=!+*%^~` are.
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
    let old = operators(&texts.old, hunk.old.clone().filter(|&old| !texts.is_kept(old)));
    let file = operators(&texts.file, file);
    !old.is_empty() && !file.is_empty() && old != file
}

/// Returns the operators among some tokens.
fn operators<'t>(tokens: &Tokens<'t>, indices: impl Iterator<Item = usize>) -> Vec<&'t str> {
    indices.map(|index| tokens.get(index)).filter(|text| is_operator(text)).collect()
}
