//! The code of a failure, the same for every interface.

use fuzzy_core::{Failure as Search, RangeRefusal, Refusal};

/// Defines the codes with their word, exit code and HTTP status, so that no code lacks one.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $word:literal, $exit_code:literal, $http_status:literal;)*) => {
        /// The one word that names a failure, the same for every kind of failure and every interface.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* #[serde(rename = $word)] $code),*
        }

        impl Code {
            /// Every code, in the order of definition.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// Returns the word of a code.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$code => $word),* }
            }

            /// Returns the exit code of a command that ended with this code: 0 if there was nothing to do, 1 if the
            /// request was rejected, 2 if the request could not run.
            #[must_use]
            pub const fn exit_code(self) -> u8 {
                match self { $(Self::$code => $exit_code),* }
            }

            /// Returns the HTTP status of a response with this code.
            #[must_use]
            pub const fn http_status(self) -> u16 {
                match self { $(Self::$code => $http_status),* }
            }
        }
    };
}

codes! {
    /// The new text is already in place. The edit did not fail, but wrote nothing.
    AlreadyApplied = "already_applied", 0, 200;
    /// No strategy found the old text; of a server: no object has this id.
    NotFound = "not_found", 1, 404;
    /// The old text occurs in several places.
    Ambiguous = "ambiguous", 1, 422;
    /// The place must not be edited, or an earlier attempt of the same restore was rejected.
    Refused = "refused", 1, 409;
    /// The file and the new text both differ from the old text in the same words; only the caller can choose between
    /// them.
    Conflict = "conflict", 1, 409;
    /// Old and new text are the same.
    Identical = "identical", 1, 422;
    /// The old text is empty.
    EmptyOld = "empty_old", 1, 422;
    /// A hunk only resembles text that an earlier hunk of its patch wrote.
    Overlap = "overlap", 1, 422;
    /// The file changed since it was read.
    Stale = "stale", 1, 409;
    /// The old text has more or fewer places than the caller expected.
    CountMismatch = "count_mismatch", 1, 422;
    /// The old text occurs in another file that the request names or the session edited.
    FoundInOtherFile = "found_in_other_file", 1, 422;
    /// The same edit failed before.
    RepeatedFailure = "repeated_failure", 1, 422;
    /// The new text has a placeholder instead of old lines, which would be lost.
    Placeholder = "placeholder", 1, 422;
    /// The request has the wrong form.
    BadInput = "bad_input", 2, 400;
    /// The patch cannot be read.
    Parse = "parse", 2, 400;
    /// The path leads outside the directories that may be edited, or into a forbidden one.
    OutsideRoot = "outside_root", 2, 403;
    /// The path is not a regular file.
    NotAFile = "not_a_file", 2, 422;
    /// The file does not exist.
    Missing = "missing", 2, 422;
    /// The file to create exists already.
    Exists = "exists", 2, 409;
    /// The permissions of the file forbid to read or write it.
    Permission = "permission", 2, 403;
    /// The file is not text.
    Binary = "binary", 2, 422;
    /// The file or the new text does not fit the encoding.
    Encoding = "encoding", 2, 422;
    /// The file, the new text or the worktree is larger than the limit.
    TooLarge = "too_large", 2, 422;
    /// The search or a git command exceeded its time limit.
    Timeout = "timeout", 2, 504;
    /// Another process holds the file and did not release it in time; of a server: it is overloaded.
    Busy = "busy", 2, 503;
    /// The system reported another error.
    Io = "io", 2, 500;
    /// The directory is in no git worktree, or in a worktree that cannot be captured.
    NotAWorktree = "not_a_worktree", 1, 422;
    /// Another user owns the repository, and git does not trust it.
    DubiousOwnership = "dubious_ownership", 1, 422;
    /// Captures of this directory as a whole are forbidden.
    ProtectedDir = "protected_dir", 1, 422;
    /// Another capture or restore held the worktree until the deadline.
    Locked = "locked", 1, 409;
    /// The restore would overwrite paths that no checkpoint contains.
    Obstructed = "obstructed", 1, 409;
    /// Files changed during the restore.
    ChangedDuring = "changed_during", 1, 409;
    /// Files changed after the user agreed to the plan.
    PlanChanged = "plan_changed", 1, 409;
    /// Files changed after the last action of an interrupted turn, and nobody decided whose changes they are.
    LateChanges = "late_changes", 1, 409;
    /// The branch cannot be moved back.
    HeadMismatch = "head_mismatch", 1, 409;
    /// The disk has too little free space.
    DiskFull = "disk_full", 2, 507;
    /// The objects of the checkpoint are missing.
    Lost = "lost", 1, 410;
    /// The directory with the checkpoints of the worktree does not exist here.
    StoreMissing = "store_missing", 2, 500;
    /// A git command failed.
    Git = "git", 2, 500;
    /// The database of the checkpoints failed.
    Store = "store", 2, 500;
    /// A turn of the session is running.
    AgentRunning = "agent_running", 1, 409;
    /// The turn has ended, or a restore trimmed it.
    TurnOver = "turn_over", 1, 409;
    /// A restore of the worktree is unfinished.
    RestoreInProgress = "restore_in_progress", 1, 409;
    /// The session has no checkpoint with this id.
    NotInSession = "not_in_session", 1, 404;
    /// An earlier restore hid the checkpoint.
    Retired = "retired", 1, 409;
    /// An earlier request used the same key for something else.
    KeyReused = "key_reused", 1, 422;
    /// Captures failed several times in a row and are suspended for a while.
    BackedOff = "backed_off", 1, 503;
    /// The request has the right form but contradicts itself or the state.
    Invalid = "invalid", 2, 400;
    /// The commands that stop and reset the agent failed.
    Backend = "backend", 2, 502;
    /// The user declined.
    Declined = "declined", 1, 409;
    /// The request lacks the token of the server.
    Unauthorized = "unauthorized", 1, 401;
    /// The request addresses another host.
    ForeignHost = "foreign_host", 1, 403;
    /// The request was sent by a page of another server.
    ForeignOrigin = "foreign_origin", 1, 403;
    /// The form of the page is older than the server.
    StaleForm = "stale_form", 1, 403;
    /// The route does not support the method.
    WrongMethod = "wrong_method", 2, 405;
    /// The body did not arrive in time.
    SlowBody = "slow_body", 2, 408;
    /// The body is larger than the limit.
    BodyTooLarge = "body_too_large", 2, 413;
    /// The request does not declare its body as JSON.
    WrongType = "wrong_type", 2, 415;
    /// The server failed because of an error in itself.
    Internal = "internal", 2, 500;
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(feature = "schemars")]
impl Code {
    /// Removes the descriptions of the codes from the definitions of a schema, because several schemas would repeat
    /// them; `where_described` names the place that describes them.
    pub fn list_in(definitions: &mut serde_json::Map<String, serde_json::Value>, where_described: &str) {
        if let Some(code) = definitions.get_mut("Code") {
            *code = serde_json::json!({
                "description": format!("The one word that names a failure. {where_described} describes each."),
                "type": "string",
                "enum": Self::ALL,
            });
        }
    }
}

impl From<&Search> for Code {
    fn from(failure: &Search) -> Self {
        use RangeRefusal as Range;
        match failure {
            Search::Identical => Self::Identical,
            Search::EmptyOld | Search::Range(Range::Blank { .. }) => Self::EmptyOld,
            Search::NotFound
            | Search::Range(Range::NoLast { .. } | Range::NoRange { .. } | Range::NoSuchLines { .. }) => Self::NotFound,
            Search::Ambiguous { .. } | Search::Range(Range::Undecided { .. } | Range::NearRanges { .. }) => {
                Self::Ambiguous
            }
            Search::AlreadyApplied { .. } => Self::AlreadyApplied,
            Search::Deadline => Self::Timeout,
            Search::Refused(Refusal::Conflict { .. }) => Self::Conflict,
            Search::Range(Range::ReplaceAll | Range::Unguarded { .. }) => Self::BadInput,
            Search::Refused(_) | Search::Range(_) => Self::Refused,
        }
    }
}
