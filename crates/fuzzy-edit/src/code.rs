//! The one word that names a failure.

use std::fmt;

use serde::Serialize;

/// The one word that names a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
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
    /// The file changed since it was read.
    Stale,
    /// The needle stands in more or fewer places than the caller expected.
    CountMismatch,
    /// The request cannot be understood.
    BadInput,
    /// The path names something that is not a regular file.
    NotAFile,
    /// There is no such file.
    Missing,
    /// The file must not be read or written.
    Permission,
    /// The file is not text.
    Binary,
    /// The file is not encoded as UTF-8.
    Encoding,
    /// The file or the new text is larger than the limit.
    TooLarge,
    /// The search took longer than the limit.
    Timeout,
    /// The system reported another error.
    Io,
}

impl Code {
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
            Self::Stale => "stale",
            Self::CountMismatch => "count_mismatch",
            Self::BadInput => "bad_input",
            Self::NotAFile => "not_a_file",
            Self::Missing => "missing",
            Self::Permission => "permission",
            Self::Binary => "binary",
            Self::Encoding => "encoding",
            Self::TooLarge => "too_large",
            Self::Timeout => "timeout",
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
            | Self::Stale
            | Self::CountMismatch => 1,
            Self::BadInput
            | Self::NotAFile
            | Self::Missing
            | Self::Permission
            | Self::Binary
            | Self::Encoding
            | Self::TooLarge
            | Self::Timeout
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
