//! Unknown words of the file are among deleted or replaced ones.
//!
//! Whether to delete them, too, is a guess. A comment is deleted with its line. An unknown mark that ends a line counts as
//! a word if fewer lines of the new text end with a mark.
//!
//! Example: file `call(a, extra, b)`, old `call(a, b)`, new `run(c)`.

use std::ops::Range;

use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::text::tokens::{Class, Tokens};

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Some(known)) = (merge.texts, hunk.known()) else { return false };
    let is_comment = |word: usize| {
        let line = texts.file.line_of(word);
        let is_whole = known.start <= line.start;
        let comment = texts.file.comment(line).filter(|&comment| comment <= word);
        comment.is_some_and(|comment| is_whole || texts.is_unknown(comment))
    };
    let mut words = texts.unknown_words(known.clone());
    words.any(|word| !is_comment(word)) || loses_mark(merge, hunk, known)
}

/// Returns whether an unknown mark that ends a line of the file has no counterpart among the inserted tokens.
fn loses_mark(merge: &Merge<'_, '_>, hunk: &Hunk, known: &Range<usize>) -> bool {
    let (file, new) = (&merge.texts.file, &merge.texts.new);
    let is_end = |text: &Tokens<'_>, mark: usize| text.class(mark) == Class::Separator && text.ends_line(mark);
    let ends: Vec<usize> = known.clone().filter(|&mark| is_end(file, mark)).collect();
    let kept = hunk.inserted().iter().filter(|&&mark| is_end(new, mark)).count();
    let is_replaced = !hunk.inserted().is_empty();
    is_replaced && kept < ends.len() && ends.iter().any(|&mark| merge.texts.is_unknown(mark))
}
