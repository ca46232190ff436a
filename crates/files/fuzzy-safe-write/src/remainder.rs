//! Facts to report about a batch that was written.

use std::io;
use std::path::PathBuf;

/// A fact about a written batch that its user should know. It is no failure: every file has its new content.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Remainder {
    /// Another process has the replaced or removed file open for writing.
    #[error("another program has the old file open for writing; what it writes from now on is lost")]
    Open {
        /// The index of the step.
        index: usize,
    },
    /// The replaced or removed file is still beside its path.
    #[error("the old file could not be removed, and is `{}`: {source}", path.display())]
    NotRemoved {
        /// The index of the step.
        index: usize,
        /// The path of the old file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The journal of the batch could not be kept.
    #[error("this batch cannot be undone: its journal could not be kept")]
    NoUndo,
}

impl Remainder {
    /// Returns whether this is about the step with an index, or about all of them.
    #[must_use]
    pub const fn concerns(&self, step: usize) -> bool {
        match self {
            Self::Open { index } | Self::NotRemoved { index, .. } => *index == step,
            Self::NoUndo => true,
        }
    }
}
