//! What one edit may cost.

use std::time::{Duration, Instant};

use crate::clock;

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
        clock::now()?.checked_add(self.timeout)
    }

    /// Returns when a request that begins now has to begin no more operations.
    pub(crate) fn last_start(&self) -> Option<Instant> {
        clock::now()?.checked_add(self.timeout.checked_mul(Self::SEARCHES)?)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: Self::MAX_BYTES, timeout: Duration::from_millis(Self::TIMEOUT_MS) }
    }
}
