//! The answers that are not right, for study by a person.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context, Result};
use fuzzy_testkit::verdict::Verdict;
use serde_json::{Value, json};

use crate::cases::Case;
use crate::eval::judge::Outcome;
use crate::eval::patches::PatchRun;
use crate::eval::run::Run;

/// Writes a line of JSON for every answer that is not right: the case, the verdict and the answer.
pub(crate) fn write(path: &Path, runs: &[Run<'_>], patches: &[PatchRun<'_>]) -> Result<()> {
    write_lines(path, runs, patches).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes the file; the error does not name it.
fn write_lines(path: &Path, runs: &[Run<'_>], patches: &[PatchRun<'_>]) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for run in runs {
        for (case, outcome) in run.file.cases.iter().zip(&run.outcomes) {
            let not_right = outcome.verdict.filter(|verdict| *verdict != Verdict::Right).map(Verdict::name);
            let changes = outcome.again.is_some_and(|again| again.changes).then_some("changed again");
            if let Some(verdict) = not_right.or(changes) {
                writeln!(file, "{}", labelled(failure(case, outcome, verdict), &run.file.name, &run.ladder))?;
            }
        }
    }
    for run in patches {
        for failure in &run.failures {
            writeln!(file, "{}", labelled(failure.clone(), &run.file.name, &run.ladder))?;
        }
    }
    file.flush()
}

/// Returns a failure with its set of cases and its ladder.
fn labelled(mut failure: Value, cases: &str, ladder: &str) -> Value {
    failure["cases"] = cases.into();
    failure["ladder"] = ladder.into();
    failure
}

fn failure(case: &Case, outcome: &Outcome, verdict: &str) -> Value {
    let Case { id, drift, content, old, new, expected, target, .. } = case;
    let answer = outcome.answer.clone().unwrap_or_default();
    json!({
        "id": id, "drift": drift, "verdict": verdict, "content": content, "old": old, "new": new,
        "expected": expected, "target": target, "output": answer.output, "error": answer.error,
        "strategy": answer.strategy, "confidence": outcome.confidence,
    })
}
