//! The edit inserts two lines in a row, or a single one, that the file has elsewhere in the place as forgotten lines.
//!
//! The file would have them twice. Among other inserted lines a single one may occur twice.
//!
//! Example: file `a()  load_all()  b()`, old `a()  b()`, new `load_all()  a()  b()`.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::merge::Merge;
use crate::widen::is_distinctive;

use super::Part;

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let texts = merge.texts;
    let (file, new) = (&texts.file, &texts.new);
    let forgotten = &merge.forgotten_lines;
    let is_kept = |line: &Range<usize>| {
        merge.columns.file_to_new[line.start].is_none() && is_distinctive(file.line_text(line.clone()))
    };
    let single = forgotten.iter().filter(|line| is_kept(line)).cloned();
    let double = forgotten.windows(2).filter(|pair| pair[0].end == pair[1].start && pair.iter().all(is_kept));
    let runs = single.chain(double.map(|pair| pair[0].start..pair[1].end));
    let runs: FxHashSet<Vec<u32>> = runs.map(|run| file.ids(run).collect()).collect();
    if runs.is_empty() {
        return None;
    }
    let is_repeated = |tokens: &Range<usize>| runs.contains(&new.ids(tokens.clone()).collect::<Vec<_>>());
    let repeated = merge.insertions().find_map(|tokens| {
        let starts = tokens.iter().copied().filter(|&token| new.opens_line(token));
        let lines: Vec<_> = starts.map(|token| new.line_of(token)).collect();
        match &lines[..] {
            [line] => Some(line.clone()).filter(|line| line.len() == tokens.len() && is_repeated(line)),
            lines => lines.windows(2).map(|pair| pair[0].start..pair[1].end).find(is_repeated),
        }
    })?;
    Some([0..0, 0..0, repeated])
}
