//! Unknown words of the file are among deleted or replaced ones.
//!
//! Whether to delete them, too, is a guess. A comment is deleted with its line.
//!
//! Example: file `call(a, extra, b)`, old `call(a, b)`, new `run(c)`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Some(known)) = (merge.texts, hunk.known()) else { return false };
    let is_comment = |word: usize| {
        let line = texts.file.line_of(word);
        let is_whole = known.start <= line.start;
        let comment = texts.file.comment(line).filter(|&comment| comment <= word);
        comment.is_some_and(|comment| is_whole || texts.is_unknown(comment))
    };
    let mut words = texts.unknown_words(known.clone());
    words.any(|word| !is_comment(word))
}
