//! The law against repetitions.

use std::hash::Hasher as _;
use std::ops::Range;

use rustc_hash::{FxHashSet, FxHasher};

use crate::case::Case;
use crate::law::{Broken, Law};
use crate::text::{Counts, Line, Pair, Text, counts};

/// The longest run that is checked in a long sequence; each length takes a pass.
const MAX_RUN: usize = 32;

/// The fewest tokens of a line that does not occur beside a place by chance.
const MIN_INFORMATIVE_TOKENS: usize = 8;

/// The most comparisons of windows. Beyond it, the greatest counts of all windows bound a line instead: weaker, and
/// linear.
const MAX_COMPARISONS: usize = 1 << 16;

/// A run of elements that occurs twice in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Run {
    length: usize,
    /// A number that does not depend on the order of the elements.
    sum: u64,
}

impl Run {
    fn of(elements: &[u64]) -> Self {
        let sum = elements.iter().fold(0_u64, |sum, id| sum.wrapping_add(id.wrapping_mul(*id | 1)));
        Self { length: elements.len(), sum }
    }
}

/// Finds a run of tokens that occurs twice in a row on a line without doing so in the file or the new text.
pub(crate) fn repeated_tokens(case: &Case<'_>) -> Option<Broken> {
    let known: FxHashSet<Run> = [&case.place, &case.new]
        .iter()
        .flat_map(|text| (0..text.lines.len()).flat_map(move |line| repeated(&text.ids_on(line))))
        .map(|(_, run)| run)
        .collect();
    for (number, line) in case.result.lines.iter().enumerate() {
        if let Some((at, _)) = repeated(&case.result.ids_on(number)).iter().find(|(_, run)| !known.contains(run)) {
            return Some(case.at_token(Law::Duplicates, line.tokens.start + at));
        }
    }
    None
}

/// Finds a run of equally indented lines that occurs twice in a row without doing so in the file or the new text. If
/// one of the two is beside the place, only added blocks count: a single short line occurs there by chance, and kept
/// lines may resemble their neighbours.
pub(crate) fn repeated_lines(case: &Case<'_>) -> Option<Broken> {
    let Case { before, place, after, new, result, .. } = case;
    let written = before.lines.len()..before.lines.len() + result.lines.len();
    let mut twice = repeated_rows(&[before, result, after]);
    twice.retain(|(at, run)| !common(&written, *at, run.length).is_empty());
    if twice.is_empty() {
        return None;
    }
    let known: FxHashSet<Run> =
        repeated_rows(&[before, place, after]).into_iter().chain(repeated_rows(&[new])).map(|(_, run)| run).collect();
    let (had, has) = (counts(place.keys()), counts(result.keys()));
    let is_added = |line: usize| {
        let key = result.lines[line].key;
        has[&key] > *had.get(&key).unwrap_or(&0)
    };
    for (at, run) in twice.into_iter().filter(|(_, run)| !known.contains(run)) {
        let lines = common(&written, at, run.length);
        let mut ours = lines.clone().map(|line| line - written.start);
        let is_informative =
            run.length > 1 || ours.clone().all(|line| result.ids_on(line).len() >= MIN_INFORMATIVE_TOKENS);
        if lines.len() == 2 * run.length || (is_informative && ours.all(is_added)) {
            let second = if lines.contains(&at) { at } else { lines.start };
            return Some(case.at_line(Law::Duplicates, second - written.start));
        }
    }
    None
}

/// Returns the lines in two consecutive runs of this length, the second of which begins at `at`.
fn common(lines: &Range<usize>, at: usize, length: usize) -> Range<usize> {
    (at - length).max(lines.start)..(at + length).min(lines.end)
}

/// Returns the equally indented runs of lines that occur twice in a row in some concatenated texts.
fn repeated_rows(texts: &[&Text<'_>]) -> Vec<(usize, Run)> {
    let lines: Vec<&Line<'_>> = texts.iter().flat_map(|text| &text.lines).collect();
    let keys: Vec<u64> = lines.iter().map(|line| line.key).collect();
    let rows: Vec<u64> = lines.iter().map(|line| indented(line)).collect();
    // The indentation does not identify a run.
    repeated(&rows).into_iter().map(|(at, run)| (at, Run::of(&keys[at..at + run.length]))).collect()
}

/// Returns a number that is equal for equal lines of the same indentation.
fn indented(line: &Line<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(line.key);
    hasher.write(line.indent.as_bytes());
    hasher.finish()
}

/// Returns the runs that occur twice in a row, and where the second one begins.
fn repeated(sequence: &[u64]) -> Vec<(usize, Run)> {
    let mut found = Vec::new();
    let long = sequence.len() > 4 * MAX_RUN;
    for period in 1..=if long { MAX_RUN } else { sequence.len() / 2 } {
        let mut length = 0;
        for at in period..sequence.len() {
            length = if sequence[at] == sequence[at - period] { length + 1 } else { 0 };
            if length == period {
                found.push((at + 1 - period, Run::of(&sequence[at + 1 - period..=at])));
            }
        }
    }
    found
}

/// Returns the token counts of each window of three lines, or of all lines if there are fewer.
fn windows(text: &Text<'_>) -> Vec<Counts> {
    // Where lines were joined or wrapped, a mixed line may have words of a line and of its neighbours.
    const WINDOW_LINES: usize = 3;
    let last = text.lines.len().saturating_sub(WINDOW_LINES);
    (0..=last)
        .map(|first| {
            let lines = first..(first + WINDOW_LINES).min(text.lines.len());
            counts(lines.flat_map(|line| text.ids_on(line)))
        })
        .collect()
}

/// Returns the tokens that a window has less often than wanted, with their wanted counts.
fn lacking(wanted: &Counts, window: &Counts) -> impl Iterator<Item = (u64, usize)> {
    wanted.iter().map(|(id, count)| (*id, *count)).filter(|(id, count)| window.get(id).unwrap_or(&0) < count)
}

/// Finds a line of neither text with more of a token than three lines of each.
pub(crate) fn mixed_line(case: &Case<'_>) -> Option<Broken> {
    let known: FxHashSet<u64> = case.place.lines.iter().chain(&case.new.lines).map(|line| line.key).collect();
    let mixed: Vec<usize> =
        (0..case.result.lines.len()).filter(|line| !known.contains(&case.result.lines[*line].key)).collect();
    if mixed.is_empty() {
        return None;
    }
    let (file, new) = (windows(&case.place), windows(&case.new));
    let comparisons = mixed.len().saturating_mul(file.len()).saturating_mul(new.len());
    let maxima = (comparisons > MAX_COMPARISONS).then(|| maxima(file.iter().chain(&new)));
    for line in mixed {
        let mut ids = case.result.ids_on(line);
        if let [.., before, last] = ids[..]
            && case.omissions.allows(Pair { before, after: last })
        {
            ids.pop();
        }
        let wanted = counts(ids);
        let fits = if let Some(maxima) = &maxima {
            lacking(&wanted, maxima).next().is_none()
        } else {
            new.iter().any(|window| {
                let rest = lacking(&wanted, window).collect();
                file.iter().any(|window| lacking(&rest, window).next().is_none())
            })
        };
        if !fits {
            return Some(case.at_line(Law::Duplicates, line));
        }
    }
    None
}

/// Returns the greatest count of each token in any window.
fn maxima<'a>(windows: impl Iterator<Item = &'a Counts>) -> Counts {
    let mut maxima = Counts::default();
    for (id, count) in windows.flatten() {
        let most = maxima.entry(*id).or_default();
        *most = *count.max(most);
    }
    maxima
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzzy_testkit::texts;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(texts::config())]

        /// By the definition: a run and the same run after it.
        #[test]
        fn runs_that_occur_twice_are_found(sequence in prop::collection::vec(0..3_u64, 0..14)) {
            let found: FxHashSet<Run> = repeated(&sequence).into_iter().map(|(_, run)| run).collect();
            for period in 1..=sequence.len() / 2 {
                let is_repeated = sequence.windows(2 * period).any(|run| run[..period] == run[period..]);
                prop_assert_eq!(found.iter().any(|run| run.length == period), is_repeated);
            }
        }

        /// The greatest counts of all windows never refuse a line that two windows allow.
        #[test]
        fn the_bound_of_long_texts_is_the_weaker_one(windows in prop::collection::vec(prop::collection::vec(0..4_u64, 0..5), 1..5), at in any::<[prop::sample::Index; 2]>()) {
            let windows: Vec<Counts> = windows.into_iter().map(counts).collect();
            let maxima = maxima(windows.iter());
            for at in at {
                prop_assert!(at.get(&windows).iter().all(|(id, count)| maxima[id] >= *count));
            }
        }
    }
}
