//! Assigns ids to worktrees: a moved worktree keeps its id, and a copy gets a new one.
//!
//! The id belongs to the root of the files: its device, its inode and the time of its creation. A move changes none of
//! them, a copy changes the inode, and a new directory with the inode of a deleted one has another creation time. All
//! records are in our own directories, because a repository may be deleted, and nothing of ours belongs in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fuzzy_system::{self as sys, Identity};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::files::{below, exists, own, private_dir, write_durably, write_if_new};
use crate::unreadable::means_absent;
use crate::{Error, RepoPath, Result, hash};

/// The file with the record of a worktree or a store.
pub(crate) const RECORD: &str = "record.json";
/// The file in a sidecar with its id.
const SIDECAR: &str = "fuzzy-edit-worktree";

/// The place of a directory on the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spot {
    path: RepoPath,
    device: u64,
    inode: u64,
    /// The time of its creation in nanoseconds since 1970; `None` if the file system does not record it.
    created: Option<u64>,
}

/// The record of a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) root: Spot,
    /// The git directory, which identifies the worktree on file systems without creation times.
    git_dir: Option<Spot>,
    /// The name of its store.
    pub(crate) store: String,
    /// Whether the root has been given to another id.
    #[serde(default)]
    released: bool,
}

impl Spot {
    /// Returns `None` if the directory does not exist.
    pub(crate) fn of(path: &Path) -> Result<Option<Self>> {
        let looked = sys::identity(path).and_then(|place| Ok((place, fs::metadata(path)?)));
        let (Identity { device, file }, meta) = match looked {
            Err(error) if means_absent(&error) => return Ok(None),
            looked => looked.map_err(Error::unreadable(path))?,
        };
        // Not every file system records it.
        let created = meta.created().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        let created = created.and_then(|since| u64::try_from(since.as_nanos()).ok());
        Ok(Some(Self { path: RepoPath::new(sys::bytes_of(path.as_os_str())), device, inode: file, created }))
    }

    /// Returns its path.
    pub(crate) fn path(&self) -> PathBuf {
        sys::path_of(self.path.as_bytes().to_vec()).into()
    }

    /// Returns whether both are the same directory; `None` if the file system does not record enough.
    pub(crate) fn is(&self, other: &Self) -> Option<bool> {
        // Device numbers may change when the machine restarts.
        let same_place = self.inode == other.inode && (self.device == other.device || self.path == other.path);
        match (self.created, other.created) {
            _ if !same_place => Some(false),
            (Some(then), Some(now)) => Some(then == now),
            _ if self.path == other.path => Some(true),
            _ => None,
        }
    }
}

impl Record {
    /// Returns `None` if there is no root.
    pub(crate) fn new(root: &Path, git_dir: &Path, store: String) -> Result<Option<Self>> {
        let git_dir = Spot::of(git_dir)?;
        Ok(Spot::of(root)?.map(|root| Self { root, git_dir, store, released: false }))
    }

    /// Returns whether this is the record of the worktree with the place `root` and this git directory.
    fn fits(&self, root: &Spot, git_dir: Option<&Spot>) -> bool {
        let by_git_dir = || self.git_dir.as_ref().zip(git_dir).is_some_and(|(then, now)| then.inode == now.inode);
        !self.released && self.root.is(root).unwrap_or_else(by_git_dir)
    }
}

/// Reads the record in a directory of ours; returns `None` only if it does not exist.
pub(crate) fn read<T: for<'a> Deserialize<'a>>(dir: &Path) -> Result<Option<T>> {
    let path = dir.join(RECORD);
    let text = own(&path)?;
    text.map(|text| serde_json::from_slice(&text).map_err(|_| Error::damaged(&path, "it is no record"))).transpose()
}

/// The records of all worktrees by their ids, and the error of the first one that cannot be read.
struct Known(Vec<(String, Record)>, Option<Error>);

impl Known {
    fn read(worktrees: &Path) -> Result<Self> {
        let (mut known, mut unread) = (Vec::new(), None);
        for (id, dir) in below(worktrees)? {
            match read(&dir) {
                Ok(record) => known.extend(record.map(|record| (id, record))),
                Err(error) => unread = unread.or(Some(error)),
            }
        }
        Ok(Self(known, unread))
    }

    /// Returns the first record that fits; fails if there is none and one may be unread.
    fn find(&mut self, fits: impl Fn(&Record) -> bool) -> Result<Option<(String, Record)>> {
        match self.0.iter().find(|(_, record)| fits(record)) {
            Some(found) => Ok(Some(found.clone())),
            None => self.1.take().map_or(Ok(None), Err),
        }
    }
}

/// Returns whether a root and its git directory are those of the record in a directory of ours, if there is one.
pub(crate) fn is_at(dir: &Path, root: &Path, git_dir: &Path) -> Result<bool> {
    let (Some(record), Some(spot)) = (read::<Record>(dir)?, Spot::of(root)?) else { return Ok(true) };
    Ok(record.fits(&spot, Spot::of(git_dir)?.as_ref()))
}

/// Writes the record in a directory of ours.
pub(crate) fn write(dir: &Path, record: &impl Serialize) -> Result<()> {
    private_dir(dir)?;
    let text = serde_json::to_vec(record).map_err(|_| crate::git::unread("record"))?;
    write_durably(&dir.join(RECORD), &text)
}

/// Returns the id of the worktree with this root and this git directory, and its record if there is one. `worktrees`
/// contains the private directories.
pub(crate) fn of(root: &Path, git_dir: &Path, worktrees: &Path) -> Result<(String, Option<Record>)> {
    let by_path = short(&[sys::bytes_of(git_dir.as_os_str())]);
    let (Some(spot), of_git_dir) = (Spot::of(root)?, Spot::of(git_dir)?) else { return Ok((by_path, None)) };
    // This is first, because another process may record this worktree meanwhile.
    let is_taken = exists(&worktrees.join(&by_path).join(RECORD))?;
    if let Some((id, record)) = Known::read(worktrees)?.find(|record| record.fits(&spot, of_git_dir.as_ref()))? {
        return Ok((id, Some(record)));
    }
    if !is_taken {
        return Ok((by_path, None));
    }
    let numbers = format!("{} {} {:?}", spot.device, spot.inode, spot.created);
    Ok((short(&[sys::bytes_of(git_dir.as_os_str()), numbers.as_bytes()]), None))
}

/// Finds the directory nearest to `dir`, at or above it and below `top`, that is a known worktree without a repository
/// now. Returns its root with its id and its record.
pub(crate) fn abandoned(dir: &Path, top: Option<&Path>, worktrees: &Path) -> Result<Option<(PathBuf, String, Record)>> {
    let mut known = None;
    let above = dir.ancestors().take_while(|above| top.is_none_or(|top| above.starts_with(top) && *above != top));
    for above in above {
        if exists(&above.join(".git"))? {
            continue;
        }
        let Some(spot) = Spot::of(above)? else { continue };
        let known = match &mut known {
            Some(known) => known,
            none => none.insert(Known::read(worktrees)?),
        };
        if let Some((id, record)) = known.find(|record| !record.released && record.root.is(&spot) == Some(true))? {
            return Ok(Some((above.to_owned(), id, record)));
        }
    }
    Ok(None)
}

/// Gives the root of the worktree `id` to no other id. Their records still name their stores.
pub(crate) fn release_others(root: &Path, worktrees: &Path, id: &str) -> Result<()> {
    let Some(spot) = Spot::of(root)? else { return Ok(()) };
    for (_, dir) in below(worktrees)?.into_iter().filter(|(other, _)| other != id) {
        if let Some(record) = read::<Record>(&dir)?.filter(|record| record.root.is(&spot) == Some(true)) {
            write(&dir, &Record { released: true, ..record })?;
        }
    }
    Ok(())
}

/// Returns the id of a sidecar, which belongs to a path.
pub(crate) fn of_sidecar(git_dir: &Path) -> Result<String> {
    let kept = own(&git_dir.join(SIDECAR))?.and_then(|text| String::from_utf8(text).ok());
    let kept = kept.and_then(|text| text.get(..16).map(str::to_owned));
    let kept = kept.filter(|id| id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
    Ok(kept.unwrap_or_else(|| short(&[sys::bytes_of(git_dir.as_os_str())])))
}

/// Records the id of a sidecar, which remains the same if the state directory is moved.
pub(crate) fn keep_sidecar(git_dir: &Path, id: &str) -> Result<()> {
    write_if_new(&git_dir.join(SIDECAR), format!("{id}\n").as_bytes())
}

/// Returns 16 hexadecimal digits of the hash of some texts.
pub(crate) fn short(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    hash::hex(&digest.finalize()[..8])
}
