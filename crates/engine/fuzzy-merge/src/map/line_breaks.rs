//! Line breaks of the author where the file has one line: inserted lines are written on it, too.
//!
//! ```text
//! file: .a { color: red; }     old: .a {              new: .a {              written: .a { color: red; margin: 0; }
//!                                     color: red;            color: red;
//!                                   }                        margin: 0;
//!                                                          }
//! ```

use rustc_hash::FxHashMap;

use super::Change;
use crate::align::three_way::Texts;
use crate::columns::Columns;
use crate::text::tokens::{Class, Tokens};
use crate::text::whitespace::Gap;

/// The fewest line breaks that show one line.
const MIN_BREAKS: usize = 2;

/// Returns the changes of the new text: the file's blanks for the line breaks beside inserted tokens, if the file has none
/// of the author's other line breaks.
pub(super) fn changes(texts: &Texts<'_>, columns: &Columns, inserted: &[bool]) -> Vec<Change> {
    let (file, new) = (&texts.file, &texts.new);
    let mut joined: FxHashMap<(u32, bool), &str> = FxHashMap::default();
    let mut count = 0;
    for (at, pair) in columns.file_to_new.windows(2).enumerate() {
        let &[Some(one), Some(other)] = pair else { continue };
        let is_shared = texts.file_to_old[at]
            .zip(texts.file_to_old[at + 1])
            .is_some_and(|(old, next)| next == old + 1 && texts.old.breaks_before(next));
        if other != one + 1 || !new.breaks_before(other) || !is_shared {
            continue;
        }
        if file.breaks_before(at + 1) {
            return Vec::new();
        }
        joined.insert(key(new, other), file.gap(at + 1));
        count += 1;
    }
    // A comment ends with its line.
    let has_comment = (0..new.len()).any(|at| inserted[at] && new.class(at) == Class::Comment);
    if count < MIN_BREAKS || has_comment {
        return Vec::new();
    }
    let is_beside = |at: usize| inserted[at] || inserted[at - 1];
    let breaks = (1..new.len()).filter(|&at| Gap::new(new.gap(at)).breaks == 1 && is_beside(at));
    breaks
        .map(|at| {
            let blanks = joined.get(&key(new, at)).copied().unwrap_or(" ");
            (new.end_before(at)..new.items[at].start as usize, blanks.to_owned())
        })
        .collect()
}

/// Returns the token before a gap, and whether a bracket closes after it: they decide about the blanks.
fn key(tokens: &Tokens<'_>, at: usize) -> (u32, bool) {
    let before = tokens.items[at - 1];
    let kind = if before.word { u32::MAX } else { before.id };
    (kind, tokens.class(at) == Class::Closer)
}
