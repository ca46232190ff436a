//! A queue of calls: calls on the same files run in order of arrival, others at once.

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The files that a call touches; `None` if it may touch any.
pub(crate) type Files = Option<BTreeSet<PathBuf>>;

/// The unfinished calls of one session, in order of arrival.
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

/// The place of one call in the queue, which ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Turns>,
    number: u64,
}

impl Turns {
    /// Adds a call to the end of the queue.
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

    /// Returns whether no earlier call touches a file of this one.
    fn may_run(&self, number: u64) -> bool {
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
    /// Waits until no earlier call touches a file of this one.
    pub(crate) async fn wait(&self) {
        loop {
            let ended = self.turns.ended.notified();
            tokio::pin!(ended);
            ended.as_mut().enable();
            if self.turns.may_run(self.number) {
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
