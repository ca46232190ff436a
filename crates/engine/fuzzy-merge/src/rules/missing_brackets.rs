//! The edit adds or deletes statements of a block for which the file has no brackets.
//!
//! Both texts have the brackets, which are optional around a single statement. Without them the body ends after it.
//!
//! Example: file `if (a)  go();`, old `if (a) {  go();  }`, new `if (a) {  stop();  go();  }`.

use rustc_hash::FxHashMap;

use crate::merge::Merge;
use crate::text::tokens::Tokens;

use super::Part;

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let texts = merge.texts;
    let (old, is_missing) = (&texts.old, |token: usize| texts.old_to_file[token].is_none());
    if !(0..old.len()).any(|token| is_missing(token) && old.get(token) == "{") {
        return None;
    }
    let in_new = blocks(&texts.new);
    let changed = blocks(old).into_iter().filter(|&(open, lines)| {
        // A line without any token of the file is another slip.
        let is_block = is_missing(open) && !texts.is_lost_line(open);
        let new = texts.old_to_new[open].filter(|_| is_block).and_then(|open| in_new.get(&open));
        new.is_some_and(|&new| new != lines)
    });
    let open = changed.map(|(open, _)| open).min()?;
    Some([0..0, old.line_of(open), 0..0])
}

/// Returns the number of lines that begin in each block in `{}`, by its first token.
fn blocks(tokens: &Tokens<'_>) -> FxHashMap<usize, usize> {
    let (mut lines, mut open, mut found) = (0, Vec::new(), FxHashMap::default());
    for index in 0..tokens.len() {
        if tokens.get(index) == "}" {
            found.extend(open.pop().map(|(open, before)| (open, lines - before)));
        }
        lines += usize::from(tokens.opens_line(index));
        if tokens.get(index) == "{" {
            open.push((index, lines));
        }
    }
    found
}
