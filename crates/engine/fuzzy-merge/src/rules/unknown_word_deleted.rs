//! Words that only the file has are among those that the edit deletes or replaces.
//!
//! The author of the edit did not know them. A comment is deleted with its line.
//!
//! Example: file `call(a, extra, b)`, old `call(a, b)`, new `run(c)`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Some(known)) = (merge.texts, hunk.certainly_known()) else { return false };
    let is_remark = |word: usize| {
        let line = texts.file.line_of(word);
        let is_whole = known.start <= line.start;
        let comment = texts.file.comment(line).filter(|&comment| comment <= word);
        comment.is_some_and(|comment| is_whole || texts.is_unknown(comment))
    };
    let mut words = texts.own_words(known.clone());
    words.any(|word| !is_remark(word))
}
