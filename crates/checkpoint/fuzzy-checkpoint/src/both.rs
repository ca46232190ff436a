//! Two pieces of work at once.

use std::thread::{self, Builder};

/// Runs `first` on another thread while `second` runs on this one; after it on this one if no thread can be started.
/// Returns an error for `first` if it panicked.
pub(crate) fn both<A: Send, B>(first: impl Fn() -> A + Sync, second: impl FnOnce() -> B) -> (thread::Result<A>, B) {
    thread::scope(|scope| {
        let started = Builder::new().spawn_scoped(scope, &first);
        let second = second();
        (started.map_or_else(|_| Ok(first()), thread::ScopedJoinHandle::join), second)
    })
}
