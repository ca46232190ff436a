//! Runs suites in processes of their own, two at a time, and prints each line of their output at once.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::suites::Suite;

/// The number of suites that run at the same time: most of them wait for git, browsers and servers.
const LANES: usize = 2;

/// The time that a process may take to end after the suite that started it.
const GRACE: Duration = Duration::from_secs(5);

/// Runs the suites, and calls `ended` with each suite, its time and its outcome.
///
/// Each line is printed with the time since the start and the name of its suite, and is also written to `NAME.log` in
/// `folder`. Temporary files are made in `scratch`.
pub(super) fn run(
    suites: &[&'static Suite],
    folder: &Path,
    scratch: &Path,
    mut ended: impl FnMut(&Suite, Duration, Result<()>),
) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let queue = Queue::of(suites);
    let started = Instant::now();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..LANES {
            let (sender, queue) = (sender.clone(), &queue);
            scope.spawn(move || {
                while let Some(suite) = queue.take() {
                    let begun = Instant::now();
                    let outcome = run_one(suite, &folder.join(suite.name).with_extension("log"), scratch, started);
                    queue.done(suite);
                    // The receiver lives until every lane has ended.
                    let _ = sender.send((suite, begun.elapsed(), outcome));
                }
            });
        }
        drop(sender);
        for (suite, took, outcome) in receiver {
            ended(suite, took, outcome);
        }
    });
    Ok(())
}

/// Runs a suite in a process of its own. The error contains the last error that the suite printed.
fn run_one(suite: &Suite, log: &Path, scratch: &Path, started: Instant) -> Result<()> {
    let mut file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let (output, input) = io::pipe().context("cannot make a pipe")?;
    let mut process = Command::new(env::current_exe().context("this program has no path")?);
    process
        .args(["test", "--here", suite.name])
        .env("TMPDIR", scratch)
        .stdin(Stdio::null())
        .stdout(input.try_clone()?)
        .stderr(input);
    let mut child = process.spawn().context("cannot start the suite")?;
    // The command holds the writing end of the pipe.
    drop(process);
    let (sender, all_read) = mpsc::channel();
    let name = suite.name;
    thread::spawn(move || {
        let mut last_error = None;
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            let seconds = started.elapsed().as_secs();
            println!("{:3}:{:02} {name:16} {line}", seconds / 60, seconds % 60);
            let _ = writeln!(file, "{line}");
            if let Some(error) = line.strip_prefix("error: ") {
                last_error = Some(error.to_owned());
            }
        }
        let _ = sender.send(last_error);
    });
    let status = child.wait().context("cannot wait for the suite")?;
    // A process that the suite left behind keeps the pipe open: its output is not awaited.
    let last_error = all_read.recv_timeout(GRACE).unwrap_or_default();
    if !status.success() {
        bail!("{}; output: {}", last_error.unwrap_or_else(|| status.to_string()), log.display());
    }
    Ok(())
}

/// The waiting suites, and the files that the running suites write.
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    waiting: Vec<&'static Suite>,
    written: Vec<&'static str>,
}

impl Queue {
    fn of(suites: &[&'static Suite]) -> Self {
        Self { state: Mutex::new(State { waiting: suites.to_vec(), written: Vec::new() }), changed: Condvar::new() }
    }

    /// Takes the first suite that writes no file of a running suite; waits for a suite to end if there is none yet.
    fn take(&self) -> Option<&'static Suite> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.waiting.is_empty() {
            let free = |suite: &&Suite| suite.writes.is_none_or(|files| !state.written.contains(&files));
            if let Some(position) = state.waiting.iter().position(free) {
                let suite = state.waiting.remove(position);
                state.written.extend(suite.writes);
                return Some(suite);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Permits other suites to write the files of a suite that has ended.
    fn done(&self, suite: &Suite) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.written.retain(|files| Some(*files) != suite.writes);
        drop(state);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::suites::suite;
    use super::Queue;

    #[test]
    fn suites_that_write_the_same_files_run_one_after_the_other() {
        let [node, dist, browser] = ["node", "dist", "browser"].map(|name| suite(name).unwrap());
        let queue = Queue::of(&[node, dist, browser]);
        assert_eq!(queue.take().unwrap().name, "node");
        // `dist` also makes the npm packages.
        assert_eq!(queue.take().unwrap().name, "browser");
        queue.done(browser);
        queue.done(node);
        assert_eq!(queue.take().unwrap().name, "dist");
        assert!(queue.take().is_none());
    }
}
