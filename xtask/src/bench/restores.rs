//! Measures whole restores of a few files and compares them with one `git status` of the same repository, in one run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::read;
use serde_json::Value;

use super::comparison::{Comparison, took};

/// The number of runs of each; the median counts.
pub(super) const ROUNDS: usize = 31;
/// The number of files in the repository.
const FILES: usize = 100;
/// The number of files that are restored.
const RESTORED: usize = 5;

/// Compares `checkpoint restore` of five changed files with `git status`.
pub(crate) fn compare(program: &Path) -> Result<Comparison> {
    let scene = Scene::new(program)?;
    let target = scene.checkpoint()?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        scene.write(RESTORED, "changed")?;
        theirs.push(took(scene.git(&["status", "--porcelain"]))?);
        ours.push(took(scene.command(&["checkpoint", "restore", &target, "--yes"]))?);
        ensure!(scene.is_restored()?, "a restore left a changed file");
    }
    let what = "`checkpoint restore` of 5 of 100 files, and `git status`".to_owned();
    Ok(Comparison { what, ours, theirs, at_most: 25.0 })
}

/// A small repository with a checkpoint.
struct Scene<'a> {
    program: &'a Path,
    folder: tempfile::TempDir,
}

impl<'a> Scene<'a> {
    fn new(program: &'a Path) -> Result<Self> {
        let scene = Self { program, folder: tempfile::tempdir()? };
        fs::create_dir(scene.root())?;
        scene.write(FILES, "first")?;
        let who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
        for arguments in
            [&["init", "--quiet", "."][..], &["add", "--all"], &["commit", "--quiet", "--message", "first"]]
        {
            read(scene.git(&[&who[..], arguments].concat()))?;
        }
        Ok(scene)
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn file(&self, number: usize) -> PathBuf {
        self.root().join(format!("file-{number}.txt"))
    }

    fn write(&self, files: usize, word: &str) -> Result<()> {
        for number in 0..files {
            fs::write(self.file(number), text(number, word))?;
        }
        Ok(())
    }

    fn is_restored(&self) -> Result<bool> {
        for number in 0..RESTORED {
            if fs::read_to_string(self.file(number))? != text(number, "first") {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn checkpoint(&self) -> Result<String> {
        let created: Value = serde_json::from_str(&read(self.command(&["checkpoint", "create", "--json"]))?)?;
        created["id"].as_str().map(str::to_owned).context("the checkpoint has no name")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.args(arguments).current_dir(self.root()).env("XDG_STATE_HOME", self.folder.path().join("state"));
        command
    }

    fn git(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.root()).env("GIT_CONFIG_GLOBAL", Path::new("/dev/null"));
        command
    }
}

fn text(number: usize, word: &str) -> String {
    format!("{word} {number}\n").repeat(50)
}
