//! Whose turn it is: calls on the same files are carried out in the order in which they came, others at once.

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The files that a call is about; none if it may be about any.
pub(crate) type Files = Option<BTreeSet<PathBuf>>;

/// The calls of one session that have not ended, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    waiting: Mutex<Waiting>,
    ended: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    calls: VecDeque<(u64, Files)>,
}

/// The turn of one call, which ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Turns>,
    number: u64,
}

impl Turns {
    /// Puts a call behind those that came before.
    pub(crate) fn enter(self: Arc<Self>, files: Files) -> Turn {
        let mut waiting = self.waiting();
        let number = waiting.next;
        waiting.next += 1;
        waiting.calls.push_back((number, files));
        drop(waiting);
        Turn { turns: self, number }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether no earlier call is about a file of this one.
    fn is_up(&self, number: u64) -> bool {
        let waiting = self.waiting();
        let Some((_, own)) = waiting.calls.iter().find(|(other, _)| *other == number) else { return true };
        let mut earlier = waiting.calls.iter().take_while(|(other, _)| *other < number);
        earlier.all(|(_, files)| match (files, own) {
            (Some(files), Some(own)) => files.is_disjoint(own),
            _ => false,
        })
    }
}

impl Turn {
    /// Waits until no earlier call is about a file of this one.
    pub(crate) async fn come(&self) {
        loop {
            let ended = self.turns.ended.notified();
            tokio::pin!(ended);
            ended.as_mut().enable();
            if self.turns.is_up(self.number) {
                return;
            }
            ended.await;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.waiting().calls.retain(|(number, _)| *number != self.number);
        self.turns.ended.notify_waiters();
    }
}
