//! Compares the answers of this tree's command with those of another commit's: refactoring the engine must not change
//! any.

use std::collections::{BTreeMap, BTreeSet};
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, git, git_in, read, root, run as execute};
use fuzzy_tools::table::Table;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::cases::{Case, Change, Set, files};
use crate::eval::folder_with;
use crate::jsonl;

/// The fields that are not compared: the name of a rule, and texts for people.
const NOT_COMPARED: [&str; 4] = ["rule", "message", "next_step", "note"];

/// A timeout that no search reaches.
const TIMEOUT: [&str; 2] = ["--timeout-ms", "600000"];

/// The number of differences whose fields are named.
const PRINTED: usize = 20;

/// Compare the command's answers with those of another commit, and fail on any difference.
///
/// Labelled edits go through `batch`, which returns the resulting bytes, the confidence, the code and the proposal, and
/// through `locate --json`, which returns the places in bytes and the conflicts. Labelled patches go through `patch
/// --dry-run --json`, which returns the diff instead of the bytes. Generated edits go through `batch` alone. All fields
/// are compared except `rule` and the texts for people: `message`, `next_step` and `note`. The ladder is the default
/// one, and the timeout is so long that a slow machine changes no answer.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The other commit's command, built before.
    #[arg(long, value_name = "BINARY", required_unless_present = "since")]
    against: Option<PathBuf>,
    /// The other commit; its command is built in release in a checkout below target/answers, once.
    #[arg(long, value_name = "COMMIT", conflicts_with = "against")]
    since: Option<String>,
    /// The labelled edits and patches (.jsonl or .jsonl.gz); a folder means its `-dev` and `-train` sets. Default: the
    /// folder ../shared/data beside the repository.
    files: Vec<PathBuf>,
    /// The number of generated edits to compare, in equal parts of fixed seeds.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    generated: usize,
    /// Write every case with different answers, and both answers, to this file, one line of JSON each.
    #[arg(long, value_name = "FILE")]
    differences: Option<PathBuf>,
}

/// Compares set after set, prints the differences and a table of counts, and fails if any answer differs.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let started = Instant::now();
    let earlier = match (&arguments.against, &arguments.since) {
        (Some(binary), _) => binary.canonicalize().with_context(|| format!("cannot find {}", binary.display()))?,
        (None, commit) => of_commit(commit.as_deref().context("no other command")?)?,
    };
    let commands = [earlier, command::build("release", &[])?];
    let mut table = Table::new(1, &["set", "cases", "differing"]);
    let (mut cases, mut all) = (0, Vec::new());
    let labelled = files(&arguments.files)?.into_iter().map(|path| Set::load(&path).map(|set| (set, true)));
    for set in labelled.chain(Set::generated(arguments.generated).into_iter().map(|set| Ok((set, false)))) {
        let (set, is_labelled) = set?;
        let differences = compare(&commands, &set, is_labelled)?;
        // A case that differs under two verbs counts once.
        let differing = differences.iter().map(|line| line["id"].to_string()).collect::<BTreeSet<_>>().len();
        let count = set.edits.len() + set.changes.iter().map(|change| change.patches.len()).sum::<usize>();
        eprintln!("{}: {differing} of {count} differ, {:.0} s", set.name, started.elapsed().as_secs_f64());
        differences.iter().take(PRINTED.saturating_sub(all.len())).for_each(|line| {
            println!("{} {} of {}: {}", line["set"], line["verb"], line["id"], line["answers"]["differing"]);
        });
        table.row(vec![set.name, count.to_string(), differing.to_string()]);
        cases += count;
        all.extend(differences);
    }
    println!("{}", table.render());
    let differing = all.len();
    if let Some(path) = &arguments.differences {
        jsonl::save(path, all)?;
    }
    ensure!(differing == 0, "{differing} answers to {cases} cases differ");
    Ok(())
}

/// Builds the command of a commit and keeps it. All commits share one checkout and one target directory, so that only
/// changed crates are built.
fn of_commit(commit: &str) -> Result<PathBuf> {
    let hash = read(git(&["rev-parse", "--verify", &format!("{commit}^{{commit}}")]))?;
    let folder = Metadata::load()?.target_dir.join("answers");
    let kept = folder.join(format!("fuzzy-edit-{}{EXE_SUFFIX}", hash.trim()));
    if kept.is_file() {
        return Ok(kept);
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (checkout, target) = (folder.join("checkout"), folder.join("target"));
    if !checkout.is_dir() {
        let mut clone = git_in(&folder, &["clone", "--quiet", "--shared", "--no-checkout"]);
        clone.arg(root()).arg(&checkout);
        execute(clone)?;
    }
    execute(git_in(&checkout, &["checkout", "--quiet", "--force", "--detach", hash.trim()]))?;
    let mut build = cargo(["build", "--quiet", "--release", "--package", "fuzzy-edit-cli"]);
    build.current_dir(&checkout).env("CARGO_TARGET_DIR", &target);
    execute(build)?;
    let program = target.join("release").join(format!("fuzzy-edit{EXE_SUFFIX}"));
    fs::copy(&program, &kept).with_context(|| format!("cannot copy {}", program.display()))?;
    Ok(kept)
}

/// Runs both commands on every case, and returns the cases with different answers.
fn compare(commands: &[PathBuf; 2], set: &Set, is_labelled: bool) -> Result<Vec<Value>> {
    let with = |case: Value, verb: &str, answers: [Value; 2]| {
        let line = |of| json!({"set": set.name, "verb": verb, "id": case["id"], "case": case, "answers": of});
        difference(answers).map(line)
    };
    let mut differences = Vec::new();
    let [earlier, present] = [&commands[0], &commands[1]].map(|command| batch(command, &set.edits));
    for ((case, earlier), present) in set.edits.iter().zip(earlier?).zip(present?) {
        // Most answers are identical byte for byte, and parsing JSON takes longer than this comparison.
        if earlier != present {
            let [earlier, present] = [earlier, present].map(|line| serde_json::from_str(&line));
            differences.extend(with(json!(case), "batch", [earlier?, present?]));
        }
    }
    if is_labelled {
        let located = set.edits.par_iter().map(|case| Ok(with(json!(case), "locate", locate(commands, case)?)));
        differences.extend(located.collect::<Result<Vec<_>>>()?.into_iter().flatten());
    }
    let patches: Vec<_> =
        set.changes.iter().flat_map(|change| change.patches.iter().map(move |patch| (change, patch))).collect();
    let answered = patches.par_iter().map(|(change, (kind, text))| {
        let case = json!({"id": format!("{} {kind}", change.id), "files": change.files, "patch": text});
        Ok(with(case, "patch", patch(commands, change, text)?))
    });
    differences.extend(answered.collect::<Result<Vec<_>>>()?.into_iter().flatten());
    Ok(differences)
}

/// Returns the answers of `batch` to some edits, one line of JSON each, in their order.
fn batch(binary: &Path, edits: &[Case]) -> Result<Vec<String>> {
    if edits.is_empty() {
        return Ok(Vec::new());
    }
    let input = tempfile::NamedTempFile::new()?;
    jsonl::save(input.path(), edits.iter().map(|case| json!(case)))?;
    let mut batch = Command::new(binary);
    batch.arg("batch").args(TIMEOUT).stdin(input.reopen()?).stderr(Stdio::inherit());
    let output = batch.output().with_context(|| format!("cannot start {}", binary.display()))?;
    let answers: Vec<String> = String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect();
    let (found, sent) = (answers.len(), edits.len());
    ensure!(found == sent, "fuzzy-edit gave {found} answers to {sent} cases and ended with {}", output.status);
    Ok(answers)
}

/// Returns the answers of `locate`.
fn locate(commands: &[PathBuf; 2], case: &Case) -> Result<[Value; 2]> {
    let texts = [("file", &case.content), ("old", &case.old), ("new", &case.new)];
    let texts: BTreeMap<_, _> = texts.map(|(name, text)| (name.to_owned(), text.clone())).into();
    let mut words = vec!["locate", "file", "--old", "@old", "--new", "@new"];
    words.extend(case.replace_all.then_some("--all"));
    let line = case.line.map(|line| line.to_string());
    words.extend(line.iter().flat_map(|line| ["--line", line]));
    both(commands, &texts, None, &words)
}

/// Returns the answers of `patch` in a dry run.
fn patch(commands: &[PathBuf; 2], change: &Change, text: &str) -> Result<[Value; 2]> {
    both(commands, &change.files, Some(text), &["patch", "../patch", "--dry-run"])
}

/// Runs both commands in a folder with these files, and parses their JSON output.
fn both(
    commands: &[PathBuf; 2],
    files: &BTreeMap<String, String>,
    patch: Option<&str>,
    words: &[&str],
) -> Result<[Value; 2]> {
    let folder = folder_with(files)?;
    patch.map_or(Ok(()), |patch| fs::write(folder.path().join("patch"), patch))?;
    let ask = |command: &PathBuf| {
        let mut command = Command::new(command);
        command.args(words).arg("--json").args(TIMEOUT).current_dir(folder.path().join("tree"));
        let output =
            command.envs(["HOME", "XDG_STATE_HOME"].map(|name| (name, folder.path()))).stdin(Stdio::null()).output()?;
        serde_json::from_slice(&output.stdout).with_context(|| {
            let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
            let error = String::from_utf8_lossy(&output.stderr);
            format!("`{}` ended with {} and no JSON: {error}", words.join(" "), output.status)
        })
    };
    Ok([ask(&commands[0])?, ask(&commands[1])?])
}

/// Returns the compared parts of two answers and the names of the fields that differ, if any does.
fn difference(answers: [Value; 2]) -> Option<Value> {
    let [earlier, present] = answers.map(compared);
    let names = [&earlier, &present].into_iter().filter_map(Value::as_object).flat_map(|fields| fields.keys());
    let names: BTreeSet<_> = names.filter(|name| earlier[*name] != present[*name]).collect();
    (earlier != present).then(|| json!({"differing": names, "earlier": earlier, "present": present}))
}

/// Returns the compared part of an answer. A null field equals a missing one.
fn compared(answer: Value) -> Value {
    match answer {
        Value::Object(fields) => {
            let is_compared = |name: &str, value: &Value| !value.is_null() && !NOT_COMPARED.contains(&name);
            let fields = fields.into_iter().filter(|(name, value)| is_compared(name, value));
            fields.map(|(name, value)| (name, compared(value))).collect()
        }
        Value::Array(values) => values.into_iter().map(compared).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::difference;

    #[test]
    fn different_answers_differ_whatever_the_field() {
        let answer = json!({
            "id": "a", "ok": true, "output": "x\n", "strategy": "alignment", "similarity": 1.0, "confidence": 0.9,
            "places": [{"lines": [1, 1], "bytes": [0, 2]}], "code": "refused", "proposal": {"new_string": "n"},
            "edits": [{"conflicts": [{"file": "1", "message": "m"}], "note": "n"}], "rule": "r", "next_step": "n",
        });
        for (pointer, other) in [
            ("/ok", json!(false)),
            ("/output", json!("x")),
            ("/strategy", json!("exact")),
            ("/confidence", json!(0.901)),
            ("/places/0/bytes/1", json!(1)),
            ("/places", json!([])),
            ("/code", Value::Null),
            ("/proposal/new_string", json!("m")),
            ("/edits/0/conflicts/0/file", json!("2")),
        ] {
            let mut changed = answer.clone();
            *changed.pointer_mut(pointer).unwrap() = other;
            let field = pointer.split('/').nth(1);
            let found = difference([answer.clone(), changed]).unwrap();
            assert_eq!(found["differing"], json!([field]));
        }
        for pointer in ["/rule", "/next_step", "/edits/0/note", "/edits/0/conflicts/0/message"] {
            let mut changed = answer.clone();
            *changed.pointer_mut(pointer).unwrap() = json!("other");
            assert_eq!(difference([answer.clone(), changed]), None, "{pointer}");
        }
        let mut changed = answer.clone();
        changed["lost"] = Value::Null;
        assert_eq!(difference([answer, changed]), None);
    }
}
