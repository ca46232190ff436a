//! Measures whole processes and compares them with git's and with the start of the command alone, in one run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::comparison::{Comparison, rendered, took};
use super::scratch::{ROUNDS, line, scratch};
use super::{hooks, restores};

/// The number of lines of the edited file, 1 MB together.
const LINES: usize = 20_000;

/// Runs the command alternately with git, and renders the ratio of their times.
pub(super) fn table(program: &Path) -> Result<String> {
    let scene = Scene::new(program)?;
    let (mut apply, mut git_apply, mut start, mut git_start) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        scene.fill()?;
        apply.push(took(scene.edit())?);
        git_apply.push(took(scene.git(&["apply", "../edit.diff"]))?);
        ensure!(scene.same()?, "fuzzy-edit and git made different files");
        start.push(took(scene.command(&["--version"]))?);
        git_start.push(took(scene.git(&["--version"]))?);
    }
    let what = "`apply` of one edit in 1 MB, and `git apply` of the equivalent patch".to_owned();
    let apply = Comparison { what, ours: apply, theirs: git_apply, at_most: 3.0 };
    let what = "`--version`, and `git --version`".to_owned();
    let start = Comparison { what, ours: start, theirs: git_start, at_most: 2.0 };
    let [exact, repair] = hooks::compare(program)?;
    let all = rendered(&[apply, start, exact, repair, restores::compare(program)?]);
    Ok(format!(
        "Median of {ROUNDS} alternating runs with files {}; for the restore, of {} runs on disk.\n\n{all}",
        scene.place,
        restores::ROUNDS
    ))
}

/// Two directories with the same file, an edit and the equivalent patch.
struct Scene<'a> {
    program: &'a Path,
    folder: tempfile::TempDir,
    place: &'static str,
    text: String,
}

impl<'a> Scene<'a> {
    fn new(program: &'a Path) -> Result<Self> {
        let (folder, place) = scratch()?;
        let text: String = (0..LINES).map(line).collect();
        let scene = Self { program, folder, place, text };
        for name in ["ours", "git"] {
            fs::create_dir(scene.path(name))?;
        }
        let old = [LINES / 2, LINES / 2 + 1, LINES / 2 + 2].map(line).concat();
        let new = old.replacen("measure", "compute", 2);
        fs::write(scene.path("old"), &old)?;
        fs::write(scene.path("new"), &new)?;
        fs::write(scene.path("a.rs"), &scene.text)?;
        fs::write(scene.path("b.rs"), scene.text.replacen(&old, &new, 1))?;
        let diff = scene.git(&["diff", "--no-index", "../a.rs", "../b.rs"]).output().context("cannot start git")?;
        let diff = String::from_utf8(diff.stdout)?;
        ensure!(diff.contains("@@"), "git made no diff");
        let lines = diff.lines().skip_while(|line| !line.starts_with("--- ")).map(|line| match line.get(..4) {
            Some("--- ") => "--- a/file.rs\n".to_owned(),
            Some("+++ ") => "+++ b/file.rs\n".to_owned(),
            _ => format!("{line}\n"),
        });
        fs::write(scene.path("edit.diff"), lines.collect::<String>())?;
        Ok(scene)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the original file in both directories.
    fn fill(&self) -> Result<()> {
        for name in ["ours/file.rs", "git/file.rs"] {
            fs::write(self.path(name), &self.text)?;
        }
        Ok(())
    }

    fn same(&self) -> Result<bool> {
        let [ours, git] = ["ours/file.rs", "git/file.rs"].map(|name| fs::read(self.path(name)));
        let (ours, git) = (ours?, git?);
        Ok(ours == git && ours != self.text.as_bytes())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.args(arguments).current_dir(self.path("ours")).env("XDG_STATE_HOME", self.path("state"));
        command
    }

    fn edit(&self) -> Command {
        self.command(&["apply", "file.rs", "--old", "@../old", "--new", "@../new"])
    }

    fn git(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.path("git")).env("GIT_CEILING_DIRECTORIES", self.folder.path());
        command
    }
}
