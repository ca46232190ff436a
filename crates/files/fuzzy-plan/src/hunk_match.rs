//! Matches the lines of a hunk with the lines of a file, one by one.

use std::collections::BTreeMap;

use crate::line_script::{OldLine, Script};

/// Lines of the file that a hunk may omit between its own, at most, unless its header counts more.
const MAX_LEFT_OUT: usize = 2;

/// Omitted lines that a header may count, at most.
const MAX_COUNTED: usize = 8;

/// Comparisons of lines, at most; a search that would need more is not started.
const MAX_COMPARISONS: usize = 20_000_000;

/// The number of lines of the file between two checks of the clock.
const LINES_PER_CLOCK: usize = 1 << 10;

/// The least number of characters without blanks in the hunk's lines with letters or digits, for a match that is not
/// exact: a brace and an empty line occur everywhere.
const MIN_WEIGHT: usize = 12;

/// The lines of the file that match the lines of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HunkMatch {
    /// For each old line of the hunk, its line in the file.
    pub(crate) lines: Vec<usize>,
    /// The number of lines of the file between these that the hunk omits.
    pub(crate) left_out: usize,
}

impl HunkMatch {
    /// Returns the first line of the match.
    pub(crate) fn first(&self) -> usize {
        self.lines[0]
    }

    /// Returns the last line of the match.
    pub(crate) fn last(&self) -> usize {
        self.lines[self.lines.len() - 1]
    }

    /// Returns the match without omitted lines whose first line is `at`.
    pub(crate) fn of_rows(at: usize, count: usize) -> Self {
        Self { lines: (at..at + count).collect(), left_out: 0 }
    }

    /// Returns whether no line is omitted.
    pub(crate) fn is_exact(&self) -> bool {
        self.left_out == 0
    }
}

/// Returns whether two lines are equal apart from a `\r` at the end: the file decides about its line endings.
pub(crate) fn same(one: &str, other: &str) -> bool {
    bare(one) == bare(other)
}

/// Returns a line without a `\r` at its end.
pub(crate) fn bare(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// Returns the places where `wanted` occur exactly, one after another.
pub(crate) fn places(file: &[&str], wanted: &[&str]) -> Vec<usize> {
    let [first, rest @ ..] = wanted else { return Vec::new() };
    let firsts = (0..file.len()).filter(|at| same(file[*at], first));
    firsts
        .filter(|at| {
            let below = &file[at + 1..];
            rest.len() <= below.len() && rest.iter().zip(below).all(|(a, b)| same(a, b))
        })
        .collect()
}

/// Returns every place where all old lines of a hunk occur in order, with as few lines between them as possible. `more` is
/// the number of lines that the header counts beyond the hunk's, `line` its line number, counted from 1. Ends the search
/// once `is_over`.
pub(crate) fn fits(
    file: &[&str],
    script: &Script<'_>,
    more: usize,
    line: Option<usize>,
    is_over: &dyn Fn() -> bool,
) -> Vec<HunkMatch> {
    let exact: Vec<&str> = script.old.iter().map(|line| line.text).collect();
    let count = exact.len();
    let mut found: Vec<HunkMatch> = places(file, &exact).into_iter().map(|at| HunkMatch::of_rows(at, count)).collect();
    let worded = exact.iter().filter(|line| line.contains(char::is_alphanumeric));
    let weight: usize = worded.map(|line| line.chars().filter(|c| !c.is_whitespace()).count()).sum();
    // Places with omitted lines only matter beside exact ones if the header counts more lines, or the hunk ends the
    // file.
    if more == 0 && !script.is_open.contains(&true) && found.iter().any(HunkMatch::is_exact) {
        return found;
    }
    let most = more.max(MAX_LEFT_OUT);
    // If line number and count agree, a brace is enough.
    let near = line.filter(|_| more > 0).map_or(0..0, |line| line.saturating_sub(1)..line + more);
    let is_weak = weight < MIN_WEIGHT || count < 2;
    if (is_weak && near.is_empty())
        || most > MAX_COUNTED
        || file.len().saturating_mul(count * (most + 1)) > MAX_COMPARISONS
    {
        return found;
    }
    let starts: Vec<usize> = found.iter().map(HunkMatch::first).collect();
    let in_time = (0..file.len()).take_while(|at| at % LINES_PER_CLOCK > 0 || !is_over());
    let looser = in_time.filter(|at| starts.binary_search(at).is_err() && (!is_weak || near.contains(at)));
    found.extend(looser.filter_map(|start| fit_at(file, &script.old, start, most, false)));
    found
}

/// Keeps of overlapping matches the one with the fewest omitted lines.
pub(crate) fn apart(mut found: Vec<HunkMatch>) -> Vec<HunkMatch> {
    found.sort_by_key(|fit| fit.left_out);
    // The first and the last lines of the matches kept so far.
    let mut kept: BTreeMap<usize, usize> = BTreeMap::new();
    found.retain(|fit| {
        let above = kept.range(..=fit.last()).next_back();
        let is_apart = above.is_none_or(|(_, last)| *last < fit.first());
        if is_apart {
            kept.insert(fit.first(), fit.last());
        }
        is_apart
    });
    found
}

/// Returns the match at the same place that omits lines as far down as possible, if it differs from `fit`, which omits
/// them as far up as possible: among equal lines it is unclear which one was omitted.
pub(crate) fn late(file: &[&str], script: &Script<'_>, fit: &HunkMatch) -> Option<HunkMatch> {
    let late = (!fit.is_exact()).then(|| fit_at(file, &script.old, fit.first(), fit.left_out, true)).flatten();
    late.filter(|late| late != fit)
}

/// Returns the match whose first line is `start`, if there is one: at most `most` lines are omitted, as far down as
/// possible if `is_late`, otherwise as far up.
fn fit_at(file: &[&str], old: &[OldLine<'_>], start: usize, most: usize, is_late: bool) -> Option<HunkMatch> {
    let is = |at: usize, line: &OldLine<'_>| file.get(at).is_some_and(|there| same(there, line.text));
    if !is(start, &old[0]) {
        return None;
    }
    // For each number of omitted lines so far, whether the lines match, and for each line the number before it.
    let mut reached = vec![false; most + 1];
    reached[0] = true;
    let mut steps: Vec<Vec<usize>> = Vec::with_capacity(old.len());
    for (index, line) in old.iter().enumerate().skip(1) {
        let mut next = vec![false; most + 1];
        let mut step = vec![0; most + 1];
        for left_out in (0..=most).filter(|left_out| is(start + index + left_out, line)) {
            let mut before = (0..=left_out).filter(|before| reached[*before]);
            if let Some(before) = if is_late { before.next() } else { before.next_back() } {
                (next[left_out], step[left_out]) = (true, before);
            }
        }
        reached = next;
        steps.push(step);
    }
    let mut left_out = reached.iter().position(|is| *is)?;
    let most = left_out;
    let mut lines = vec![start; old.len()];
    for (index, step) in steps.iter().enumerate().rev() {
        lines[index + 1] = start + index + 1 + left_out;
        left_out = step[left_out];
    }
    Some(HunkMatch { lines, left_out: most })
}
