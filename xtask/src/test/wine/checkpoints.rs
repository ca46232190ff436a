//! Tests the verb `checkpoint` with a git for Windows.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::{git_in, read, run};
use serde_json::Value;

use crate::emulator::on_drive_z;

/// Fails unless checkpoints are made, listed and compared, and files are restored and the restore is undone.
pub(super) fn go_back(fuzzy_edit: impl Fn() -> Command, git: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (tree, state) = (folder.path().join("tree"), folder.path().join("state"));
    fs::create_dir_all(tree.join("src/Deep"))?;
    let first = [("a.txt", "one\r\n"), ("src/Deep/b.txt", "two\n"), ("src/gone.txt", "three\n")];
    for (name, text) in first {
        fs::write(tree.join(name), text)?;
    }
    // A repository that another program made, without a configured user.
    for arguments in [&["init", "-q"][..], &["add", "a.txt"], &["commit", "-q", "-m", "first"]] {
        let mut command = git_in(&tree, &["-c", "user.name=x", "-c", "user.email=x@localhost"]);
        command.args(arguments);
        run(command)?;
    }
    let checkpoint = |arguments: &[&str]| -> Result<Value> {
        let mut command = fuzzy_edit();
        command.arg("checkpoint").args(arguments).arg("--json").current_dir(&tree);
        command.env("LOCALAPPDATA", on_drive_z(&state)).env_remove("XDG_STATE_HOME");
        let path = winepath(&command, git);
        command.env("WINEPATH", path);
        command.env("USERPROFILE", on_drive_z(folder.path())).env("HOME", on_drive_z(folder.path()));
        let text = read(command)?;
        serde_json::from_str(&text).with_context(|| format!("it printed {text:?}"))
    };
    let taken = checkpoint(&["create", "--label", "before"])?;
    let id = taken["id"].as_str().or_else(|| taken["checkpoint"]["id"].as_str()).context("no id")?.to_owned();
    fs::write(tree.join("a.txt"), "ONE\r\n")?;
    fs::remove_file(tree.join("src/gone.txt"))?;
    fs::write(tree.join("new.txt"), "new\n")?;
    let differing = checkpoint(&["diff", &id])?.to_string();
    ensure!(["a.txt", "src/gone.txt", "new.txt"].iter().all(|name| differing.contains(name)), "{differing}");
    let listed = checkpoint(&["list"])?.to_string();
    ensure!(listed.contains(&id), "{listed}");
    checkpoint(&["restore", &id, "--yes"])?;
    for (name, text) in first {
        ensure!(fs::read_to_string(tree.join(name))? == text, "{name} did not come back");
    }
    ensure!(!tree.join("new.txt").exists(), "new.txt is still there");
    checkpoint(&["undo", "last"])?;
    ensure!(fs::read_to_string(tree.join("a.txt"))? == "ONE\r\n", "a.txt did not go forth");
    ensure!(tree.join("new.txt").exists() && !tree.join("src/gone.txt").exists(), "the undo is not whole");
    Ok(())
}

/// Returns the search path of Windows programs, with the folder of git.
fn winepath(command: &Command, git: &Path) -> String {
    let known = command.get_envs().find(|(name, _)| *name == "WINEPATH").and_then(|(_, value)| value?.to_str());
    format!("{};{}", known.unwrap_or_default(), on_drive_z(git))
}
