//! Errors of reading and writing text files.

use std::path::PathBuf;

use fuzzy_plan::refusal;
use fuzzy_report::Remedy;

use crate::{Code, Encoding, Failure, NotText, PathError};

/// The reason why a file cannot be read or written. The file is unchanged in every case.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The path cannot be read or written.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The file is not text, or not in the named encoding.
    #[error("`{}` {why}", path.display())]
    NotText {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The problem of its bytes.
        why: NotText,
    },
    /// The encoding of the file lacks a character of the new text.
    #[error(
        "`{}` is encoded as {encoding}, which has no {}, as on line {line} of the new text",
        path.display(),
        named(*character)
    )]
    Unencodable {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The file's encoding.
        encoding: Encoding,
        /// The first missing character.
        character: char,
        /// The line in the whole new text, counted from 1.
        line: usize,
    },
    /// The encoding of the file is not certain enough to write a character that the file does not have yet.
    #[error(
        "`{}` looks like {encoding}, but has too few characters to be sure how {} on line {line} of the new text is \
         encoded",
        path.display(),
        named(*character)
    )]
    Unsure {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The likely encoding.
        encoding: Encoding,
        /// The first character that the file does not have yet.
        character: char,
        /// The line in the whole new text, counted from 1.
        line: usize,
    },
    /// The new text has a U+FFFD, and it is unclear which wrong bytes of the file it represents.
    #[error("U+FFFD on line {line} of the new text stands for bytes of `{}`, but it is not clear which", path.display())]
    Unclear {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The line in the whole new text, counted from 1.
        line: usize,
    },
    /// Wrong bytes of the file would form other characters with the new bytes beside them.
    #[error("wrong bytes of `{}` on line {line} of the new text would form other characters with the bytes beside them", path.display())]
    Joined {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The line in the whole new text, counted from 1.
        line: usize,
    },
    /// The caller cancelled its request.
    #[error("the request was cancelled")]
    Cancelled,
}

impl FileError {
    /// Returns the code for reports.
    #[must_use]
    pub fn code(&self) -> Code {
        self.failure().code
    }

    /// Makes the failure for reports, with the next step of the caller and the setting with which the file can be edited.
    fn failure(&self) -> Failure {
        let of = |code, next_step| Failure::new(code, self.to_string(), next_step);
        let encoding = |next_step| of(Code::Encoding, next_step);
        let failure = match self {
            Self::NotText { why: NotText::Binary { .. }, .. } => of(Code::Binary, "Edit text files only."),
            Self::NotText { .. } => {
                encoding("Name the encoding of the file, or convert it to UTF-8 first.").with_remedy(Remedy::Encoding)
            }
            Self::Unsure { .. } => {
                encoding("Name the encoding of the file, or use only characters that the file already has.")
                    .with_remedy(Remedy::Encoding)
            }
            Self::Unencodable { .. } => encoding("Write the new text with characters that the file's encoding has."),
            Self::Unclear { .. } | Self::Joined { .. } => {
                encoding("Leave text with wrong bytes, which reads as U+FFFD, out of the edit.")
            }
            Self::Cancelled => of(Code::Timeout, "Nothing was written; repeat the request if it is still needed."),
            Self::Path(error) => match error {
                PathError::Missing { path } => refusal::missing(path),
                PathError::Exists { path } => refusal::exists(path),
                PathError::Stale { path } => refusal::stale(path),
                PathError::TooLarge { path, limit } => refusal::too_large(path, *limit),
                PathError::NotAFile { .. } => of(Code::NotAFile, "Name a regular file."),
                PathError::Permission { .. } => of(Code::Permission, "Change the permission, or edit another file."),
                PathError::Changed { .. } => of(Code::Stale, refusal::READ_AGAIN),
                PathError::BadName { .. } => of(
                    Code::BadInput,
                    "Choose another name, which has none of <>:\"/\\|?* and no dot or blank at its end, and is not that of \
                     a device such as CON, NUL or COM1, whatever its ending.",
                ),
                PathError::OutsideRoot { is_git, .. } => {
                    of(Code::OutsideRoot, "Use a file inside the root, or change the root or its exclusions.")
                        .with_remedy(if *is_git { Remedy::Git } else { Remedy::Root })
                }
                PathError::Busy { .. } => of(Code::Busy, "Wait a moment, then repeat the edit."),
                PathError::HardLinks { .. } => of(
                    Code::Refused,
                    "Replace the link with a copy of the file, or allow writing in place, which is not atomic.",
                )
                .with_remedy(Remedy::InPlace),
                PathError::State { .. } | PathError::Io { .. } if error.is_disk_full() => {
                    of(Code::DiskFull, "Free some space, then repeat the edit.")
                }
                PathError::State { .. } => of(Code::Io, "Set XDG_STATE_HOME to a writable directory that you own."),
                PathError::NotTakenBack { .. } => of(Code::Io, "Check the named files and repair them by hand."),
                PathError::Io { .. } => of(Code::Io, "Fix the cause, then repeat the edit."),
            },
        };
        match self {
            Self::Cancelled | Self::Path(PathError::Changed { .. } | PathError::State { .. }) => failure,
            _ => failure.naming_file(),
        }
    }
}

/// Returns a character with its code point, because it may look like another one.
fn named(character: char) -> String {
    format!("{character:?} (U+{:04X})", u32::from(character))
}

impl From<FileError> for Box<Failure> {
    fn from(error: FileError) -> Self {
        error.failure().into()
    }
}
