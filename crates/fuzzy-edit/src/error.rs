//! Why a file cannot be read or written.

use std::io;
use std::path::PathBuf;

use crate::{Code, Encoding, Failure, NotText};

/// Why a file cannot be read or written. In each case the file is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// There is no such file.
    #[error("`{}` does not exist", path.display())]
    Missing {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// The path names something else than a regular file.
    #[error("`{}` is {kind}, not a regular file", path.display())]
    NotAFile {
        /// The path as the caller gave it.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// The file must not be read or written.
    #[error("`{}` {problem}", path.display())]
    Permission {
        /// The path as the caller gave it.
        path: PathBuf,
        /// What is not permitted.
        problem: &'static str,
    },
    /// The file is not text, or not in the encoding that was named.
    #[error("`{}` {why}", path.display())]
    NotText {
        /// The path as the caller gave it.
        path: PathBuf,
        /// What is wrong with its bytes.
        why: NotText,
    },
    /// The encoding of the file lacks a character of the new text.
    #[error("`{}` is encoded as {encoding}, which has no {character:?} as on line {line} of the new text", path.display())]
    Unencodable {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The file's encoding.
        encoding: Encoding,
        /// The first character that it lacks.
        character: char,
        /// The line of the whole new text, counted from 1.
        line: usize,
    },
    /// The file is larger than the limit.
    #[error("`{}` is larger than the limit of {limit} bytes", path.display())]
    TooLarge {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The limit, in bytes.
        limit: u64,
    },
    /// The file changed or vanished since it was read.
    #[error("`{}` changed since it was read", path.display())]
    Stale {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// The path leads out of the directory that may be edited, or into one that must not be.
    #[error("`{}` {problem} (the root is `{}`)", path.display(), root.display())]
    OutsideRoot {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The directory that may be edited.
        root: PathBuf,
        /// What is wrong with the path.
        problem: &'static str,
    },
    /// There is a file where one was to be created.
    #[error("`{}` exists", path.display())]
    Exists {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// Another process holds the file, and did not let go of it in time.
    #[error("`{}` is being written by another process", path.display())]
    Busy {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// Locks and journals cannot be kept.
    #[error("the state of fuzzy-edit, `{}`: {source}", path.display())]
    State {
        /// The directory in question.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The caller cancelled what it had asked for.
    #[error("the request was cancelled")]
    Cancelled,
    /// The file has further names, which an atomic write would leave with the old text.
    #[error("`{}` is one of {names} hard links to the same file, and writing it would part them", path.display())]
    HardLinks {
        /// The path as the caller gave it.
        path: PathBuf,
        /// How many names the file has.
        names: u64,
    },
    /// A later file could not be written, and an earlier one keeps its new text.
    #[error("{cause}; `{}` was already written and could not be taken back: {why}", path.display())]
    NotTakenBack {
        /// The file that keeps its new text.
        path: PathBuf,
        /// Why the later file could not be written.
        cause: Box<FileError>,
        /// Why the earlier one could not be taken back.
        why: Box<FileError>,
    },
    /// The system reported another error.
    #[error("`{}`: {source}", path.display())]
    Io {
        /// The path as the caller gave it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl FileError {
    /// Returns the code that reports use.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::Missing { .. } => Code::Missing,
            Self::NotAFile { .. } => Code::NotAFile,
            Self::Permission { .. } => Code::Permission,
            Self::NotText { why: NotText::Binary { .. }, .. } => Code::Binary,
            Self::NotText { .. } | Self::Unencodable { .. } => Code::Encoding,
            Self::TooLarge { .. } => Code::TooLarge,
            Self::Stale { .. } => Code::Stale,
            Self::OutsideRoot { .. } => Code::OutsideRoot,
            Self::Exists { .. } => Code::Exists,
            Self::Busy { .. } => Code::Busy,
            Self::Cancelled => Code::Timeout,
            Self::HardLinks { .. } => Code::Refused,
            Self::State { .. } | Self::NotTakenBack { .. } | Self::Io { .. } => Code::Io,
        }
    }

    /// Returns, in one sentence, what the caller should do next.
    #[must_use]
    pub const fn next_step(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "Check the path; only files that exist can be edited.",
            Self::NotAFile { .. } => "Name a regular file.",
            Self::Permission { .. } => "Have the permission changed, or edit another file.",
            Self::NotText { why: NotText::Binary { .. }, .. } => "Edit text files only.",
            Self::NotText { .. } => "Name the encoding that the file has, or convert it to UTF-8 first.",
            Self::Unencodable { .. } => "Write the new text with characters that the file's encoding has.",
            Self::TooLarge { .. } => "Raise the size limit or edit a smaller file.",
            Self::Stale { .. } => "Read the file again and repeat the edit on what stands there now.",
            Self::OutsideRoot { .. } => "Name a file inside the root, or have the root or what it excludes changed.",
            Self::Exists { .. } => "Edit the file that is there, or choose another path.",
            Self::Busy { .. } => "Wait a moment, then repeat the edit.",
            Self::State { .. } => "Set XDG_STATE_HOME to a directory of yours that can be written.",
            Self::Cancelled => "Nothing was written; ask again if it is still wanted.",
            Self::HardLinks { .. } => {
                "Replace the link with a copy of the file, or allow writing in place, which is not atomic."
            }
            Self::NotTakenBack { .. } => "Look at the files named and put them right by hand.",
            Self::Io { .. } => "Repeat the edit once the cause is gone.",
        }
    }
}

impl From<FileError> for Box<Failure> {
    fn from(error: FileError) -> Self {
        Box::new(Failure::new(error.code(), error.to_string(), error.next_step()))
    }
}
