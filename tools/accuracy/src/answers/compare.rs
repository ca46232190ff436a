//! Runs both commands on the cases and compares the answers.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use crate::answers::commands::Commands;
use crate::answers::sets::{Cases, Edit, Patch};
use crate::batch;
use crate::folder::{fresh_folder, write};
use crate::parallel::in_parallel;

/// The fields that are not compared: the name of a rule, and texts for people.
const NOT_COMPARED: [&str; 4] = ["rule", "message", "next_step", "note"];

/// A timeout that no search reaches.
const TIMEOUT: [&str; 2] = ["--timeout-ms", "600000"];

/// Different answers to one case.
#[derive(Debug, PartialEq)]
pub(crate) struct Difference {
    /// The case's index in its set.
    pub(crate) index: usize,
    /// The verb that answered.
    pub(crate) verb: &'static str,
    pub(crate) earlier: Value,
    pub(crate) present: Value,
}

/// Runs both commands on every case and returns the differences, grouped by verb.
pub(crate) fn compare(commands: &Commands, cases: &Cases, jobs: usize) -> Result<Vec<Difference>> {
    match cases {
        Cases::Generated(edits) => batch(commands, edits),
        Cases::Labelled(edits) => {
            let mut differences = batch(commands, edits)?;
            differences.extend(one_by_one(commands, "locate", edits, jobs, locate)?);
            Ok(differences)
        }
        Cases::Patches(patches) => one_by_one(commands, "patch", patches, jobs, patch),
    }
}

/// Compares the answers of `batch`, with one process per command.
fn batch(commands: &Commands, edits: &[Edit]) -> Result<Vec<Difference>> {
    let ask = |command| batch::ask(command, &TIMEOUT, edits.iter());
    let (earlier, present) = (ask(&commands.earlier)?, ask(&commands.present)?);
    let mut differences = Vec::new();
    for (index, (earlier, present)) in earlier.iter().zip(&present).enumerate() {
        // Most answers are identical byte for byte, and parsing JSON takes longer than this comparison.
        if earlier != present {
            let [earlier, present] = [earlier, present].map(|line| serde_json::from_str(line));
            differences.extend(difference(index, "batch", earlier?, present?));
        }
    }
    Ok(differences)
}

/// Compares the answers of a verb for a single case, with a process per case.
fn one_by_one<T: Sync>(
    commands: &Commands,
    verb: &'static str,
    cases: &[T],
    jobs: usize,
    ask: impl Fn(&T, [&Path; 2]) -> Result<[Value; 2]> + Sync,
) -> Result<Vec<Difference>> {
    let answers = in_parallel(cases, jobs, |case| ask(case, commands.both()));
    let mut differences = Vec::new();
    for (index, answers) in answers.into_iter().enumerate() {
        let [earlier, present] = answers.with_context(|| format!("case {index} of the set"))?;
        differences.extend(difference(index, verb, earlier, present));
    }
    Ok(differences)
}

/// Returns the answers of `locate`.
fn locate(edit: &Edit, commands: [&Path; 2]) -> Result<[Value; 2]> {
    let folder = fresh_folder()?;
    for (name, text) in [("file", &edit.content), ("old", &edit.old), ("new", &edit.new)] {
        fs::write(folder.path().join(name), text)?;
    }
    let mut words = vec!["locate", "file", "--old", "@old", "--new", "@new"];
    if edit.replace_all {
        words.push("--all");
    }
    let line = edit.line.map(|line| line.to_string());
    if let Some(line) = &line {
        words.extend(["--line", line]);
    }
    both(commands, folder.path(), folder.path(), &words)
}

/// Returns the answers of `patch` in a dry run.
fn patch(patch: &Patch, commands: [&Path; 2]) -> Result<[Value; 2]> {
    let folder = fresh_folder()?;
    let tree = folder.path().join("tree");
    write(&tree, &patch.files)?;
    fs::write(folder.path().join("patch"), &patch.text)?;
    both(commands, &tree, folder.path(), &["patch", "../patch", "--dry-run"])
}

/// Runs both commands in a folder, one after the other, and parses their JSON output.
fn both(commands: [&Path; 2], folder: &Path, state: &Path, words: &[&str]) -> Result<[Value; 2]> {
    let [earlier, present] = commands.map(|command| {
        let output = Command::new(command)
            .args(words)
            .arg("--json")
            .args(TIMEOUT)
            .current_dir(folder)
            .envs(["HOME", "XDG_STATE_HOME"].map(|name| (OsStr::new(name), state)))
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start {}", command.display()))?;
        serde_json::from_slice(&output.stdout).with_context(|| {
            let error = String::from_utf8_lossy(&output.stderr);
            format!("{} {} ended with {} and no JSON: {error}", command.display(), words.join(" "), output.status)
        })
    });
    Ok([earlier?, present?])
}

/// Returns the difference of two answers, if a compared field differs.
fn difference(index: usize, verb: &'static str, earlier: Value, present: Value) -> Option<Difference> {
    let [earlier, present] = [earlier, present].map(compared);
    (earlier != present).then_some(Difference { index, verb, earlier, present })
}

/// Returns the compared part of an answer. A null field equals a missing one.
fn compared(answer: Value) -> Value {
    match answer {
        Value::Object(fields) => {
            let fields =
                fields.into_iter().filter(|(name, value)| !value.is_null() && !NOT_COMPARED.contains(&name.as_str()));
            Value::Object(fields.map(|(name, value)| (name, compared(value))).collect::<Map<_, _>>())
        }
        Value::Array(values) => values.into_iter().map(compared).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Difference, difference};

    /// Returns the answer to a rejected patch, with one field of its conflict replaced.
    fn refusal(field: &str, value: Value) -> Value {
        let mut answer = json!({
            "status": "failed", "code": "conflict", "message": "m", "next_step": "n", "proposal": null,
            "edits": [{"code": "conflict", "note": "n", "conflicts": [{"lines": [2, 2], "file": "1", "message": "m"}]}],
        });
        answer["edits"][0]["conflicts"][0][field] = value;
        answer
    }

    #[test]
    fn different_answers_differ_whatever_the_field() {
        let landed = json!({
            "id": "a", "ok": true, "output": "x\n", "strategy": "alignment", "similarity": 1.0, "confidence": 0.9,
            "places": [{"lines": [1, 1], "bytes": [0, 2]}],
        });
        let refused = json!({
            "id": "a", "ok": false, "code": "refused", "proposal": {"old_string": "o", "new_string": "n"},
        });
        for (answer, pointer, other) in [
            (&landed, "/ok", json!(false)),
            (&landed, "/output", json!("x")),
            (&landed, "/strategy", json!("exact")),
            (&landed, "/similarity", json!(0.5)),
            (&landed, "/confidence", json!(0.901)),
            (&landed, "/places/0/bytes/1", json!(1)),
            (&landed, "/places", json!([])),
            (&refused, "/code", json!("conflict")),
            (&refused, "/code", Value::Null),
            (&refused, "/proposal/new_string", json!("m")),
            (&refused, "/proposal", Value::Null),
        ] {
            let mut changed = answer.clone();
            *changed.pointer_mut(pointer).unwrap() = other;
            let found = difference(3, "batch", answer.clone(), changed.clone()).expect(pointer);
            assert_eq!((found.index, found.verb, &found.earlier), (3, "batch", answer));
            assert_eq!(difference(3, "batch", changed.clone(), changed), None);
        }
        assert!(difference(0, "patch", refusal("file", json!("1")), refusal("file", json!("2"))).is_some());
    }

    #[test]
    fn rules_texts_for_people_and_nulls_are_not_compared() {
        let answer = refusal("file", json!("1"));
        for other in [refusal("rule", json!("different-value")), refusal("message", json!("other"))] {
            assert_eq!(difference(0, "patch", answer.clone(), other), None::<Difference>);
        }
        for (field, value) in
            [("rule", json!("r")), ("message", json!("x")), ("next_step", json!("x")), ("lost", Value::Null)]
        {
            let mut other = answer.clone();
            other[field] = value;
            assert_eq!(difference(0, "patch", answer.clone(), other), None, "{field}");
        }
    }
}
