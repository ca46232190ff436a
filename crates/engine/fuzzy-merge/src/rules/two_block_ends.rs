//! The old text ends a block with another mark than the file, and the new text inserts a line beside that end that has
//! one of the two marks.
//!
//! Either line of the new text may be the end of the file's block.
//!
//! Example: file `f(() => {  go()  })`, old `f(() => {  go()  }`, new `f(() => {  go()  }  })`.

use std::ops::Range;

use crate::align::column::are_unpaired;
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    let old = &merge.texts.old;
    let mut ends = old.full_lines().filter(|line| old.is_block_end(line));
    ends.any(|line| has_second_end(merge, &line))
}

/// Returns whether another line of the new text beside the end of a block, as deep, may be that end.
fn has_second_end(merge: &Merge<'_, '_>, line: &Range<usize>) -> bool {
    let texts = merge.texts;
    let (file, old, new) = (&texts.file, &texts.old, &texts.new);
    let (Some(theirs), Some(stays)) = (texts.old_to_file[line.start], texts.old_to_new[line.start]) else {
        return false;
    };
    let theirs = file.line_of(theirs);
    if file.equal(theirs.clone(), old, line.clone()) {
        return false;
    }
    let indent = new.indent(new.line_of(stays).start);
    let is_end = |ours: &Range<usize>| {
        let is_either = new.equal(ours.clone(), old, line.clone()) || new.equal(ours.clone(), file, theirs.clone());
        is_either && new.indent(ours.start) == indent
    };
    // Blank lines do not part inserted ones.
    let is_inserted = |ours: &Range<usize>| are_unpaired(&texts.new_to_old[ours.clone()]);
    let at = new.line_number(stays);
    let before = (0..at).rev().map(|at| new.on_line(at)).take_while(is_inserted);
    let after = (at + 1..new.lines()).map(|at| new.on_line(at)).take_while(is_inserted);
    before.chain(after).filter(|ours| !ours.is_empty()).any(|ours| is_end(&ours))
}
