//! Talks to long-running git processes, because a process per request would cost more than all reads and writes of a
//! restore.

use std::io::{self, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fuzzy_system::{Started, wait_to_read};

use crate::git::{Answer, Call, unread};
use crate::{Error, Result};

/// A git process that waits for the next line of its input.
#[derive(Debug)]
pub(crate) struct Session {
    verb: &'static str,
    started: Started,
    input: ChildStdin,
    output: ChildStdout,
    /// Output that was read and not used yet.
    ahead: Vec<u8>,
    piece: Vec<u8>,
    timeout: Duration,
}

/// The size of a read, in bytes.
const PIECE: usize = 1 << 16;

/// A session that starts when it is first needed.
pub(crate) type Slot = Mutex<Option<Session>>;

impl Session {
    /// Runs `work` with the session of a slot, which `start` starts if needed. A session that failed is out of sync and
    /// dropped.
    pub(crate) fn with<T>(
        slot: &Slot,
        start: impl FnOnce() -> Result<Self>,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let mut session = slot.take().map_or_else(start, Ok)?;
        let done = work(&mut session)?;
        *slot = Some(session);
        Ok(done)
    }

    /// Starts a call that answers each part of its input immediately.
    pub(crate) fn start(verb: &'static str, call: Call, timeout: Duration) -> Result<Self> {
        let mut started = call.spawn()?;
        match (started.child.stdin.take(), started.child.stdout.take()) {
            (Some(input), Some(output)) => {
                Ok(Self { verb, started, input, output, ahead: Vec::new(), piece: vec![0; PIECE], timeout })
            }
            _ => Err(unread(verb)),
        }
    }

    /// Sends a short request: it must fit into the pipe, which must be empty.
    pub(crate) fn send(&mut self, request: &[u8]) -> Result<()> {
        match self.input.write_all(request) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(self.ended()),
            done => done.map_err(Error::io("git")),
        }
    }

    /// Reads a line, without its end.
    pub(crate) fn line(&mut self) -> Result<String> {
        let deadline = Instant::now() + self.timeout;
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.ahead) {
                let rest = self.ahead.split_off(end + 1);
                let line = std::mem::replace(&mut self.ahead, rest);
                return Ok(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            self.fill(deadline)?;
        }
    }

    /// Reads `length` bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> Result<Vec<u8>> {
        let deadline = Instant::now() + self.timeout;
        while self.ahead.len() < length {
            self.fill(deadline)?;
        }
        let rest = self.ahead.split_off(length);
        Ok(std::mem::replace(&mut self.ahead, rest))
    }

    /// Reads more output; waits for git at most until the deadline.
    fn fill(&mut self, deadline: Instant) -> Result<()> {
        if !wait_to_read(&self.output, deadline).map_err(Error::io("git"))? {
            return Err(self.late());
        }
        match self.output.read(&mut self.piece) {
            Ok(0) => Err(self.ended()),
            Ok(length) => {
                self.ahead.extend_from_slice(&self.piece[..length]);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(error) => Err(Error::io("git")(error)),
        }
    }

    /// Returns the error that git did not answer in time.
    fn late(&self) -> Error {
        Error::Timeout { command: self.verb.to_owned(), seconds: self.timeout.as_secs() }
    }

    /// Returns the error of a git process that ended unexpectedly.
    fn ended(&mut self) -> Error {
        let mut stderr = Vec::new();
        let _ = self.started.child.stderr.take().map(|mut pipe| pipe.read_to_end(&mut stderr));
        let status = self.started.child.wait().map_err(Error::io("git"));
        let answer = status.and_then(|status| Answer::of(self.verb, status, Vec::new(), &stderr));
        answer.map_or_else(|error| error, |answer| answer.failed(self.verb))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Between two requests it has no unfinished work.
        if matches!(self.started.child.try_wait(), Ok(None)) {
            self.started.kill();
        }
        let _ = self.started.child.wait();
    }
}
