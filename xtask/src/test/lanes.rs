//! Runs suites in separate processes, two at a time, because most of them wait for git, browsers and servers.

use std::env;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::suites::Suite;

/// The number of suites that run at the same time.
const LANES: usize = 2;

/// Runs the suites, and calls `ended` with the index, the time and the outcome of each suite when it ends, after its
/// output is printed.
///
/// Until then, the output of a suite is in a file in `folder`.
pub(super) fn run(
    suites: &[&Suite],
    folder: &Path,
    mut ended: impl FnMut(usize, Duration, Result<()>) -> Result<()>,
) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let queue = Queue::of(suites);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..LANES {
            let (sender, queue) = (sender.clone(), &queue);
            scope.spawn(move || {
                while let Some(at) = queue.take() {
                    println!("==> {}", suites[at].name);
                    let started = Instant::now();
                    let outcome = run_one(suites[at].name, &folder.join(suites[at].name).with_extension("log"));
                    queue.done(at);
                    if sender.send((at, started.elapsed(), outcome)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (at, took, outcome) in receiver {
            let log = folder.join(suites[at].name).with_extension("log");
            println!("\n==> {}, its output\n{}", suites[at].name, String::from_utf8_lossy(&fs::read(log)?));
            ended(at, took, outcome)?;
        }
        Ok(())
    })
}

/// Runs a suite in a separate process that writes its output to a file.
fn run_one(name: &str, log: &Path) -> Result<()> {
    let output = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut suite = Command::new(env::current_exe().context("this program has no path")?);
    suite.args(["test", "--here", name]).stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    let status = suite.status().context("cannot start the suite")?;
    if !status.success() {
        let text = String::from_utf8_lossy(&fs::read(log)?).into_owned();
        let last = text.lines().rev().find_map(|line| line.strip_prefix("error: "));
        bail!("{}", last.unwrap_or("its output says why"));
    }
    Ok(())
}

/// The waiting suites, and the files that the running suites write.
struct Queue<'s> {
    suites: &'s [&'s Suite],
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<usize>,
    written: Vec<&'static str>,
}

impl<'s> Queue<'s> {
    fn of(suites: &'s [&'s Suite]) -> Self {
        let state = State { waiting: (0..suites.len()).collect(), written: Vec::new() };
        Self { suites, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Takes the first suite that writes no file of a running suite; waits for a suite to end if there is none yet.
    fn take(&self) -> Option<usize> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.waiting.is_empty() {
            let free = |at: &usize| self.suites[*at].writes.is_none_or(|files| !state.written.contains(&files));
            if let Some(position) = state.waiting.iter().position(free) {
                let at = state.waiting.remove(position);
                state.written.extend(self.suites[at].writes);
                return Some(at);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Permits other suites to write the files of a suite that has ended.
    fn done(&self, at: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.written.retain(|files| Some(*files) != self.suites[at].writes);
        drop(state);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::suites::SUITES;
    use super::{Queue, Suite};

    #[test]
    fn suites_that_write_the_same_files_run_one_after_the_other() {
        let suites = ["python", "dist", "browser"].map(|name| SUITES.iter().find(|suite| suite.name == name).unwrap());
        let suites: &[&Suite] = &suites;
        let queue = Queue::of(suites);
        assert_eq!(queue.take(), Some(0));
        // `dist` also builds the wheel.
        assert_eq!(queue.take(), Some(2));
        queue.done(2);
        queue.done(0);
        assert_eq!(queue.take(), Some(1));
        assert_eq!(queue.take(), None);
    }
}
