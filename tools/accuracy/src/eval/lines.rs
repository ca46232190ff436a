//! The targets of the ladder `adaptive`, by set of cases and group.

use fuzzy_testkit::verdict::Verdict;
use fuzzy_tools::table::{Table, yes_or_no};

use crate::counts::Counts;
use crate::eval::patches::PatchRun;
use crate::eval::run::{DETAILED, Run};
use crate::eval::tables::again;
use crate::eval::tally::Tally;

/// The measured quantity of a group.
#[derive(Clone, Copy)]
enum What {
    /// At least this percentage is right.
    Right,
    /// At most this percentage differs only in blanks.
    Blanks,
    /// At most this percentage is wrong.
    Wrong,
    /// At most this number is wrong.
    Count,
}
use What::{Blanks, Count, Right, Wrong};

/// A target: the start of the set's name, the group (with a tilde) or kind, the measure, and the limit.
type Line = (&'static str, &'static str, What, f64);

const LINES: &[Line] = &[
    ("drift-dev", "~drifted", Right, 98.13),
    ("drift-dev", "~drifted", Blanks, 0.8),
    ("drift-dev", "~drifted", Count, 0.0),
    ("drift-dev", "~negatives", Count, 1.0),
    ("touch-dev", "~drifted", Right, 97.56),
    ("touch-dev", "~drifted", Count, 0.0),
    ("touch-dev", "~kept", Right, 93.0),
    ("touch-dev", "~kept", Blanks, 1.5),
    ("touch-dev", "~kept", Wrong, 0.4),
    ("touch-dev", "~touched", Right, 93.0),
    ("touch-dev", "~touched", Blanks, 1.5),
    ("touch-dev", "~touched", Wrong, 0.4),
    ("touch-dev", "~both", Right, 93.0),
    ("touch-dev", "~both", Blanks, 1.5),
    ("touch-dev", "~both", Wrong, 0.4),
    ("touch-dev", "~negatives", Count, 0.0),
    ("real-dev", "~drifted", Right, 67.2),
    ("real-dev", "~drifted", Blanks, 1.0),
    ("real-dev", "~drifted", Count, 1.0),
    ("real-dev", "~negatives", Count, 2.0),
    ("real2-dev", "~drifted", Right, 66.6),
    ("real2-dev", "~drifted", Blanks, 1.0),
    ("real2-dev", "~drifted", Count, 1.0),
    ("real2-dev", "~negatives", Count, 2.0),
    ("exact-dev", "~control_exact", Right, 100.0),
    ("kinds-dev", "separator", Right, 90.0),
    ("kinds-dev", "separator", Count, 1.0),
    ("kinds-dev", "literal", Right, 90.0),
    ("kinds-dev", "literal", Count, 1.0),
    ("kinds-dev", "own-evidence", Right, 90.0),
    ("kinds-dev", "own-evidence", Count, 1.0),
    ("kinds-dev", "crlf-midline", Right, 90.0),
    ("kinds-dev", "crlf-midline", Count, 1.0),
    ("kinds-dev", "kinds-piece", Right, 90.0),
    ("kinds-dev", "kinds-piece", Count, 1.0),
    ("kinds-dev", "kinds-list", Count, 1.0),
    ("kinds-dev", "sibling-header", Count, 1.0),
    ("kinds-dev", "ambiguous-exact", Count, 1.0),
    ("hand-dev", "~drifted", Right, 85.0),
    ("hand-dev", "~drifted", Count, 0.0),
    ("hand-dev", "~negatives", Count, 0.0),
    ("patch-dev", "~clean", Right, 100.0),
    ("patch-dev", "~clean", Count, 0.0),
    ("patch-dev", "~damaged", Right, 95.16),
    ("patch-dev", "~damaged", Blanks, 1.0),
    ("patch-dev", "~damaged", Wrong, 0.1),
    ("patch-dev", "~back", Right, 97.0),
    ("patch-dev", "~back", Count, 0.0),
    ("patch-dev", "~again", Right, 100.0),
];

/// The largest permitted percentage of repeated right edits that change the file; no pure insertion may change it.
const AGAIN: f64 = 0.5;

/// The sets with this target. The others have generated insertions, such as `)`, that match again on their own result.
const AGAIN_SETS: [&str; 4] = ["drift-", "touch-", "real-", "real2-"];

/// Formats every target that a run measures: the measurement, and whether it is reached.
pub(crate) fn lines(runs: &[Run<'_>], patches: &[PatchRun<'_>]) -> String {
    let mut table = Table::new(3, &["cases", "group", "measured", "is", "line", "reached"]);
    let edits = runs.iter().map(|run| (&run.file.name, &run.ladder, &run.tally));
    let patches = patches.iter().map(|run| (&run.file.name, &run.ladder, &run.tally));
    let of_detailed = edits.chain(patches).filter(|(_, ladder, _)| *ladder == DETAILED);
    let tallies: Vec<(&String, &Tally)> = of_detailed.map(|(name, _, tally)| (name, tally)).collect();
    for (name, tally) in &tallies {
        for (_, group, what, line) in LINES.iter().filter(|(set, ..)| name.starts_with(set)) {
            let mut row = vec![(*name).clone(), group.trim_start_matches('~').to_owned()];
            row.extend(what.row(tally.of(group), *line));
            table.row(row);
        }
        let is_sent_again = AGAIN_SETS.iter().any(|set| name.starts_with(set));
        for run in runs.iter().filter(|run| is_sent_again && run.file.name == **name && run.ladder == DETAILED) {
            for (is_insertion, of, line) in [(true, "insertions", 0.0), (false, "others", AGAIN)] {
                let (changed, all) = again(&run.outcomes, is_insertion);
                let share = changed as f64 / all.max(1) as f64 * 100.0;
                let mut row = vec![(*name).clone(), format!("{of} sent again"), "changed".to_owned()];
                row.extend([format!("{changed} of {all}"), format!("at most {line} %"), yes_or_no(share <= line)]);
                table.row(row);
            }
        }
    }
    table.render()
}

impl What {
    fn row(self, counts: Counts, line: f64) -> [String; 4] {
        let wrong = counts.of(Verdict::Wrong);
        let (what, measured, is_count) = match self {
            Right => ("right", counts.share(Verdict::Right), false),
            Blanks => ("tails and blanks", counts.share(Verdict::Tails) + counts.share(Verdict::Blanks), false),
            Wrong => ("WRONG", counts.share(Verdict::Wrong), false),
            Count => ("WRONG", wrong as f64, true),
        };
        let (bound, is_reached) =
            if matches!(self, Right) { ("at least", measured >= line) } else { ("at most", measured <= line) };
        let (is, line) = if is_count {
            (format!("{wrong} of {}", counts.all()), format!("{bound} {line}"))
        } else {
            (format!("{measured:.2} %"), format!("{bound} {line} %"))
        };
        [what.to_owned(), is, line, yes_or_no(is_reached)]
    }
}

#[cfg(test)]
mod tests {
    use fuzzy_testkit::verdict::Verdict;

    use super::What::{Blanks, Count, Right, Wrong};
    use crate::counts::Counts;

    #[test]
    fn a_line_is_reached_from_its_own_side() {
        let mut counts = Counts::default();
        for verdict in [Verdict::Right, Verdict::Right, Verdict::Tails, Verdict::Wrong] {
            counts.add(verdict);
        }
        for (what, line, row) in [
            (Right, 50.0, "right | 50.00 % | at least 50 % | yes"),
            (Right, 50.1, "right | 50.00 % | at least 50.1 % | NO"),
            (Blanks, 25.0, "tails and blanks | 25.00 % | at most 25 % | yes"),
            (Wrong, 24.9, "WRONG | 25.00 % | at most 24.9 % | NO"),
            (Count, 1.0, "WRONG | 1 of 4 | at most 1 | yes"),
            (Count, 0.0, "WRONG | 1 of 4 | at most 0 | NO"),
        ] {
            assert_eq!(what.row(counts, line).join(" | "), row);
        }
    }
}
