//! Runs ladders on cases, and rates the answers.

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use fuzzy_edit::Code;
use fuzzy_pipeline::report::Proposal;
use fuzzy_pipeline::{Applied, Document, Edit, Failure, Pipeline};
use fuzzy_testkit::verdict::Verdict;
use serde_json::Value;

use crate::cases::Case;
use crate::jsonl;
use crate::parallel::in_parallel;
use crate::verdict;

/// The number of timed runs of an edit; the fastest time counts, because other programs can only add to it.
const TIMED: usize = 3;

/// The result of a case.
pub(crate) struct Outcome {
    /// The verdict on the answer, if the case determines one.
    pub(crate) verdict: Option<Verdict>,
    /// The ladder's confidence in an applied edit.
    pub(crate) confidence: Option<f64>,
    /// Time that the decision and the edit of the text took, in nanoseconds.
    pub(crate) ns: Option<f64>,
    /// Whether there was no new text.
    pub(crate) is_refusal: bool,
    /// The result of the refusal's proposal, if it had one.
    pub(crate) proposal: Option<Sent>,
    /// The result of sending a right edit again, on its own result.
    pub(crate) again: Option<Again>,
    /// The answer itself, if it is not right.
    pub(crate) answer: Option<Answer>,
}

/// The result of sending an edit a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Again {
    /// Whether the new text includes the old one.
    pub(crate) is_insertion: bool,
    /// Whether the edit changed the text again.
    pub(crate) changes: bool,
}

/// An answer with all that a person needs to find the mistake.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) output: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) strategy: Option<String>,
}

/// The result of sending a proposal as an edit.
pub(crate) struct Sent {
    pub(crate) verdict: Option<Verdict>,
    /// Whether it changed the text.
    pub(crate) changes: bool,
}

/// Runs a ladder on every case.
pub(crate) fn ask(pipeline: &Pipeline, cases: &[Case], jobs: usize) -> Vec<Outcome> {
    in_parallel(cases, jobs, |case| outcome(pipeline, case))
}

/// Reads the answers from a file of `fuzzy-edit batch`. A case without an answer counts as refused.
pub(crate) fn read(answers: &Path, cases: &[Case]) -> Result<Vec<Outcome>> {
    let answers: HashMap<_, _> = jsonl::load(answers)?
        .into_iter()
        .map(|answer| Ok((jsonl::text(&answer, "id")?.to_owned(), answer)))
        .collect::<Result<_>>()?;
    // A case without an answer has no fields.
    Ok(cases.iter().map(|case| recorded(case, answers.get(&case.id).unwrap_or(&Value::Null))).collect())
}

/// Returns the outcome of a case from a recorded answer.
fn recorded(case: &Case, answer: &Value) -> Outcome {
    let output = answer["output"].as_str().filter(|_| answer["ok"] == true);
    let verdict = verdict::judge(case, output);
    Outcome {
        verdict,
        confidence: answer["confidence"].as_f64(),
        ns: answer["us"].as_f64().map(|us| us * 1e3),
        is_refusal: output.is_none(),
        proposal: None,
        again: None,
        answer: (verdict != Some(Verdict::Right)).then(|| Answer {
            output: output.map(str::to_owned),
            error: answer["code"].as_str().map(str::to_owned),
            strategy: answer["strategy"].as_str().map(str::to_owned),
        }),
    }
}

fn outcome(pipeline: &Pipeline, case: &Case) -> Outcome {
    let edit = Edit::new(&case.old, &case.new).with_replace_all(case.replace_all).with_line(case.line);
    let mut ns = f64::INFINITY;
    for _ in 0..TIMED {
        let start = Instant::now();
        let document = Document::new(case.content.as_str());
        let answer = edit.run(pipeline, &document);
        ns = ns.min(start.elapsed().as_nanos() as f64);
        drop(answer);
    }
    let document = Document::new(case.content.as_str());
    let attempt = edit.attempt(pipeline, &document);
    let judgement = attempt.decide();
    let answer = judgement.apply();
    let output = output(case, &answer);
    let proposal = match &answer {
        Err(Failure::Identical | Failure::EmptyOld | Failure::Deadline) => None,
        _ if output.is_some() => None,
        _ => judgement.proposal(),
    };
    let verdict = verdict::judge(case, output);
    let is_right = verdict == Some(Verdict::Right);
    Outcome {
        verdict,
        confidence: answer.as_ref().ok().map(|applied| applied.found.confidence_or_similarity().get()),
        ns: Some(ns),
        is_refusal: output.is_none(),
        proposal: proposal.map(|proposal| send(&proposal, pipeline, case, &document)),
        again: output.filter(|_| is_right && case.is_positive()).map(|output| send_again(edit, pipeline, output)),
        answer: (!is_right).then(|| answer_of(answer)),
    }
}

/// Sends an edit again, on its own result.
fn send_again(edit: Edit<'_>, pipeline: &Pipeline, output: &str) -> Again {
    let document = Document::new(output);
    let answer = edit.run(pipeline, &document);
    let is_insertion = edit.new.contains(edit.old);
    Again { is_insertion, changes: answer.is_ok_and(|applied| applied.output != output) }
}

fn answer_of(answer: Result<Applied, Failure>) -> Answer {
    match answer {
        Ok(applied) => {
            Answer { output: Some(applied.output), error: None, strategy: Some(applied.found.strategy.to_owned()) }
        }
        Err(failure) => Answer { error: Some(format!("{}: {failure}", Code::from(&failure))), ..Answer::default() },
    }
}

/// Sends a proposal unchanged.
fn send(proposal: &Proposal, pipeline: &Pipeline, case: &Case, document: &Document<'_>) -> Sent {
    let edit = Edit::new(&proposal.old, &proposal.new);
    let answer = edit.run(pipeline, document);
    let output = output(case, &answer);
    Sent { verdict: verdict::judge(case, output), changes: output.is_some_and(|output| output != case.content) }
}

/// Returns the text after an edit; an edit that was already applied succeeds without a change.
fn output<'a>(case: &'a Case, answer: &'a Result<Applied, Failure>) -> Option<&'a str> {
    match answer {
        Ok(applied) => Some(&applied.output),
        Err(Failure::AlreadyApplied { .. }) => Some(&case.content),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use fuzzy_pipeline::{Pipeline, ladder};
    use fuzzy_testkit::verdict::Verdict;

    use super::ask;
    use crate::cases::Case;

    /// Returns a case about the word `one`.
    fn case(content: &str, new: &str, expected: Option<&str>) -> Case {
        Case {
            content: content.to_owned(),
            old: "one".to_owned(),
            new: new.to_owned(),
            expected: expected.map(str::to_owned),
            ..Case::default()
        }
    }

    #[test]
    fn answers_and_refusals_are_distinguished() {
        let pipeline = Pipeline::new(ladder::conservative());
        let cases = [case("one\n", "two", Some("two\n")), case("one one\n", "two", None), case("one\n", "two", None)];
        let outcomes = ask(&pipeline, &cases, 1);
        let verdicts: Vec<_> = outcomes.iter().map(|outcome| outcome.verdict.unwrap()).collect();
        assert_eq!(verdicts, [Verdict::Right, Verdict::Right, Verdict::Wrong]);
        let refusals: Vec<_> = outcomes.iter().map(|outcome| outcome.is_refusal).collect();
        assert_eq!(refusals, [false, true, false]);
        let confidences: Vec<_> = outcomes.iter().map(|outcome| outcome.confidence).collect();
        assert_eq!(confidences, [Some(1.0), None, Some(1.0)]);
    }

    #[test]
    fn a_right_edit_is_sent_again() {
        let pipeline = Pipeline::new(ladder::conservative());
        let cases = [("two", "two\n"), ("one one", "one one\n"), ("zone", "zone\n"), ("two", "three\n")];
        let cases = cases.map(|(new, expected)| case("one\n", new, Some(expected)));
        let outcomes = ask(&pipeline, &cases, 1);
        let again: Vec<_> =
            outcomes.iter().map(|outcome| outcome.again.map(|again| (again.is_insertion, again.changes))).collect();
        // The second edit is then ambiguous; the third one occurs in its own output.
        assert_eq!(again, [Some((false, false)), Some((true, false)), Some((true, true)), None]);
    }
}
