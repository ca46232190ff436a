//! What a capture is asked for, and what a look at the disk finds.

use std::collections::BTreeSet;

use crate::snapshot::Snapshot;
use crate::{Oid, Reason, RepoPath, Uncovered};

/// What is special about a capture.
#[derive(Debug, Clone, Default)]
pub struct CaptureOptions {
    /// A tree whose paths are captured whatever their size: a restore to it must be able to give back every file it
    /// overwrites.
    pub exempt: Option<Oid>,
    /// Whether to try however little space is left: what has begun must be able to end.
    pub pressed: bool,
}

impl CaptureOptions {
    /// Says what a capture is for that a restore to `target` takes first.
    #[must_use]
    pub fn before(target: &Snapshot) -> Self {
        Self { exempt: Some(target.tree.clone()), pressed: false }
    }
}

/// Collects what a look at every candidate says.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) added: Vec<RepoPath>,
    /// Those of `added` that neither we nor the user knew.
    pub(crate) fresh: Vec<RepoPath>,
    pub(crate) removed: Vec<RepoPath>,
    pub(crate) ignored: Vec<RepoPath>,
    pub(crate) uncovered: BTreeSet<Uncovered>,
    pub(crate) absent: Vec<RepoPath>,
}

impl Found {
    pub(crate) fn leave(&mut self, path: RepoPath, reason: Reason) {
        self.uncovered.insert(Uncovered { path, reason });
    }
}
