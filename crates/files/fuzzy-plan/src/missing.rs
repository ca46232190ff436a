//! Hunks some of whose lines are not in the file: it is older or newer than the one that they were made for.

use std::collections::HashSet;
use std::ops::Range;

use crate::hunk_match::{places, same};
use crate::line_script::{OldLine, Script, solid};
use crate::sanity::depth;

impl Script<'_> {
    /// Returns the hunk without lines that stay and are nowhere in the file, in the ways that are no guess if the rest is
    /// in the file: all others, or those around what changes up to the next missing one, as git also merges where the
    /// neighbours of a change are as they were.
    ///
    /// Lines are left above what changes and below. None of those that are left out is one to which everything that
    /// changes belongs, as a block belongs to the line that opens it.
    pub(crate) fn without_missing(&self, file: &[&str]) -> Vec<Self> {
        let there: HashSet<String> = file.iter().map(|line| solid(line)).collect();
        let is_missing = |line: &OldLine<'_>| !line.goes && !there.contains(&solid(line.text));
        if !self.old.iter().any(is_missing) || self.old.iter().any(|line| is_missing(line) && self.holds(line)) {
            return Vec::new();
        }
        let missing: Vec<bool> = self.old.iter().map(is_missing).collect();
        let inner = self.between(&missing);
        let mut kept = vec![self.keeping(|at| !missing[at]), self.keeping(|at| inner.contains(&at))];
        kept.retain(|script| script.head() > 0 && script.tail() < script.old.len());
        kept
    }

    /// Returns the lines around everything that changes up to the next that is missing on either side.
    fn between(&self, missing: &[bool]) -> Range<usize> {
        let (head, tail) = (self.head(), self.tail().max(self.head()));
        let first = missing[..head].iter().rposition(|is_missing| *is_missing).map_or(0, |last| last + 1);
        let rest = missing[tail..].iter().position(|is_missing| *is_missing);
        first..rest.map_or(missing.len(), |rest| tail + rest)
    }

    /// Returns the hunk with those of its old lines that are to be kept.
    fn keeping(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        let mut kept = Self { old: Vec::new(), added: vec![self.added[0].clone()], ..self.clone() };
        for (at, line) in self.old.iter().enumerate() {
            if is_kept(at) {
                kept.old.push(*line);
                kept.added.push(Vec::new());
            }
            let last = kept.added.len() - 1;
            kept.added[last].extend(&self.added[at + 1]);
        }
        if !self.old.len().checked_sub(1).is_some_and(is_kept) {
            kept.is_open = [false; 2];
        }
        kept
    }

    /// Returns whether a line is above everything that changes and less deep.
    fn holds(&self, line: &OldLine<'_>) -> bool {
        let is_above = self.old[..self.head()].iter().any(|above| above == line);
        let gone = self.old.iter().filter(|line| line.goes).map(|line| line.text);
        let mut changed = self.added.iter().flatten().copied().chain(gone).filter(|line| !line.trim().is_empty());
        is_above && changed.all(|changed| depth(changed) > depth(line.text))
    }
}

/// Returns where `wanted` occur in a row, as they are, if that is in one place and one of them is nowhere else.
pub(crate) fn only_place(file: &[&str], wanted: &[&str]) -> Option<usize> {
    let [at] = places(file, wanted)[..] else { return None };
    wanted.iter().any(|line| line.contains(char::is_alphanumeric) && is_only(file, line)).then_some(at)
}

/// Returns whether a line occurs in a file once.
fn is_only(file: &[&str], line: &str) -> bool {
    file.iter().filter(|there| same(there, line)).count() == 1
}
