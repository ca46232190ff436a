//! Functions for this process and its child processes.

use std::io::{self, ErrorKind};
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW};

use super::call;

/// A child process that can be ended with all of its own children, and that Ctrl-C does not reach.
///
/// It also ends with this process, unless this value was dropped before; so does a lock that it inherited.
#[derive(Debug)]
pub struct Started {
    /// The process itself.
    pub child: Child,
    /// `None` if the system accepts no further job for it.
    job: Option<OwnedHandle>,
}

impl Started {
    /// Starts a program.
    pub fn new(command: &mut Command) -> io::Result<Self> {
        // It gets a console of its own without a window.
        let child = command.creation_flags(CREATE_NO_WINDOW).spawn()?;
        let job = call::job(&child).ok();
        Ok(Self { child, job })
    }

    /// Ends the process at once, with all of its children.
    pub fn kill(&mut self) {
        let ended = self.job.as_ref().map_or(Err(ErrorKind::NotFound.into()), call::end_job);
        if ended.is_err() {
            let _ = self.child.kill();
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Some(job) = &self.job {
            let _ = call::let_go(job);
        }
    }
}

/// Starts a program that outlives this process and its console.
pub fn start_detached(command: &mut Command) -> io::Result<Child> {
    command.creation_flags(CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP).spawn()
}

/// Does nothing: [`start_detached`] already did it.
pub const fn leave_session() {}

/// Returns whether this system has [`attend`].
pub const fn can_attend() -> bool {
    false
}

/// Fails: a console has no process groups that end and stop as those of a terminal.
pub fn attend(_: &mut Command, _: impl FnOnce(u32)) -> io::Result<u8> {
    Err(ErrorKind::Unsupported.into())
}

/// Returns false: no process waits for another one by its number.
pub const fn runs(_: u32) -> bool {
    false
}

/// The pause between two checks of a pipe: no call waits for one with a deadline.
const PAUSE: Duration = Duration::from_millis(1);

/// Waits until a pipe has data or is closed; returns false at the deadline.
pub fn wait_to_read(pipe: &impl AsRawHandle, deadline: Instant) -> io::Result<bool> {
    loop {
        match call::waiting(pipe) {
            Ok(0) if Instant::now() >= deadline => return Ok(false),
            Ok(0) => thread::sleep(PAUSE),
            Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error),
            _ => return Ok(true),
        }
    }
}

/// Does nothing: the number of open files is only limited by memory.
pub const fn allow_many_files() {}

/// Ends this process without any cleanup, like a loss of power.
pub fn end_at_once() -> ! {
    call::end();
    loop {
        thread::park();
    }
}

/// The events that ask a process to end: Ctrl-C, Ctrl-Break, and the end of its console.
#[cfg(feature = "signals")]
#[derive(Debug)]
pub struct Signals {
    interrupt: tokio::signal::windows::CtrlC,
    stop: tokio::signal::windows::CtrlBreak,
    close: tokio::signal::windows::CtrlClose,
}

#[cfg(feature = "signals")]
impl Signals {
    /// Starts receiving the events, which then no longer end the process.
    pub fn new() -> io::Result<Self> {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
        Ok(Self { interrupt: ctrl_c()?, stop: ctrl_break()?, close: ctrl_close()? })
    }

    /// Waits for the next event.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.stop.recv() => {}
            _ = self.close.recv() => {}
        }
    }
}
