//! The agent after a session: stopped before a restore, started anew after it.

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
    /// It writes no more.
    Yes,
    /// It may still write.
    No,
}

/// What runs a session's turns.
///
/// 1. After `stop` answers [`Stopped::Yes`], nothing of the session writes to the worktree until a new turn begins.
/// 2. `reset` may come twice for one generation and does the same as once.
pub trait Backend: Send + Sync {
    /// Stops the running turn and waits for it, at most `wait`.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be told.
    fn stop(&self, session: &SessionId, wait: Duration) -> Result<Stopped>;

    /// Forgets the conversation: the next turn begins in `generation` with what the transcript holds then.
    ///
    /// # Errors
    ///
    /// Fails when it was not done; it is tried again.
    fn reset(&self, session: &SessionId, generation: u64) -> Result<()>;
}

/// Is for sessions without a process of their own: nothing runs, nothing is remembered.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBackend;

impl Backend for NoBackend {
    fn stop(&self, _: &SessionId, _: Duration) -> Result<Stopped> {
        Ok(Stopped::Yes)
    }

    fn reset(&self, _: &SessionId, _: u64) -> Result<()> {
        Ok(())
    }
}

/// Stops and resets by a command each: a program and its arguments, no shell. The session is in `FUZZY_EDIT_SESSION`,
/// the generation in `FUZZY_EDIT_GENERATION`. Status 0 means done.
#[derive(Debug, Clone, Default)]
pub struct ProcessBackend {
    /// The command that stops; empty when nothing needs to be stopped.
    pub stop: Vec<OsString>,
    /// The command that resets; empty when nothing is remembered.
    pub reset: Vec<OsString>,
}

/// How long a reset may take.
const RESET_WAIT: Duration = Duration::from_secs(10);

impl Backend for ProcessBackend {
    fn stop(&self, session: &SessionId, wait: Duration) -> Result<Stopped> {
        Ok(if run(&self.stop, session, None, wait)? { Stopped::Yes } else { Stopped::No })
    }

    fn reset(&self, session: &SessionId, generation: u64) -> Result<()> {
        if run(&self.reset, session, Some(generation), RESET_WAIT)? {
            return Ok(());
        }
        Err(Error::Backend(format!("the reset of session {session} failed")))
    }
}

/// Runs a command; false when it fails, or takes too long and is killed with all it started.
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

/// Waits for a process to end, and kills it with all it started when it takes too long; returns whether it succeeded.
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
