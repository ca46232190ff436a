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

/// Returns whether exchanging two files is to be taken for something that the file system cannot do.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub(crate) const fn exchange_is_unsupported() -> bool {
    false
}

/// Returns whether the file system is to be taken for one that keeps no modes.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub(crate) const fn modes_are_unsupported() -> bool {
    false
}

/// Returns whether this thread is to change nothing any more.
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

    /// What happens at a step.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Fault {
        /// Nothing; steps are counted.
        None,
        /// This step, counted from 0, fails, and no other.
        FailAt(usize),
        /// This step, counted from 0, fails because the disk is full, and no other.
        FullAt(usize),
        /// This step, counted from 0, and all that follow fail, so that nothing is changed any more.
        StopAt(usize),
        /// The process is killed at this step, counted from 0, and cleans nothing up.
        KillAt(usize),
    }

    /// What a test does before a step.
    type Meanwhile = Box<dyn FnMut(usize)>;

    thread_local! {
        static FAULT: Cell<Fault> = const { Cell::new(Fault::None) };
        static PASSED: Cell<usize> = const { Cell::new(0) };
        static MEANWHILE: RefCell<Option<Meanwhile>> = const { RefCell::new(None) };
        static EXCHANGE: Cell<bool> = const { Cell::new(true) };
        static MODES: Cell<bool> = const { Cell::new(true) };
    }

    /// Says what happens to the writes of this thread from now on, and whether the file system can exchange files.
    pub fn inject(fault: Fault, can_exchange: bool) {
        FAULT.set(fault);
        PASSED.set(0);
        EXCHANGE.set(can_exchange);
    }

    /// Says whether the file system keeps modes, for the writes of this thread from now on.
    pub fn keep_modes(can: bool) {
        MODES.set(can);
    }

    /// Calls `what` before each step of this thread, with the number of steps before it.
    pub fn meanwhile(what: Option<Meanwhile>) {
        MEANWHILE.set(what);
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
    /// [`Error::Busy`] if someone has it, or why there are no locks.
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
