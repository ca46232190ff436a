//! The law that nothing is doubled.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::text::Text;
use crate::{Broken, Case, Law};

/// Repetitions of longer runs are not looked for where a sequence is long.
const LONGEST: usize = 32;

/// More comparisons of windows than this are not made; what all windows have together bounds a line instead.
const COMPARISONS: usize = 1 << 16;

/// Checks that nothing stands twice in a row that does so in neither text, and that no mixed line has more of a token
/// than the lines that it was mixed from.
pub(crate) fn once(case: &Case<'_>) -> Result<(), Broken> {
    doubled_tokens(case)?;
    doubled_lines(case)?;
    mixed_lines(case)
}

fn doubled_tokens(case: &Case<'_>) -> Result<(), Broken> {
    let known: FxHashSet<(usize, u64)> = [&case.place, &case.new]
        .iter()
        .flat_map(|text| (0..text.lines.len()).flat_map(move |line| doubled(&text.ids_on(line))))
        .map(|(_, run)| run)
        .collect();
    for line in 0..case.result.lines.len() {
        if let Some((at, _)) = doubled(&case.result.ids_on(line)).iter().find(|(_, run)| !known.contains(run)) {
            return Err(case.at_token(Law::Once, case.result.lines[line].tokens.start + at));
        }
    }
    Ok(())
}

fn doubled_lines(case: &Case<'_>) -> Result<(), Broken> {
    let known: FxHashSet<(usize, u64)> =
        [&case.place, &case.new].iter().flat_map(|text| doubled(&text.keys())).map(|(_, run)| run).collect();
    let depth = |line: usize| case.result.lines[line].indent;
    let is_new = |(at, run): &(usize, (usize, u64))| {
        !known.contains(run) && (*at..at + run.0).all(|line| depth(line) == depth(line - run.0))
    };
    match doubled(&case.result.keys()).iter().find(|found| is_new(found)) {
        Some((at, _)) => Err(case.at_line(Law::Once, *at)),
        None => Ok(()),
    }
}

/// Lists where a run stands twice in a row: where the second one begins, and the run's length with a number that is
/// the same whichever of its elements comes first.
fn doubled(sequence: &[u64]) -> Vec<(usize, (usize, u64))> {
    let mut found = Vec::new();
    let long = sequence.len() > 4 * LONGEST;
    for period in 1..=if long { LONGEST } else { sequence.len() / 2 } {
        let mut length = 0;
        for at in period..sequence.len() {
            length = if sequence[at] == sequence[at - period] { length + 1 } else { 0 };
            if length == period {
                let run = &sequence[at + 1 - period..=at];
                let sum = run.iter().fold(0_u64, |sum, id| sum.wrapping_add(id.wrapping_mul(*id | 1)));
                found.push((at + 1 - period, (period, sum)));
            }
        }
    }
    found
}

type Counts = FxHashMap<u64, usize>;

fn counts<'a>(ids: impl Iterator<Item = &'a u64>) -> Counts {
    let mut counts = Counts::default();
    for id in ids {
        *counts.entry(*id).or_default() += 1;
    }
    counts
}

/// Lists the windows of up to three lines that no longer window holds.
fn windows(text: &Text<'_>) -> Vec<Counts> {
    const LINES: usize = 3;
    let last = text.lines.len().saturating_sub(LINES);
    let window = |first: usize| {
        let lines = first..(first + LINES).min(text.lines.len());
        counts(lines.flat_map(|line| text.on(line)).map(|token| &token.id))
    };
    (0..=last).map(window).collect()
}

fn mixed_lines(case: &Case<'_>) -> Result<(), Broken> {
    let known: FxHashSet<u64> = case.place.lines.iter().chain(&case.new.lines).map(|line| line.key).collect();
    let mixed: Vec<usize> =
        (0..case.result.lines.len()).filter(|line| !known.contains(&case.result.lines[*line].key)).collect();
    if mixed.is_empty() {
        return Ok(());
    }
    let (file, new) = (windows(&case.place), windows(&case.new));
    let comparisons = mixed.len().saturating_mul(file.len()).saturating_mul(new.len());
    let richest = (comparisons > COMPARISONS).then(|| richest(file.iter().chain(&new)));
    for line in mixed {
        let mut ids = case.result.ids_on(line);
        if let [.., before, last] = ids[..]
            && case.forgotten.allows((before, last))
        {
            ids.pop();
        }
        let wanted: Vec<(u64, usize)> = counts(ids.iter()).into_iter().collect();
        let lacks = |window: &Counts, (id, count): &(u64, usize)| window.get(id).is_none_or(|has| has < count);
        let fits = if let Some(richest) = &richest {
            wanted.iter().all(|token| !lacks(richest, token))
        } else {
            new.iter().any(|window| {
                let lacking: Vec<_> = wanted.iter().filter(|token| lacks(window, token)).collect();
                file.iter().any(|window| lacking.iter().all(|token| !lacks(window, token))) || lacking.is_empty()
            })
        };
        if !fits {
            return Err(case.at_line(Law::Once, line));
        }
    }
    Ok(())
}

/// Returns what any window has most of.
fn richest<'a>(windows: impl Iterator<Item = &'a Counts>) -> Counts {
    let mut richest = Counts::default();
    for (id, count) in windows.flatten() {
        let most = richest.entry(*id).or_default();
        *most = count.max(most).to_owned();
    }
    richest
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzzy_testkit::texts;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(texts::config())]

        /// By the definition: a run and the same run behind it.
        #[test]
        fn runs_that_stand_twice_are_found(sequence in prop::collection::vec(0..3_u64, 0..14)) {
            let found: FxHashSet<(usize, u64)> = doubled(&sequence).into_iter().map(|(_, run)| run).collect();
            for period in 1..=sequence.len() / 2 {
                let stands = sequence.windows(2 * period).any(|run| run[..period] == run[period..]);
                prop_assert_eq!(found.iter().any(|(length, _)| *length == period), stands);
            }
        }

        /// What all windows have together never refuses what two of them allow.
        #[test]
        fn the_bound_of_long_texts_is_the_weaker_one(windows in prop::collection::vec(prop::collection::vec(0..4_u64, 0..5), 1..5), at in any::<[prop::sample::Index; 2]>()) {
            let windows: Vec<Counts> = windows.iter().map(|ids| counts(ids.iter())).collect();
            let richest = richest(windows.iter());
            for at in at {
                prop_assert!(at.get(&windows).iter().all(|(id, count)| richest[id] >= *count));
            }
        }
    }
}
