//! The files of a plan.

use std::path::Path;

use fuzzy_core::Replaced;
use fuzzy_report::Failure;

/// The files of a plan, with the results of the operations so far.
///
/// A draft belongs to one file, opened by any of its paths, and has an index.
pub trait Drafts {
    /// Returns the index of the draft of `path`, whose file may be missing.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file cannot be read.
    fn open(&mut self, path: &Path) -> Result<usize, Box<Failure>>;

    /// Returns the draft of `path`, if it is open.
    fn find(&self, path: &Path) -> Option<usize>;

    /// Returns whether the draft has no file now.
    fn is_absent(&self, index: usize) -> bool;

    /// Returns the bytes of the file before all operations, if it existed.
    fn before(&self, index: usize) -> Option<&[u8]>;

    /// Returns the text of a draft; errors name it `path`.
    ///
    /// # Errors
    ///
    /// Returns a failure if there is no file or it is not text.
    fn text(&mut self, index: usize, path: &Path) -> Result<Text<'_>, Box<Failure>>;

    /// Replaces the text of a draft by one that differs only in these places, in order.
    ///
    /// # Errors
    ///
    /// Returns a failure if the file cannot have the text; its text is then unchanged.
    fn put(&mut self, index: usize, text: String, replaced: &[Replaced]) -> Result<(), Box<Failure>>;

    /// Creates a file where none exists.
    fn create(&mut self, index: usize, text: String);

    /// Removes the file of a draft.
    fn remove(&mut self, index: usize);

    /// Makes the file of a draft executable or not executable.
    ///
    /// # Errors
    ///
    /// Returns the reason why the mode of the file cannot be read.
    fn set_executable(&mut self, index: usize, executable: bool) -> Result<ModeChange, Box<Failure>>;

    /// Moves the file of a draft out of its place, which is free then; returns the draft that has the file now and no
    /// place. At the end of a plan no such draft may have a file.
    fn set_aside(&mut self, index: usize) -> usize;

    /// Moves the file of one draft to the place of another, where none exists.
    ///
    /// # Errors
    ///
    /// Returns the reason why the attributes of the file, such as its mode, cannot be read.
    fn rename(&mut self, from: usize, to: usize) -> Result<(), Box<Failure>>;
}

/// The result of changing the executable bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeChange {
    /// The mode will change.
    Changed,
    /// The file already has this mode.
    Already,
    /// The files have no modes; the request is recorded.
    NotKept,
}

/// The text of a file.
#[derive(Clone, Copy, Debug)]
pub struct Text<'d> {
    /// The byte order mark of the file, or an empty text.
    pub mark: &'static str,
    /// The text after the mark.
    pub text: &'d str,
}

/// Returns old and new text without the byte order mark, if the old text was copied with it from a file with `mark`.
///
/// The mark is not part of the text: an old text with it would not be found, and the mark must not be written twice.
#[must_use]
pub fn without_mark<'t>(mark: &str, old: &'t str, new: &'t str) -> (&'t str, &'t str) {
    match old.strip_prefix(mark) {
        Some(old) => (old, new.strip_prefix(mark).unwrap_or(new)),
        None => (old, new),
    }
}
