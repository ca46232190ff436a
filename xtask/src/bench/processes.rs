//! Measures whole processes beside git's, in one run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::table::{Table, number, yes_or_no};
use fuzzy_tools::times::{milliseconds, percentile};

use super::{jobs, mcp, restores};

/// How often each process is run; the median counts.
const ROUNDS: usize = 61;
/// How many lines the edited file has, 1 MB together.
const LINES: usize = 20_000;

/// Builds the command, runs it in turn with git, and renders how many times as long it takes.
pub(super) fn table() -> Result<String> {
    let program = command::build("dist")?;
    let scene = Scene::new(&program)?;
    let (mut apply, mut git_apply, mut start, mut git_start) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        scene.fill()?;
        apply.push(took(scene.edit())?);
        git_apply.push(took(scene.git(&["apply", "../edit.diff"]))?);
        ensure!(scene.same()?, "fuzzy-edit and git made different files");
        start.push(took(scene.command(&["--version"]))?);
        git_start.push(took(scene.git(&["--version"]))?);
    }
    let what = "`apply` of one edit on 1 MB, beside `git apply` of the equal patch".to_owned();
    let apply = Comparison { what, ours: apply, theirs: git_apply, at_most: 3.0 };
    let what = "`--version`, beside `git --version`".to_owned();
    let start = Comparison { what, ours: start, theirs: git_start, at_most: 2.0 };
    let all = rendered(&[apply, start, restores::compare(&program)?]);
    let processes = format!(
        "Median of {ROUNDS} runs in turn, files {}; of {} on disk for the restore.\n\n{all}",
        scene.place,
        restores::ROUNDS
    );
    Ok([processes, jobs::table(&program)?, mcp::table(&program)?].join("\n"))
}

/// What was measured in turn with git.
pub(crate) struct Comparison {
    pub(crate) what: String,
    pub(crate) ours: Vec<Duration>,
    pub(crate) theirs: Vec<Duration>,
    /// How many times as long as git it may take.
    pub(crate) at_most: f64,
}

impl Comparison {
    /// Returns whether it takes no longer than it may.
    pub(crate) fn holds(&self) -> bool {
        median(&self.ours) / median(&self.theirs) <= self.at_most
    }
}

/// Renders comparisons, one a row.
pub(crate) fn rendered(all: &[Comparison]) -> String {
    let mut table = Table::new(1, &["process", "ms", "git's ms", "times as long", "at most", "holds"]);
    for one in all {
        let (ours, theirs) = (median(&one.ours), median(&one.theirs));
        let cells = [ours, theirs, ours / theirs, one.at_most].map(number);
        table.row([vec![one.what.clone()], cells.to_vec(), vec![yes_or_no(one.holds())]].concat());
    }
    table.render()
}

/// Returns a line of a file that is edited.
pub(super) fn line(number: usize) -> String {
    format!("    let value_{number} = measure(input[{number}], {});\n", number % 101)
}

/// Two directories with the same file, an edit and the equal patch.
struct Scene<'a> {
    program: &'a Path,
    folder: tempfile::TempDir,
    place: &'static str,
    text: String,
}

impl<'a> Scene<'a> {
    fn new(program: &'a Path) -> Result<Self> {
        let memory = Path::new("/dev/shm");
        let (folder, place) = if memory.is_dir() {
            (tempfile::tempdir_in(memory)?, "in memory")
        } else {
            (tempfile::tempdir()?, "on disk, there being no memory file system")
        };
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

    /// Gives both sides the file as it was.
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

/// Runs a command to its end; returns how long it took.
pub(super) fn took(command: Command) -> Result<Duration> {
    took_with(command, Stdio::null())
}

/// Runs a command with this input to its end; returns how long it took. Nobody reads what it prints.
pub(super) fn took_with(mut command: Command, input: Stdio) -> Result<Duration> {
    command.stdin(input).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let took = start.elapsed();
    ensure!(status.success(), "a measured process ended with {status}");
    Ok(took)
}

/// Returns the median in milliseconds.
pub(super) fn median(times: &[Duration]) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    milliseconds(percentile(&times, 50))
}
