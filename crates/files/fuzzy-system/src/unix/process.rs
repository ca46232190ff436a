//! Functions for this process and for those that it starts.

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

/// A process that was started so that it can be ended with all that it started itself, and that a terminal's Ctrl-C does
/// not reach.
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

    /// Ends the process at once, with all that it started. Nothing else has its number, as long as it was not waited for.
    pub fn kill(&mut self) {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Starts a program that outlives this process; it calls [`leave_session`] first of all.
pub fn start_detached(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Gives this process a session of its own: the end of a terminal, or of the group of whoever started it, is not its end.
pub fn leave_session() {
    // It fails where this process leads a group already, and then nobody else's end is its own.
    let _ = setsid();
}

/// Waits until a pipe has something to read, or its end; says no if it has neither at the deadline.
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

/// Allows this process as many open files as the system lets this user have. The limit that processes begin with is often
/// 1,024, or 256.
pub fn allow_many_files() {
    let limits = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: limits.maximum, ..limits });
    if raised.is_err() {
        // As many as macOS lets anyone have, whatever it says.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(10_240), ..limits });
    }
}

/// Ends this process, as a loss of power would.
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
    /// Begins to take them in: none of them ends the process any more.
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
