//! The one word that names a failure, on every surface.

use fuzzy_core::{Failure as Search, Refusal};

use crate::words::words;

/// Defines the codes: each with its word, its exit code and the status of an HTTP answer, so that none is without them.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $word:literal, $exit_code:literal, $http_status:literal;)*) => {
        words! {
            /// The one word that names a failure, whatever failed and on whichever surface it is told.
            #[non_exhaustive]
            Code { $($(#[$doc])* $code = $word,)* }
        }

        impl Code {
            /// Returns the exit code of a command that ended so: 0 if there was nothing to do, 1 if it was refused, 2 if
            /// it could not be tried.
            #[must_use]
            pub const fn exit_code(self) -> u8 {
                match self { $(Self::$code => $exit_code),* }
            }

            /// Returns the status of an HTTP answer that says so.
            #[must_use]
            pub const fn http_status(self) -> u16 {
                match self { $(Self::$code => $http_status),* }
            }
        }
    };
}

codes! {
    /// The new text is already in place; not a failure of the edit, but nothing was done.
    AlreadyApplied = "already_applied", 0, 200;
    /// No strategy found the needle; of a server: there is nothing of that name.
    NotFound = "not_found", 1, 404;
    /// The needle occurs in several places.
    Ambiguous = "ambiguous", 1, 422;
    /// The place that was found must not be edited, or the restore was refused before.
    Refused = "refused", 1, 409;
    /// The file and the new text both differ from the needle at the same words: which of them is meant, only the caller
    /// knows.
    Conflict = "conflict", 1, 409;
    /// Needle and replacement are the same.
    Identical = "identical", 1, 422;
    /// The needle is empty.
    EmptyNeedle = "empty_needle", 1, 422;
    /// The edit touches what an earlier one of the same request wrote.
    Overlap = "overlap", 1, 422;
    /// The file changed since it was read.
    Stale = "stale", 1, 409;
    /// The needle occurs in more or fewer places than the caller expected.
    CountMismatch = "count_mismatch", 1, 422;
    /// The needle occurs in another file that the request named or the session edited.
    FoundInOtherFile = "found_in_other_file", 1, 422;
    /// The same edit failed before.
    RepeatedFailure = "repeated_failure", 1, 422;
    /// The new text has a line that only holds the place of old lines, which would be lost.
    Placeholder = "placeholder", 1, 422;
    /// The request cannot be understood.
    BadInput = "bad_input", 2, 400;
    /// The patch cannot be read.
    Parse = "parse", 2, 400;
    /// The path leads out of the directories that may be edited, or into one that must not be.
    OutsideRoot = "outside_root", 2, 403;
    /// The path names something that is not a regular file.
    NotAFile = "not_a_file", 2, 422;
    /// There is no such file.
    Missing = "missing", 2, 422;
    /// The file that was to be created exists.
    Exists = "exists", 2, 409;
    /// The file must not be read or written.
    Permission = "permission", 2, 403;
    /// The file is not text.
    Binary = "binary", 2, 422;
    /// The file or the new text does not fit the encoding.
    Encoding = "encoding", 2, 422;
    /// The file, the new text or the worktree is larger than the limit.
    TooLarge = "too_large", 2, 422;
    /// The search, or a call of git, took longer than the limit.
    Timeout = "timeout", 2, 504;
    /// Another process holds the file and did not let go of it in time; of a server: too much is going on.
    Busy = "busy", 2, 503;
    /// The system reported another error.
    Io = "io", 2, 500;
    /// The directory is in no git worktree, or in one that cannot be captured.
    NotAWorktree = "not_a_worktree", 1, 422;
    /// The repository is owned by somebody else, and git does not trust it.
    DubiousOwnership = "dubious_ownership", 1, 422;
    /// The directory is never captured as a whole.
    ProtectedDir = "protected_dir", 1, 422;
    /// Another capture or restore held the worktree past the deadline.
    Locked = "locked", 1, 409;
    /// Paths that are in no checkpoint would be overwritten.
    Obstructed = "obstructed", 1, 409;
    /// Files changed while they were restored.
    ChangedDuring = "changed_during", 1, 409;
    /// Files changed after the plan was made that was agreed to.
    PlanChanged = "plan_changed", 1, 409;
    /// The branch cannot be moved back.
    HeadMismatch = "head_mismatch", 1, 409;
    /// There is too little free space.
    DiskFull = "disk_full", 2, 507;
    /// The checkpoint's objects are gone.
    Lost = "lost", 1, 410;
    /// A call of git failed.
    Git = "git", 2, 500;
    /// The database of checkpoints failed.
    Store = "store", 2, 500;
    /// A turn of the session is running.
    AgentRunning = "agent_running", 1, 409;
    /// The turn was ended, or a restore went back before it.
    TurnOver = "turn_over", 1, 409;
    /// A restore of the worktree is not finished.
    RestoreInProgress = "restore_in_progress", 1, 409;
    /// The session has no such checkpoint.
    NotInSession = "not_in_session", 1, 404;
    /// An earlier restore hid the checkpoint.
    Retired = "retired", 1, 409;
    /// The key of the request names another request.
    KeyReused = "key_reused", 1, 422;
    /// Captures failed several times in a row and are not tried for a while.
    BackedOff = "backed_off", 1, 503;
    /// The request is readable and makes no sense.
    Invalid = "invalid", 2, 400;
    /// The commands that stop and reset the agent failed.
    Backend = "backend", 2, 502;
    /// The person who was asked did not agree.
    Declined = "declined", 1, 409;
    /// The token of the server is needed.
    Unauthorized = "unauthorized", 1, 401;
    /// The request is for another host.
    ForeignHost = "foreign_host", 1, 403;
    /// The request comes from the page of another server.
    ForeignOrigin = "foreign_origin", 1, 403;
    /// The form of the page is older than the server.
    StaleForm = "stale_form", 1, 403;
    /// The route has no such method.
    WrongMethod = "wrong_method", 2, 405;
    /// The body did not arrive in time.
    SlowBody = "slow_body", 2, 408;
    /// The body is larger than the limit.
    BodyTooLarge = "body_too_large", 2, 413;
    /// The body is not declared as JSON.
    WrongType = "wrong_type", 2, 415;
    /// The server itself failed.
    Internal = "internal", 2, 500;
}

#[cfg(feature = "schemars")]
impl Code {
    /// Leaves the descriptions of the codes out of the definitions of a schema, which are most of it where there are
    /// several schemas; `where_described` names the place where they are.
    pub fn list_in(definitions: &mut serde_json::Map<String, serde_json::Value>, where_described: &str) {
        if let Some(code) = definitions.get_mut("Code") {
            *code = serde_json::json!({
                "description": format!("The one word that names a failure. {where_described} says what each means."),
                "type": "string",
                "enum": Self::ALL,
            });
        }
    }
}

impl From<&Search> for Code {
    fn from(failure: &Search) -> Self {
        match failure {
            Search::Identical => Self::Identical,
            Search::EmptyOld => Self::EmptyNeedle,
            Search::NotFound => Self::NotFound,
            Search::Ambiguous { .. } => Self::Ambiguous,
            Search::AlreadyApplied { .. } => Self::AlreadyApplied,
            Search::Deadline => Self::Timeout,
            Search::Refused(Refusal::Conflict { .. }) => Self::Conflict,
            // Refusals, and whatever else the engine may come to refuse.
            _ => Self::Refused,
        }
    }
}
