//! The edit changes a line of the file into one that the file has beside it, and that the old text forgot.
//!
//! The forgotten line may be the changed one. An elision has no forgotten lines.
//!
//! Example: file `a()  retry(2)  retry(1)  b()`, old `a()  retry(1)  b()`, new `a()  retry(2)  retry(2)  b()`.

use rustc_hash::FxHashSet;

use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    let (texts, new) = (merge.texts, &merge.texts.new);
    let forgotten = &merge.forgotten_lines;
    if forgotten.is_empty() || texts.elided.contains(&true) {
        return false;
    }
    let stays: FxHashSet<usize> = merge.columns.file_to_new.iter().copied().flatten().collect();
    let lines = merge.inserted().map(|token| new.line_of(token));
    let mut changed = lines.filter(|line| line.clone().any(|token| stays.contains(&token))).peekable();
    if changed.peek().is_none() {
        return false;
    }
    let there: FxHashSet<Vec<u32>> = forgotten.iter().map(|line| texts.file.ids(line.clone()).collect()).collect();
    changed.any(|line| there.contains(&new.ids(line).collect::<Vec<_>>()))
}
