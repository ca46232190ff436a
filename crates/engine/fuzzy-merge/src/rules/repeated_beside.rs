//! The edit repeats a line at an end of the place, and the file already has it again beside the place.
//!
//! The edit may be made already.
//!
//! Example: file `go()  go()  end(1)`, old `go( )  end(1)`, new `go( )  go( )  end(2)`; the place begins at the
//! second line.

use std::ops::Range;

use crate::merge::Merge;
use crate::text::tokens::Tokens;

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    let texts = merge.texts;
    let Some(last) = texts.file.len().checked_sub(1) else { return false };
    let is_full = |line: &&str| !line.trim().is_empty();
    let sides = [(0, texts.before.lines().rfind(is_full)), (last, texts.after.lines().find(is_full))];
    sides.into_iter().any(|(token, beside)| {
        let line = texts.file.line_text(texts.file.line_of(token)).trim_end();
        let is_repeated = beside.map(str::trim_end) == Some(line);
        let old = texts.file_to_old[token].filter(|_| is_repeated);
        let both = old.and_then(|old| Some((old, texts.old_to_new[old]?)));
        both.is_some_and(|(old, new)| run(&texts.new, new) > run(&texts.old, old))
    })
}

/// Returns the number of equal lines in a row around a token, as deep. Blank lines do not end a row.
fn run(tokens: &Tokens<'_>, token: usize) -> usize {
    let at = tokens.line_number(token);
    let line = tokens.line_text(tokens.on_line(at)).trim_end();
    let is_same = |on_line: &Range<usize>| tokens.line_text(on_line.clone()).trim_end() == line;
    let full = |at: usize| Some(tokens.on_line(at)).filter(|on_line| !on_line.is_empty());
    let before = (0..at).rev().filter_map(full).take_while(is_same).count();
    before + (at..tokens.lines()).filter_map(full).take_while(is_same).count()
}
