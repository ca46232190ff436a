//! The edit adds or deletes statements of a block for which the file has no brackets.
//!
//! Both texts have the brackets, which are optional around a single statement. Without them the body ends after it.
//!
//! Example: file `if (a)  go();`, old `if (a) {  go();  }`, new `if (a) {  stop();  go();  }`.

use crate::merge::Merge;
use crate::text::tokens::Tokens;

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    let texts = merge.texts;
    let (old, is_missing) = (&texts.old, |token: usize| texts.old_to_file[token].is_none());
    if !(0..old.len()).any(|token| is_missing(token) && old.get(token) == "{") {
        return false;
    }
    // A line without any token of the file is another slip.
    let is_block = |&(open, _): &(usize, usize)| is_missing(open) && !texts.is_lost_line(open);
    let in_new = blocks(&texts.new);
    blocks(old).into_iter().filter(is_block).any(|(open, close)| {
        let is_same = |(start, _): &&(usize, usize)| texts.old_to_new[open] == Some(*start);
        let lines = |tokens: &Tokens<'_>, open: usize, close: usize| tokens.line_starts(open + 1..close).count();
        let new = in_new.iter().find(is_same).map(|&(open, close)| lines(&texts.new, open, close));
        new.is_some_and(|new| new != lines(old, open, close))
    })
}

/// Returns the tokens that open and close each block in `{}`.
fn blocks(tokens: &Tokens<'_>) -> Vec<(usize, usize)> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for index in 0..tokens.len() {
        match tokens.get(index) {
            "{" => open.push(index),
            "}" => found.extend(open.pop().map(|open| (open, index))),
            _ => {}
        }
    }
    found
}
