//! The files that operations are planned on.

use std::path::Path;

use fuzzy_pipeline::Replaced;
use fuzzy_report::Failure;

/// The files that operations are planned on, as the operations so far leave them.
///
/// A draft is of one file, whatever path it was opened by, and has an index.
pub trait Drafts {
    /// Returns the index of the draft of `path`, whose file may be missing.
    ///
    /// # Errors
    ///
    /// What kept the file from being read.
    fn open(&mut self, path: &Path) -> Result<usize, Box<Failure>>;

    /// Returns the draft of `path`, if it was opened.
    fn find(&self, path: &Path) -> Option<usize>;

    /// Returns whether no file is at a draft's place now.
    fn is_absent(&self, index: usize) -> bool;

    /// Returns the bytes that the file had before all operations, if there was one.
    fn before(&self, index: usize) -> Option<&[u8]>;

    /// Returns the text of a draft, which messages call `path`.
    ///
    /// # Errors
    ///
    /// There is no file, or it is not text.
    fn text(&mut self, index: usize, path: &Path) -> Result<Text<'_>, Box<Failure>>;

    /// Replaces the text of a draft by one that has other text in these places, in order, and the same outside them.
    ///
    /// # Errors
    ///
    /// The file cannot hold it. Its text is as it was.
    fn put(&mut self, index: usize, text: String, replaced: &[Replaced]) -> Result<(), Box<Failure>>;

    /// Makes a file where none is.
    fn create(&mut self, index: usize, text: String);

    /// Removes the file of a draft.
    fn remove(&mut self, index: usize);

    /// Makes the file of a draft one that can be run, or one that cannot.
    ///
    /// # Errors
    ///
    /// What kept the mode of the file from being read.
    fn set_executable(&mut self, index: usize, executable: bool) -> Result<ModeChange, Box<Failure>>;

    /// Takes the file of a draft away from its place, which is free then; returns the draft that holds it now and has no
    /// place. Nothing may be left in that at the end.
    fn set_aside(&mut self, index: usize) -> usize;

    /// Moves the file of one draft to the place of another, where none is.
    ///
    /// # Errors
    ///
    /// What else the file has, as its mode, cannot be read.
    fn rename(&mut self, from: usize, to: usize) -> Result<(), Box<Failure>>;
}

/// What comes of asking for a file that can be run, or one that cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeChange {
    /// The mode is to change.
    Changed,
    /// The file is one already.
    Already,
    /// The files here have no modes; what was asked for is written down.
    NotKept,
}

/// The text of a file.
#[derive(Clone, Copy, Debug)]
pub struct Text<'d> {
    /// The byte order mark that the file begins with, or nothing.
    pub mark: &'static str,
    /// The text after it.
    pub text: &'d str,
}

/// Returns needle and replacement without the byte order mark, if the needle was copied with it from a file with `mark`.
///
/// The mark is not part of the text, so such a needle would not be found, and the mark must not be written twice.
#[must_use]
pub fn without_mark<'t>(mark: &str, old: &'t str, new: &'t str) -> (&'t str, &'t str) {
    match old.strip_prefix(mark) {
        Some(old) => (old, new.strip_prefix(mark).unwrap_or(new)),
        None => (old, new),
    }
}
