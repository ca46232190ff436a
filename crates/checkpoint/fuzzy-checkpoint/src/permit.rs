//! Lets who waits for a worktree give up meanwhile what others could use.

use std::cell::RefCell;

/// A place among those that may work at once.
pub trait Place {
    /// Gives it to somebody else.
    fn leave(&self);
    /// Takes it again, as soon as there is one.
    fn take(&self);
}

thread_local! {
    static PLACE: RefCell<Option<Box<dyn Place>>> = const { RefCell::new(None) };
}

/// Does `work` in a place that is given up while it waits for a worktree that another operation has, on this thread.
pub fn in_place<T>(place: Box<dyn Place>, work: impl FnOnce() -> T) -> T {
    /// Ends with the work, however that ends.
    struct Until;
    impl Drop for Until {
        fn drop(&mut self) {
            PLACE.take();
        }
    }
    PLACE.set(Some(place));
    let _until = Until;
    work()
}

/// Waits out of place.
pub(crate) fn out_of_place<T>(wait: impl FnOnce() -> T) -> T {
    PLACE.with_borrow(|place| place.iter().for_each(|place| place.leave()));
    let done = wait();
    PLACE.with_borrow(|place| place.iter().for_each(|place| place.take()));
    done
}
