//! The outcome of a request.

use crate::words::words;

words! {
    /// The outcome of a request.
    Status {
        /// The edit was applied; if old and new text are equal, nothing was written.
        Applied = "applied",
        /// The new text is already at the place; nothing was written.
        AlreadyApplied = "already_applied",
        /// The edit would be applied; nothing was written because the request is a dry run.
        DryRun = "dry_run",
        /// The edit would be applied, but another edit of the same request failed; nothing was written.
        NotWritten = "not_written",
        /// The edit failed; nothing was written.
        Failed = "failed",
    }
}
