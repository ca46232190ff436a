//! The edit changes a line into one that the file already has as a forgotten line.
//!
//! The forgotten line may be the changed one. Lines of an elision are not forgotten.
//!
//! Example: file `a()  retry(2)  retry(1)  b()`, old `a()  retry(1)  b()`, new `a()  retry(2)  retry(2)  b()`.

use rustc_hash::FxHashSet;

use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    let (texts, new) = (merge.texts, &merge.texts.new);
    let forgotten = &merge.forgotten_lines;
    if forgotten.is_empty() || texts.elisions.contains(&true) {
        return false;
    }
    let kept: FxHashSet<usize> = merge.columns.file_to_new.iter().copied().flatten().collect();
    let lines = merge.inserted().map(|token| new.line_of(token));
    let mut changed = lines.filter(|line| line.clone().any(|token| kept.contains(&token)));
    let forgotten: FxHashSet<Vec<u32>> = forgotten.iter().map(|line| texts.file.ids(line.clone()).collect()).collect();
    changed.any(|line| forgotten.contains(&new.ids(line).collect::<Vec<_>>()))
}
