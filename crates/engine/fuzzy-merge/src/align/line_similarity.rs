//! Compares the lines of two texts by how alike they are, where neither has the other's.
//!
//! Time: the product of the lengths of the lines compared, within a budget.

use rapidfuzz::distance::indel;
use rustc_hash::FxHashMap;

use crate::text::lines::Line;
use crate::text::normalize::{self, Key};
use crate::text::tokens::small;

/// The least similarity of two lines that are one line, changed.
const MIN_SIMILARITY: f32 = 0.5;

/// The fewest folded bytes that are left of a line that was cut: fewer occur in any line.
const MIN_CUT: usize = 4;

/// The same where the cut line is the whole old text.
const MIN_LONE_CUT: usize = 10;

/// The similarity of a line to the first or last line of the other text that was cut out of it, or to one that is the same
/// but for the comment behind it.
const CUT_SIMILARITY: f32 = 0.9;

/// The most work of comparing two lines, the product of their folded lengths in bytes: lines of more than about 5,000
/// bytes are compared by their keys alone.
const MAX_COMPARISON: usize = 25_000_000;

/// The most work of all comparisons of one alignment, in the unit of [`MAX_COMPARISON`]: about two milliseconds.
const MAX_COMPARISONS: usize = 100_000_000;

/// The least work that a comparison is counted as, however short the lines.
const MIN_COMPARISON: usize = 25_000;

/// How alike the lines of two texts are.
pub(crate) struct Similarities<'l, 't> {
    left: &'l [Line<'t>],
    right: &'l [Line<'t>],
    /// Of lines whose keys differ, those that are alike.
    found: FxHashMap<(u32, u32), f32>,
}

impl<'l, 't> Similarities<'l, 't> {
    /// Compares the lines that one text has and the other lacks.
    pub(crate) fn between(left: &'l [Line<'t>], right: &'l [Line<'t>]) -> Self {
        Self { left, right, found: similarities(left, right) }
    }

    /// Returns how alike two lines are: 1 if their keys are equal, 0 if they were not found to be alike.
    pub(crate) fn of(&self, i: usize, j: usize) -> f32 {
        if self.left[i].key == self.right[j].key {
            return 1.0;
        }
        self.found.get(&(small(i), small(j))).copied().unwrap_or(0.0)
    }
}

/// Compares those lines of `left` that occur nowhere in `right` with those of `right` that `left` has not, or not as
/// often: of two equal lines one may have been miscopied.
fn similarities(left: &[Line<'_>], right: &[Line<'_>]) -> FxHashMap<(u32, u32), f32> {
    let mut found = FxHashMap::default();
    let (ours, theirs) = (counts(left), counts(right));
    let lefts = folded(left, |key| !theirs.contains_key(key));
    if lefts.is_empty() {
        return found;
    }
    let rights = folded(right, |key| ours.get(key).is_none_or(|count| *count < theirs[key]));
    let mut budget = MAX_COMPARISONS;
    for (i, a) in &lefts {
        let scorer = indel::BatchComparator::new(a.iter().copied());
        for (j, b) in &rights {
            if cut(left, *i, a, b) || lacks_comment(a, b) {
                found.insert((small(*i), small(*j)), CUT_SIMILARITY);
                continue;
            }
            let shorter = a.len().min(b.len());
            let cost = a.len().saturating_mul(b.len()).max(MIN_COMPARISON);
            if cost > MAX_COMPARISON {
                continue;
            }
            // The indel similarity is at most twice the shorter length over both.
            if (2 * shorter) as f32 / ((a.len() + b.len()) as f32) < MIN_SIMILARITY {
                continue;
            }
            if budget < cost {
                return found;
            }
            budget -= cost;
            let args = indel::Args::default().score_cutoff(f64::from(MIN_SIMILARITY));
            if let Some(similarity) = scorer.normalized_similarity_with_args(b.iter().copied(), &args) {
                #[allow(clippy::cast_possible_truncation)] // A similarity needs no more than f32.
                let similarity = (similarity as f32).min(0.99);
                found.insert((small(*i), small(*j)), similarity);
            }
        }
    }
    found
}

/// Returns how often each line is there.
fn counts(lines: &[Line<'_>]) -> FxHashMap<Key, usize> {
    let mut counts = FxHashMap::default();
    for line in lines {
        *counts.entry(line.key).or_default() += 1;
    }
    counts
}

/// Returns the wanted lines, folded, with their indices.
fn folded(lines: &[Line<'_>], is_wanted: impl Fn(&Key) -> bool) -> Vec<(usize, Vec<u8>)> {
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.elision && line.key.len > 0 && is_wanted(&line.key))
        .map(|(index, line)| (index, normalize::folded(line.text)))
        .collect()
}

/// Returns whether the first line of an old text is the end of a line, or the last one its beginning.
fn cut(left: &[Line<'_>], index: usize, line: &[u8], whole: &[u8]) -> bool {
    let stem = line.strip_suffix(b"...").unwrap_or(line);
    let enough = stem.len() >= if left.len() > 1 { MIN_CUT } else { MIN_LONE_CUT };
    enough && ((index + 1 == left.len() && whole.starts_with(stem)) || (index == 0 && whole.ends_with(line)))
}

/// Returns whether a old text's line is a whole one but for the comment behind that.
fn lacks_comment(line: &[u8], whole: &[u8]) -> bool {
    let rest = whole.strip_prefix(line).filter(|_| line.len() >= MIN_CUT);
    rest.is_some_and(|rest| [&b"#"[..], b"//", b"--", b"/*"].iter().any(|mark| rest.starts_with(mark)))
}
