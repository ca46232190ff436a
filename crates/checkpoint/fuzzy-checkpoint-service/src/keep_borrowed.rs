//! Copies borrowed objects in the background.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use fuzzy_checkpoint::Worktree;

/// The largest total size of the objects that the checkpoints of a repository copy, in bytes.
pub const MAX_BORROWED: u64 = 1 << 30;

/// The number of attempts while new captures borrow further objects.
const ATTEMPTS: usize = 3;

/// Threads that copy what new checkpoints borrow, at most one for each worktree.
#[derive(Default)]
pub(crate) struct Copiers(Arc<Mutex<HashSet<String>>>);

impl Copiers {
    /// Starts to copy the objects that the checkpoints of a worktree borrow. Captures need not wait for it.
    pub(crate) fn start(&self, worktree: Worktree) {
        let lock = |copiers: &Mutex<HashSet<String>>, id: &str, is_start: bool| {
            let mut running = copiers.lock().unwrap_or_else(PoisonError::into_inner);
            if is_start { running.insert(id.to_owned()) } else { running.remove(id) }
        };
        let id = worktree.id().to_owned();
        if !worktree.is_borrowing() || !lock(&self.0, &id, true) {
            return;
        }
        let running = Arc::clone(&self.0);
        let copier = thread::Builder::new().name("copy borrowed".to_owned()).spawn(move || {
            // The next checkpoint tries again if this one fails; reports list what is still borrowed.
            let _ = (0..ATTEMPTS).any(|_| worktree.keep_all(MAX_BORROWED).unwrap_or(true));
            lock(&running, worktree.id(), false);
        });
        if copier.is_err() {
            lock(&self.0, &id, false);
        }
    }
}
