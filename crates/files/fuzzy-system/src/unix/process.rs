//! Functions for this process and its child processes.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command};
use std::thread;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpgrp, getpid, getrlimit, kill_process, kill_process_group,
    setrlimit, setsid, test_kill_process, waitid,
};
use rustix::termios::tcgetpgrp;
use signal_hook::consts::{SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals as Received;

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

/// Returns whether this system has [`attend`].
pub const fn can_attend() -> bool {
    true
}

/// Starts a program in the process group of this process, passes its number to `started`, and waits until it ends. Keys such as
/// Ctrl-C and Ctrl-Z reach both; this process goes on waiting after a Ctrl-C, and stops and continues with the program. Returns
/// the exit code, or 128 and the number of the signal that ended it.
///
/// A signal to end that reaches only this process is passed on.
pub fn attend(command: &mut Command, started: impl FnOnce(u32)) -> io::Result<u8> {
    // A handler is not inherited, and so the program begins with the default ones. An ignored signal stays ignored.
    let mut received = Received::new([SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal)))?;
    let handle = received.handle();
    let mut child = command.spawn()?;
    started(child.id());
    let pid = Pid::from_child(&child);
    let passing = thread::spawn(move || {
        for signal in received.forever() {
            // The terminal sends the signal of a key to the program, too.
            if (signal == SIGTERM || !has_terminal())
                && let Some(signal) = Signal::from_named_raw(signal)
            {
                let _ = kill_process(pid, signal);
            }
        }
    });
    // While it is not waited for, its number belongs to no other process.
    while matches!(waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT), Err(Errno::INTR)) {}
    handle.close();
    let _ = passing.join();
    let status = child.wait()?;
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX))
}

/// Returns whether this process was started with a signal ignored, as `nohup` and shells without job control do. Only Linux
/// tells.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Returns whether the keys of the terminal go to the process group of this process.
fn has_terminal() -> bool {
    File::open("/dev/tty").is_ok_and(|terminal| tcgetpgrp(&terminal) == Ok(getpgrp()))
}

/// Returns whether a process with this number runs.
pub fn runs(process: u32) -> bool {
    let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
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
