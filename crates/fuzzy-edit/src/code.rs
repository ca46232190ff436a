//! The one word that names a failure.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The one word that names a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Code {
    /// The new text already stands there; not a failure of the edit, but nothing was done.
    AlreadyApplied,
    /// No strategy found the needle.
    NotFound,
    /// The needle stands in several places.
    Ambiguous,
    /// The place that was found must not be edited.
    Refused,
    /// Needle and replacement are the same.
    Identical,
    /// The needle is empty.
    EmptyNeedle,
    /// The edit touches what an earlier one of the same request wrote.
    Overlap,
    /// The file changed since it was read.
    Stale,
    /// The needle stands in more or fewer places than the caller expected.
    CountMismatch,
    /// The needle stands in another file that the request named or the session edited.
    FoundInOtherFile,
    /// The same edit failed before.
    RepeatedFailure,
    /// The request cannot be understood.
    BadInput,
    /// The patch cannot be read.
    Parse,
    /// The path leads out of the directories that may be edited, or into one that must not be.
    OutsideRoot,
    /// The path names something that is not a regular file.
    NotAFile,
    /// There is no such file.
    Missing,
    /// The file that was to be created exists.
    Exists,
    /// The file must not be read or written.
    Permission,
    /// The file is not text.
    Binary,
    /// The file or the new text does not fit the encoding.
    Encoding,
    /// The file or the new text is larger than the limit.
    TooLarge,
    /// The search took longer than the limit.
    Timeout,
    /// Another process holds the file, and did not let go of it in time.
    Busy,
    /// The system reported another error.
    Io,
}

impl Code {
    /// Every code, in the order of the exit codes.
    pub const ALL: &[Self] = &[
        Self::AlreadyApplied,
        Self::NotFound,
        Self::Ambiguous,
        Self::Refused,
        Self::Identical,
        Self::EmptyNeedle,
        Self::Overlap,
        Self::Stale,
        Self::CountMismatch,
        Self::FoundInOtherFile,
        Self::RepeatedFailure,
        Self::BadInput,
        Self::Parse,
        Self::OutsideRoot,
        Self::NotAFile,
        Self::Missing,
        Self::Exists,
        Self::Permission,
        Self::Binary,
        Self::Encoding,
        Self::TooLarge,
        Self::Timeout,
        Self::Busy,
        Self::Io,
    ];

    /// Returns the word itself.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AlreadyApplied => "already_applied",
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::Refused => "refused",
            Self::Identical => "identical",
            Self::EmptyNeedle => "empty_needle",
            Self::Overlap => "overlap",
            Self::Stale => "stale",
            Self::CountMismatch => "count_mismatch",
            Self::FoundInOtherFile => "found_in_other_file",
            Self::RepeatedFailure => "repeated_failure",
            Self::BadInput => "bad_input",
            Self::Parse => "parse",
            Self::OutsideRoot => "outside_root",
            Self::NotAFile => "not_a_file",
            Self::Missing => "missing",
            Self::Exists => "exists",
            Self::Permission => "permission",
            Self::Binary => "binary",
            Self::Encoding => "encoding",
            Self::TooLarge => "too_large",
            Self::Timeout => "timeout",
            Self::Busy => "busy",
            Self::Io => "io",
        }
    }

    /// Returns the exit code of a command that ended so: 0 if there was nothing to do, 1 if the edit was refused, 2 if
    /// it could not be tried.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::AlreadyApplied => 0,
            Self::NotFound
            | Self::Ambiguous
            | Self::Refused
            | Self::Identical
            | Self::EmptyNeedle
            | Self::Overlap
            | Self::Stale
            | Self::CountMismatch
            | Self::FoundInOtherFile
            | Self::RepeatedFailure => 1,
            Self::BadInput
            | Self::Parse
            | Self::OutsideRoot
            | Self::NotAFile
            | Self::Missing
            | Self::Exists
            | Self::Permission
            | Self::Binary
            | Self::Encoding
            | Self::TooLarge
            | Self::Timeout
            | Self::Busy
            | Self::Io => 2,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&fuzzy_pipeline::Failure> for Code {
    fn from(failure: &fuzzy_pipeline::Failure) -> Self {
        use fuzzy_pipeline::Failure;
        match failure {
            Failure::Identical => Self::Identical,
            Failure::EmptyNeedle => Self::EmptyNeedle,
            Failure::NotFound => Self::NotFound,
            Failure::Ambiguous { .. } => Self::Ambiguous,
            Failure::AlreadyApplied { .. } => Self::AlreadyApplied,
            Failure::Deadline => Self::Timeout,
            // Refusals, and whatever else the engine may come to refuse.
            _ => Self::Refused,
        }
    }
}
