//! Hunks with lines that the file lacks: the file is older or newer than the one that they were made for.

use std::collections::HashSet;
use std::ops::Range;

use crate::hunk_match::{places, same};
use crate::line_script::{OldLine, Script, solid};

impl Script<'_> {
    /// Returns variants of the hunk without the context lines that the file lacks: one with all other lines, and one
    /// with only the lines around the changes up to the next missing line. Git merges in the same way, if the
    /// neighbours of a change are unchanged.
    ///
    /// Context must remain above and below the changes. No removed line may be one to which all changes belong, as a
    /// block belongs to the line that opens it.
    pub(crate) fn without_missing(&self, file: &[&str]) -> Vec<Self> {
        let there: HashSet<String> = file.iter().map(|line| solid(line)).collect();
        let is_missing = |line: &OldLine<'_>| !line.is_removed && !there.contains(&solid(line.text));
        if !self.old.iter().any(is_missing) || self.old.iter().any(|line| is_missing(line) && self.holds(line)) {
            return Vec::new();
        }
        let missing: Vec<bool> = self.old.iter().map(is_missing).collect();
        let inner = self.between(&missing);
        let mut kept = vec![self.keeping(|at| !missing[at]), self.keeping(|at| inner.contains(&at))];
        kept.retain(|script| script.head() > 0 && script.tail() < script.old.len());
        kept
    }

    /// Returns the range around all changes up to the next missing line on either side.
    fn between(&self, missing: &[bool]) -> Range<usize> {
        let (head, tail) = (self.head(), self.tail().max(self.head()));
        let first = missing[..head].iter().rposition(|is_missing| *is_missing).map_or(0, |last| last + 1);
        let rest = missing[tail..].iter().position(|is_missing| *is_missing);
        first..rest.map_or(missing.len(), |rest| tail + rest)
    }

    /// Returns the hunk with only some of its old lines.
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

    /// Returns whether a line is above all changes and less deep.
    fn holds(&self, line: &OldLine<'_>) -> bool {
        let is_above = self.old[..self.head()].iter().any(|above| above == line);
        let removed = self.old.iter().filter(|line| line.is_removed).map(|line| line.text);
        let mut changed = self.added.iter().flatten().copied().chain(removed).filter(|line| !line.trim().is_empty());
        is_above && changed.all(|changed| depth(changed) > depth(line.text))
    }
}

/// Returns the only place where `wanted` occur exactly, one after another, if one of these lines occurs nowhere else.
pub(crate) fn only_place(file: &[&str], wanted: &[&str]) -> Option<usize> {
    let [at] = places(file, wanted)[..] else { return None };
    wanted.iter().any(|line| line.contains(char::is_alphanumeric) && is_only(file, line)).then_some(at)
}

/// Returns whether a line occurs once in a file.
fn is_only(file: &[&str], line: &str) -> bool {
    file.iter().filter(|there| same(there, line)).count() == 1
}

/// Returns the depth of a line, in columns.
fn depth(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 8 } else { 1 }).sum()
}
