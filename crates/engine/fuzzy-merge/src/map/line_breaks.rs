//! Line breaks of the author where the file has one line: inserted lines are written on it, too.
//!
//! ```text
//! file: .a { color: red; }     old: .a {              new: .a {              written: .a { color: red; margin: 0; }
//!                                     color: red;            color: red;
//!                                   }                        margin: 0;
//!                                                          }
//! ```

use rustc_hash::FxHashMap;

use super::change::Change;
use crate::align::three_way::Texts;
use crate::text::tokens::{Class, Tokens};
use crate::text::whitespace::Gap;

/// The fewest line breaks that show one line.
const MIN_BREAKS: usize = 2;

/// Returns the changes of the new text: the file's blanks for the line breaks beside inserted tokens, if the file has none
/// of the author's other line breaks.
pub(super) fn changes(texts: &Texts<'_>, inserted: &[bool]) -> Vec<Change> {
    let Texts { file, old, new, .. } = texts;
    let mut joined: FxHashMap<(u32, bool), &str> = FxHashMap::default();
    let mut count = 0;
    for (at, pair) in texts.old_to_file.windows(2).enumerate() {
        let &[Some(one), Some(other)] = pair else { continue };
        if other == one + 1 && file.breaks_before(other) {
            return Vec::new();
        }
        if other != one + 1 || !old.breaks_before(at + 1) {
            continue;
        }
        joined.insert(key(old, at + 1), file.gap(other));
        count += 1;
    }
    // A comment ends with its line.
    let has_comment = (0..new.len()).any(|at| inserted[at] && new.class(at) == Class::Comment);
    if count < MIN_BREAKS || has_comment {
        return Vec::new();
    }
    let is_beside = |at: usize| inserted[at] || inserted[at - 1];
    let breaks: Vec<usize> = (1..new.len()).filter(|&at| Gap::new(new.gap(at)).breaks == 1 && is_beside(at)).collect();
    // On one line, only a separator or a bracket parts two items.
    let is_parted =
        |&at: &usize| matches!(new.class(at - 1), Class::Separator | Class::Opener) || new.class(at) == Class::Closer;
    if !breaks.iter().all(is_parted) {
        return Vec::new();
    }
    let change = |at: usize| {
        let blanks = joined.get(&key(new, at)).copied().unwrap_or(" ");
        (new.end_before(at)..new.items[at].start as usize, blanks.to_owned())
    };
    breaks.into_iter().map(change).collect()
}

/// Returns the token before a gap, and whether a bracket closes after it: they decide about the blanks.
fn key(tokens: &Tokens<'_>, at: usize) -> (u32, bool) {
    let before = tokens.items[at - 1];
    let kind = if before.word { u32::MAX } else { before.id };
    (kind, tokens.class(at) == Class::Closer)
}
