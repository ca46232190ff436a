//! The order of the hunks of one file, which restricts the place of each.

use std::ops::Range;

use fuzzy_report::Hunk;

use crate::hunk_match::{HunkMatch, apart, fits, places};
use crate::line_script::{OldLine, Script};

/// The hunks before and after a hunk of the same file.
#[derive(Debug, Default)]
pub(crate) struct HunkOrder<'h> {
    /// The first line of the file after the changes of the earlier hunks.
    pub(crate) after: usize,
    /// The distance of the previous hunk's place from its line number, in lines.
    pub(crate) drift: Option<isize>,
    /// Whether the previous hunk was applied before: then probably all were.
    pub(crate) is_repeated: bool,
    /// The next hunks with old lines, in order.
    pub(crate) following: Vec<&'h Hunk>,
    /// Whether lines of these hunks may differ in blanks from the file's, and omit some.
    pub(crate) is_loose: bool,
}

/// Later hunks that restrict the place of a hunk, at most: each costs a search of the file, and the nearest ones
/// restrict it most.
pub(crate) const MAX_FOLLOWING: usize = 64;

impl Script<'_> {
    /// Returns the lines that the hunk will change if its first line is `at`.
    pub(crate) fn changed_before(&self, at: usize) -> Range<usize> {
        at + self.head()..at + self.tail().max(self.head())
    }

    /// Returns the lines that the hunk will change at the match `fit`.
    pub(crate) fn changed_in(&self, fit: &HunkMatch) -> Range<usize> {
        let first = fit.lines.get(self.head()).copied().unwrap_or_else(|| fit.last() + 1);
        // The last changed line is an old one: the tail is 0, or the number of old lines up to it.
        let end = self.tail().checked_sub(1).map_or(0, |last| fit.lines[last] + 1);
        first..end.max(first)
    }

    /// Returns the lines that the hunk changed if it was applied before and its first line is `at`.
    pub(crate) fn changed_after(&self, at: usize) -> Range<usize> {
        let added: usize = self.added.iter().map(Vec::len).sum();
        let removed = self.old.iter().filter(|line| line.is_removed).count();
        let start = at + self.head();
        start..(at + self.tail() + added).saturating_sub(removed).max(start)
    }

    /// Returns the texts of the old lines.
    pub(crate) fn old_lines(&self) -> Vec<&str> {
        self.old.iter().map(|OldLine { text, .. }| *text).collect()
    }
}

impl HunkOrder<'_> {
    /// Returns those of `places`, each with the lines that it changes, that are after the earlier hunks and leave room
    /// for the exact matches of the later ones. Returns all if none is.
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

    /// Returns the last line before which a hunk must end so that the later hunks have places in order; hunks without
    /// any place are ignored. Returns `None` if they have no places in order.
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

/// Returns the lines that a hunk changes or has changed at each of its places: exact ones, otherwise similar ones.
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
