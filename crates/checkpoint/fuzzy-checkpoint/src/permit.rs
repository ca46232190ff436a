//! Lets an operation that waits for a worktree release its permit in the meantime.

use std::cell::RefCell;

/// A permit among a limited number.
pub trait Permit {
    /// Releases the permit.
    fn release(&self);
    /// Waits for a permit and acquires it again.
    fn acquire(&self);
}

thread_local! {
    static PERMIT: RefCell<Option<Box<dyn Permit>>> = const { RefCell::new(None) };
}

/// Runs `work` with a permit, which is released while this thread waits for a worktree that another operation has
/// locked.
pub fn with_permit<T>(permit: Box<dyn Permit>, work: impl FnOnce() -> T) -> T {
    /// Removes the permit when the work ends or panics.
    struct Until;
    impl Drop for Until {
        fn drop(&mut self) {
            PERMIT.take();
        }
    }
    PERMIT.set(Some(permit));
    let _until = Until;
    work()
}

/// Runs `wait` with the permit released.
pub(crate) fn without_permit<T>(wait: impl FnOnce() -> T) -> T {
    PERMIT.with_borrow(|permit| permit.iter().for_each(|permit| permit.release()));
    let done = wait();
    PERMIT.with_borrow(|permit| permit.iter().for_each(|permit| permit.acquire()));
    done
}
