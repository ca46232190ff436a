//! The file has an operator of its own where the edit changes one.
//!
//! `<` for `<=` is no slip: the file was changed there, too. The `=` of an argument is an operator, as all of
//! `<>=!+*%^~` are. An operator beside operands that the old text lacks may bind them: `a or b` is no part of
//! `a or b and c`.
//!
//! Example: file `if (a < b)`, old `if (a <= b)`, new `if (a > b)`.

use std::ops::Range;

use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::text::characters::{BINARY_WORDS, is_operator, is_sign};
use crate::text::tokens::{Class, Tokens};
use crate::text::whitespace::is_inside_line;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    has_other(merge, hunk) || has_own_beside(merge, hunk)
}

/// Returns whether the edit replaces an operator that the file does not have.
fn has_other(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
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

/// Returns whether the edit changes an operator alone on a line where the file has an unknown one.
fn has_own_beside(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, file, new) = (merge.texts, &merge.texts.file, &merge.texts.new);
    let Some(place) = hunk.place().filter(|place| place.start < file.len()) else { return false };
    let is_sign_or_word = |index: usize| is_sign(file.get(index)) || BINARY_WORDS.contains(&file.get(index));
    let other = hunk.inserted().iter().copied().filter(|&index| !is_operator(new.get(index)));
    let unknown = file.code_of(place.start).filter(|&index| texts.is_unknown(index));
    place.clone().all(is_sign_or_word)
        && joining(new, other.clone()).eq(other)
        && joining(file, unknown).next().is_some()
}

/// Returns those of some tokens, in order, that are operators between operands, or parts of one: words, or signs between
/// blanks. A single `=` assigns.
fn joining<'r>(tokens: &'r Tokens<'_>, indices: impl Iterator<Item = usize> + 'r) -> impl Iterator<Item = usize> + 'r {
    let mut run = 0..0;
    indices.filter(move |&index| {
        if tokens.is_word(index) {
            return BINARY_WORDS.contains(&tokens.get(index));
        }
        if !run.contains(&index) {
            run = signs(tokens, index);
        }
        let is_spaced = is_inside_line(tokens.gap(run.start)) && is_inside_line(tokens.gap(run.end));
        !run.is_empty() && is_spaced && tokens.text[tokens.bytes(&run)] != *"="
    })
}

/// Returns the signs around a token without a blank between them; none if the token is no sign.
fn signs(tokens: &Tokens<'_>, index: usize) -> Range<usize> {
    let is_sign = |index: &usize| tokens.class(*index) != Class::Comment && is_sign(tokens.get(*index));
    let after = (index..tokens.len()).take_while(is_sign).take_while(|&at| at == index || tokens.is_glued(at)).count();
    let mut start = index;
    while after > 0 && start > 0 && tokens.is_glued(start) && is_sign(&(start - 1)) {
        start -= 1;
    }
    start..index + after
}
