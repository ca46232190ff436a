//! The ladder `adaptive` on 516 edits written by hand as models send them. The snapshot counts the verdicts of each kind,
//! and shows every answer that is wrong.
//!
//! A changed snapshot is judged by a person: an edit that leaves it came right; one that comes in is worse than a
//! refusal.

use std::collections::BTreeMap;
use std::fmt::Write;

use fuzzy_pipeline::{Document, Edit, Failure, Pipeline, ladder};
use fuzzy_testkit::assert_snapshot;
use fuzzy_testkit::picture::{changes, line};
use serde::Deserialize;

const EDITS: &str = include_str!("../../testdata/hand_written.jsonl");

/// An edit, and its good results. Other fields are for people and for tools.
#[derive(Deserialize)]
struct HandWritten {
    id: String,
    name: String,
    /// What makes the edit hard.
    drift: String,
    lang: String,
    content: String,
    old: String,
    new: String,
    /// The whole file afterwards; none where the edit must be refused.
    expected: Option<String>,
    /// Other good results. `None` is a refusal.
    #[serde(default)]
    accept: Vec<Option<String>>,
    /// Whether an unchanged file is as good as a refusal.
    accept_noop: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// The expected file, or a refusal of an edit that must be refused.
    Right,
    /// Another good result.
    Accepted,
    /// A refusal of an edit that should land.
    Refused,
    /// Another text than the expected one.
    Wrong,
    /// A changed file, where the edit must be refused.
    Changed,
}

use Verdict::{Accepted, Changed, Refused, Right, Wrong};

const VERDICTS: [(Verdict, &str); 5] =
    [(Right, "right"), (Accepted, "accepted"), (Refused, "refused"), (Wrong, "WRONG"), (Changed, "CHANGED")];

/// The end of an edit: the whole file, or the rule or failure that refuses it.
type Answer = Result<String, String>;

impl HandWritten {
    fn answer(&self, pipeline: &Pipeline) -> Answer {
        let document = Document::new(self.content.as_str());
        let edit = Edit::new(&self.old, &self.new);
        let attempt = edit.attempt(pipeline, &document);
        let judgement = attempt.decide();
        judgement.apply().map(|applied| applied.output).map_err(|failure| match failure {
            Failure::AlreadyApplied { .. } => "already applied".to_owned(),
            failure => judgement.rule().map_or_else(|| failure.to_string(), str::to_owned),
        })
    }

    fn verdict(&self, answer: &Answer) -> Verdict {
        let output = answer.as_ref().ok();
        let is_unchanged = output.is_none_or(|output| *output == self.content);
        match &self.expected {
            None if output.is_none() || is_unchanged && self.accept_noop => Right,
            Some(expected) if output == Some(expected) => Right,
            _ if self.accept.iter().any(|accepted| accepted.as_ref() == output) => Accepted,
            Some(_) if is_unchanged => Refused,
            Some(_) => Wrong,
            None => Changed,
        }
    }

    /// Draws old and new text, and the lines that the answer changes (`-`, `+`); where others are expected, those as well.
    fn draw(&self, verdict: Verdict, answer: &Answer) -> String {
        let Self { id, name, drift, lang, content, old, new, expected, .. } = self;
        let mut out = format!("\n{id} {drift}, {lang}: {name}\n");
        let _ = write!(out, "old\n{}new\n{}", margin(old), margin(new));
        let _ = write!(out, "answer\n{}", changes(content, answer.as_ref().unwrap_or(content)));
        match expected {
            Some(expected) if verdict == Wrong => write!(out, "expected\n{}", changes(content, expected)).unwrap(),
            _ => out.push_str("expected\n  a refusal\n"),
        }
        out
    }
}

/// Returns a text with each line after a margin.
fn margin(text: &str) -> String {
    text.split_inclusive('\n').map(|text| line("  |", text)).collect()
}

#[test]
fn hand_written_edits_end_as_the_snapshot_says() {
    let pipeline = Pipeline::new(ladder::adaptive());
    let edits: Vec<HandWritten> = EDITS.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let mut kinds: BTreeMap<&str, BTreeMap<Verdict, usize>> = BTreeMap::new();
    let (mut refused, mut wrong) = (String::new(), String::new());
    for edit in &edits {
        let answer = edit.answer(&pipeline);
        let verdict = edit.verdict(&answer);
        for kind in ["all", &edit.drift] {
            *kinds.entry(kind).or_default().entry(verdict).or_default() += 1;
        }
        match verdict {
            Right | Accepted => {}
            Refused => {
                let reason = answer.err().unwrap_or_else(|| "unchanged".to_owned());
                let _ = writeln!(refused, "{} {:20} {reason}", edit.id, edit.drift);
            }
            Wrong | Changed => wrong += &edit.draw(verdict, &answer),
        }
    }
    let mut out = format!("{:20} edits", "kind");
    for (_, name) in VERDICTS {
        let _ = write!(out, " {name:>8}");
    }
    for (kind, counts) in kinds {
        let _ = write!(out, "\n{kind:20} {:5}", counts.values().sum::<usize>());
        for (verdict, _) in VERDICTS {
            let count = counts.get(&verdict).map_or_else(|| "-".to_owned(), usize::to_string);
            let _ = write!(out, " {count:>8}");
        }
    }
    let _ = write!(out, "\n\nRefused, and should land\n\n{refused}\nWRONG or CHANGED\n{wrong}");
    assert_snapshot!("hand_written_edits", out);
}

#[test]
fn every_hand_written_edit_has_an_id_of_its_own_and_changes_something() {
    let mut ids = BTreeMap::new();
    for line in EDITS.lines() {
        let edit: HandWritten = serde_json::from_str(line).expect(line);
        assert_ne!(edit.old, edit.new, "{}", edit.id);
        assert_ne!(edit.expected.as_ref(), Some(&edit.content), "{}", edit.id);
        assert!(ids.insert(edit.id.clone(), edit.name).is_none(), "{} occurs twice", edit.id);
    }
}
