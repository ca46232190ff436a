//! The results of the edits.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};
use fuzzy_testkit::verdict::Verdict;
use serde_json::Value;

use crate::cases::Case;
use crate::jsonl::text;
use crate::verdict;

/// The result of an edit in a host.
pub(super) struct Answer<'c> {
    pub(super) case: &'c Case,
    /// The name and the version of the host.
    pub(super) host: String,
    /// Whether our hooks were installed.
    pub(super) repaired: bool,
    pub(super) verdict: Verdict,
    /// Whether the engine rejects the edit, so that the host got it unchanged.
    pub(super) refused_by_us: bool,
    pub(super) output: String,
    /// The words that the model read.
    pub(super) message: String,
}

impl Answer<'_> {
    pub(super) fn is_right(&self) -> bool {
        self.verdict == Verdict::Right
    }
}

/// Rates answers to the cases of a sample. `refused` has for each case whether the engine rejects it.
pub(super) fn judge<'c>(values: &[Value], cases: &[&'c Case], refused: &[bool]) -> Result<Vec<Answer<'c>>> {
    let cases: HashMap<&str, (&'c Case, bool)> =
        cases.iter().zip(refused).map(|(case, refused)| (case.id.as_str(), (*case, *refused))).collect();
    let mut runs = HashMap::<(String, bool), usize>::new();
    let answers: Vec<Answer<'c>> = values
        .iter()
        .map(|value| {
            let id = text(value, "id")?;
            let (case, refused_by_us) = *cases.get(id).with_context(|| format!("{id} is not in the sample"))?;
            let output = text(value, "output")?.to_owned();
            let verdict =
                verdict::judge(case, Some(&output).filter(|output| **output != case.content).map(String::as_str))
                    .with_context(|| format!("{id} has no label"))?;
            let host = format!("{} {}", text(value, "host")?, text(value, "version")?);
            let repaired = value["repaired"] == true;
            *runs.entry((host.clone(), repaired)).or_default() += 1;
            let message = text(value, "told")?.to_owned();
            Ok(Answer { case, host, repaired, verdict, refused_by_us, output, message })
        })
        .collect::<Result<_>>()?;
    for ((host, _), answered) in runs {
        ensure!(answered == cases.len(), "{host} has {answered} answers to {} edits", cases.len());
    }
    Ok(answers)
}
