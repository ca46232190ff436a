//! Failures of files in a state that an operation cannot use.

use std::path::Path;

use fuzzy_report::{Code, Failure, Remedy};

/// The next step after a change of a file.
pub const READ_AGAIN: &str = "Read the file again and adapt the edit to its current content.";

/// Makes the failure of a missing file.
#[must_use]
pub fn missing(path: &Path) -> Failure {
    let next_step = "Check the path; only files that exist can be edited.";
    Failure::new(Code::Missing, format!("`{}` does not exist", path.display()), next_step).naming_file()
}

/// Makes the failure of a file that should be created but exists.
#[must_use]
pub fn exists(path: &Path) -> Failure {
    let next_step = "Edit the existing file, or choose another path.";
    Failure::new(Code::Exists, format!("`{}` exists", path.display()), next_step).naming_file()
}

/// Makes the failure of a file that changed since the caller read it.
#[must_use]
pub fn stale(path: &Path) -> Failure {
    Failure::new(Code::Stale, format!("`{}` changed since it was read", path.display()), READ_AGAIN).naming_file()
}

/// Makes the failure of a file that is or would be larger than the limit.
#[must_use]
pub fn too_large(path: &Path, limit: u64) -> Failure {
    let message = format!("`{}` is larger than the limit of {limit} bytes", path.display());
    let failure = Failure::new(Code::TooLarge, message, "Raise the size limit or edit a smaller file.");
    failure.with_remedy(Remedy::SizeLimit).naming_file()
}
