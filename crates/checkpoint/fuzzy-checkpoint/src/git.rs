//! Runs git with an argument vector, a cleaned environment and a deadline, without a shell.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use fuzzy_system::Started;

use crate::pipes::{self, Reads};
use crate::{Error, Result, failpoint};

/// The name of git's executable.
const NAME: &str = if cfg!(windows) { "git.exe" } else { "git" };

/// The file `HEAD` of a repository without a commit.
pub(crate) const NO_HEAD: &[u8] = b"ref: refs/heads/none\n";

/// The git program; all calls start here.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    pub(crate) program: PathBuf,
    search: OsString,
    pub(crate) timeout: Duration,
}

/// A git call under construction.
pub(crate) struct Call {
    command: Command,
    verb: String,
    stdin: Vec<u8>,
    held: Option<File>,
    /// The files that the call reads and that may be pipes.
    reads: Option<Reads>,
    timeout: Duration,
}

/// The result of a call.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Git {
    /// Uses the git at `named`, or finds one in the absolute entries of `PATH`. A relative entry would let a worktree
    /// supply the program.
    pub(crate) fn find(named: Option<&Path>, timeout: Duration) -> Result<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let entries: Vec<PathBuf> = std::env::split_paths(&path).filter(|entry| entry.is_absolute()).collect();
        let program = match named {
            Some(named) => Some(named.to_owned()),
            None => entries.iter().map(|entry| entry.join(NAME)).find(|file| file.is_file()),
        };
        let program = program.ok_or_else(|| Error::Git {
            command: "version".into(),
            code: -1,
            stderr: "no git in the absolute entries of PATH".into(),
        })?;
        Ok(Self { program, search: std::env::join_paths(entries).unwrap_or_default(), timeout })
    }

    /// Starts a call in `cwd` without the inherited `GIT_*` variables.
    pub(crate) fn call(&self, cwd: &Path, options: &[&str], verb: &str) -> Call {
        let mut command = Command::new(&self.program);
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"GIT_") {
                command.env_remove(name);
            }
        }
        command.current_dir(cwd).env("PATH", &self.search).env("LC_ALL", "C").env("GIT_PAGER", "cat");
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1");
        command.env("GIT_NO_REPLACE_OBJECTS", "1").env("GIT_LITERAL_PATHSPECS", "1");
        for option in options {
            command.arg("-c").arg(option);
        }
        command.arg(verb);
        Call { command, verb: verb.to_owned(), stdin: Vec::new(), held: None, reads: None, timeout: self.timeout }
    }
}

impl Call {
    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn cwd(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    pub(crate) fn input(mut self, bytes: Vec<u8>) -> Self {
        self.stdin = bytes;
        self
    }

    /// Passes the worktree's lock to the call as its standard input, so that the lock is held until the call ends, even
    /// if our process ends earlier.
    pub(crate) fn hold(mut self, lock: &File) -> Result<Self> {
        self.held = Some(lock.try_clone().map_err(Error::io("lock"))?);
        Ok(self)
    }

    /// Ends the call if one of these files is a pipe, for which it would wait.
    pub(crate) fn beware_of_pipes(mut self, reads: Reads) -> Self {
        self.reads = Some(reads);
        self
    }

    /// Starts the call without waiting for it.
    pub(crate) fn spawn(mut self) -> Result<Started> {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = Started::new(&mut self.command).map_err(Error::io(Path::new(self.command.get_program())))?;
        failpoint::hit(&format!("git {}", self.verb));
        Ok(started)
    }

    /// Runs the call and returns its output, for any exit status.
    pub(crate) fn run(mut self) -> Result<Answer> {
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.stdin(match self.held.take() {
            Some(lock) => Stdio::from(lock),
            None if self.stdin.is_empty() => Stdio::null(),
            None => Stdio::piped(),
        });
        let started = Started::new(&mut self.command).map_err(Error::io(Path::new(self.command.get_program())))?;
        let answer = exchange(started, &self.stdin, self.timeout, self.reads.as_ref()).map_err(Error::io("git"))?;
        failpoint::hit(&format!("git {}", self.verb));
        match answer {
            Ended::Itself(status, stdout, stderr) => Answer::of(&self.verb, status, stdout, &stderr),
            Ended::Late => Err(Error::Timeout { command: self.verb, seconds: self.timeout.as_secs() }),
            Ended::Waits(path) => Err(Error::Pipe { path }),
        }
    }

    /// Runs the call and returns its standard output; a status other than 0 is an error.
    pub(crate) fn ok(self) -> Result<Vec<u8>> {
        let verb = self.verb.clone();
        let answer = self.run()?;
        if answer.code == 0 { Ok(answer.stdout) } else { Err(answer.failed(&verb)) }
    }
}

impl Answer {
    /// Returns the answer of a process that ended; fails if a signal ended it, because nothing follows from its output.
    pub(crate) fn of(verb: &str, status: ExitStatus, stdout: Vec<u8>, stderr: &[u8]) -> Result<Self> {
        let Some(code) = status.code() else {
            return Err(Error::Git { command: verb.to_owned(), code: -1, stderr: status.to_string() });
        };
        Ok(Self { code, stdout, stderr: String::from_utf8_lossy(stderr).into_owned() })
    }

    pub(crate) fn failed(self, verb: &str) -> Error {
        if ["No space left on device", "Out of diskspace", "Disk quota exceeded"]
            .iter()
            .any(|text| self.stderr.contains(text))
        {
            return Error::DiskFull { path: PathBuf::from("git") };
        }
        let mut stderr = self.stderr;
        if let Some((end, _)) = stderr.char_indices().nth(2000) {
            stderr.truncate(end);
        }
        Error::Git { command: verb.to_owned(), code: self.code, stderr: stderr.trim_end().to_owned() }
    }
}

/// The end of a call.
enum Ended {
    /// With this status, standard output and error output.
    Itself(ExitStatus, Vec<u8>, Vec<u8>),
    /// The deadline passed.
    Late,
    /// It waits for this pipe.
    Waits(PathBuf),
}

/// Writes a process's input and reads its output until it ends. Kills it with all its child processes at the deadline,
/// or if one of the files that it reads is a pipe.
fn exchange(mut started: Started, input: &[u8], timeout: Duration, reads: Option<&Reads>) -> std::io::Result<Ended> {
    let deadline = Instant::now() + timeout;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let child = &mut started.child;
    let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (done, news) = mpsc::channel();
    let stopped = thread::scope(|scope| {
        let (stdin, out, err) = streams;
        let (err_done, found) = (done.clone(), done.clone());
        let (stdout, stderr) = (&mut stdout, &mut stderr);
        let begin = || {
            Builder::new().spawn_scoped(scope, move || {
                // A child that stops reading breaks the pipe; its exit status has the reason.
                let _ = stdin.map(|mut pipe| pipe.write_all(input));
            })?;
            Builder::new().spawn_scoped(scope, move || {
                let _ = out.map(|mut pipe| pipe.read_to_end(stdout));
                let _ = done.send(None);
            })?;
            Builder::new().spawn_scoped(scope, move || {
                let _ = err.map(|mut pipe| pipe.read_to_end(stderr));
                let _ = err_done.send(None);
            })
        };
        if let Err(error) = begin() {
            started.kill();
            return Some(Err(error));
        }
        // The search ends when this sender is dropped.
        let (_until, over) = mpsc::channel();
        if let Some(reads) = reads {
            // Without it, a pipe is found at the deadline.
            let search = move || pipes::search(reads, &over).map(|pipe| found.send(Some(pipe)));
            let _ = Builder::new().spawn_scoped(scope, search);
        }
        let mut closed = 0;
        let stopped = loop {
            match news.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(None) if closed == 0 => closed = 1,
                Ok(None) => break None,
                Ok(Some(pipe)) => break Some(Ended::Waits(pipe)),
                Err(_) => break Some(Ended::Late),
            }
        };
        if stopped.is_some() {
            started.kill();
        }
        stopped.map(Ok)
    });
    let status = started.child.wait()?;
    let stopped = stopped.transpose()?;
    Ok(stopped.unwrap_or(Ended::Itself(status, stdout, stderr)))
}

/// Splits output at NUL bytes.
pub(crate) fn split_z(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output.split(|byte| *byte == 0).filter(|part| !part.is_empty())
}

/// Returns the error for unparsable output of a command.
pub(crate) fn unread(command: &str) -> Error {
    Error::Git { command: command.into(), code: 0, stderr: "its output was not understood".into() }
}
