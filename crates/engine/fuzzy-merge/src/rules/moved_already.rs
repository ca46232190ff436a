//! The edit moves a line to a place where the file has it as a forgotten line.
//!
//! The old text may only have the lines in another order.
//!
//! Example: file `LOCK jobs;  DELETE FROM jobs;  LOCK jobs;`, old `DELETE FROM jobs;  LOCK jobs;`, new `LOCK jobs;
//! DELETE FROM jobs;`.

use rustc_hash::FxHashSet;

use crate::merge::Merge;

use super::Part;

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let texts = merge.texts;
    let forgotten = &merge.forgotten_lines;
    if forgotten.is_empty() {
        return None;
    }
    let old = &texts.old;
    let deleted = merge.deleted().filter_map(|token| texts.file_to_old[token]);
    let lines = deleted.filter(|&token| old.opens_line(token)).map(|token| old.line_of(token));
    let mut lines = lines.filter(|line| old.has_word(line.clone()));
    let inserted = forgotten.iter().filter(|line| merge.columns.file_to_new[line.start].is_some());
    let inserted: FxHashSet<Vec<u32>> = inserted.map(|line| texts.file.ids(line.clone()).collect()).collect();
    let moved = lines.find(|line| inserted.contains(&old.ids(line.clone()).collect::<Vec<_>>()))?;
    Some([0..0, moved, 0..0])
}
