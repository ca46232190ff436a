//! The file lacks the words that the edit replaces.
//!
//! An insertion without its deletion is half an edit. A missing mark proves little, unless it is an operator or begins a
//! comment.
//!
//! Example: file `total = price`, old `total = price * rate`, new `total = price * tax`.

use crate::hunks::{Change, Hunk};
use crate::merge::Merge;
use crate::text::characters::is_sign;
use crate::text::tokens::{Class, Tokens};

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (Change::Insert { .. }, texts) = (&hunk.change, merge.texts) else { return false };
    hunk.old.clone().filter(|&old| !texts.is_kept(old)).any(|old| is_proof(&texts.old, old))
}

/// Returns whether a token is a word, an operator, or begins a comment.
fn is_proof(tokens: &Tokens<'_>, index: usize) -> bool {
    matches!(tokens.class(index), Class::Comment) || tokens.is_word(index) || is_sign(tokens.get(index))
}
