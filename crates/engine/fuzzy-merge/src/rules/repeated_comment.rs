//! The edit inserts a comment line that the file has as a comment after a kept line.
//!
//! The file would have the comment twice.
//!
//! Example: file `go() // runs the job`, old `go()`, new `// runs the job  go()`.

use std::ops::Range;

use crate::align::column::ColumnKind;
use crate::merge::Merge;

use super::Part;

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let texts = merge.texts;
    let (file, new) = (&texts.file, &texts.new);
    let is_file_only = |index: usize| merge.columns.kind(texts, index) == ColumnKind::FileOnly;
    let comments = file.full_lines().filter_map(|line| Some(file.comment(line.clone())? + 1..line.end));
    let mut comments = comments.filter(|words| words.len() > 1 && words.clone().all(is_file_only)).peekable();
    comments.peek()?;
    let inserted = merge.inserted().filter(|&index| !new.in_trailing_comment(index));
    let inserted: Vec<u32> = inserted.map(|index| new.items[index].id).collect();
    let is_inserted =
        |words: &Range<usize>| inserted.windows(words.len()).any(|ids| file.ids(words.clone()).eq(ids.iter().copied()));
    Some([comments.find(is_inserted)?, 0..0, 0..0])
}
