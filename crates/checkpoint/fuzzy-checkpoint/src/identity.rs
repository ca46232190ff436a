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

use crate::files::{private_dir, regular, write_durably, write_if_new};
use crate::{RepoPath, Result, hash};

/// The file with the record of a worktree or a store.
pub(crate) const RECORD: &str = "record.json";
/// The file in the git directory in which older programs stored the id: the id, then device and inode of the git
/// directory and of the root.
pub(crate) const OLD_RECORD: &str = "fuzzy-edit-worktree";
/// The file in the private directory in which they stored the same numbers, and the path of the git directory.
const OLD_OWNER: &str = "owner";

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
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let Identity { device, file } = sys::identity(path).ok()?;
        let created = fs::metadata(path).and_then(|meta| meta.created()).ok();
        let created = created.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        let created = created.and_then(|since| u64::try_from(since.as_nanos()).ok());
        Some(Self { path: RepoPath::new(sys::bytes_of(path.as_os_str())), device, inode: file, created })
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
    pub(crate) fn new(root: &Path, git_dir: &Path, store: String) -> Option<Self> {
        Some(Self { root: Spot::of(root)?, git_dir: Spot::of(git_dir), store, released: false })
    }

    /// Returns whether this is the record of the worktree with the place `root` and this git directory.
    fn fits(&self, root: &Spot, git_dir: Option<&Spot>) -> bool {
        let by_git_dir = || self.git_dir.as_ref().zip(git_dir).is_some_and(|(then, now)| then.inode == now.inode);
        !self.released && self.root.is(root).unwrap_or_else(by_git_dir)
    }
}

/// Reads the record in a directory of ours.
pub(crate) fn read<T: for<'a> Deserialize<'a>>(dir: &Path) -> Option<T> {
    serde_json::from_slice(&regular(&dir.join(RECORD), false)?).ok()
}

/// Writes the record in a directory of ours.
pub(crate) fn write(dir: &Path, record: &impl Serialize) -> Result<()> {
    private_dir(dir)?;
    let text = serde_json::to_vec(record).map_err(|_| crate::git::unread("record"))?;
    write_durably(&dir.join(RECORD), &text)
}

/// Returns the directories in `dir` with their names.
pub(crate) fn below(dir: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut found: Vec<(String, PathBuf)> =
        entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path()))).collect();
    found.sort();
    found
}

/// Returns the id of the worktree with this root and this git directory, and its record if there is one. `worktrees`
/// contains the private directories.
pub(crate) fn of(root: &Path, git_dir: &Path, worktrees: &Path) -> (String, Option<Record>) {
    let by_path = short(&[sys::bytes_of(git_dir.as_os_str())]);
    let (Some(spot), of_git_dir) = (Spot::of(root), Spot::of(git_dir)) else { return (by_path, None) };
    let known = below(worktrees).into_iter();
    let mut known = known.filter_map(|(id, dir)| Some((id, read::<Record>(&dir)?)));
    if let Some((id, record)) = known.find(|(_, record)| record.fits(&spot, of_git_dir.as_ref())) {
        return (id, Some(record));
    }
    if let Some(id) = of_old(&spot, git_dir, of_git_dir.as_ref(), worktrees) {
        return (id, None);
    }
    let is_taken = |id: &str| [RECORD, OLD_OWNER].iter().any(|name| worktrees.join(id).join(name).exists());
    if !is_taken(&by_path) {
        return (by_path, None);
    }
    let numbers = format!("{} {} {:?}", spot.device, spot.inode, spot.created);
    (short(&[sys::bytes_of(git_dir.as_os_str()), numbers.as_bytes()]), None)
}

/// Finds the directory nearest to `dir`, at or above it and below `top`, that is a known worktree without a repository
/// now. Returns its root with its id and its record.
pub(crate) fn abandoned(dir: &Path, top: Option<&Path>, worktrees: &Path) -> Option<(PathBuf, String, Record)> {
    let known: Vec<(String, Record)> =
        below(worktrees).into_iter().filter_map(|(id, dir)| Some((id, read(&dir)?))).collect();
    let above = dir.ancestors().take_while(|above| top.is_none_or(|top| above.starts_with(top) && *above != top));
    for above in above.filter(|above| fs::symlink_metadata(above.join(".git")).is_err()) {
        let Some(spot) = Spot::of(above) else { continue };
        if let Some((id, record)) =
            known.iter().find(|(_, record)| !record.released && record.root.is(&spot) == Some(true))
        {
            return Some((above.to_owned(), id.clone(), record.clone()));
        }
    }
    None
}

/// Gives the root of the worktree `id` to no other id. Their records still name their stores.
pub(crate) fn release_others(root: &Path, worktrees: &Path, id: &str) -> Result<()> {
    let Some(spot) = Spot::of(root) else { return Ok(()) };
    for (_, dir) in below(worktrees).into_iter().filter(|(other, _)| other != id) {
        if let Some(record) = read::<Record>(&dir).filter(|record| record.root.is(&spot) == Some(true)) {
            write(&dir, &Record { released: true, ..record })?;
        }
    }
    Ok(())
}

/// Returns the id that an older program gave to the worktree.
fn of_old(root: &Spot, git_dir: &Path, of_git_dir: Option<&Spot>, worktrees: &Path) -> Option<String> {
    let of_git_dir = of_git_dir?;
    let fits = |numbers: &[u64], same_path: bool| match numbers {
        [device, inode, rest @ ..] => {
            let devices = *device == of_git_dir.device || same_path;
            let is_root = rest.len() < 2 || rest[1] == root.inode && (rest[0] == root.device || same_path);
            devices && *inode == of_git_dir.inode && is_root
        }
        _ => false,
    };
    let text = regular(&git_dir.join(OLD_RECORD), false)?;
    let (id, text) = text.split_at_checked(16)?;
    let is_id = id.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let id = String::from_utf8(id.to_vec()).ok().filter(|_| is_id)?;
    let owner = regular(&worktrees.join(&id).join(OLD_OWNER), false);
    let same_path = owner.as_ref().is_some_and(|owner| owner.ends_with(sys::bytes_of(git_dir.as_os_str())));
    let is_known = read::<Record>(&worktrees.join(&id)).is_none();
    (is_known && fits(&numbers(text), same_path)).then_some(id)
}

/// Reads the numbers at the beginning of a text.
fn numbers(text: &[u8]) -> Vec<u64> {
    let text = String::from_utf8_lossy(text);
    text.split_whitespace().map_while(|word| word.parse().ok()).collect()
}

/// Returns the id of a sidecar, which belongs to a path.
pub(crate) fn of_sidecar(git_dir: &Path) -> String {
    let kept = regular(&git_dir.join(OLD_RECORD), false).and_then(|text| String::from_utf8(text).ok());
    let kept = kept.and_then(|text| text.get(..16).map(str::to_owned));
    let kept = kept.filter(|id| id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
    kept.unwrap_or_else(|| short(&[sys::bytes_of(git_dir.as_os_str())]))
}

/// Records the id of a sidecar, which remains the same if the state directory is moved.
pub(crate) fn keep_sidecar(git_dir: &Path, id: &str) -> Result<()> {
    write_if_new(&git_dir.join(OLD_RECORD), format!("{id}\n").as_bytes())
}

/// Returns 16 hexadecimal digits of the hash of some texts.
pub(crate) fn short(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    hash::hex(&digest.finalize()[..8])
}
