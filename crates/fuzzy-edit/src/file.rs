//! Reading one file of text.

use std::fs::{self, File, FileType, Metadata};
use std::io::Read;
use std::ops::Range;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, Mode, OFlags};
use rustix::io::Errno;

use fuzzy_pipeline::Span;

use crate::encoding::Decoded;
use crate::{Encoding, FileError};

/// A regular file of text, as it was when it was read.
#[derive(Debug)]
pub struct TextFile {
    path: PathBuf,
    /// The file itself, behind all symbolic links.
    target: PathBuf,
    decoded: Decoded,
    metadata: Metadata,
}

impl TextFile {
    /// Reads the file at `path`, following symbolic links; its encoding is told from its bytes.
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
        let target = fs::canonicalize(path).map_err(|error| FileError::reading(path, error))?;
        let (bytes, metadata) = read_regular(path, &target, limit)?;
        let decoded = Decoded::new(bytes, encoding).map_err(|why| FileError::NotText { path: path.to_owned(), why })?;
        Ok(Self { path: path.to_owned(), target, decoded, metadata })
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

    /// Returns how the bytes stand for the text.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.decoded.encoding
    }

    /// Returns which bytes of the file stand for a span of its text.
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

    /// Returns the bytes of another text in the file's place: with its mark, and encoded as it is.
    ///
    /// # Errors
    ///
    /// [`FileError::Unencodable`] if the encoding lacks a character.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, FileError> {
        let encoding = self.encoding();
        let content = format!("{}{text}", self.mark());
        encoding.encode(&content).map_err(|offset| FileError::Unencodable {
            path: self.path.clone(),
            encoding,
            character: content[offset..].chars().next().unwrap_or_default(),
            line: 1 + content[..offset].matches('\n').count(),
        })
    }

    /// Returns needle and replacement without the byte order mark, if the needle was copied with it from this file.
    ///
    /// The mark is not part of the text, so such a needle would not be found, and the mark must not be written twice.
    #[must_use]
    pub fn without_mark<'t>(&self, needle: &'t str, replacement: &'t str) -> (&'t str, &'t str) {
        let mark = self.mark();
        match needle.strip_prefix(mark) {
            Some(needle) => (needle, replacement.strip_prefix(mark).unwrap_or(replacement)),
            None => (needle, replacement),
        }
    }

    pub(crate) fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Says whether the file may be replaced.
    ///
    /// # Errors
    ///
    /// [`FileError::Permission`] if it is read-only, for the superuser too, and [`FileError::HardLinks`] if it has
    /// further names.
    pub fn check_writable(&self) -> Result<(), FileError> {
        let path = self.path.clone();
        if self.metadata.permissions().mode() & 0o222 == 0 {
            return Err(FileError::Permission { path, problem: "is read-only" });
        }
        // A rename asks for no permission on the file itself, so it is asked for here.
        if let Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) = rustix::fs::access(&self.target, Access::WRITE_OK) {
            return Err(FileError::Permission { path, problem: "must not be written" });
        }
        match self.metadata.nlink() {
            names if names > 1 => Err(FileError::HardLinks { path, names }),
            _ => Ok(()),
        }
    }

    /// Says whether `bytes` still stand on the disk where the file was read.
    ///
    /// # Errors
    ///
    /// [`FileError::Stale`] if something else does, or nothing; else why it cannot be read.
    pub(crate) fn check_holds(&self, bytes: &[u8]) -> Result<(), FileError> {
        let stale = || FileError::Stale { path: self.path.clone() };
        match read_regular(&self.path, &self.target, bytes.len() as u64) {
            Ok((now, _)) if now == bytes => Ok(()),
            Err(error @ (FileError::Permission { .. } | FileError::Io { .. })) => Err(error),
            Ok(_) | Err(_) => Err(stale()),
        }
    }
}

/// Reads the regular file `target`, called `path` in errors; no part of its name may be a symbolic link any more.
fn read_regular(path: &Path, target: &Path, limit: u64) -> Result<(Vec<u8>, Metadata), FileError> {
    let failed = |error| FileError::reading(path, error);
    let not_a_file = |kind| FileError::NotAFile { path: path.to_owned(), kind };
    let too_large = || FileError::TooLarge { path: path.to_owned(), limit };

    // Without NONBLOCK, opening a pipe waits for a writer.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(target, flags, Mode::empty());
    let mut file = File::from(opened.map_err(|error| match fs::symlink_metadata(target) {
        Ok(metadata) if !metadata.is_file() => not_a_file(kind(metadata.file_type())),
        _ => failed(error.into()),
    })?);
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(not_a_file(kind(metadata.file_type())));
    }
    if metadata.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    // The file may grow while it is read, and some files do not know their length.
    file.by_ref().take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok((bytes, metadata))
}

fn kind(file_type: FileType) -> &'static str {
    match file_type {
        it if it.is_dir() => "a directory",
        it if it.is_fifo() => "a pipe",
        it if it.is_socket() => "a socket",
        it if it.is_symlink() => "a symbolic link",
        _ => "a device",
    }
}
