//! Runs the commands of the workspace and summarizes their steps.

use std::borrow::BorrowMut;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// Returns the root of the workspace: the folder of the lock file, above the running package.
///
/// `cargo run` passes the package's folder at run time, so that a moved tree still works.
#[must_use]
pub fn root() -> PathBuf {
    let package =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.unwrap_or(&package).to_owned()
}

/// Returns the command `cargo ARGUMENTS` in the root of the workspace, with the cargo that runs this program.
pub fn cargo<I, S>(arguments: I) -> Command
where
    I: IntoIterator<Item = S>,
    S: Into<OsString>,
{
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments.into_iter().map(Into::into));
    command.current_dir(root());
    command
}

/// Returns the command `git ARGUMENTS` in the root of the workspace.
#[must_use]
pub fn git(arguments: &[&str]) -> Command {
    git_in(&root(), arguments)
}

/// Returns the command `git ARGUMENTS` in a folder.
#[must_use]
pub fn git_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(folder);
    command
}

/// Runs a command with inherited output.
pub fn run(mut command: impl BorrowMut<Command>) -> Result<()> {
    let command = command.borrow_mut();
    println!("$ {}", line(command));
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start `{}`", line(command)))?;
    ensure!(status.success(), "`{}` ended with {status}", short(command));
    Ok(())
}

/// Runs a command and returns its output, which must be UTF-8.
pub fn read(mut command: Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{}`", line(&command)))?;
    ensure!(output.status.success(), "`{}` ended with {}", short(&command), output.status);
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed something that is not UTF-8", line(&command)))
}

/// The build profile of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Not optimized, which builds faster.
    Dev,
    /// Optimized: without it the ladders take ten times as long.
    Release,
    /// Optimized like a release, which takes longer to build: for latencies.
    Dist,
}

/// Builds a tool, runs it in the current folder, and returns its exit status.
pub fn tool(package: &str, profile: Profile, arguments: impl IntoIterator<Item = OsString>) -> Result<ExitStatus> {
    let mut command = cargo(["run", "--quiet", "--package", package, "--manifest-path"]);
    command.arg(root().join("Cargo.toml"));
    let name = match profile {
        Profile::Dev => "dev",
        Profile::Release => "release",
        Profile::Dist => "dist",
    };
    if profile != Profile::Dev {
        eprintln!("building and running this tool optimized");
    }
    command.args(["--profile", name]);
    // Paths among the arguments are relative to the current folder.
    let folder = env::current_dir().context("no current folder")?;
    command.arg("--").args(arguments).current_dir(folder).status().context("cannot start cargo")
}

/// Ends a program: prints the error, if there is one.
#[must_use]
pub fn exit(outcome: Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether a command starts and succeeds; prints nothing.
#[must_use]
pub fn works(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Returns whether no step may be skipped.
#[must_use]
pub fn in_ci() -> bool {
    env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// Formats the start of a command whose full form was printed before.
fn short(command: &Command) -> String {
    let line = line(command);
    match line.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Formats a command as typed in a shell.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![
        program.file_name().map_or_else(|| program.display().to_string(), |name| name.to_string_lossy().into_owned()),
    ];
    words.extend(command.get_args().map(|argument| {
        let argument = argument.to_string_lossy();
        if argument.is_empty() || argument.contains([' ', '\n', '"', '\'']) {
            format!("{argument:?}")
        } else {
            argument.into_owned()
        }
    }));
    words.join(" ")
}

/// The result of a step.
enum Outcome {
    Passed,
    Failed(String),
    LeftOut(String),
}

/// Runs steps one after the other, prints their times and a summary at the end.
///
/// A failed step does not stop the others: one run finds all problems.
pub struct Steps {
    title: &'static str,
    started: Instant,
    done: Vec<(String, Duration, Outcome)>,
}

impl Steps {
    /// Makes an empty list of steps.
    #[must_use]
    pub fn new(title: &'static str) -> Self {
        Self { title, started: Instant::now(), done: Vec::new() }
    }

    /// Runs one step.
    pub fn step(&mut self, name: impl Into<String>, run: impl FnOnce() -> Result<()>) {
        let name = name.into();
        println!("\n==> {name}");
        let started = Instant::now();
        let outcome = run();
        self.ended(name, started.elapsed(), outcome);
    }

    /// Records a step that ran elsewhere.
    pub fn ended(&mut self, name: impl Into<String>, took: Duration, outcome: Result<()>) {
        let outcome = match outcome {
            Ok(()) => Outcome::Passed,
            Err(error) => Outcome::Failed(format!("{error:#}")),
        };
        self.end(name.into(), took, outcome);
    }

    /// Records a skipped step; in CI that is a failure.
    pub fn leave_out(&mut self, name: impl Into<String>, why: String, even_in_ci: bool) {
        let outcome = if in_ci() && !even_in_ci {
            Outcome::Failed(format!("no step may be skipped here, but {why}"))
        } else {
            Outcome::LeftOut(why)
        };
        let name = name.into();
        println!("\n==> {name}");
        self.end(name, Duration::ZERO, outcome);
    }

    fn end(&mut self, name: String, took: Duration, outcome: Outcome) {
        println!("<== {name}: {}", describe(took, &outcome));
        self.done.push((name, took, outcome));
    }

    /// Prints the table of steps and fails if one of them failed.
    pub fn finish(self) -> Result<()> {
        let width = self.done.iter().map(|step| step.0.len()).max().unwrap_or(0);
        println!("\n{}:", self.title);
        let (mut passed, mut failed, mut left_out) = (0, Vec::new(), 0);
        for (name, took, outcome) in &self.done {
            println!("  {name:width$}  {}", describe(*took, outcome));
            match outcome {
                Outcome::Passed => passed += 1,
                Outcome::Failed(_) => failed.push(name.as_str()),
                Outcome::LeftOut(_) => left_out += 1,
            }
        }
        println!("  in all {:.1} s\n", self.started.elapsed().as_secs_f64());
        println!("{passed} passed, {} failed, {left_out} skipped", failed.len());
        if !failed.is_empty() {
            bail!("failed: {}", failed.join(", "));
        }
        Ok(())
    }
}

fn describe(took: Duration, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => format!("ok, {:.1} s", took.as_secs_f64()),
        Outcome::Failed(why) => format!("FAILED after {:.1} s: {why}", took.as_secs_f64()),
        Outcome::LeftOut(why) => format!("left out: {why}"),
    }
}
