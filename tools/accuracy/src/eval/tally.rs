//! Counts verdicts, by kind of case and by group.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fuzzy_testkit::verdict::Verdict;

use crate::cases::Case;
use crate::counts::Counts;
use crate::eval::judge::Outcome;

/// The verdicts of a run, counted by kind and by group; the names of groups begin with a tilde.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<String, Counts>);

impl Tally {
    /// Counts the outcomes that have a verdict.
    pub(crate) fn new(cases: &[Case], outcomes: &[Outcome]) -> Self {
        let mut tally = Self::default();
        for (case, outcome) in cases.iter().zip(outcomes) {
            if let Some(verdict) = outcome.verdict {
                let keys = [case.kind().to_owned(), case.group()].into_iter().chain(case.part());
                keys.for_each(|key| tally.add(key, verdict));
            }
        }
        tally
    }

    /// Counts a case of a kind or a group.
    pub(crate) fn add(&mut self, key: String, verdict: Verdict) {
        self.0.entry(key).or_default().add(verdict);
    }

    /// Returns the counts of a kind or a group, perhaps all zero.
    pub(crate) fn of(&self, key: &str) -> Counts {
        self.0.get(key).copied().unwrap_or_default()
    }

    /// Returns the kinds, sorted by name.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (&str, &Counts)> {
        self.0.iter().filter(|(key, _)| !key.starts_with('~')).map(|(key, counts)| (key.as_str(), counts))
    }

    /// Formats a line per kind and group.
    pub(crate) fn by_drift(&self) -> String {
        let mut text = String::new();
        for (key, counts) in &self.0 {
            let _ = writeln!(
                text,
                "{key:30} n={:5} right={:>6}% tails={:4} blanks={:4} refused={:4} WRONG={:4}",
                counts.all(),
                counts.percent(Verdict::Right, 1),
                counts.of(Verdict::Tails),
                counts.of(Verdict::Blanks),
                counts.of(Verdict::Refused),
                counts.of(Verdict::Wrong),
            );
        }
        text
    }

    /// Formats a line per part of the drifted cases.
    pub(crate) fn parts(&self) -> String {
        let mut text = String::new();
        for part in ["kept", "touched", "both"] {
            if let Some(counts) = self.0.get(&format!("~{part}")) {
                let _ = writeln!(text, "  {part}: n={} {}", counts.all(), shares(counts));
            }
        }
        text
    }

    /// Formats the summary of a run, in one line.
    pub(crate) fn summary(&self, name: &str) -> String {
        let [drifted, negatives, policy] = ["~drifted", "~negatives", "~policy"].map(|group| self.of(group));
        let controls: Vec<String> = ["exact", "substring"]
            .iter()
            .filter_map(|control| {
                let counts = self.0.get(&format!("~control_{control}"))?;
                Some(format!("{control} {}%", counts.percent(Verdict::Right, 1)))
            })
            .collect();
        format!(
            "{name}: drifted n={} {} | negatives changed {}/{} | controls {} | policy right {}/{}",
            drifted.all().max(1),
            shares(&drifted),
            negatives.of(Verdict::Wrong),
            negatives.all(),
            if controls.is_empty() { "-".to_owned() } else { controls.join(" ") },
            policy.of(Verdict::Right),
            policy.all(),
        )
    }
}

/// Writes the share of each verdict.
fn shares(counts: &Counts) -> String {
    Verdict::ALL.map(|verdict| format!("{} {}%", verdict.name(), counts.percent(verdict, 2))).join(" ")
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use crate::cases::Case;
    use crate::eval::judge::Outcome;
    use crate::verdict;

    /// Rates an answer to a case of this drift.
    fn judged(drift: &str, expected: Option<&str>, output: Option<&str>) -> (Case, Outcome) {
        let case = Case {
            content: "a b\n".to_owned(),
            old: "a".to_owned(),
            new: "c".to_owned(),
            expected: expected.map(str::to_owned),
            drift: drift.to_owned(),
            ..Case::default()
        };
        let verdict = verdict::judge(&case, output);
        (
            case,
            Outcome {
                verdict,
                confidence: None,
                ns: None,
                is_refusal: output.is_none(),
                proposal: None,
                again: None,
                answer: None,
            },
        )
    }

    #[test]
    fn kinds_and_groups_are_counted_apart() {
        let right = Some("c b\n");
        let (mut cases, mut outcomes): (Vec<_>, Vec<_>) = [
            judged("typo", right, right),
            judged("typo", right, Some("c b")),
            judged("typo", right, Some("c  b\n")),
            judged("combo:typo+case", right, None),
            judged("combo:case+typo", right, Some("d")),
            judged("neg", None, None),
            judged("neg", None, right),
            judged("control_exact", right, right),
            judged("control_substring", right, None),
            judged("control_substring", right, right),
            judged("control_substring", right, right),
            judged("underindented_exact", right, right),
            judged("real", right, right),
            judged("real", None, None),
            judged("real", right, right),
        ]
        .into_iter()
        .unzip();
        // The old text of a real edit occurs once: its right result is a matter of policy.
        cases[12].expected_kind = Some("full".to_owned());
        cases[13].expected_kind = Some("refuse".to_owned());
        outcomes[14].verdict = None;
        let tally = Tally::new(&cases, &outcomes);
        assert_eq!(
            tally.summary("name"),
            "name: drifted n=5 right 20.00% tails 20.00% blanks 20.00% refused 20.00% WRONG 20.00% | \
             negatives changed 1/3 | controls exact 100.0% substring 66.7% | policy right 2/2"
        );
        let by_drift = tally.by_drift();
        let lines: Vec<&str> = by_drift.lines().collect();
        assert_eq!(
            lines[0],
            "combo                          n=    2 right=   0.0% tails=   0 blanks=   0 refused=   1 WRONG=   1"
        );
        let kinds: Vec<&str> = tally.kinds().map(|(kind, _)| kind).collect();
        assert_eq!(
            kinds,
            ["combo", "control_exact", "control_substring", "full", "neg", "refuse", "typo", "underindented_exact"]
        );
    }

    #[test]
    fn no_case_at_all_is_no_per_cent() {
        assert_eq!(
            Tally::default().summary("none"),
            "none: drifted n=1 right 0.00% tails 0.00% blanks 0.00% refused 0.00% WRONG 0.00% | \
             negatives changed 0/0 | controls - | policy right 0/0"
        );
    }
}
