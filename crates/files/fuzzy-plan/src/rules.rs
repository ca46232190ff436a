//! How edits are decided, and what that may cost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fuzzy_pipeline::{Attempt, Document, Edit, Pipeline, Similarity};

/// What one edit may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that is read and largest text that is made, in bytes.
    pub max_bytes: u64,
    /// Longest search. A request of several operations may take [`SEARCHES`](Self::SEARCHES) times as long; of those
    /// that it has no time for, none is begun.
    pub timeout: Duration,
}

impl Limits {
    /// 32 MiB: larger than source code gets, small enough to hold a few times in memory.
    pub const MAX_BYTES: u64 = 32 << 20;
    /// Two seconds, in milliseconds.
    pub const TIMEOUT_MS: u64 = 2_000;
    /// How many times as long as one search all operations of a request may take: a minute unless told.
    pub const SEARCHES: u32 = 30;

    /// Returns when a search that begins now has to end.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        now()?.checked_add(self.timeout)
    }

    /// Returns when a request that begins now has to begin no more operations.
    pub(crate) fn last_start(&self) -> Option<Instant> {
        now()?.checked_add(self.timeout.checked_mul(Self::SEARCHES)?)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: Self::MAX_BYTES, timeout: Duration::from_millis(Self::TIMEOUT_MS) }
    }
}

/// How edits are decided, and what that may cost.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'p> {
    /// Who decides them.
    pub pipeline: &'p Pipeline,
    /// What that may cost.
    pub limits: Limits,
    /// An edit whose place is less certain is refused.
    pub least_confidence: Similarity,
    /// Ends every search soon after it is set.
    pub cancelled: Option<&'p AtomicBool>,
}

impl<'p> Rules<'p> {
    /// Makes rules under which the pipeline alone says what is certain enough.
    #[must_use]
    pub const fn new(pipeline: &'p Pipeline, limits: Limits) -> Self {
        Self { pipeline, limits, least_confidence: Similarity::ZERO, cancelled: None }
    }

    /// Prepares the decision about an edit of a text under these limits; the time runs from now on.
    #[must_use]
    pub fn attempt<'a>(&self, edit: Edit<'a>, document: &'a Document<'a>) -> Attempt<'a>
    where
        'p: 'a,
    {
        let attempt = edit.attempt(self.pipeline, document);
        let attempt = attempt.with_least_confidence(self.least_confidence).cancelled_by(self.cancelled);
        attempt.with_deadline(self.limits.deadline())
    }

    /// Returns whether a search that begins now has no time left, or was cancelled, whenever that is asked.
    pub(crate) fn clock(&self) -> impl Fn() -> bool + 'p {
        let (deadline, cancelled) = (self.limits.deadline(), self.cancelled);
        move || {
            cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed))
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        }
    }

    /// Returns whether the ladder fits what it pastes to what occurs in the file.
    pub(crate) fn is_loose(&self) -> bool {
        let ladder = self.pipeline.ladder();
        ladder.decider().fits_line_endings() || ladder.merge().is_some()
    }
}

/// Returns the time; a browser's machine has none that the standard library could ask.
pub(crate) fn now() -> Option<Instant> {
    (!cfg!(all(target_family = "wasm", target_os = "unknown"))).then(Instant::now)
}
