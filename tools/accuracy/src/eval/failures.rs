//! What was not right, for a person to study.

use std::fs::File;
use std::io::{BufWriter, Write as _};
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
    let mut file = BufWriter::new(File::create(path).with_context(|| format!("cannot write {}", path.display()))?);
    let mut line = |cases: &str, ladder: &str, mut line: Value| -> Result<()> {
        line["cases"] = cases.into();
        line["ladder"] = ladder.into();
        writeln!(file, "{line}").with_context(|| format!("cannot write {}", path.display()))
    };
    for run in runs {
        for (case, outcome) in run.file.cases.iter().zip(&run.outcomes) {
            if let Some(verdict) = outcome.verdict.filter(|verdict| *verdict != Verdict::Right) {
                line(&run.file.name, &run.ladder, failure(case, outcome, verdict.name()))?;
            } else if outcome.again.is_some_and(|again| again.changes) {
                line(&run.file.name, &run.ladder, failure(case, outcome, "changed again"))?;
            }
        }
    }
    for run in patches {
        for failure in &run.failures {
            line(&run.file.name, &run.ladder, failure.clone())?;
        }
    }
    file.flush().with_context(|| format!("cannot write {}", path.display()))
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
