//! Names are where siblings differ: the file shows which token of a head is the name.
//!
//! Knows no grammar. A token is a name if other lines of the file have the same tokens before it, another token in its
//! place, and the same token after it.

use std::ops::Range;

use fuzzy_core::blank::is_inline;
use fuzzy_locate::{Index, Needle, tokens};
use fuzzy_merge::{equal_but_marks, is_word};

use crate::blocks::Lines;
use crate::declared::UNNAMED;

/// A head of the needle and its line of the file, which differ in a name.
pub(crate) struct Names<'l> {
    pub(crate) ours: &'l str,
    pub(crate) theirs: &'l str,
}

/// Returns the names in which a line of the needle and its line of the file differ, if they are heads, and if other
/// lines of the file show that the difference is a name.
///
/// Cost: one pass over the file for each head that differs.
pub(crate) fn names<'l>(index: &'l Index<'_>, needle: &'l Needle<'_>, ours: usize, theirs: usize) -> Option<Names<'l>> {
    let (our_line, their_line) = (needle.lines[ours].text, index.line(theirs));
    let (a, b) = (head(our_line), head(their_line));
    if b.iter().find(|token| token.starts_with(is_word)).is_some_and(|word| UNNAMED.contains(word)) {
        return None;
    }
    let same = a.iter().zip(&b).take_while(|(one, other)| equal_but_marks(one, other)).count();
    let (our_name, their_name) = (*a.get(same)?, *b.get(same)?);
    let next = b.get(same + 1);
    let is_name = |name: &str| name.starts_with(is_word) || !name.starts_with(['(', '[', '{', '"', '\'', '`', ',']);
    // Before a call, and before a member, it is a value.
    let has_mark = same > 0 || next.is_some_and(|next| next.starts_with(['<', '=', ':', '{']) && *next != "::");
    if a.get(same + 1) != next || !is_name(our_name) || !is_name(their_name) || !has_mark {
        return None;
    }
    let is_head = needle.depth(ours + 1) > needle.depth(ours) && index.depth(theirs + 1) > index.depth(theirs);
    // The lines before the first line of a record are the same in all records.
    let begins_record = || needle.lines[..ours].iter().all(|line| line.weight < fuzzy_merge::information(line.key));
    if !is_head && !begins_record() {
        return None;
    }
    let before = line_before(index, theirs);
    let is_sibling = |&at: &usize| {
        let other = index.line(at);
        let is_like = at != theirs && index.depth(at) == index.depth(theirs);
        is_like && (is_head || line_before(index, at) == before) && {
            let other = head(other);
            let has_prefix = other.len() > same && other[..same] == b[..same] && other.get(same + 1) == next;
            has_prefix && other[same] != their_name && is_name(other[same])
        }
    };
    let is_known = (0..index.lines.len()).find(is_sibling).is_some();
    is_known.then_some(Names { ours: our_name, theirs: their_name })
}

/// Returns the tokens of a line without the separators at its end.
fn head(line: &str) -> Vec<&str> {
    let line = line.trim().trim_end_matches(|c| matches!(c, ',' | ';') || is_inline(c));
    tokens(line, 0).map(|token: Range<usize>| &line[token]).collect()
}

/// Returns the line before a line of the file; empty for a blank one, or for none.
fn line_before<'t>(index: &'t Index<'_>, at: usize) -> &'t str {
    let Some(before) = at.checked_sub(1) else { return "" };
    let between = &index.text[index.lines[before].end..index.lines[at].start];
    if between.matches('\n').count() > 1 { "" } else { index.line(before).trim() }
}
