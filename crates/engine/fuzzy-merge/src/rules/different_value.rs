//! The file has a different word or number where the edit changes one.
//!
//! File and new text both changed the value: the caller decides which one is right.
//! `Texts::is_different_word` compares the words.
//!
//! If the old text is what the file was, every other word is a change of the file's, also one that resembles the old word,
//! that the old text lacks, or that the file lacks.
//!
//! Example: file `port = 9000`, old `port = 8080`, new `port = 8081`.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let Some(known) = hunk.known() else { return false };
    let texts = &merge.texts;
    if texts.run.is_past && is_changed(texts, known, hunk) {
        return true;
    }
    let mut old = merge.texts.file_to_old[known.clone()].iter().flatten();
    old.any(|&old| merge.texts.is_different_word(old))
}

/// Returns whether a word of the replaced tokens has changed since the old text was the file's.
fn is_changed(texts: &Texts<'_>, known: &Range<usize>, hunk: &Hunk) -> bool {
    let is_other = |file: usize| match texts.file_to_old[file] {
        Some(old) => texts.file.items[file].fold != texts.old.items[old].fold,
        None => true,
    };
    let is_gone = |old: &usize| texts.old_to_file[*old].is_none();
    texts.file.words(known.clone()).any(is_other) || texts.old.words(hunk.old.clone()).any(|old| is_gone(&old))
}
