//! The results of the runs, as tables.

use fuzzy_tools::table::{Table, or_dash, time, yes_or_no};

use crate::counts::Counts;
use crate::eval::judge::Outcome;
use crate::eval::patches::{GROUPS, PatchRun};
use crate::eval::reliability::{bins, range};
use crate::eval::run::Run;
use fuzzy_testkit::verdict::Verdict;

/// Files of at most this number of lines must be fast.
const LINES: usize = 10_000;

/// Formats a row per run, with the groups as columns.
pub(crate) fn ladders(runs: &[Run<'_>]) -> String {
    let header = [
        "cases",
        "ladder",
        "drifted",
        "right",
        "tails",
        "blanks",
        "refused",
        "WRONG",
        "negatives changed",
        "exact right",
        "substring right",
        "policy right",
        "insertions changed again",
        "others changed again",
    ];
    let mut table = Table::new(2, &header);
    for run in runs {
        let drifted = run.tally.of("~drifted");
        let mut row = vec![run.file.name.clone(), run.ladder.clone(), drifted.all().to_string()];
        row.extend(Verdict::ALL.map(|verdict| format!("{} %", drifted.percent(verdict, 2))));
        for (group, verdict) in [
            ("~negatives", Verdict::Wrong),
            ("~control_exact", Verdict::Right),
            ("~control_substring", Verdict::Right),
            ("~policy", Verdict::Right),
        ] {
            let counts = run.tally.of(group);
            row.push(of_all(counts.of(verdict), counts.all()));
        }
        for is_insertion in [true, false] {
            let (changed, all) = again(&run.outcomes, is_insertion);
            row.push(of_all(changed, all));
        }
        table.row(row);
    }
    table.render()
}

/// Formats a count and its total, if there is any.
fn of_all(count: usize, all: usize) -> String {
    or_dash((all > 0).then_some(count), |count| format!("{count} of {all}"))
}

/// Returns the number of right edits that changed the file when they were sent again, and the number of all that were;
/// either of insertions or of the others.
pub(crate) fn again(outcomes: &[Outcome], is_insertion: bool) -> (usize, usize) {
    let sent = outcomes.iter().filter_map(|outcome| outcome.again).filter(|again| again.is_insertion == is_insertion);
    sent.fold((0, 0), |(changed, all), again| (changed + usize::from(again.changes), all + 1))
}

/// The possible verdicts of a patch; blanks at ends of lines count as blanks.
const OF_PATCHES: [Verdict; 4] = [Verdict::Right, Verdict::Blanks, Verdict::Refused, Verdict::Wrong];

/// Formats a row per group of patches.
pub(crate) fn patches(runs: &[PatchRun<'_>]) -> String {
    let mut table = Table::new(3, &["cases", "ladder", "group", "number", "right", "blanks", "refused", "WRONG"]);
    for run in runs {
        for group in GROUPS {
            let counts = run.tally.of(&format!("~{group}"));
            let mut row = vec![run.file.name.clone(), run.ladder.clone(), group.to_owned(), counts.all().to_string()];
            row.extend(OF_PATCHES.map(|verdict| format!("{} %", counts.percent(verdict, 2))));
            table.row(row);
        }
    }
    table.render()
}

/// Formats a row per kind of patch.
pub(crate) fn patch_kinds(runs: &[PatchRun<'_>]) -> String {
    let mut table = Table::new(3, &["cases", "ladder", "kind", "number", "right, %", "blanks", "refused", "WRONG"]);
    for run in runs {
        for (kind, counts) in run.tally.kinds() {
            let mut row = vec![run.file.name.clone(), run.ladder.clone(), kind.to_owned(), counts.all().to_string()];
            row.push(counts.percent(Verdict::Right, 1));
            row.extend(OF_PATCHES[1..].iter().map(|verdict| counts.of(*verdict).to_string()));
            table.row(row);
        }
    }
    table.render()
}

/// Formats the results of the refusals' proposals, for the ladders that make any.
pub(crate) fn proposals(runs: &[Run<'_>]) -> String {
    let header = [
        "cases",
        "ladder",
        "positives refused",
        "with a proposal",
        "right",
        "tails",
        "blanks",
        "refused",
        "WRONG",
        "right, %",
        "negatives refused",
        "with a proposal that changes the file",
    ];
    let mut table = Table::new(2, &header);
    for run in runs.iter().filter(|run| proposes(runs, &run.ladder)) {
        let cases = run.file.cases.iter().zip(&run.outcomes);
        let refused = cases.filter(|(_, outcome)| outcome.verdict.is_some() && outcome.is_refusal);
        let (positives, negatives): (Vec<_>, Vec<_>) = refused.partition(|(case, _)| case.is_positive());
        let mut sent = Counts::default();
        let verdicts = positives.iter().filter_map(|(_, outcome)| outcome.proposal.as_ref()?.verdict);
        verdicts.for_each(|verdict| sent.add(verdict));
        let proposals = negatives.iter().filter_map(|(_, outcome)| outcome.proposal.as_ref());
        let mut row = vec![run.file.name.clone(), run.ladder.clone()];
        row.push(positives.len().to_string());
        row.push(sent.all().to_string());
        row.extend(Verdict::ALL.map(|verdict| sent.of(verdict).to_string()));
        row.push(or_dash((sent.all() > 0).then_some(sent), |sent| sent.percent(Verdict::Right, 1)));
        row.push(negatives.len().to_string());
        row.push(proposals.filter(|sent| sent.changes).count().to_string());
        table.row(row);
    }
    table.render()
}

/// Returns whether a ladder makes proposals.
fn proposes(runs: &[Run<'_>], ladder: &str) -> bool {
    let mut outcomes = runs.iter().filter(|run| run.ladder == ladder).flat_map(|run| &run.outcomes);
    outcomes.any(|outcome| outcome.proposal.is_some())
}

/// Formats the latencies in files that must be fast, and in all files if some are longer.
pub(crate) fn latency(runs: &[Run<'_>]) -> String {
    let mut table = Table::new(3, &["cases", "ladder", "files", "number", "p50", "p90", "p99", "longest"]);
    for run in runs {
        let [short, all] = [LINES, usize::MAX].map(|lines| {
            let cases = run.file.cases.iter().zip(&run.outcomes);
            let selected = cases.filter(|(case, _)| case.content.split('\n').count() <= lines);
            let mut times: Vec<f64> = selected.filter_map(|(_, outcome)| outcome.ns).collect();
            times.sort_unstable_by(f64::total_cmp);
            times
        });
        let mut rows = vec![("up to 10,000 lines", short)];
        if all.len() > rows[0].1.len() {
            rows.push(("all", all));
        }
        for (files, times) in rows {
            let mut row = vec![run.file.name.clone(), run.ladder.clone(), files.to_owned(), times.len().to_string()];
            row.extend([50, 90, 99, 100].map(|percent| or_dash(percentile(&times, percent), time)));
            table.row(row);
        }
    }
    table.render()
}

/// Returns the least of the sorted values that is at least as large as `percent` percent of them.
fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

/// Formats the share of right edits per bin of confidence; a bin without edits has no row.
pub(crate) fn reliability(runs: &[Run<'_>]) -> String {
    let mut table = Table::new(3, &["cases", "ladder", "confidence", "edits", "right", "share", "at least", "holds"]);
    for run in runs {
        for (index, bin) in bins(&run.outcomes).into_iter().enumerate() {
            let ((least, end), Some(share)) = (range(index), bin.share()) else { continue };
            table.row(vec![
                run.file.name.clone(),
                run.ladder.clone(),
                format!("{least} to {end}"),
                bin.edits.to_string(),
                bin.right.to_string(),
                format!("{share:.3}"),
                least.to_string(),
                yes_or_no(share >= least),
            ]);
        }
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn a_percentile_is_a_value_that_was_measured() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        for percent in [1, 50, 90, 99, 100] {
            assert_eq!(percentile(&hundred, percent), Some(percent as f64));
        }
        assert_eq!(percentile(&[1.0, 2.0, 3.0], 50), Some(2.0));
        assert_eq!(percentile(&[1.0, 2.0, 3.0], 99), Some(3.0));
        assert_eq!(percentile(&[7.0], 50), Some(7.0));
        assert_eq!(percentile(&[], 50), None);
    }
}
