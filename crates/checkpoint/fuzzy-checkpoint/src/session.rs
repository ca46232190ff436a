//! Talks with a git that stays: a process for each question would cost more than all that a restore reads and writes.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::git::{Answer, Call, unread};
use crate::{Error, Result};

/// A git that waits for the next line of its input.
#[derive(Debug)]
pub(crate) struct Session {
    verb: &'static str,
    child: Child,
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
        let mut child = call.spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self { verb, child, input, output, ahead: Vec::new(), timeout }),
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
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(|_| self.late())?;
        let mut asked = [PollFd::new(&self.output, PollFlags::IN)];
        match poll(&mut asked, Some(&left)) {
            Ok(0) => return Err(self.late()),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(Error::io("git")(error.into())),
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
        let _ = self.child.stderr.take().map(|mut pipe| pipe.read_to_end(&mut stderr));
        let code = self.child.wait().ok().and_then(|status| status.code()).unwrap_or(-1);
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        Answer { code, stdout: Vec::new(), stderr }.failed(self.verb)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Between two questions it has nothing to finish.
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
            && matches!(self.child.try_wait(), Ok(None))
        {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}
