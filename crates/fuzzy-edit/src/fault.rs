//! Places where tests let a write fail or the process die.
//!
//! Each step of a write that changes the disk passes [`point`]. Without the feature `failpoints` that is nothing.

/// Passes one step of a write.
///
/// # Errors
///
/// Whatever a test asked for; without the feature, none.
#[cfg(not(feature = "failpoints"))]
#[inline]
#[expect(clippy::unnecessary_wraps, reason = "with the feature it fails when a test asks for it")]
pub(crate) const fn point() -> std::io::Result<()> {
    Ok(())
}

/// Says whether exchanging two files is to be taken for something that the file system cannot do.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub(crate) const fn exchange_is_unsupported() -> bool {
    false
}

#[cfg(feature = "failpoints")]
pub(crate) use injected::{exchange_is_unsupported, point};

#[cfg(feature = "failpoints")]
pub use injected::{Fault, Held, hold, inject, passed};

#[cfg(feature = "failpoints")]
mod injected {
    use std::cell::Cell;
    use std::io;
    use std::path::Path;

    use crate::lock::Locks;
    use crate::{FileError, State};

    /// What happens at a step.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Fault {
        /// Nothing; steps are counted.
        None,
        /// This step, counted from 0, fails, and no other.
        FailAt(usize),
        /// The process is killed at this step, counted from 0, and cleans nothing up.
        KillAt(usize),
    }

    thread_local! {
        static FAULT: Cell<Fault> = const { Cell::new(Fault::None) };
        static PASSED: Cell<usize> = const { Cell::new(0) };
        static EXCHANGE: Cell<bool> = const { Cell::new(true) };
    }

    /// Says what happens to the writes of this thread from now on, and whether the file system can exchange files.
    pub fn inject(fault: Fault, can_exchange: bool) {
        FAULT.set(fault);
        PASSED.set(0);
        EXCHANGE.set(can_exchange);
    }

    /// Returns how many steps this thread passed since the last [`inject`].
    #[must_use]
    pub fn passed() -> usize {
        PASSED.get()
    }

    /// The lock of a file, held as by another process until this is dropped.
    #[derive(Debug)]
    pub struct Held {
        _locks: Locks,
    }

    /// Takes the lock of the file at `target`, an absolute path without links, and does not wait for it.
    ///
    /// # Errors
    ///
    /// [`FileError::Busy`] if someone has it, or why there are no locks.
    pub fn hold(state: &State, target: &Path) -> Result<Held, FileError> {
        let mut locks = Locks::default();
        let now = Some(std::time::Instant::now());
        locks.take(state, [target], now, || Ok(())).map_err(|(_, error)| error)?;
        Ok(Held { _locks: locks })
    }

    pub(crate) fn point() -> io::Result<()> {
        let step = PASSED.replace(PASSED.get() + 1);
        match FAULT.get() {
            Fault::FailAt(at) if at == step => Err(io::Error::other("injected")),
            Fault::KillAt(at) if at == step => {
                let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
                // The signal may take a moment to arrive.
                loop {
                    std::thread::park();
                }
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn exchange_is_unsupported() -> bool {
        !EXCHANGE.get()
    }
}
