//! Fault injection: points where tests make a write fail or kill the process.
//!
//! Each step of a write that changes the disk calls [`point`]. Without the feature `failpoints` it does nothing.

/// Marks one step of a write.
///
/// # Errors
///
/// Returns the error that a test injected; without the feature, never fails.
#[cfg(not(feature = "failpoints"))]
#[inline]
#[expect(clippy::unnecessary_wraps, reason = "with the feature it fails when a test asks for it")]
pub(crate) const fn point() -> std::io::Result<()> {
    Ok(())
}

/// Returns whether a test simulates a file system that cannot exchange files.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub(crate) const fn exchange_is_unsupported() -> bool {
    false
}

/// Returns whether a test simulates a file system without modes.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub(crate) const fn modes_are_unsupported() -> bool {
    false
}

/// Returns whether this thread must not change anything any more.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub(crate) const fn is_stopped() -> bool {
    false
}

#[cfg(feature = "failpoints")]
pub(crate) use injected::{exchange_is_unsupported, is_stopped, modes_are_unsupported, point};

#[cfg(feature = "failpoints")]
pub use injected::{Fault, Held, hold, inject, keep_modes, meanwhile, passed};

#[cfg(feature = "failpoints")]
mod injected {
    use std::cell::{Cell, RefCell};
    use std::io;
    use std::path::Path;

    use crate::lock::Locks;
    use crate::{Error, State, sys};

    /// The fault to inject.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Fault {
        /// None; steps are only counted.
        None,
        /// This step, counted from 0, fails; no other does.
        FailAt(usize),
        /// This step, counted from 0, fails because the disk is full; no other does.
        FullAt(usize),
        /// This step, counted from 0, and all later ones fail, so that nothing changes any more.
        StopAt(usize),
        /// The process is killed at this step, counted from 0, without any cleanup.
        KillAt(usize),
    }

    /// An action of a test before each step.
    type Meanwhile = Box<dyn FnMut(usize)>;

    thread_local! {
        static FAULT: Cell<Fault> = const { Cell::new(Fault::None) };
        static PASSED: Cell<usize> = const { Cell::new(0) };
        static MEANWHILE: RefCell<Option<Meanwhile>> = const { RefCell::new(None) };
        static EXCHANGE: Cell<bool> = const { Cell::new(true) };
        static MODES: Cell<bool> = const { Cell::new(true) };
    }

    /// Injects a fault into the writes of this thread, and sets whether the file system can exchange files.
    pub fn inject(fault: Fault, can_exchange: bool) {
        FAULT.set(fault);
        PASSED.set(0);
        EXCHANGE.set(can_exchange);
    }

    /// Sets whether the file system keeps modes, for the writes of this thread.
    pub fn keep_modes(can: bool) {
        MODES.set(can);
    }

    /// Calls `what` before each step of this thread, with the number of earlier steps.
    pub fn meanwhile(what: Option<Meanwhile>) {
        MEANWHILE.set(what);
    }

    /// Returns the number of steps of this thread since the last [`inject`].
    #[must_use]
    pub fn passed() -> usize {
        PASSED.get()
    }

    /// The lock of a file, held like another process would, until this is dropped.
    #[derive(Debug)]
    pub struct Held {
        _locks: Locks,
    }

    /// Takes the lock of the file at `target`, an absolute path without links, without waiting.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Busy`] if the lock is held, or an error of the state directory.
    pub fn hold(state: &State, target: &Path) -> Result<Held, Error> {
        let mut locks = Locks::default();
        let now = Some(std::time::Instant::now());
        locks.take(state, [target], now, || Ok::<(), Error>(())).map_err(|(_, error)| error)?;
        Ok(Held { _locks: locks })
    }

    pub(crate) fn point() -> io::Result<()> {
        let step = PASSED.replace(PASSED.get() + 1);
        MEANWHILE.with_borrow_mut(|meanwhile| {
            if let Some(meanwhile) = meanwhile {
                meanwhile(step);
            }
        });
        match FAULT.get() {
            Fault::StopAt(at) if at <= step => Err(io::Error::other("stopped")),
            Fault::FullAt(at) if at == step => Err(io::ErrorKind::StorageFull.into()),
            Fault::FailAt(at) if at == step => Err(io::Error::other("injected")),
            Fault::KillAt(at) if at == step => sys::end_at_once(),
            _ => Ok(()),
        }
    }

    pub(crate) fn is_stopped() -> bool {
        matches!(FAULT.get(), Fault::StopAt(at) if at < PASSED.get())
    }

    pub(crate) fn exchange_is_unsupported() -> bool {
        !EXCHANGE.get()
    }

    pub(crate) fn modes_are_unsupported() -> bool {
        !MODES.get()
    }
}
