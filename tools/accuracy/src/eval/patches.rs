//! Whole patches: applies them to files in a folder, and rates the resulting files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs};

use anyhow::Result;
use fuzzy_edit::{Editor, Report as Edited, Root, Session, State, Workspace};
use fuzzy_pipeline::Pipeline;
use fuzzy_report::verdict::{Verdict, words};
use fuzzy_tools::run::memory;
use rayon::prelude::*;
use serde_json::json;

use crate::cases::{Change, Set};
use crate::eval::report::{Failures, Report};

/// Files by their paths.
type Files = BTreeMap<String, String>;

/// Returns the group of a kind of patch. The groups `~conflict` and `~flat` have no target.
fn group(kind: &str) -> &'static str {
    match kind {
        _ if kind.ends_with("flat") => "~flat",
        _ if kind.ends_with("conflict") => "~conflict",
        _ if kind.ends_with("again") => "~again",
        _ if kind.contains("back") => "~back",
        "diff" | "sr" | "env" | "env-anchor" => "~clean",
        _ => "~damaged",
    }
}

/// Applies every patch of a set, each to fresh files.
pub(crate) fn report(set: &Set, ladder: &str, pipeline: &Pipeline, failures: &mut Failures) -> Result<Report> {
    let patches: Vec<(&Change, (&String, &String))> =
        set.changes.iter().flat_map(|change| change.patches.iter().map(move |patch| (change, patch))).collect();
    let found = patches.par_iter().map(|(change, (_, patch))| apply(change, pipeline, patch));
    let found = found.collect::<Result<Vec<_>>>()?;
    let mut report = Report {
        set: set.name.clone(),
        sha256: set.sha256.clone(),
        cases: patches.len(),
        is_of_patches: true,
        ladder: ladder.to_owned(),
        ..Report::default()
    };
    for ((change, (kind, patch)), (found, errors)) in patches.into_iter().zip(found) {
        let verdict = rate(change, &found);
        report.count([kind.clone(), group(kind).to_owned()], verdict);
        if verdict != Verdict::Right {
            let Change { id, files, expected, .. } = change;
            failures.push(json!({
                "set": format!("{}, {ladder}", set.name), "id": id, "drift": kind, "verdict": verdict.name(),
                "files": files, "patch": patch, "expected": expected, "output": found, "error": errors,
            }));
        }
    }
    Ok(report)
}

/// Applies a patch to fresh files; returns the files afterwards, and the failures.
fn apply(change: &Change, pipeline: &Pipeline, patch: &str) -> Result<(Files, Vec<String>)> {
    let folder = folder_with(&change.files)?;
    let tree = folder.path().join("tree");
    let workspace = Workspace::default().with_state(State::at(folder.path().join("state"))).within(Root::open(&tree)?);
    let editor = Editor::new(workspace, pipeline.clone());
    let reports = match editor.workspace().read_patch(patch, None) {
        Ok(operations) => editor.apply(&mut Session::default(), &operations),
        Err(failure) => vec![Edited::Failure(failure)],
    };
    let errors = reports.iter().filter_map(|report| match report {
        Edited::Success(_) => None,
        Edited::Failure(failure) => Some(format!("{}: {}", failure.code.as_str(), failure.message)),
    });
    let errors = errors.collect();
    let mut files = Files::new();
    read(&tree, &tree, &mut files)?;
    Ok((files, errors))
}

/// Makes a temporary folder with files below `tree`; in memory, if possible.
fn folder_with(files: &Files) -> Result<tempfile::TempDir> {
    static MEMORY: LazyLock<Option<PathBuf>> = LazyLock::new(memory);
    let folder = tempfile::tempdir_in(MEMORY.clone().unwrap_or_else(env::temp_dir))?;
    for (name, text) in files {
        let path = folder.path().join("tree").join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
        fs::write(path, text)?;
    }
    Ok(folder)
}

/// Reads every file below a folder.
fn read(top: &Path, folder: &Path, files: &mut Files) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read(top, &path, files)?;
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            files.insert(path.strip_prefix(top)?.to_string_lossy().into_owned(), text);
        }
    }
    Ok(())
}

fn rate(change: &Change, found: &Files) -> Verdict {
    let is_same = *found == change.files;
    let have_same_words = |expected: &Files| {
        let mut pairs = found.iter().zip(expected);
        found.len() == expected.len() && pairs.all(|(one, other)| one.0 == other.0 && words(one.1).eq(words(other.1)))
    };
    match &change.expected {
        None if is_same => Verdict::Right,
        Some(expected) if found == expected => Verdict::Right,
        Some(_) if is_same => Verdict::Refused,
        Some(expected) if have_same_words(expected) => Verdict::Whitespace,
        _ => Verdict::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use fuzzy_report::Verdict;

    use super::{Files, group, report};
    use crate::cases::{Change, Set};
    use crate::engine::pipeline;

    fn files(pairs: &[(&str, &str)]) -> Files {
        pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn every_patch_has_fresh_files() {
        let patch = "--- a/d/a\n+++ b/d/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
        let before = files(&[("d/a", "one\ntwo\n"), ("b", "x\n")]);
        for (before, expected, verdict) in [
            (&before, None, Verdict::Wrong),
            (&before, Some(files(&[("d/a", "one\n2\n"), ("b", "x\n")])), Verdict::Right),
            (&before, Some(files(&[("d/a", "one 2\n"), ("b", "x\n")])), Verdict::Whitespace),
            (&before, Some(files(&[("d/a", "one\n2\n")])), Verdict::Wrong),
            (&files(&[("d/a", "three\n")]), Some(before.clone()), Verdict::Refused),
        ] {
            let patches = files(&[("diff", patch), ("diff-again", patch)]);
            let change = Change { id: String::new(), files: before.clone(), expected, patches };
            let set = Set { changes: vec![change], ..Set::default() };
            let mut failures = Vec::new();
            let report = report(&set, "", &pipeline("adaptive").unwrap(), &mut failures).unwrap();
            for key in ["diff", "~clean", "~again"] {
                assert_eq!(report.of(key).of(verdict), 1, "{report:?}");
            }
            assert_eq!(failures.len(), if verdict == Verdict::Right { 0 } else { 2 });
        }
    }

    #[test]
    fn every_kind_has_its_group() {
        let groups = ["diff", "sr-dropadj", "diff-back5", "diff-again", "sr-back30-conflict", "sr-flat"].map(group);
        assert_eq!(groups, ["~clean", "~damaged", "~back", "~again", "~conflict", "~flat"]);
    }
}
