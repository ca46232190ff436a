//! The content of a batch's journal.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::attributes::Attributes;
use crate::hash::sha256;
use crate::{common_affixes, sys};

/// The content of a batch's journal.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    pub(crate) version: u32,
    /// The time of the batch, in milliseconds since 1970. The order of the batches is that of their names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) time_ms: Option<u64>,
    /// The root of the batch, or the working directory of its process.
    pub(crate) made_in: Bytes,
    /// The server for agents that made the batch; none for a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) maker: Option<String>,
    /// The earlier batch that this one undoes.
    pub(crate) undoes: Option<String>,
    pub(crate) entries: Vec<Entry>,
}

/// The entry of one file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The absolute path without symbolic links.
    pub(crate) path: Bytes,
    pub(crate) before: Option<Print>,
    pub(crate) after: Option<Print>,
    /// The difference that turns the new bytes into the old ones, if there were any.
    pub(crate) reversal: Reversal,
    /// The new content, if it is a small text that replaces another one: the base of a merge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<Bytes>,
    /// The attributes of a file that is removed, or replaced by one with other attributes.
    pub(crate) attributes: Option<Attributes>,
    /// Whether the new file is executable, if its bytes equal the old ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) executable: Option<bool>,
    /// The number of parent directories that are created for the file.
    pub(crate) directories: usize,
    /// Whether the file has several hard links and is written in place.
    pub(crate) in_place: bool,
}

/// The fingerprint of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Print {
    length: u64,
    sha256: String,
}

/// The difference that turns new bytes into old ones: one replaced part in the middle.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reversal {
    /// Length of the common prefix, in bytes.
    prefix: usize,
    /// Length of the common suffix, in bytes.
    suffix: usize,
    /// The old bytes between them.
    middle: Bytes,
}

/// Bytes, written as a string if they are UTF-8.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Bytes {
    Text(String),
    Raw(Vec<u8>),
}

impl Record {
    /// The version that is written, and the only one that can be read.
    pub(crate) const VERSION: u32 = 2;

    /// Returns whether this program can read the record.
    pub(crate) fn is_known(&self) -> bool {
        self.version == Self::VERSION
    }

    /// Returns the root of the batch, or the working directory of its process.
    #[must_use]
    pub fn made_in(&self) -> PathBuf {
        self.made_in.to_path()
    }

    /// Returns the server for agents that made the batch; none for a command.
    #[must_use]
    pub fn maker(&self) -> Option<&str> {
        self.maker.as_deref()
    }

    /// Returns the earlier batch that this one undoes.
    #[must_use]
    pub fn undoes(&self) -> Option<&str> {
        self.undoes.as_deref()
    }

    /// Returns the paths of its files, absolute and without symbolic links.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        self.entries.iter().map(Entry::path).collect()
    }
}

impl Entry {
    /// Returns the path of the file, absolute and without symbolic links.
    pub(crate) fn path(&self) -> PathBuf {
        self.path.to_path()
    }

    /// Returns the larger of the file's old and new size.
    pub(crate) fn largest(&self) -> u64 {
        [&self.before, &self.after].into_iter().flatten().map(|print| print.length).max().unwrap_or(0)
    }

    /// Returns the size up to which the current content is read: a text that can be merged may have grown.
    pub(crate) fn limit(&self) -> u64 {
        if self.written.is_some() { self.largest().saturating_mul(4).max(4 << 20) } else { self.largest() }
    }

    /// Returns whether `bytes` are exactly the old or the new ones.
    pub(crate) fn is_known(&self, bytes: &[u8]) -> bool {
        let print = Print::of(Some(bytes));
        print == self.before || print == self.after
    }

    /// Returns whether `now` is exactly the new content.
    pub(crate) fn is_new(&self, now: Option<&[u8]>) -> bool {
        Print::of(now) == self.after
    }

    /// Returns the old content, given the current content; fails if that differs from the written content.
    pub(crate) fn reverse(&self, now: Option<&[u8]>) -> Result<Option<Vec<u8>>, NotWhatWasWritten> {
        let old = self.before.is_some().then(|| self.reversal.apply(now.unwrap_or_default()));
        // The second check protects against a changed journal.
        let is_right = self.is_new(now) && Print::of(old.as_deref()) == self.before;
        if is_right { Ok(old) } else { Err(NotWhatWasWritten) }
    }

    /// Returns the current content without the change of the batch, if `merge` can undo that on its base.
    pub(crate) fn merged(&self, now: Option<&[u8]>, merge: Merge<'_>) -> Option<Vec<u8>> {
        let written = self.written.as_ref().map(Bytes::as_slice).filter(|written| self.is_new(Some(written)))?;
        let old = Some(self.reversal.apply(written)).filter(|old| Print::of(Some(old)) == self.before)?;
        merge(written, now?, &old)
    }
}

/// A merge of texts: applies the difference from the first to the third one to the second one; none if that conflicts.
pub type Merge<'m> = &'m dyn Fn(&[u8], &[u8], &[u8]) -> Option<Vec<u8>>;

/// The file does not have the content that its batch wrote.
pub(crate) struct NotWhatWasWritten;

impl Print {
    /// Returns the fingerprint of a file's bytes, if there is a file.
    pub(crate) fn of(bytes: Option<&[u8]>) -> Option<Self> {
        bytes.map(Self::of_bytes)
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        Self { length: bytes.len() as u64, sha256: sha256(bytes) }
    }

    pub(crate) const fn new(length: u64, sha256: String) -> Self {
        Self { length, sha256 }
    }

    pub(crate) const fn length(&self) -> u64 {
        self.length
    }
}

impl Reversal {
    pub(crate) fn of(before: &[u8], after: &[u8]) -> Self {
        let prefix = common_affixes::prefix(before, after);
        let suffix = common_affixes::suffix(&before[prefix..], &after[prefix..]);
        let middle = Bytes::from(before[prefix..before.len() - suffix].to_vec());
        Self { prefix, suffix, middle }
    }

    fn apply(&self, now: &[u8]) -> Vec<u8> {
        let start = &now[..self.prefix.min(now.len())];
        let end = &now[now.len() - self.suffix.min(now.len())..];
        [start, self.middle.as_slice(), end].concat()
    }
}

impl Bytes {
    pub(crate) fn of_path(path: &Path) -> Self {
        sys::bytes_of(path.as_os_str()).to_owned().into()
    }

    pub(crate) fn of_names(names: &[OsString]) -> Self {
        Self::of_path(&names.iter().collect::<PathBuf>())
    }

    pub(crate) fn to_path(&self) -> PathBuf {
        PathBuf::from(sys::path_of(self.as_slice().to_owned()))
    }

    pub(crate) fn to_names(&self) -> Vec<OsString> {
        self.to_path().iter().map(Into::into).collect()
    }

    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Raw(bytes) => bytes,
        }
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| Self::Raw(error.into_bytes()), Self::Text)
    }
}
