//! Text files.

use std::ops::Range;
use std::path::{Path, PathBuf};

use fuzzy_pipeline::{LineRange, Span};
use fuzzy_safe_write::Snapshot;

use crate::decoded::Decoded;
use crate::detect::Basis;
use crate::{Encoding, FileError, Place, Root};

/// A regular text file, as it was when it was read.
#[derive(Debug)]
pub struct TextFile {
    path: PathBuf,
    /// The file itself, after all symbolic links.
    target: PathBuf,
    pub(crate) decoded: Decoded,
}

impl TextFile {
    /// Reads the file at any `path`, following symbolic links; it must be valid UTF-8, or UTF-16 with a byte order
    /// mark.
    ///
    /// Never blocks: a pipe without a writer is rejected at once.
    ///
    /// # Errors
    ///
    /// Returns a [`FileError`] if the file is missing, is not a regular file, is not readable, has more than `limit`
    /// bytes, or is not text.
    pub fn read(path: &Path, limit: u64) -> Result<Self, FileError> {
        let file = Self::read_as(path, limit, None)?;
        match file.decoded.first_wrong() {
            Some(why) => Err(FileError::NotText { path: file.path, why }),
            None => Ok(file),
        }
    }

    /// Reads the file at `path` in the given `encoding`, otherwise in its likely one.
    ///
    /// The encoding is guessed for a file that is not valid UTF-8 and has no byte order mark. Wrong bytes decode to
    /// U+FFFD, and are written back unchanged.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Self::read), except for wrong bytes in a text.
    pub fn read_as(path: &Path, limit: u64, encoding: Option<Encoding>) -> Result<Self, FileError> {
        let place = Root::everything()?.allowing_git().place_of_named(path)?;
        let snapshot = Snapshot::read(path, place, limit)?;
        Self::decode(snapshot.path, snapshot.place.target().to_owned(), snapshot.bytes, encoding)
    }

    /// Decodes the bytes of a file.
    pub(crate) fn decode(
        path: PathBuf,
        target: PathBuf,
        bytes: Vec<u8>,
        encoding: Option<Encoding>,
    ) -> Result<Self, FileError> {
        match Decoded::new(bytes, encoding) {
            Ok(decoded) => Ok(Self { path, target, decoded }),
            Err(why) => Err(FileError::NotText { path, why }),
        }
    }

    /// Makes an empty text in UTF-8, for a file that does not exist yet.
    pub(crate) fn new(path: &Path, target: &Path) -> Self {
        Self { path: path.to_owned(), target: target.to_owned(), decoded: Decoded::empty() }
    }

    /// Returns the path as the caller gave it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the absolute path of the file itself, without symbolic links.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Returns the text, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.decoded.text[self.mark().len()..]
    }

    /// Returns all bytes, with the byte order mark.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.decoded.bytes()
    }

    /// Returns the byte order mark as a character, or an empty text.
    #[must_use]
    pub fn mark(&self) -> &'static str {
        self.decoded.mark()
    }

    /// Returns the encoding of the text.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.decoded.encoding
    }

    /// Returns whether the encoding is a guess: the file has no mark and is not valid UTF-8.
    #[must_use]
    pub fn is_encoding_detected(&self) -> bool {
        self.decoded.basis != Basis::Known
    }

    /// Returns the bytes of the file for a span of its text, as a range of offsets.
    ///
    /// # Panics
    ///
    /// Panics if the span is not inside the text.
    #[must_use]
    pub fn bytes_of(&self, span: Span) -> Range<usize> {
        let (encoding, verbatims) = (self.encoding(), &self.decoded.verbatims);
        let offset = |at| encoding.length(self.mark()) + verbatims.length(encoding, self.text(), at);
        offset(span.start())..offset(span.end())
    }

    /// Returns the lines of a span of the text, and its bytes in the file.
    ///
    /// # Panics
    ///
    /// Panics as [`bytes_of`](Self::bytes_of) does.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let bytes = self.bytes_of(span);
        Place { lines: LineRange::of(self.text(), span), bytes: (bytes.start, bytes.end), cell: None }
    }

    /// Returns old and new text without the byte order mark, if the old text was copied with it from this file.
    ///
    /// The mark is not part of the text: an old text with it would not be found, and the mark must not be written
    /// twice.
    #[must_use]
    pub fn without_mark<'t>(&self, old: &'t str, new: &'t str) -> (&'t str, &'t str) {
        fuzzy_plan::without_mark(self.mark(), old, new)
    }
}
