//! The end of the old text's last line, which is the file's.
//!
//! The author ends the statement or the sequence there, and the file goes on: the last new line ends as the file's line.
//!
//! ```text
//! file: WHERE a = 1       old: WHERE a = 1;    new: WHERE a = 1        written: WHERE a = 1
//!         AND b = 2;                                  AND c = 3;                  AND c = 3
//!                                                                                 AND b = 2;
//! ```

use super::change::Change;
use crate::align::three_way::Texts;
use crate::text::tokens::{Class, Tokens};

/// Returns the changes of old and new text: both end with the same marks, and the file's line has others there.
pub(super) fn changes(texts: &Texts<'_>, inserted: &[bool]) -> Option<[Change; 2]> {
    let (file, old, new) = (&texts.file, &texts.old, &texts.new);
    let line = old.line_of(old.len().checked_sub(1)?);
    let matched = line.clone().rev().find(|&token| texts.old_to_file[token].is_some())?;
    let partner = texts.old_to_file[matched]?;
    let (marks, rest) = (matched + 1..line.end, partner + 1..file.code_of(partner).end);
    let last = new.line_of(new.len().checked_sub(1)?);
    let tail = last.end.checked_sub(marks.len()).filter(|&tail| tail > last.start)?..last.end;
    let first = old.items[marks.clone()].first()?;
    let is_end = !old.has_word(marks.clone()) && !file.has_word(rest.clone());
    let is_same = old.equal(marks.clone(), new, tail.clone());
    // An opening brace may be on the next line of the file.
    let next = file.items.get(rest.end);
    let is_next = next.is_some_and(|next| next.id == first.id);
    // A mark that both texts keep on the old line is a slip, or parts it from the new one.
    let is_moved = texts.old_to_new[marks.start].is_none_or(|kept| kept == tail.start);
    // A bracket that the text opens is its own.
    let is_own = marks.clone().any(|mark| old.class(mark) == Class::Closer) && old.depth(0..old.len()) >= 0;
    if !is_end || !is_same || !is_moved || is_next || is_own || !inserted[tail.start - 1] {
        return None;
    }
    let end = &file.text[file.bytes(&(partner..rest.end))][file.get(partner).len()..];
    let bytes = |tokens: &Tokens<'_>, from: usize, to: usize| {
        tokens.items[from - 1].end as usize..tokens.items[to - 1].end as usize
    };
    Some([(bytes(old, marks.start, marks.end), end.to_owned()), (bytes(new, tail.start, tail.end), end.to_owned())])
}
