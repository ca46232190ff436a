//! The targets of the ladder `adaptive`, by set of cases and group.

use fuzzy_report::Verdict;
use fuzzy_tools::table::{Table, yes_or_no};

use crate::engine::ADAPTIVE;
use crate::eval::report::Report;

/// The measured quantity of a group, and its limit.
#[derive(Clone, Copy)]
enum Limit {
    /// At least this percentage is right.
    Right(f64),
    /// At most this percentage differs only in whitespace.
    Whitespace(f64),
    /// At most this percentage is wrong.
    Wrong(f64),
    /// At most this number is wrong.
    Count(f64),
    /// At least this number of edits lands right; a refusal that is right, too, does not count.
    Landed(usize),
}
use Limit::{Count, Landed, Right, Whitespace, Wrong};

/// The limits of the kinds of edits that the other sets lack.
const KIND: &[Limit] = &[Right(90.0), Count(1.0)];

/// The limits of one group of touched edits.
const TOUCHED: &[Limit] = &[Right(93.0), Whitespace(1.5), Wrong(0.4)];

/// Targets: the start of the sets' names, the groups (with a tilde) or kinds, and the limits of each.
const LINES: &[(&str, &[&str], &[Limit])] = &[
    ("real-dev", &["~drifted"], &[Right(67.2), Whitespace(1.0), Count(1.0)]),
    ("real-dev", &["~negatives"], &[Count(2.0)]),
    ("real2-dev", &["~drifted"], &[Right(66.6), Whitespace(1.0), Count(1.0)]),
    ("real2-dev", &["~negatives"], &[Count(2.0)]),
    ("real4-dev", &["~drifted"], &[Landed(38), Whitespace(1.0), Count(0.0)]),
    ("real4-dev", &["~negatives"], &[Count(0.0)]),
    ("reports-dev", &["~drifted"], &[Landed(75), Count(3.0)]),
    ("reports-dev", &["~negatives"], &[Count(3.0)]),
    ("exact-dev", &["~control_exact"], &[Right(100.0)]),
    ("exact2-dev", &["~control_exact"], &[Right(99.2)]),
    ("drift-dev", &["~drifted"], &[Right(97.71), Whitespace(0.8), Count(0.0)]),
    ("drift-dev", &["~negatives"], &[Count(1.0)]),
    ("touch-dev", &["~drifted"], &[Right(97.23), Count(0.0)]),
    ("touch-dev", &["~kept", "~touched", "~both"], TOUCHED),
    ("touch-dev", &["~negatives"], &[Count(0.0)]),
    ("kinds-dev", &["separator", "literal", "own-evidence", "crlf-midline", "kinds-piece"], KIND),
    ("kinds-dev", &["kinds-list", "sibling-header", "ambiguous-exact"], &[Count(1.0)]),
    ("kinds2-dev", &["stale-key"], &[Count(1.0)]),
    ("kinds2-dev", &["piece-code"], &[Right(95.0), Count(1.0)]),
    ("kinds2-dev", &["piece-prose"], &[Right(50.0), Count(1.0)]),
    ("kinds2-dev", &["formatted"], &[Right(92.0), Count(0.0)]),
    ("kinds2-dev", &["already-in-context"], &[Right(66.0), Count(0.0)]),
    ("probes-dev", &["~drifted"], &[Landed(28), Count(6.0)]),
    ("probes-dev", &["~negatives"], &[Count(6.0)]),
    ("small4-dev", &["~drifted"], &[Landed(7), Count(0.0)]),
    ("small4-dev", &["~negatives"], &[Count(0.0)]),
    ("hand-dev", &["~drifted"], &[Right(85.0), Count(0.0)]),
    ("hand-dev", &["~negatives"], &[Count(0.0)]),
    ("patch-dev", &["~clean"], &[Right(100.0), Count(0.0)]),
    ("patch-dev", &["~damaged"], &[Right(95.16), Whitespace(1.0), Wrong(0.1)]),
    ("patch-dev", &["~back"], &[Right(97.0), Count(0.0)]),
    ("patch-dev", &["~again"], &[Right(100.0)]),
];

/// The largest permitted percentage of repeated right edits that change the file: insertions, and others.
const AGAIN: [(&str, f64); 2] = [("insertions sent again", 0.0), ("others sent again", 0.5)];

/// The sets with this target. The others have generated insertions, such as `)`, that match again on their own result.
const AGAIN_SETS: [&str; 4] = ["drift-", "touch-", "real-", "real2-"];

/// A measured target: the cells of its row, and whether it is reached.
type Row = ([String; 5], bool);

/// Returns a row for every target that a report measures.
fn rows(reports: &[Report]) -> Vec<Row> {
    let mut rows = Vec::new();
    for report in reports.iter().filter(|report| report.ladder == ADAPTIVE) {
        let mut row = |group: &str, ([what, is, line], is_reached): ([String; 3], bool)| {
            rows.push(([report.set.clone(), group.to_owned(), what, is, line], is_reached));
        };
        for (_, groups, limits) in LINES.iter().filter(|(set, ..)| report.set.starts_with(set)) {
            for (group, limit) in groups.iter().flat_map(|group| limits.iter().map(move |limit| (group, limit))) {
                row(group.trim_start_matches('~'), limit.cells(report, group));
            }
        }
        if AGAIN_SETS.iter().any(|set| report.set.starts_with(set)) {
            for ((group, limit), again) in AGAIN.iter().zip(report.again) {
                let (is, most) = (format!("{} of {}", again.part, again.all), format!("at most {limit} %"));
                let is_reached = again.part as f64 * 100.0 <= limit * again.all as f64;
                row(group, (["changed".to_owned(), is, most], is_reached));
            }
        }
    }
    rows
}

/// Formats every target that a report measures: the measurement, and whether it is reached.
pub(crate) fn lines(reports: &[Report]) -> String {
    let mut table = Table::new(3, &["cases", "group", "measured", "is", "line", "reached"]);
    for (row, is_reached) in rows(reports) {
        table.row(row.into_iter().chain([yes_or_no(is_reached)]).collect());
    }
    table.render()
}

/// Counts the targets that are reached, and formats the others.
pub(crate) fn missed(reports: &[Report]) -> String {
    let rows = rows(reports);
    let mut table = Table::new(3, &["cases", "group", "measured", "is", "line"]);
    let missed = rows.iter().filter(|(_, is_reached)| !is_reached);
    missed.clone().for_each(|(row, _)| table.row(row.to_vec()));
    let missed = missed.count();
    format!("{} of {} lines are reached, and {missed} are not:\n\n{}", rows.len() - missed, rows.len(), table.render())
}

impl Limit {
    fn cells(self, report: &Report, group: &str) -> ([String; 3], bool) {
        let counts = report.of(group);
        let share = |verdicts: &[Verdict]| verdicts.iter().map(|verdict| counts.share(*verdict)).sum::<f64>();
        let (what, measured, limit) = match self {
            Right(least) => ("right", share(&[Verdict::Right]), least),
            Whitespace(most) => ("tails and whitespace", share(&[Verdict::Tails, Verdict::Whitespace]), most),
            Wrong(most) => ("WRONG", share(&[Verdict::Wrong]), most),
            Count(most) => ("WRONG", counts.of(Verdict::Wrong) as f64, most),
            Landed(least) => ("landed right", report.landed_right as f64, least as f64),
        };
        let is_minimum = matches!(self, Right(_) | Landed(_));
        let is_reached = if is_minimum { measured >= limit } else { measured <= limit };
        let bound = if is_minimum { "at least" } else { "at most" };
        let (is, line) = match self {
            Count(_) | Landed(_) => (format!("{measured} of {}", counts.all()), format!("{bound} {limit}")),
            _ => (format!("{measured:.2} %"), format!("{bound} {limit} %")),
        };
        ([what.to_owned(), is, line], is_reached)
    }
}

#[test]
fn a_line_is_reached_from_its_own_side() {
    let mut report = Report { landed_right: 2, ..Report::default() };
    for verdict in [Verdict::Right, Verdict::Right, Verdict::Tails, Verdict::Wrong] {
        report.count(["kind".to_owned()], verdict);
    }
    for (limit, row) in [
        (Right(50.0), "right | 50.00 % | at least 50 % | yes"),
        (Right(50.1), "right | 50.00 % | at least 50.1 % | NO"),
        (Whitespace(25.0), "tails and whitespace | 25.00 % | at most 25 % | yes"),
        (Wrong(24.9), "WRONG | 25.00 % | at most 24.9 % | NO"),
        (Count(1.0), "WRONG | 1 of 4 | at most 1 | yes"),
        (Count(0.0), "WRONG | 1 of 4 | at most 0 | NO"),
        (Landed(2), "landed right | 2 of 4 | at least 2 | yes"),
        (Landed(3), "landed right | 2 of 4 | at least 3 | NO"),
    ] {
        let (cells, is_reached) = limit.cells(&report, "kind");
        assert_eq!(format!("{} | {}", cells.join(" | "), yes_or_no(is_reached)), row);
    }
}
