//! An insertion repeats a token beside it, and one of its possible places is beside an unknown word or operator.
//!
//! It fits before and after the repeated token: `a = ` before `a.b()`, or `= a` after its first token.
//!
//! Example: file `await a.b()` or `self.a.b()`, old `a.b()`, new `a = a.b()`.

use crate::hunks::{Change, Hunk};
use crate::merge::Merge;
use crate::text::tokens::Class;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let (texts, Change::Insert { new, .. }) = (merge.texts, &hunk.change) else { return false };
    let file = &texts.file;
    if !hunk.file.is_empty() || texts.new.opens_line(new[0]) {
        return false;
    }
    let ids = new.iter().map(|&index| texts.new.items[index].id);
    let is_same = |&(index, id): &(usize, u32)| file.items[index].id == id;
    let at = hunk.file.start;
    let before = (0..at).rev().zip(ids.clone().rev().cycle()).take_while(is_same).map(|(index, _)| index);
    let before = before.take_while(|index| index + 1 == at || !file.opens_line(index + 1));
    let after = (at..file.len()).zip(ids.cycle()).take_while(is_same).map(|(index, _)| index);
    let after = after.take_while(|index| !file.opens_line(*index));
    let is_operand = |index: usize| matches!(file.class(index), Class::Word | Class::Continuer | Class::Other);
    let is_unknown = |index: &usize| is_operand(*index) && texts.is_unknown(*index);
    let left = before.filter(|&index| !file.opens_line(index)).map(|index| index - 1);
    let right = after.map(|index| index + 1).filter(|&index| index < file.len() && !file.opens_line(index));
    left.chain(right).find(is_unknown).is_some()
}
