//! Runs the commands of the workspace and summarizes their steps.

use std::borrow::BorrowMut;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, iter};

use anyhow::{Context, Result, ensure};

/// Returns the root of the workspace: the folder of the lock file, above the running package.
///
/// `cargo run` passes the package's folder at run time, so that a moved tree still works.
#[must_use]
pub fn root() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let package = PathBuf::from(package);
    package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap_or(&package).to_owned()
}

/// Returns the command `cargo ARGUMENTS` in the root of the workspace, with the cargo that runs this program.
pub fn cargo<S: Into<OsString>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments.into_iter().map(Into::into)).current_dir(root());
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

/// Returns a file system in memory, if this machine has one with at least 8 GB free. A durable write to a disk takes many
/// times as long as all other work of a test.
#[must_use]
pub fn memory() -> Option<PathBuf> {
    let mut df = Command::new("df");
    df.args(["--output=avail", "--block-size=1G", "/dev/shm"]);
    let output = df.stderr(Stdio::null()).output().ok()?;
    let free: u32 = String::from_utf8_lossy(&output.stdout).lines().nth(1)?.trim().parse().ok()?;
    (free >= 8).then(|| "/dev/shm".into())
}

/// Runs a command with inherited output.
pub fn run(mut command: impl BorrowMut<Command>) -> Result<()> {
    let command = command.borrow_mut();
    println!("$ {}", line(command));
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start `{}`", line(command)))?;
    ensure!(status.success(), "`{:.80}` ended with {status}", line(command));
    Ok(())
}

/// Runs a command and returns its output, which must be UTF-8.
pub fn read(mut command: Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start `{}`", line(&command)))?;
    ensure!(output.status.success(), "`{:.80}` ended with {}", line(&command), output.status);
    String::from_utf8(output.stdout).with_context(|| format!("the output of `{}` is not UTF-8", line(&command)))
}

/// Builds a tool in a profile, runs it in the current folder, and returns its exit status.
pub fn tool(package: &str, profile: &str, arguments: impl IntoIterator<Item = OsString>) -> Result<ExitStatus> {
    eprintln!("building and running {package}, {profile}");
    let mut command = cargo(["run", "--quiet", "--package", package, "--profile", profile]);
    command.arg("--manifest-path").arg(root().join("Cargo.toml"));
    // Paths among the arguments are relative to the current folder.
    command.current_dir(env::current_dir()?).arg("--").args(arguments).status().context("cannot start cargo")
}

/// Ends a program: prints the error, if there is one.
#[must_use]
pub fn exit(outcome: Result<()>) -> ExitCode {
    let Err(error) = outcome else { return ExitCode::SUCCESS };
    eprintln!("error: {error:#}");
    ExitCode::FAILURE
}

/// Returns whether a command starts and succeeds; prints nothing.
#[must_use]
pub fn works(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}

/// Returns whether no step may be skipped.
#[must_use]
pub fn in_ci() -> bool {
    env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// Formats a command as typed in a shell.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = iter::once(program).chain(command.get_args()).map(|word| word.to_string_lossy());
    let quoted = words.map(|word| match word {
        word if word.is_empty() || word.contains([' ', '\n', '"', '\'']) => format!("{word:?}"),
        word => word.into_owned(),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Runs steps one after the other, prints their times and a summary at the end.
///
/// A failed step does not stop the others: one run finds all problems.
pub struct Steps {
    title: &'static str,
    started: Instant,
    /// The name of each step, and its result in words.
    done: Vec<(String, String)>,
    failed: Vec<String>,
}

impl Steps {
    /// Makes an empty list of steps.
    #[must_use]
    pub fn new(title: &'static str) -> Self {
        Self { title, started: Instant::now(), done: Vec::new(), failed: Vec::new() }
    }

    /// Runs one step.
    pub fn step(&mut self, name: impl Into<String>, run: impl FnOnce() -> Result<()>) {
        let (name, started) = (name.into(), Instant::now());
        println!("\n==> {name}");
        let outcome = run();
        self.ended(name, started.elapsed(), outcome);
    }

    /// Records a step that ran elsewhere.
    pub fn ended(&mut self, name: impl Into<String>, took: Duration, outcome: Result<()>) {
        let (name, seconds) = (name.into(), took.as_secs_f64());
        let result = match outcome {
            Ok(()) => format!("ok, {seconds:.1} s"),
            Err(why) => {
                self.failed.push(name.clone());
                format!("FAILED after {seconds:.1} s: {why:#}")
            }
        };
        self.end(name, result);
    }

    /// Records a skipped step; in CI that is a failure.
    pub fn leave_out(&mut self, name: impl Into<String>, why: String, even_in_ci: bool) {
        let name = name.into();
        println!("\n==> {name}");
        if in_ci() && !even_in_ci {
            let why = anyhow::Error::msg(why).context("no step may be skipped here");
            return self.ended(name, Duration::ZERO, Err(why));
        }
        self.end(name, format!("left out: {why}"));
    }

    fn end(&mut self, name: String, result: String) {
        println!("<== {name}: {result}");
        self.done.push((name, result));
    }

    /// Prints the table of steps and fails if one of them failed.
    pub fn finish(self) -> Result<()> {
        let width = self.done.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        println!("\n{}:", self.title);
        self.done.iter().for_each(|(name, result)| println!("  {name:width$}  {result}"));
        println!("  in all {:.1} s, {} failed\n", self.started.elapsed().as_secs_f64(), self.failed.len());
        ensure!(self.failed.is_empty(), "failed: {}", self.failed.join(", "));
        Ok(())
    }
}
