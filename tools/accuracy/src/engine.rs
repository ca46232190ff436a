//! Ladders, and their answers to labelled edits.

use anyhow::{Context, Result, bail};
use fuzzy_adaptive::{Without, checks, mechanisms, rules};
use fuzzy_edit::{TextAnswer, apply_within};
use fuzzy_pipeline::{Document, Edit, Ladder, Pipeline, ladder};
use fuzzy_report::named_edit;
use serde_json::{Value, json};

use crate::cases::Case;

/// The ladder that has rules, targets and detailed reports.
pub(crate) const ADAPTIVE: &str = "adaptive";

/// Returns the pipeline of a ladder.
pub(crate) fn pipeline(name: &str) -> Result<Pipeline> {
    Ok(Pipeline::new(ladder::named(name)?))
}

/// Makes the ladder [`ADAPTIVE`] without the rules and mechanisms of these names. Its decider lives as long as the program, because
/// ladders only borrow deciders.
pub(crate) fn without<S: AsRef<str>>(names: &[S]) -> Result<Pipeline> {
    let names = names.iter().map(|name| check(name.as_ref())).collect::<Result<Vec<_>>>()?;
    let decider: &'static Without = Box::leak(Box::new(Without(names.leak())));
    Ok(Pipeline::new(Ladder::new(ADAPTIVE, decider, ladder::named(ADAPTIVE)?.strategies().to_vec())))
}

/// Returns the name of a rule or mechanism that can be disabled.
fn check(name: &str) -> Result<&'static str> {
    let names = || checks().map(|rule| rule.name).chain(mechanisms().map(|mechanism| mechanism.name));
    if let Some(known) = names().find(|known| *known == name) {
        return Ok(known);
    }
    let known = names().collect::<Vec<_>>().join(", ");
    let rule = rules().find(|rule| rule.name == name);
    let rule = rule.with_context(|| format!("no rule or mechanism {name:?}; these can be disabled: {known}"))?;
    bail!("{name} cannot be disabled, because it is not a check ({}); these can: {known}", rule.why)
}

/// Answers an edit of a text like `fuzzy-edit batch`: `{ok, output, code, rule, strategy, confidence, proposal}`.
pub(crate) fn answer(pipeline: &Pipeline, content: &str, edit: Edit<'_>) -> Value {
    let document = Document::new(content);
    let attempt = edit.attempt(pipeline, &document);
    let judgement = attempt.decide();
    json!(TextAnswer::of(&judgement, apply_within(&judgement, u64::MAX)))
}

impl Case {
    /// Returns the edit of this case.
    pub(crate) fn edit(&self) -> Edit<'_> {
        // An empty quote names no lines.
        let named = named_edit(&self.quote, ("", &self.content), &self.new, false);
        let edit = named.unwrap_or_else(|_| Edit::new(&self.old, &self.new).with_replace_all(self.replace_all));
        edit.with_line(self.line).with_base(self.base.as_deref())
    }

    /// Returns the answer of a ladder.
    pub(crate) fn ask(&self, pipeline: &Pipeline) -> Value {
        answer(pipeline, &self.content, self.edit())
    }
}

/// Returns the text of an answer; `None` for a refusal.
pub(crate) fn output(answer: &Value) -> Option<&str> {
    answer["output"].as_str().filter(|_| answer["ok"] == true)
}

#[test]
fn a_rule_that_is_unknown_or_no_check_is_an_error() {
    for (name, begins) in [
        ("different-values", "no rule or mechanism \"different-values\"; these can be disabled: "),
        ("not-found", "not-found cannot be disabled, because it is not a check (no place of the file resembles "),
    ] {
        let error = without(&["different-value", name]).unwrap_err().to_string();
        assert!(error.starts_with(begins) && error.contains(", equal-place, "), "{error}");
    }
    assert!(without(&["different-value", "law-words"]).is_ok());
}
