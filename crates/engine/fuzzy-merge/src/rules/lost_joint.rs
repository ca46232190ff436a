//! A line gets another one after it, and the marks that join the two are lost.
//!
//! Old and new text share the marks, and the file lacks them: they belong to what follows.
//!
//! Example: file `"a"`, old `"a\n",`, new `"a\n",  "b"`.

use crate::hunks::Hunk;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, new) = (merge.texts, &merge.texts.new);
    let Some(first) = hunk.inserted().iter().copied().find(|&index| new.opens_line(index)) else { return false };
    let is_on_line = |&index: &usize| texts.is_mark(index) && new.line_number(index) + 1 == new.line_number(first);
    let mut marks = (0..first).rev().take_while(is_on_line).filter(|index| !hunk.inserted().contains(index));
    marks.any(|index| texts.is_lost_joint(index))
}
