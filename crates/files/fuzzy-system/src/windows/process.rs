//! Functions for this process and for those that it starts.

use std::io::{self, ErrorKind};
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW};

use super::call;

/// A process that was started so that it can be ended with all that it started itself, and that Ctrl-C does not reach.
///
/// It also ends when our own process does, unless this was dropped before: a lock that it was given ends with us.
#[derive(Debug)]
pub struct Started {
    /// The process itself.
    pub child: Child,
    /// None where the system takes it into no further job.
    job: Option<OwnedHandle>,
}

impl Started {
    /// Starts a program.
    pub fn new(command: &mut Command) -> io::Result<Self> {
        // It gets a console of its own that has no window.
        let child = command.creation_flags(CREATE_NO_WINDOW).spawn()?;
        let job = call::job(&child).ok();
        Ok(Self { child, job })
    }

    /// Ends the process at once, with all that it started.
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

/// Starts a program that outlives this process and the console of this process.
pub fn start_detached(command: &mut Command) -> io::Result<Child> {
    command.creation_flags(CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP).spawn()
}

/// Does nothing: [`start_detached`] has done it.
pub const fn leave_session() {}

/// Between two looks at a pipe: no call waits for one until a deadline.
const PAUSE: Duration = Duration::from_millis(1);

/// Waits until a pipe has something to read, or its end; says no if it has neither at the deadline.
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

/// Does nothing: a process may have as many open files as there is memory for.
pub const fn allow_many_files() {}

/// Ends this process, as a loss of power would.
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
    /// Begins to take them in: none of them ends the process any more.
    pub fn new() -> io::Result<Self> {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
        Ok(Self { interrupt: ctrl_c()?, stop: ctrl_break()?, close: ctrl_close()? })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.stop.recv() => {}
            _ = self.close.recv() => {}
        }
    }
}
