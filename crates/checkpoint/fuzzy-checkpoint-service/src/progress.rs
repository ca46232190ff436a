//! The progress of restores that this process works on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::answers::FileProgress;
use fuzzy_checkpoint::Plan;
use fuzzy_checkpoint_store::RestoreId;

/// The restores that this process works on, with their counts.
#[derive(Default)]
pub(crate) struct RunningRestores(Mutex<HashMap<RestoreId, Arc<Counts>>>);

/// The file counts of one restore.
pub(crate) struct Counts {
    written: AtomicU64,
    to_write: u64,
    placed: AtomicU64,
    to_place: u64,
}

impl Counts {
    /// Counts a file whose new content is written beside its path.
    pub(crate) fn written(&self) {
        self.written.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a path that has its final content or is deleted.
    pub(crate) fn placed(&self) {
        self.placed.fetch_add(1, Ordering::Relaxed);
    }
}

impl RunningRestores {
    /// Starts to count the files of a plan, from zero.
    pub(crate) fn begin(&self, id: &RestoreId, plan: &Plan) -> Arc<Counts> {
        let (writes, deletes) = (plan.writes.len() as u64, plan.deletes.len() as u64);
        let counts = Counts {
            written: AtomicU64::new(0),
            to_write: writes,
            placed: AtomicU64::new(0),
            to_place: writes + deletes,
        };
        let counts = Arc::new(counts);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), Arc::clone(&counts));
        counts
    }

    pub(crate) fn end(&self, id: &RestoreId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Returns the progress of a restore's files, if this process works on them.
    pub(crate) fn progress(&self, id: &RestoreId) -> Option<FileProgress> {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.get(id).map(|counts| FileProgress {
            written: counts.written.load(Ordering::Relaxed),
            to_write: counts.to_write,
            placed: counts.placed.load(Ordering::Relaxed),
            to_place: counts.to_place,
        })
    }
}
