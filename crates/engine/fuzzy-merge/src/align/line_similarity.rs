//! Computes the similarity of lines that only one of two texts has.
//!
//! Time: the product of the lengths of the compared lines, within a budget.

use rapidfuzz::distance::indel;
use rustc_hash::FxHashMap;

use crate::text::characters::COMMENT_MARKS;
use crate::text::lines::Line;
use crate::text::normalize::{self, Key};
use crate::text::tally;
use crate::text::tokens::small;

/// The least similarity of a line and its changed form.
const MIN_SIMILARITY: f32 = 0.5;

/// The fewest folded bytes of a truncated line: fewer occur in any line.
const MIN_CUT: usize = 4;

/// The same if the truncated line is the whole old text.
const MIN_LONE_CUT: usize = 10;

/// The similarity of a line to its truncated form at an end of the old text, or to the same line with a comment.
const CUT_SIMILARITY: f32 = 0.9;

/// The most work of one comparison, in products of folded bytes. Lines of more than about 5,000 bytes are compared by
/// their keys alone.
const MAX_COMPARISON: usize = 25_000_000;

/// The most work of all comparisons of one alignment: about two milliseconds.
const MAX_COMPARISONS: usize = 100_000_000;

/// The least work of a comparison, for short lines.
const MIN_COMPARISON: usize = 25_000;

/// The similarities of the lines of two texts.
pub(crate) struct Similarities<'l, 't> {
    left: &'l [Line<'t>],
    right: &'l [Line<'t>],
    /// The similarities of similar lines with different keys.
    found: FxHashMap<(u32, u32), f32>,
}

impl<'l, 't> Similarities<'l, 't> {
    pub(crate) fn between(left: &'l [Line<'t>], right: &'l [Line<'t>]) -> Self {
        Self { left, right, found: similarities(left, right) }
    }

    /// Returns the similarity of two lines: 1 if their keys are equal, 0 if they are too different.
    pub(crate) fn of(&self, i: usize, j: usize) -> f32 {
        if self.left[i].key == self.right[j].key {
            return 1.0;
        }
        self.found.get(&(small(i), small(j))).copied().unwrap_or(0.0)
    }
}

/// Compares the lines that only `left` has with those that `right` has more often than `left`: one of several equal
/// lines may have been miscopied.
fn similarities(left: &[Line<'_>], right: &[Line<'_>]) -> FxHashMap<(u32, u32), f32> {
    let mut found = FxHashMap::default();
    let counts = |lines: &[Line<'_>]| tally(lines.iter().map(|line| line.key));
    let (left_counts, right_counts) = (counts(left), counts(right));
    let lefts = folded(left, |key| !right_counts.contains_key(key));
    if lefts.is_empty() {
        return found;
    }
    let rights = folded(right, |key| left_counts.get(key).is_none_or(|count| *count < right_counts[key]));
    let mut budget = MAX_COMPARISONS;
    for (i, a) in &lefts {
        let scorer = indel::BatchComparator::new(a.iter().copied());
        for (j, b) in &rights {
            if is_truncated(left, *i, a, b) || lacks_comment(a, b) {
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

/// Returns the wanted lines that are neither elisions nor empty, folded, with their indices.
fn folded(lines: &[Line<'_>], is_wanted: impl Fn(&Key) -> bool) -> Vec<(usize, Vec<u8>)> {
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.elision && line.key.len > 0 && is_wanted(&line.key))
        .map(|(index, line)| (index, normalize::folded(line.text)))
        .collect()
}

/// Returns whether the first line of an old text is the end of a line, or the last one its beginning.
fn is_truncated(left: &[Line<'_>], index: usize, line: &[u8], whole: &[u8]) -> bool {
    let stem = line.strip_suffix(b"...").unwrap_or(line);
    let enough = stem.len() >= if left.len() > 1 { MIN_CUT } else { MIN_LONE_CUT };
    enough && ((index + 1 == left.len() && whole.starts_with(stem)) || (index == 0 && whole.ends_with(line)))
}

/// Returns whether a line is another one without the comment after it.
fn lacks_comment(line: &[u8], whole: &[u8]) -> bool {
    let rest = whole.strip_prefix(line).filter(|_| line.len() >= MIN_CUT);
    rest.is_some_and(|rest| COMMENT_MARKS.iter().any(|mark| rest.starts_with(mark.as_bytes())))
}
