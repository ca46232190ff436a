//! The hunks of one file, which come from top to bottom, and what that says about the place of each.

use std::ops::Range;

use fuzzy_report::Hunk;

use crate::hunk_match::{Fit, apart, fits, places};
use crate::line_script::{OldLine, Script};

/// What is known of the hunks before and after one, for the same file.
#[derive(Debug, Default)]
pub(crate) struct Series<'h> {
    /// The first line of the file that those before leave alone.
    pub(crate) after: usize,
    /// How many lines further down than its header says the last one was.
    pub(crate) drift: Option<isize>,
    /// Whether the last one was carried out before: then so were the others, in all likelihood.
    pub(crate) is_repeated: bool,
    /// The next ones after it that have old lines, in order.
    pub(crate) following: Vec<&'h Hunk>,
    /// Whether the lines of those may differ in blanks from the file's, and leave some out.
    pub(crate) is_loose: bool,
}

/// The most hunks after one that say where it can be: each costs a search of the file, and the next ones say most.
pub(crate) const MAX_FOLLOWING: usize = 64;

impl Script<'_> {
    /// Returns the lines that change where the hunk is to be carried out and its first line is `at`.
    pub(crate) fn changed_before(&self, at: usize) -> Range<usize> {
        at + self.head()..at + self.tail().max(self.head())
    }

    /// Returns the lines that change where the old lines are those of `fit`.
    pub(crate) fn changed_in(&self, fit: &Fit) -> Range<usize> {
        let first = fit.lines.get(self.head()).copied().unwrap_or_else(|| fit.last() + 1);
        // The last line that changes is an old one: the tail is 0, or the number of old lines up to it.
        let end = self.tail().checked_sub(1).map_or(0, |last| fit.lines[last] + 1);
        first..end.max(first)
    }

    /// Returns the lines that changed where the hunk was carried out already and its first line is `at`.
    pub(crate) fn changed_after(&self, at: usize) -> Range<usize> {
        let added: usize = self.added.iter().map(Vec::len).sum();
        let gone = self.old.iter().filter(|line| line.goes).count();
        let start = at + self.head();
        start..(at + self.tail() + added).saturating_sub(gone).max(start)
    }

    /// Returns what the old lines are.
    pub(crate) fn old_lines(&self) -> Vec<&str> {
        self.old.iter().map(|OldLine { text, .. }| *text).collect()
    }
}

impl Series<'_> {
    /// Returns those of `places`, each with the lines that it changes, that lie after the hunks before and leave a
    /// place for those that follow, as far as these occur as they are. All of them if none does.
    pub(crate) fn in_order<T: Clone>(
        &self,
        file: &[&str],
        places: Vec<(Range<usize>, T)>,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<(Range<usize>, T)> {
        if places.len() < 2 {
            return places;
        }
        let Some(end) = self.end_of_room(file, is_over) else { return places };
        let after = places.iter().filter(|(changed, _)| changed.start >= self.after && changed.end <= end);
        let kept: Vec<_> = after.cloned().collect();
        if kept.is_empty() { places } else { kept }
    }

    /// Returns the last line from which on the hunks that follow have places in their order, those aside that have none
    /// at all; nothing if these are in no order.
    fn end_of_room(&self, file: &[&str], is_over: &dyn Fn() -> bool) -> Option<usize> {
        let mut following = self.following.iter().rev().take_while(|_| !is_over());
        following.try_fold(usize::MAX, |end, hunk| {
            let spots = spots(file, &Script::of_hunk(hunk), self.is_loose, is_over);
            if spots.is_empty() {
                return Some(end);
            }
            spots.iter().filter(|spot| spot.end <= end).map(|spot| spot.start).max()
        })
    }
}

/// Returns the lines that a hunk changes, or has changed, wherever it occurs: as it is, else nearly so.
fn spots(file: &[&str], script: &Script<'_>, is_loose: bool, is_over: &dyn Fn() -> bool) -> Vec<Range<usize>> {
    let new: Vec<&str> = script.new_lines().into_iter().map(|(line, _)| line).collect();
    let before = places(file, &script.old_lines()).into_iter().map(|at| script.changed_before(at));
    let after = places(file, &new).into_iter().map(|at| script.changed_after(at));
    let exact: Vec<_> = before.chain(after).collect();
    if !exact.is_empty() || !is_loose {
        return exact;
    }
    apart(fits(file, script, 0, None, is_over)).iter().map(|fit| script.changed_in(fit)).collect()
}
