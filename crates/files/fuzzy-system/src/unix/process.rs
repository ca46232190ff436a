//! Functions for this process and its child processes.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getrlimit, kill_process, kill_process_group, setrlimit, setsid,
};

/// A child process that can be ended with all of its own children, and that Ctrl-C in the terminal does not reach.
#[derive(Debug)]
pub struct Started {
    /// The process itself.
    pub child: Child,
}

impl Started {
    /// Starts a program.
    pub fn new(command: &mut Command) -> io::Result<Self> {
        Ok(Self { child: command.process_group(0).spawn()? })
    }

    /// Ends the process at once, with all of its children. Its number is not reused before it is waited for.
    pub fn kill(&mut self) {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Starts a program that outlives this process; it must first call [`leave_session`].
pub fn start_detached(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Starts a session of this process: it then survives the end of the terminal or of its parent's process group.
pub fn leave_session() {
    // Fails if this process already leads a group; then no other end affects it.
    let _ = setsid();
}

/// Waits until a pipe has data or is closed; returns false at the deadline.
pub fn wait_to_read(pipe: &impl AsFd, deadline: Instant) -> io::Result<bool> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(left) = Timespec::try_from(left) else { return Ok(false) };
        match poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&left)) {
            Err(Errno::INTR) => {}
            ready => return Ok(ready? > 0),
        }
    }
}

/// Raises the limit of open files of this process to the maximum of this user. The initial limit is often 1,024, or
/// 256.
pub fn allow_many_files() {
    let limits = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: limits.maximum, ..limits });
    if raised.is_err() {
        // The number that macOS permits, even if it reports a higher one.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(10_240), ..limits });
    }
}

/// Ends this process without any cleanup, like a loss of power.
pub fn end_at_once() -> ! {
    let _ = kill_process(getpid(), Signal::KILL);
    // The signal may take a moment to arrive.
    loop {
        std::thread::park();
    }
}

/// The signals that ask a process to end: SIGTERM, and SIGINT, which Ctrl-C sends.
#[cfg(feature = "signals")]
#[derive(Debug)]
pub struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(feature = "signals")]
impl Signals {
    /// Starts receiving the signals, which then no longer end the process.
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
