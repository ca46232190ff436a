//! What is said of a file that is not as an operation needs it.

use std::path::Path;

use fuzzy_report::{Code, Failure};

/// Says that a file does not exist.
#[must_use]
pub fn missing(path: &Path) -> Failure {
    let next_step = "Check the path; only files that exist can be edited.";
    Failure::new(Code::Missing, format!("`{}` does not exist", path.display()), next_step)
}

/// Says that a file exists that was to be created.
#[must_use]
pub fn exists(path: &Path) -> Failure {
    let next_step = "Edit the file that is there, or choose another path.";
    Failure::new(Code::Exists, format!("`{}` exists", path.display()), next_step)
}

/// Says that a file is not the one that the caller read.
#[must_use]
pub fn stale(path: &Path) -> Failure {
    let next_step = "Read the file again and repeat the edit on what is there now.";
    Failure::new(Code::Stale, format!("`{}` changed since it was read", path.display()), next_step)
}

/// Says that a file is larger than the limit, or would be.
#[must_use]
pub fn too_large(path: &Path, limit: u64) -> Failure {
    let message = format!("`{}` is larger than the limit of {limit} bytes", path.display());
    Failure::new(Code::TooLarge, message, "Raise the size limit or edit a smaller file.")
}
