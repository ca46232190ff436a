//! Reads objects from one git that stays: a process for each would cost more than all that a restore reads.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::private::Locked;
use crate::{Error, Oid, Result, listing};

/// A `git cat-file --batch` that waits for names.
#[derive(Debug)]
pub(crate) struct Objects {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// What was read and not used yet.
    ahead: Vec<u8>,
    timeout: Duration,
}

/// One object.
#[derive(Debug)]
pub(crate) struct Object {
    /// `blob`, `tree`, `commit` or `tag`.
    pub(crate) kind: String,
    pub(crate) content: Vec<u8>,
}

/// How much is read at once, in bytes.
const PIECE: usize = 1 << 16;

impl Objects {
    pub(crate) fn new(mut child: Child, timeout: Duration) -> Result<Self> {
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self { child, input, output, ahead: Vec::new(), timeout }),
            _ => Err(listing::unread("cat-file")),
        }
    }

    /// Reads an object by its name, or by another expression without a line end; `None` where there is none.
    pub(crate) fn read(&mut self, name: &str) -> Result<Option<Object>> {
        let deadline = Instant::now() + self.timeout;
        // A name is shorter than what a pipe takes, and nothing else is in it.
        self.input.write_all(format!("{name}\n").as_bytes()).map_err(Error::io("git cat-file"))?;
        let head = loop {
            if let Some(end) = memchr::memchr(b'\n', &self.ahead) {
                let rest = self.ahead.split_off(end + 1);
                break String::from_utf8_lossy(&std::mem::replace(&mut self.ahead, rest)).into_owned();
            }
            self.fill(deadline)?;
        };
        let head = head.trim_end();
        let mut words = head.rsplitn(3, ' ');
        let (last, kind, named) = (words.next(), words.next(), words.next());
        let length = last.filter(|_| named.is_some_and(|named| Oid::new(named).is_ok()));
        let (Some(length), Some(kind)) = (length.and_then(|digits| digits.parse::<usize>().ok()), kind) else {
            return match last {
                Some("missing" | "ambiguous") => Ok(None),
                _ => Err(listing::unread("cat-file")),
            };
        };
        while self.ahead.len() <= length {
            self.fill(deadline)?;
        }
        let rest = self.ahead.split_off(length + 1);
        let mut content = std::mem::replace(&mut self.ahead, rest);
        content.truncate(length);
        Ok(Some(Object { kind: kind.to_owned(), content }))
    }

    /// Reads on; git is waited for until the deadline, and no longer.
    fn fill(&mut self, deadline: Instant) -> Result<()> {
        let failed = |error: io::Error| Error::io("git cat-file")(error);
        let late = || Error::Timeout { command: "cat-file".into(), seconds: self.timeout.as_secs() };
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(|_| late())?;
        let mut asked = [PollFd::new(&self.output, PollFlags::IN)];
        match poll(&mut asked, Some(&left)) {
            Ok(0) => return Err(late()),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(failed(error.into())),
        }
        if asked[0].revents().is_empty() {
            return Ok(());
        }
        let begin = self.ahead.len();
        self.ahead.resize(begin + PIECE, 0);
        let read = self.output.read(&mut self.ahead[begin..]);
        self.ahead.truncate(begin + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => Err(Error::Git { command: "cat-file".into(), code: -1, stderr: "it ended too early".into() }),
            Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(failed(error)),
            _ => Ok(()),
        }
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // It writes nothing, so that it need not be asked to end.
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

impl Locked<'_> {
    /// Reads an object of the user's store; `None` where there is none.
    pub(crate) fn object(&self, name: &str) -> Result<Option<Object>> {
        let mut objects = self.objects.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut running = match objects.take() {
            Some(running) => running,
            None => {
                let call = self.worktree.own("cat-file", &self.worktree.warm_index()).arg("--batch");
                Objects::new(call.spawn()?, self.worktree.limits.timeout)?
            }
        };
        // One that failed is out of step.
        let read = running.read(name)?;
        *objects = Some(running);
        Ok(read)
    }

    /// Reads a blob.
    ///
    /// # Errors
    ///
    /// Returns `lost` where there is none.
    pub(crate) fn blob(&self, oid: &Oid) -> Result<Vec<u8>> {
        match self.object(oid.as_str())? {
            Some(Object { kind, content }) if kind == "blob" => Ok(content),
            _ => Err(Error::Lost { what: oid.to_string() }),
        }
    }
}
