//! Errors of reading and writing text files.

use std::path::PathBuf;

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
        match self {
            Self::NotText { why: NotText::Binary { .. }, .. } => Code::Binary,
            Self::NotText { .. }
            | Self::Unencodable { .. }
            | Self::Unsure { .. }
            | Self::Unclear { .. }
            | Self::Joined { .. } => Code::Encoding,
            Self::Cancelled => Code::Timeout,
            Self::Path(error) => match error {
                PathError::Missing { .. } => Code::Missing,
                PathError::NotAFile { .. } => Code::NotAFile,
                PathError::Permission { .. } => Code::Permission,
                PathError::TooLarge { .. } => Code::TooLarge,
                PathError::Stale { .. } | PathError::Changed { .. } => Code::Stale,
                PathError::BadName { .. } => Code::BadInput,
                PathError::OutsideRoot { .. } => Code::OutsideRoot,
                PathError::Exists { .. } => Code::Exists,
                PathError::Busy { .. } => Code::Busy,
                PathError::HardLinks { .. } => Code::Refused,
                PathError::State { .. } | PathError::Io { .. } if error.is_disk_full() => Code::DiskFull,
                PathError::State { .. } | PathError::NotTakenBack { .. } | PathError::Io { .. } => Code::Io,
            },
        }
    }

    /// Returns the caller's next step, in one sentence.
    #[must_use]
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::NotText { why: NotText::Binary { .. }, .. } => "Edit text files only.",
            Self::NotText { .. } => "Name the encoding of the file, or convert it to UTF-8 first.",
            Self::Unsure { .. } => "Name the encoding of the file, or use only characters that the file already has.",
            Self::Unencodable { .. } => "Write the new text with characters that the file's encoding has.",
            Self::Unclear { .. } | Self::Joined { .. } => {
                "Leave text with wrong bytes, which reads as U+FFFD, out of the edit."
            }
            Self::Cancelled => "Nothing was written; repeat the request if it is still needed.",
            Self::Path(error) => match error {
                PathError::Missing { .. } => "Check the path; only files that exist can be edited.",
                PathError::NotAFile { .. } => "Name a regular file.",
                PathError::Permission { .. } => "Change the permission, or edit another file.",
                PathError::TooLarge { .. } => "Raise the size limit or edit a smaller file.",
                PathError::Stale { .. } | PathError::Changed { .. } => {
                    "Read the file again and adapt the edit to its current content."
                }
                PathError::BadName { .. } => {
                    "Choose another name, which has none of <>:\"/\\|?* and no dot or blank at its end, and is not that of \
                     a device such as CON, NUL or COM1, whatever its ending."
                }
                PathError::OutsideRoot { .. } => "Use a file inside the root, or change the root or its exclusions.",
                PathError::Exists { .. } => "Edit the existing file, or choose another path.",
                PathError::Busy { .. } => "Wait a moment, then repeat the edit.",
                PathError::State { .. } | PathError::Io { .. } if error.is_disk_full() => {
                    "Free some space, then repeat the edit."
                }
                PathError::State { .. } => "Set XDG_STATE_HOME to a writable directory that you own.",
                PathError::HardLinks { .. } => {
                    "Replace the link with a copy of the file, or allow writing in place, which is not atomic."
                }
                PathError::NotTakenBack { .. } => "Check the named files and repair them by hand.",
                PathError::Io { .. } => "Fix the cause, then repeat the edit.",
            },
        }
    }
}

impl FileError {
    /// Returns the setting with which the file can be edited.
    const fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::NotText { why: NotText::Binary { .. }, .. } => None,
            Self::NotText { .. } | Self::Unsure { .. } => Some(Remedy::Encoding),
            Self::Path(PathError::TooLarge { .. }) => Some(Remedy::SizeLimit),
            Self::Path(PathError::HardLinks { .. }) => Some(Remedy::InPlace),
            Self::Path(PathError::OutsideRoot { is_git: true, .. }) => Some(Remedy::Git),
            Self::Path(PathError::OutsideRoot { .. }) => Some(Remedy::Root),
            _ => None,
        }
    }
}

/// Returns a character with its code point, because it may look like another one.
fn named(character: char) -> String {
    format!("{character:?} (U+{:04X})", u32::from(character))
}

impl From<FileError> for Box<Failure> {
    fn from(error: FileError) -> Self {
        Box::new(Failure::new(error.code(), error.to_string(), error.next_step()).with_remedy(error.remedy()))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use fuzzy_plan::refusal;

    use super::{Failure, FileError, PathError};

    #[test]
    fn a_file_on_the_disk_and_one_in_memory_are_refused_in_the_same_words() {
        let path = Path::new("a.txt");
        let pairs = [
            (PathError::Missing { path: path.into() }, refusal::missing(path)),
            (PathError::Exists { path: path.into() }, refusal::exists(path)),
            (PathError::Stale { path: path.into() }, refusal::stale(path)),
            (PathError::TooLarge { path: path.into(), limit: 7 }, refusal::too_large(path, 7)),
        ];
        for (on_disk, in_memory) in pairs {
            assert_eq!(*Box::<Failure>::from(FileError::from(on_disk)), in_memory);
        }
    }
}
