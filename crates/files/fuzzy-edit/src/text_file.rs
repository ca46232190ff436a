//! Files of text.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

use fuzzy_pipeline::{LineRange, Span};
use fuzzy_safe_write::Snapshot;

use crate::encoding::Decoded;
use crate::{Encoding, FileError, Place, Root};

/// A regular file of text, as it was when it was read.
#[derive(Debug)]
pub struct TextFile {
    path: PathBuf,
    /// The file itself, after all symbolic links.
    target: PathBuf,
    decoded: Decoded,
}

impl TextFile {
    /// Reads the file at `path`, wherever that is, following symbolic links; its encoding is told from its bytes.
    ///
    /// Never waits for what is not a regular file: a pipe without a writer is refused at once.
    ///
    /// # Errors
    ///
    /// Any [`FileError`] that can arise from reading: the file is missing, is no regular file, must not be read, has
    /// more than `limit` bytes, or is not text.
    pub fn read(path: &Path, limit: u64) -> Result<Self, FileError> {
        Self::read_as(path, limit, None)
    }

    /// Reads the file at `path` as [`read`](Self::read) does, in the `encoding` that the caller knows it to have.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read); also if encoding the text again would not give every byte of the file.
    pub fn read_as(path: &Path, limit: u64, encoding: Option<Encoding>) -> Result<Self, FileError> {
        let place = Root::everything()?.allowing_git().place_of_named(path)?;
        let snapshot = Snapshot::read(path, place, limit)?;
        Self::decode(snapshot.path, snapshot.place.target().to_owned(), snapshot.bytes, encoding)
    }

    /// Makes text of the bytes of a file.
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

    /// Makes an empty text in UTF-8, of a file that does not exist yet.
    pub(crate) fn new(path: &Path, target: &Path) -> Self {
        Self { path: path.to_owned(), target: target.to_owned(), decoded: Decoded::empty() }
    }

    /// Returns the path as the caller gave it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the file itself, absolute and without symbolic links.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Returns the text, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.decoded.text[self.mark().len()..]
    }

    /// Returns every byte, the byte order mark included.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.decoded.bytes()
    }

    /// Returns the byte order mark as a character, or nothing if the file has none.
    #[must_use]
    pub fn mark(&self) -> &'static str {
        self.decoded.mark()
    }

    /// Returns how the text is encoded.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.decoded.encoding
    }

    /// Returns which bytes of the file a span of its text is.
    ///
    /// # Panics
    ///
    /// Panics if the span does not lie in the text.
    #[must_use]
    pub fn bytes_of(&self, span: Span) -> Range<usize> {
        let (encoding, text) = (self.encoding(), self.text());
        let start = encoding.length(self.mark()) + encoding.length(&text[..span.start()]);
        start..start + encoding.length(span.text(text))
    }

    /// Returns the lines of a span of the text, and its bytes in the file.
    ///
    /// # Panics
    ///
    /// As [`bytes_of`](Self::bytes_of).
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let bytes = self.bytes_of(span);
        Place { lines: LineRange::of(self.text(), span).into(), bytes: (bytes.start, bytes.end) }
    }

    /// Returns the bytes of another text in the file's place: with its mark, and encoded as it is.
    ///
    /// # Errors
    ///
    /// [`FileError::Unencodable`] if the encoding lacks a character.
    pub fn encode<'t>(&self, text: &'t str) -> Result<Cow<'t, [u8]>, FileError> {
        match self.marked(text) {
            Cow::Borrowed(text) => self.encoding().encode(text).map_err(|offset| self.unencodable(text, offset)),
            Cow::Owned(text) => match self.encoding().encode(&text) {
                Ok(bytes) => Ok(Cow::Owned(bytes.into_owned())),
                Err(offset) => Err(self.unencodable(&text, offset)),
            },
        }
    }

    /// Returns the error of a text with a character, at `offset`, that the encoding lacks.
    fn unencodable(&self, text: &str, offset: usize) -> FileError {
        FileError::Unencodable {
            path: self.path.clone(),
            encoding: self.encoding(),
            character: text[offset..].chars().next().unwrap_or_default(),
            line: 1 + text[..offset].matches('\n').count(),
        }
    }

    /// Returns a text with the byte order mark of the file, if it has one.
    pub(crate) fn marked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.mark().is_empty() { Cow::Borrowed(text) } else { Cow::Owned(format!("{}{text}", self.mark())) }
    }

    /// Returns needle and replacement without the byte order mark, if the needle was copied with it from this file.
    ///
    /// The mark is not part of the text, so such a needle would not be found, and the mark must not be written twice.
    #[must_use]
    pub fn without_mark<'t>(&self, needle: &'t str, replacement: &'t str) -> (&'t str, &'t str) {
        fuzzy_plan::without_mark(self.mark(), needle, replacement)
    }
}
