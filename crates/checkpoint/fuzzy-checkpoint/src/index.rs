//! Reads and copies index files, because a git process for a single file would cost more than reading the index.

use std::fs::{self, File, FileTimes};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use fuzzy_system as sys;

use crate::{Error, RepoPath, Result, files};

/// One entry of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known<'a> {
    pub(crate) path: &'a [u8],
    /// The file's change time, in seconds and nanoseconds, and its inode; zeros if git has not checked the file.
    pub(crate) stat: (u32, u32, u32),
    /// The file's modification time, in seconds and nanoseconds.
    modified: (u32, u32),
    /// Whether its owner may execute it.
    pub(crate) executable: bool,
    pub(crate) link: bool,
    /// The mode and the object id, as git records them.
    pub(crate) mode: u32,
    pub(crate) oid: &'a [u8],
}

/// The content of an index, and its modification time.
pub(crate) struct Index {
    content: Vec<u8>,
    written: Option<SystemTime>,
    /// The length of an object id in bytes.
    name: usize,
}

/// The offsets of an entry's fields, in bytes.
const CTIME: usize = 0;
const CTIME_NANOS: usize = 4;
const MTIME: usize = 8;
const MTIME_NANOS: usize = 12;
const INODE: usize = 20;
const MODE: usize = 24;
const OBJECT: usize = 40;
/// The flag of an entry with two further bytes of flags.
const EXTENDED: u16 = 0x4000;

impl Index {
    /// Reads the index at `path`, in a repository of this object format; a missing index has no entries.
    pub(crate) fn read(path: &Path, format: &str) -> Result<Self> {
        let content = match files::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            content => content.map_err(Error::io(path))?,
        };
        let written = fs::metadata(path).and_then(|meta| meta.modified()).ok();
        Ok(Self { content, written, name: if format == "sha256" { 32 } else { 20 } })
    }

    /// Returns the entries in byte order; `None` if the index does not have our format.
    pub(crate) fn entries(&self) -> Option<Vec<Known<'_>>> {
        if self.content.is_empty() {
            return Some(Vec::new());
        }
        let (b"DIRC", 2 | 3, count) = (self.content.get(..4)?, self.number(4)?, self.number(8)?) else { return None };
        let mut entries = Vec::with_capacity(usize::try_from(count).ok()?.min(self.content.len() / OBJECT));
        let mut at = 12;
        for _ in 0..count {
            let flags_at = at + OBJECT + self.name;
            let flags = u16::from_be_bytes(self.content.get(flags_at..flags_at + 2)?.try_into().ok()?);
            let path_at = flags_at + if flags & EXTENDED == 0 { 2 } else { 4 };
            let rest = self.content.get(path_at..)?;
            let path = &rest[..memchr::memchr(0, rest)?];
            let mode = self.number(at + MODE)?;
            let stat = (self.number(at + CTIME)?, self.number(at + CTIME_NANOS)?, self.number(at + INODE)?);
            let oid = &self.content[at + OBJECT..flags_at];
            let link = mode & 0o170_000 == 0o120_000;
            let modified = (self.number(at + MTIME)?, self.number(at + MTIME_NANOS)?);
            entries.push(Known { path, stat, modified, executable: mode & 0o100 != 0, link, mode, oid });
            // Each entry ends with one to eight NULs, at a multiple of eight.
            at += (path_at - at + path.len()) / 8 * 8 + 8;
        }
        Some(entries)
    }

    /// Returns whether the file exists and is not empty.
    pub(crate) const fn has_content(&self) -> bool {
        !self.content.is_empty()
    }

    /// Returns the paths of all entries, each followed by a NUL; `None` as [`entries`](Self::entries).
    pub(crate) fn paths(&self) -> Option<Vec<u8>> {
        let entries = self.entries()?;
        Some(entries.iter().flat_map(|entry| entry.path.iter().copied().chain([0])).collect())
    }

    /// Returns whether a file may have changed unnoticed after git checked it, because most builds of git compare whole
    /// seconds.
    pub(crate) fn is_racy(&self, entry: &Known<'_>) -> bool {
        let written = self.written.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        written.is_none_or(|at| u64::from(entry.stat.0) >= at.as_secs())
    }

    /// Returns the files that git may take for unchanged because their time was set back: they were touched in the second
    /// in which the index was written, or later, and have an older modification time, by which git decides.
    pub(crate) fn set_back(&self) -> Vec<RepoPath> {
        let Some(written) = self.written.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok()) else {
            return Vec::new();
        };
        let is_older = |entry: &Known<'_>| u64::from(entry.modified.0) < written.as_secs();
        let entries = self.entries().unwrap_or_default().into_iter();
        entries.filter(|entry| self.is_racy(entry) && is_older(entry)).map(|entry| entry.path()).collect()
    }

    fn number(&self, at: usize) -> Option<u32> {
        Some(u32::from_be_bytes(self.content.get(at..at + 4)?.try_into().ok()?))
    }
}

impl Known<'_> {
    /// Returns the file's change time and modification time; `None` if git has not checked the file.
    pub(crate) fn times(&self) -> [Option<SystemTime>; 2] {
        [(self.stat.0, self.stat.1), self.modified].map(|(seconds, nanos)| {
            (seconds > 0).then(|| SystemTime::UNIX_EPOCH + Duration::new(seconds.into(), nanos))
        })
    }

    pub(crate) fn path(&self) -> RepoPath {
        RepoPath::new(self.path)
    }
}

/// Copies an index together with its time, to the nanosecond: git trusts a file's recorded state only where the file is
/// older than the index, so a younger copy would hide an edit of equal size. Returns whether there was one.
pub(crate) fn copy_index(from: &Path, to: &Path) -> Result<bool> {
    let modified = match fs::metadata(from).and_then(|meta| meta.modified()) {
        Ok(modified) => modified,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(Error::io(from)(error)),
    };
    let mut content = sys::open_regular(from, false).map_err(Error::io(from))?;
    let mut copy = File::create(to).map_err(Error::io(to))?;
    io::copy(&mut content, &mut copy).map_err(Error::io(to))?;
    copy.set_times(FileTimes::new().set_modified(modified)).map_err(Error::io(to))?;
    Ok(true)
}
