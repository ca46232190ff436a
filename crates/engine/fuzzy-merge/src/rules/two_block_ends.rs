//! File and old text end a block with different marks, and the new text inserts another line with either beside it.
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

/// Returns whether the new text inserts another line beside the end of a block, as deep, that may be that end.
fn has_second_end(merge: &Merge<'_, '_>, line: &Range<usize>) -> bool {
    let texts = merge.texts;
    let (file, old, new) = (&texts.file, &texts.old, &texts.new);
    let (Some(in_file), Some(in_new)) = (texts.old_to_file[line.start], texts.old_to_new[line.start]) else {
        return false;
    };
    let file_line = file.line_of(in_file);
    if file.equal(file_line.clone(), old, line.clone()) {
        return false;
    }
    let indent = new.indent(new.line_of(in_new).start);
    let is_end = |other: &Range<usize>| {
        let is_either =
            new.equal(other.clone(), old, line.clone()) || new.equal(other.clone(), file, file_line.clone());
        is_either && new.indent(other.start) == indent
    };
    // Blank lines between inserted ones do not count.
    let is_inserted = |other: &Range<usize>| are_unpaired(&texts.new_to_old[other.clone()]);
    let at = new.line_number(in_new);
    let before = (0..at).rev().map(|at| new.on_line(at)).take_while(is_inserted);
    let after = (at + 1..new.lines()).map(|at| new.on_line(at)).take_while(is_inserted);
    before.chain(after).filter(|other| !other.is_empty()).any(|other| is_end(&other))
}
