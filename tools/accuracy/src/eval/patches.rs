//! Whole patches: applies them to files in a folder, and rates the resulting files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fuzzy_edit::{Editor, Report, Root, Session, State, Workspace};
use fuzzy_pipeline::Pipeline;
use fuzzy_testkit::verdict::{Verdict, words};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cases::identity;
use crate::eval::tally::Tally;
use crate::folder::{Files, fresh_folder, write};
use crate::parallel::in_parallel;

/// A change of some files, as patches of several kinds.
#[derive(Deserialize)]
struct Case {
    id: String,
    files: Files,
    /// The files after the change; `None` if every patch must be rejected.
    expected: Option<Files>,
    patches: BTreeMap<String, String>,
}

/// A file of such cases. Only its name and its hash are ever written.
pub(crate) struct PatchFile {
    pub(crate) name: String,
    pub(crate) sha256: String,
    cases: Vec<Case>,
}

/// The results of one ladder on a file of patches.
pub(crate) struct PatchRun<'f> {
    pub(crate) file: &'f PatchFile,
    pub(crate) ladder: String,
    /// The counts by kind of patch and by group.
    pub(crate) tally: Tally,
    /// The answers that are not right, as lines for a file of failures.
    pub(crate) failures: Vec<Value>,
}

/// The groups of kinds, in the order of the report; the last two have no target.
pub(crate) const GROUPS: [&str; 6] = ["clean", "damaged", "back", "again", "conflict", "flat"];

/// Returns the group of a kind of patch.
fn group(kind: &str) -> &'static str {
    match kind {
        _ if kind.ends_with("flat") => "flat",
        _ if kind.ends_with("conflict") => "conflict",
        _ if kind.ends_with("again") => "again",
        _ if kind.contains("back") => "back",
        "diff" | "sr" | "env" | "env-anchor" => "clean",
        _ => "damaged",
    }
}

impl PatchFile {
    /// Returns whether a line of a file is such a case.
    pub(crate) fn has(value: &Value) -> bool {
        value["patches"].is_object()
    }

    /// Makes cases of the lines of a `.jsonl` or `.jsonl.gz` file.
    pub(crate) fn new(path: &Path, values: Vec<Value>) -> Result<Self> {
        let cases = values.into_iter().map(|value| {
            let id = value["id"].clone();
            serde_json::from_value(value).with_context(|| format!("{id} in {} is no patch", path.display()))
        });
        let cases = cases.collect::<Result<Vec<Case>>>()?;
        let (name, sha256) = identity(path)?;
        Ok(Self { name, sha256, cases })
    }

    /// Returns the number of patches.
    pub(crate) fn patches(&self) -> usize {
        self.cases.iter().map(|case| case.patches.len()).sum()
    }

    /// Applies every patch, each to fresh files.
    pub(crate) fn ask(&self, ladder: &str, pipeline: &Pipeline, jobs: usize) -> Result<PatchRun<'_>> {
        let outcomes = in_parallel(&self.cases, jobs, |case| {
            let patches = case.patches.iter();
            patches.map(|(kind, patch)| case.outcome(pipeline, kind, patch)).collect::<Result<Vec<_>>>()
        });
        let (mut tally, mut failures) = (Tally::default(), Vec::new());
        for outcome in outcomes {
            for (kind, verdict, failure) in outcome? {
                tally.add(format!("~{}", group(&kind)), verdict);
                tally.add(kind, verdict);
                failures.extend(failure);
            }
        }
        Ok(PatchRun { file: self, ladder: ladder.to_owned(), tally, failures })
    }
}

impl Case {
    fn outcome(&self, pipeline: &Pipeline, kind: &str, patch: &str) -> Result<(String, Verdict, Option<Value>)> {
        let (found, errors) = self.apply(pipeline, patch)?;
        let verdict = self.verdict(&found);
        let failure = (verdict != Verdict::Right).then(|| {
            json!({
                "id": self.id, "drift": kind, "verdict": verdict.name(), "files": self.files, "patch": patch,
                "expected": self.expected, "output": found, "error": errors,
            })
        });
        Ok((kind.to_owned(), verdict, failure))
    }

    /// Applies a patch to fresh files; returns the files afterwards, and the failures.
    fn apply(&self, pipeline: &Pipeline, patch: &str) -> Result<(Files, Vec<String>)> {
        let folder = fresh_folder()?;
        let tree = folder.path().join("tree");
        write(&tree, &self.files)?;
        let workspace =
            Workspace::default().with_state(State::at(folder.path().join("state"))).within(Root::open(&tree)?);
        let editor = Editor::new(workspace, pipeline.clone());
        let errors = match editor.workspace().read_patch(patch, None) {
            Ok(operations) => {
                let reports = editor.apply(&mut Session::default(), &operations);
                let errors = reports.iter().filter_map(|report| match report {
                    Report::Success(_) => None,
                    Report::Failure(failure) => Some(format!("{}: {}", failure.code.as_str(), failure.message)),
                });
                errors.collect()
            }
            Err(failure) => vec![format!("{}: {}", failure.code.as_str(), failure.message)],
        };
        let mut files = Files::new();
        read(&tree, &tree, &mut files)?;
        Ok((files, errors))
    }

    fn verdict(&self, found: &Files) -> Verdict {
        let is_same = *found == self.files;
        match &self.expected {
            None if is_same => Verdict::Right,
            Some(expected) if found == expected => Verdict::Right,
            Some(_) if is_same => Verdict::Refused,
            Some(expected) if have_same_words(found, expected) => Verdict::Blanks,
            None | Some(_) => Verdict::Wrong,
        }
    }
}

fn have_same_words(found: &Files, expected: &Files) -> bool {
    found.keys().eq(expected.keys())
        && found.values().zip(expected.values()).all(|(found, expected)| words(found).eq(words(expected)))
}

/// Reads every file below a folder.
fn read(top: &Path, folder: &Path, files: &mut Files) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read(top, &path, files)?;
        } else {
            let name = path.strip_prefix(top)?.to_string_lossy().into_owned();
            ensure!(files.insert(name, String::from_utf8_lossy(&fs::read(&path)?).into_owned()).is_none());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use fuzzy_pipeline::{Pipeline, ladder};
    use fuzzy_testkit::verdict::Verdict;

    use super::{Case, Files, group};

    fn files(pairs: &[(&str, &str)]) -> Files {
        pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn a_patch_is_carried_out_on_files_of_its_own() {
        let patch = "--- a/d/a\n+++ b/d/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
        let pipeline = Pipeline::new(ladder::named("adaptive").unwrap());
        let mut case = Case {
            id: String::new(),
            files: files(&[("d/a", "one\ntwo\n"), ("b", "x\n")]),
            expected: None,
            patches: [("diff".to_owned(), patch.to_owned())].into(),
        };
        for (expected, verdict) in [
            (None, Verdict::Wrong),
            (Some(files(&[("d/a", "one\n2\n"), ("b", "x\n")])), Verdict::Right),
            (Some(files(&[("d/a", "one 2\n"), ("b", "x\n")])), Verdict::Blanks),
            (Some(files(&[("d/a", "one\n2\n")])), Verdict::Wrong),
        ] {
            case.expected = expected;
            assert_eq!(case.outcome(&pipeline, "diff", patch).unwrap().1, verdict);
        }
        case.files = files(&[("d/a", "three\n")]);
        let (_, verdict, failure) = case.outcome(&pipeline, "diff", patch).unwrap();
        assert_eq!(verdict, Verdict::Refused);
        assert_eq!(failure.unwrap()["error"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn every_kind_has_its_group() {
        let groups = ["diff", "env-anchor", "sr-dropadj", "diff-back5", "sr-back30-conflict", "diff-again", "sr-flat"];
        assert_eq!(groups.map(group), ["clean", "clean", "damaged", "back", "conflict", "again", "flat"]);
    }
}
