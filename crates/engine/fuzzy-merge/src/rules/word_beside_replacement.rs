//! Unknown words are beside replaced ones on the same line.
//!
//! File and edit both change one thing. The keyword at the beginning of a line, its last mark and comment do not count.
//!
//! Example: file `total = items * rate`, old `total = items`, new `total = orders`.

use crate::hunks::{Change, Hunk};
use crate::merge::Merge;
use crate::text::tokens::Class;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (file, Change::Replace { new, .. }, Some(known)) = (&merge.texts.file, &hunk.change, hunk.certainly_known())
    else {
        return false;
    };
    let (head, rest) = hunk.beside(file, known);
    let is_single = (known.len(), new.len()) == (1, 1);
    let is_keyword = is_single && head.len() <= 1 && file.opens_line(head.start);
    if !is_keyword && file.has_word(head) {
        return true;
    }
    let comment = file.comment(file.line_of(known.end - 1)).unwrap_or(rest.end);
    let is_comment = rest.clone().take_while(|&at| at < comment).all(|at| file.class(at) == Class::Separator);
    file.has_word(rest) && !is_comment
}
