//! The figures of one ladder on one set of cases.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use fuzzy_pipeline::Pipeline;
use fuzzy_report::Verdict;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use crate::cases::{Case, Counts, Set, failure};
use crate::engine::{self, output};

/// The least confidence of each bin, which is also the required share of right edits. Nearly every landing is above
/// 0.9, so the bins are narrow there.
pub(crate) const EDGES: [f64; 6] = [0.0, 0.5, 0.8, 0.9, 0.95, 0.99];

/// Lines for study by a person.
pub(crate) type Failures = Vec<Value>;

/// A part of some cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Part {
    pub(crate) all: usize,
    pub(crate) part: usize,
}

impl Part {
    fn add(&mut self, is_part: bool) {
        self.all += 1;
        self.part += usize::from(is_part);
    }
}

/// The figures of one ladder on one set.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) set: String,
    pub(crate) sha256: String,
    /// The number of edits or patches in the file, rated or not.
    pub(crate) cases: usize,
    pub(crate) is_of_patches: bool,
    pub(crate) ladder: String,
    /// The verdicts by kind and by group; the names of groups begin with a tilde.
    pub(crate) kinds: BTreeMap<String, Counts>,
    /// Drifted positives whose answer is "already applied" although the edit is not there.
    pub(crate) said_done: usize,
    /// Drifted positives that landed right; an accepted refusal is right and has not landed.
    pub(crate) landed_right: usize,
    /// Right edits that were sent again on their own result, and those that changed it: insertions, and others.
    pub(crate) again: [Part; 2],
    /// The edits of each bin of confidence, and the right ones.
    pub(crate) confidence: [Part; EDGES.len()],
    /// The confidences of the right landings, and of the others.
    #[serde(skip)]
    pub(crate) said: [Vec<f64>; 2],
}

/// The answer to a case, and whether the edit changed its own right result when it was sent again, if it was.
type Outcome = (Value, Option<bool>);

/// Runs a ladder on a case.
fn outcome(case: &Case, pipeline: &Pipeline) -> Outcome {
    let answer = case.ask(pipeline);
    let result = output(&answer);
    let is_right = case.is_positive() && case.verdict(result) == Some(Verdict::Right);
    let changes_again = result.filter(|_| is_right).map(|right| {
        let again = engine::answer(pipeline, right, case.edit());
        output(&again).is_some_and(|output| output != right)
    });
    (answer, changes_again)
}

impl Report {
    fn new(set: &Set, ladder: &str) -> Self {
        let (set, sha256, cases) = (set.name.clone(), set.sha256.clone(), set.edits.len());
        Self { set, sha256, cases, ladder: ladder.to_owned(), ..Self::default() }
    }

    /// Runs a ladder on a set of edits.
    pub(crate) fn of_edits(set: &Set, ladder: &str, pipeline: &Pipeline, failures: &mut Failures) -> Self {
        let outcomes: Vec<Outcome> = set.edits.par_iter().map(|case| outcome(case, pipeline)).collect();
        Self::new(set, ladder).with(set, outcomes, failures)
    }

    /// Rates the answers of `fuzzy-edit batch`. A case without an answer counts as refused.
    pub(crate) fn of_recorded(set: &Set, name: &str, answers: Vec<Value>, failures: &mut Failures) -> Self {
        let answers = answers.into_iter().map(|answer| (answer["id"].as_str().unwrap_or_default().to_owned(), answer));
        let mut answers: HashMap<String, Value> = answers.collect();
        let outcomes = set.edits.iter().map(|case| (answers.remove(&case.id).unwrap_or_default(), None)).collect();
        Self::new(set, name).with(set, outcomes, failures)
    }

    fn with(mut self, set: &Set, outcomes: Vec<Outcome>, failures: &mut Failures) -> Self {
        for (case, (answer, changes_again)) in set.edits.iter().zip(outcomes) {
            self.add(case, &answer, changes_again);
            let verdict = case.verdict(output(&answer));
            let not_right = verdict.filter(|verdict| *verdict != Verdict::Right).map(Verdict::name);
            let again = (changes_again == Some(true)).then_some("changed again");
            if let Some(what) = not_right.or(again) {
                failures.push(failure(case, &format!("{}, {}", self.set, self.ladder), what, &answer));
            }
        }
        self
    }

    /// Counts a verdict under some keys.
    pub(crate) fn count(&mut self, keys: impl IntoIterator<Item = String>, verdict: Verdict) {
        keys.into_iter().for_each(|key| *self.kinds.entry(key).or_default() += verdict);
    }

    fn add(&mut self, case: &Case, answer: &Value, changes_again: Option<bool>) {
        let Some(verdict) = case.verdict(output(answer)) else { return };
        let is_right = verdict == Verdict::Right;
        let keys = case.keys();
        if keys[1] == "~drifted" {
            self.said_done += usize::from(verdict == Verdict::Refused && answer["ok"] == true);
            let has_landed = output(answer).is_some_and(|output| output != case.content);
            self.landed_right += usize::from(is_right && has_landed);
        }
        self.count(keys, verdict);
        if let Some(changes) = changes_again {
            self.again[usize::from(!case.is_insertion())].add(changes);
        }
        let confidence = answer["confidence"].as_f64();
        if let Some(bin) = confidence.and_then(|of| EDGES.iter().rposition(|least| *least <= of)) {
            self.confidence[bin].add(is_right);
            self.said[usize::from(!is_right)].extend(confidence);
        }
    }

    /// Returns the counts of a kind or a group, perhaps all zero.
    pub(crate) fn of(&self, key: &str) -> Counts {
        self.kinds.get(key).cloned().unwrap_or_default()
    }

    /// Returns how often a right landing has a greater confidence than a wrong one (the area under the ROC curve); an
    /// equal one counts half. None if all are right, or none is.
    pub(crate) fn auc(&self) -> Option<f64> {
        let [right, wrong] = &self.said;
        let order = |other: f64, one: &f64| match one.total_cmp(&other) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
        let sum: f64 = wrong.iter().flat_map(|&other| right.iter().map(move |one| order(other, one))).sum();
        (!right.is_empty() && !wrong.is_empty()).then(|| sum / (right.len() * wrong.len()) as f64)
    }

    /// Formats the figures in one line.
    pub(crate) fn summary(&self) -> String {
        let Self { set, ladder, said_done, landed_right, .. } = self;
        let [drifted, negatives, policy] = ["~drifted", "~negatives", "~policy"].map(|group| self.of(group));
        let shares = Verdict::ALL.map(|verdict| format!("{} {:.2}%", verdict.name(), drifted.share(verdict)));
        format!(
            "{set}, {ladder}: drifted n={} {} | negatives changed {}/{} | policy right {}/{} | said done {said_done} | \
             landed right {landed_right}",
            drifted.all(),
            shares.join(" "),
            negatives.of(Verdict::Wrong),
            negatives.all(),
            policy.of(Verdict::Right),
            policy.all(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Report};
    use crate::cases::{Case, Set};
    use crate::engine::pipeline;

    fn case(content: &str, new: &str, expected: Option<&str>) -> Case {
        Case {
            id: new.to_owned(),
            content: content.to_owned(),
            old: "one".to_owned(),
            new: new.to_owned(),
            expected: expected.map(str::to_owned),
            ..Case::default()
        }
    }

    fn set(edits: Vec<Case>) -> Set {
        Set { name: "set".to_owned(), edits, ..Set::default() }
    }

    #[test]
    fn answers_and_refusals_are_counted() {
        let set = set(vec![
            case("one\n", "two", Some("two\n")),
            case("one one\n", "two", None),
            case("one\n", "two", None),
            case("none\n", "one one\n", Some("two\n")),
        ]);
        let mut failures = Vec::new();
        let report = Report::of_edits(&set, "conservative", &pipeline("conservative").unwrap(), &mut failures);
        assert_eq!(
            report.summary(),
            "set, conservative: drifted n=2 right 50.00% tails 0.00% whitespace 0.00% refused 0.00% WRONG 50.00% | \
             negatives changed 1/2 | policy right 0/0 | said done 0 | landed right 1"
        );
        assert_eq!(failures.len(), 2);
        assert_eq!(report.confidence[5], Part { all: 3, part: 1 });
        assert_eq!(report.auc(), Some(0.5));
        let said = [vec![0.9, 0.95], vec![0.9, 0.2]];
        assert_eq!(Report { said, ..Report::default() }.auc(), Some(0.875));
        assert_eq!(Report::default().auc(), None);
        // Recorded answers are rated in the same way.
        let pipeline = pipeline("conservative").unwrap();
        let answers = set.edits.iter().enumerate().map(|(at, case)| {
            let mut answer = case.ask(&pipeline);
            answer["id"] = at.to_string().into();
            answer
        });
        let answers = answers.collect();
        let mut recorded = set;
        recorded.edits.iter_mut().enumerate().for_each(|(at, case)| case.id = at.to_string());
        let of_recorded = Report::of_recorded(&recorded, "conservative", answers, &mut Vec::new());
        assert_eq!((of_recorded.kinds, of_recorded.confidence), (report.kinds, report.confidence));
    }

    #[test]
    fn a_right_edit_is_sent_again() {
        let cases = [("two", "two\n"), ("one one", "one one\n"), ("zone", "zone\n"), ("two", "three\n")];
        let set = set(cases.map(|(new, expected)| case("one\n", new, Some(expected))).into());
        let report = Report::of_edits(&set, "", &pipeline("conservative").unwrap(), &mut Vec::new());
        // The second edit is then ambiguous; the third one occurs in its own output.
        assert_eq!(report.again, [Part { all: 2, part: 1 }, Part { all: 1, part: 0 }]);
    }
}
