//! Talks with a git that stays: a process for each question would cost more than all that a restore reads and writes.

use std::io::{self, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fuzzy_system::{Started, wait_to_read};

use crate::git::{Answer, Call, unread};
use crate::{Error, Result};

/// A git that waits for the next line of its input.
#[derive(Debug)]
pub(crate) struct Session {
    verb: &'static str,
    started: Started,
    input: ChildStdin,
    output: ChildStdout,
    /// What was read and not used yet.
    ahead: Vec<u8>,
    timeout: Duration,
}

/// How much is read at once, in bytes.
const PIECE: usize = 1 << 16;

/// A session that begins when it is first needed.
pub(crate) type Slot = Mutex<Option<Session>>;

impl Session {
    /// Does `work` with the session in a slot, which begins by `start`. One that failed is out of step, and dropped.
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

    /// Starts a call that answers each piece of its input as it comes.
    pub(crate) fn start(verb: &'static str, call: Call, timeout: Duration) -> Result<Self> {
        let mut started = call.spawn()?;
        match (started.child.stdin.take(), started.child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self { verb, started, input, output, ahead: Vec::new(), timeout }),
            _ => Err(unread(verb)),
        }
    }

    /// Asks something short: it has to fit into a pipe, and nothing else may be in it.
    pub(crate) fn ask(&mut self, question: &[u8]) -> Result<()> {
        match self.input.write_all(question) {
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

    /// Reads that many bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> Result<Vec<u8>> {
        let deadline = Instant::now() + self.timeout;
        while self.ahead.len() < length {
            self.fill(deadline)?;
        }
        let rest = self.ahead.split_off(length);
        Ok(std::mem::replace(&mut self.ahead, rest))
    }

    /// Reads on; git is waited for until the deadline, and no longer.
    fn fill(&mut self, deadline: Instant) -> Result<()> {
        if !wait_to_read(&self.output, deadline).map_err(Error::io("git"))? {
            return Err(self.late());
        }
        let begin = self.ahead.len();
        self.ahead.resize(begin + PIECE, 0);
        let read = self.output.read(&mut self.ahead[begin..]);
        self.ahead.truncate(begin + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => Err(self.ended()),
            Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(Error::io("git")(error)),
            _ => Ok(()),
        }
    }

    /// Returns that git did not answer in time.
    fn late(&self) -> Error {
        Error::Timeout { command: self.verb.to_owned(), seconds: self.timeout.as_secs() }
    }

    /// Returns why git ended before it was asked to.
    fn ended(&mut self) -> Error {
        let mut stderr = Vec::new();
        let _ = self.started.child.stderr.take().map(|mut pipe| pipe.read_to_end(&mut stderr));
        let code = self.started.child.wait().ok().and_then(|status| status.code()).unwrap_or(-1);
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        Answer { code, stdout: Vec::new(), stderr }.failed(self.verb)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Between two questions it has nothing to finish.
        if matches!(self.started.child.try_wait(), Ok(None)) {
            self.started.kill();
        }
        let _ = self.started.child.wait();
    }
}
