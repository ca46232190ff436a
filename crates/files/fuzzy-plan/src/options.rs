//! The options of a plan: the pipeline that decides, and its limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fuzzy_core::{Attempt, Document, Edit, Pipeline, Similarity};

/// The limits of one edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the largest file to read and of the largest text to make, in bytes.
    pub max_bytes: u64,
    /// Time limit of a search. A request of several operations may take [`SEARCHES`](Self::SEARCHES) times as long;
    /// operations that would begin later fail.
    pub timeout: Duration,
}

impl Limits {
    /// 32 MiB: more than any source file has, and small enough to hold a few times in memory.
    pub const MAX_BYTES: u64 = 32 << 20;
    /// Two seconds, in milliseconds.
    pub const TIMEOUT_MS: u64 = 2_000;
    /// The time limit of a whole request, in searches: a minute by default.
    pub const SEARCHES: u32 = 30;

    /// Returns the deadline of a search that starts now.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        now()?.checked_add(self.timeout)
    }

    /// Returns the time after which a request that starts now starts no more operations.
    pub(crate) fn last_start(&self) -> Option<Instant> {
        now()?.checked_add(self.timeout.checked_mul(Self::SEARCHES)?)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: Self::MAX_BYTES, timeout: Duration::from_millis(Self::TIMEOUT_MS) }
    }
}

/// The pipeline that decides edits, and its limits.
///
/// # Examples
///
/// ```
/// use fuzzy_pipeline::{Pipeline, ladder};
/// use fuzzy_plan::{Limits, Options};
///
/// let pipeline = Pipeline::new(ladder::adaptive());
/// let options = Options::new(&pipeline, Limits { max_bytes: 1 << 20, ..Limits::default() });
/// assert!(options.cancelled.is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Options<'p> {
    /// The pipeline that decides.
    pub pipeline: &'p Pipeline,
    /// The limits.
    pub limits: Limits,
    /// The least confidence; an edit with less is rejected.
    pub least_confidence: Similarity,
    /// A flag that ends every search soon after it is set.
    pub cancelled: Option<&'p AtomicBool>,
}

impl<'p> Options<'p> {
    /// Makes options without a least confidence of their own.
    #[must_use]
    pub const fn new(pipeline: &'p Pipeline, limits: Limits) -> Self {
        Self { pipeline, limits, least_confidence: Similarity::ZERO, cancelled: None }
    }

    /// Attempts an edit of a text in memory, with line endings fitted to it; the time limit starts now.
    #[must_use]
    pub fn attempt<'a>(&self, edit: Edit<'a>, document: &'a Document<'a>) -> Attempt<'a>
    where
        'p: 'a,
    {
        let attempt = edit.attempt(self.pipeline, document);
        let attempt = attempt.with_least_confidence(self.least_confidence).cancelled_by(self.cancelled);
        attempt.with_deadline(self.limits.deadline())
    }

    /// Returns a function that tests whether a search that starts now is out of time or cancelled.
    pub(crate) fn clock(&self) -> impl Fn() -> bool + 'p {
        let (deadline, cancelled) = (self.limits.deadline(), self.cancelled);
        move || {
            cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed))
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        }
    }

    /// Returns whether the ladder adapts the new text to the file.
    pub(crate) fn is_loose(&self) -> bool {
        let ladder = self.pipeline.ladder();
        ladder.decider().fits_line_endings() || ladder.merge().is_some()
    }
}

/// Returns the time; the standard library has no clock in browsers.
pub(crate) fn now() -> Option<Instant> {
    (!cfg!(all(target_family = "wasm", target_os = "unknown"))).then(Instant::now)
}
