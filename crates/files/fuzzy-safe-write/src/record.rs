//! What a journal says about a batch.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::attributes::Attributes;
use crate::hash::sha256;
use crate::{common_affixes, sys};

/// What a journal says about a batch.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    pub(crate) version: u32,
    /// The root of the batch, or the directory that it was made from.
    pub(crate) made_in: Bytes,
    /// The earlier batch that this one takes back.
    pub(crate) undoes: Option<String>,
    pub(crate) entries: Vec<Entry>,
}

/// What a journal says about one file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Absolute and without symbolic links.
    pub(crate) path: Bytes,
    pub(crate) before: Option<Print>,
    pub(crate) after: Option<Print>,
    /// How the old bytes come from the new ones, where there were any.
    pub(crate) reversal: Reversal,
    /// What a file that is removed, or replaced by one with other attributes, had besides its bytes.
    pub(crate) attributes: Option<Attributes>,
    /// Whether the new file can be run, where its bytes do not tell it from the old one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) executable: Option<bool>,
    /// How many of the directories above the file are made for it.
    pub(crate) directories: usize,
    /// Whether the file has several names and is written in place.
    pub(crate) in_place: bool,
}

/// What bytes are told by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Print {
    length: u64,
    sha256: String,
}

/// How old bytes come from new ones: a part in the middle is replaced.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reversal {
    /// How many bytes at the start are the same.
    prefix: usize,
    /// How many bytes at the end are the same.
    suffix: usize,
    /// What was in between.
    middle: Bytes,
}

/// Bytes, which are written as text where they are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Bytes {
    Text(String),
    Raw(Vec<u8>),
}

impl Record {
    /// The version that is written, and the only one that is read.
    pub(crate) const VERSION: u32 = 2;

    /// Returns whether this program knows what the record says.
    pub(crate) fn is_known(&self) -> bool {
        self.version == Self::VERSION
    }

    /// Returns the root of the batch, or the directory that it was made from.
    #[must_use]
    pub fn made_in(&self) -> PathBuf {
        self.made_in.to_path()
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

    /// Returns the size of the largest file that the entry knows.
    pub(crate) fn largest(&self) -> u64 {
        [&self.before, &self.after].into_iter().flatten().map(|print| print.length).max().unwrap_or(0)
    }

    /// Returns whether `bytes` are exactly the old or the new ones.
    pub(crate) fn is_known(&self, bytes: &[u8]) -> bool {
        let print = Print::of(Some(bytes));
        print == self.before || print == self.after
    }

    /// Returns whether `now` is exactly what was to be there.
    pub(crate) fn is_new(&self, now: Option<&[u8]>) -> bool {
        Print::of(now) == self.after
    }

    /// Returns what was there before what is there `now`; an error if that is not what was written.
    pub(crate) fn reverse(&self, now: Option<&[u8]>) -> Result<Option<Vec<u8>>, NotWhatWasWritten> {
        let old = self.before.is_some().then(|| self.reversal.apply(now.unwrap_or_default()));
        // The second guards against a journal that someone changed.
        let is_right = self.is_new(now) && Print::of(old.as_deref()) == self.before;
        if is_right { Ok(old) } else { Err(NotWhatWasWritten) }
    }
}

/// A file does not hold what its batch wrote.
pub(crate) struct NotWhatWasWritten;

impl Print {
    /// Returns what the bytes of a file are told by, if there is one.
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
