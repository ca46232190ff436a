//! The agent that runs a session's turns: a restore stops it first and resets it afterwards.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_checkpoint_store::SessionId;
use fuzzy_system::Started;

use crate::{Error, Result};

/// Whether a backend has stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It has stopped writing.
    Yes,
    /// It may still write.
    No,
    /// Nothing here stops it: another program runs it.
    NotOurs,
}

/// The agent that runs a session's turns.
///
/// 1. After `stop` returns [`Stopped::Yes`], no process of the session writes to the worktree until a new turn begins.
/// 2. `reset` is idempotent: it may be called twice for one generation.
pub trait Backend: Send + Sync {
    /// Stops the running turn and waits at most `wait` for its end.
    ///
    /// # Errors
    ///
    /// Fails if the backend cannot be reached.
    fn stop(&self, session: &SessionId, wait: Duration) -> Result<Stopped>;

    /// Discards the agent's memory of the conversation: the next turn starts `generation` from the current transcript.
    ///
    /// # Errors
    ///
    /// Fails if the backend was not reset; the service tries again later.
    fn reset(&self, session: &SessionId, generation: u64) -> Result<()>;
}

/// A backend for sessions without an agent process: it has nothing to stop and nothing to reset.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBackend;

impl Backend for NoBackend {
    fn stop(&self, _: &SessionId, _: Duration) -> Result<Stopped> {
        Ok(Stopped::NotOurs)
    }

    fn reset(&self, _: &SessionId, _: u64) -> Result<()> {
        Ok(())
    }
}

/// A backend that runs one command to stop the agent and one to reset it: a program and its arguments, without a shell.
/// The session is in `FUZZY_EDIT_SESSION`, the generation in `FUZZY_EDIT_GENERATION`. Exit status 0 means success.
#[derive(Debug, Clone, Default)]
pub struct ProcessBackend {
    /// The command that stops the agent; empty if there is nothing to stop.
    pub stop: Vec<OsString>,
    /// The command that resets the agent; empty if it keeps no memory.
    pub reset: Vec<OsString>,
}

/// The longest time that a reset may take.
const RESET_WAIT: Duration = Duration::from_secs(10);

impl Backend for ProcessBackend {
    fn stop(&self, session: &SessionId, wait: Duration) -> Result<Stopped> {
        if self.stop.is_empty() {
            return Ok(Stopped::NotOurs);
        }
        Ok(if run(&self.stop, session, None, wait)? { Stopped::Yes } else { Stopped::No })
    }

    fn reset(&self, session: &SessionId, generation: u64) -> Result<()> {
        if run(&self.reset, session, Some(generation), RESET_WAIT)? {
            return Ok(());
        }
        Err(Error::Backend(format!("the reset of session {session} failed")))
    }
}

/// Runs a command. Returns false if it fails, or if it exceeds `wait` and is killed with all its child processes.
fn run(command: &[OsString], session: &SessionId, generation: Option<u64>, wait: Duration) -> Result<bool> {
    let [program, arguments @ ..] = command else { return Ok(true) };
    let mut child = Command::new(program);
    child.args(arguments).env("FUZZY_EDIT_SESSION", session.as_str()).stdin(Stdio::null()).stdout(Stdio::null());
    if let Some(generation) = generation {
        child.env("FUZZY_EDIT_GENERATION", generation.to_string());
    }
    let ended = Started::new(&mut child).and_then(|started| wait_for(started, wait));
    ended.map_err(|error| Error::Backend(format!("{}: {error}", program.to_string_lossy())))
}

/// Waits for a process to end, and kills it with all its child processes after `wait`. Returns whether it succeeded.
fn wait_for(mut started: Started, wait: Duration) -> io::Result<bool> {
    let deadline = Instant::now() + wait;
    loop {
        match started.child.try_wait()? {
            Some(status) => return Ok(status.success()),
            None if Instant::now() < deadline => thread::sleep(Duration::from_millis(10)),
            None => {
                started.kill();
                started.child.wait()?;
                return Ok(false);
            }
        }
    }
}
