//! Names worktrees so that one that is moved keeps its name, and a copy gets one of its own.
//!
//! The name lies in the git directory, with the device and the inode that the directory had. A move changes neither of
//! them, a copy both.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::files::{private_dir, regular, write_if_new};
use crate::{Error, Result, hash};

/// The file in the git directory: name, device, inode.
const RECORD: &str = "fuzzy-edit-worktree";
/// The file in the private directory: device, inode and path of the git directory that has the name.
const OWNER: &str = "owner";

/// Where a git directory lies.
struct Here<'a> {
    path: &'a Path,
    device: u64,
    inode: u64,
}

impl<'a> Here<'a> {
    /// `None` for one that is gone.
    fn of(path: &'a Path) -> Option<Self> {
        let meta = fs::metadata(path).ok()?;
        Some(Self { path, device: meta.dev(), inode: meta.ino() })
    }

    fn record(&self, id: &str) -> String {
        format!("{id} {} {}\n", self.device, self.inode)
    }

    fn owner(&self) -> Vec<u8> {
        [format!("{} {} ", self.device, self.inode).as_bytes(), self.path.as_os_str().as_bytes()].concat()
    }

    /// Returns the name in the record, and whether the record speaks of this device, too.
    fn recorded(&self) -> Option<(String, bool)> {
        let text = String::from_utf8(regular(&self.path.join(RECORD), false)?).ok()?;
        let [id, device, inode] = text.split_whitespace().collect::<Vec<_>>()[..] else { return None };
        let is_name = id.len() == 16 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let same = is_name && inode.parse() == Ok(self.inode);
        same.then(|| (id.to_owned(), device.parse() == Ok(self.device)))
    }

    /// Returns whether the name `id` is this directory's, as far as our own files tell: `None` where they tell nothing.
    fn owns(&self, worktrees: &Path, id: &str) -> Option<bool> {
        let text = regular(&worktrees.join(id).join(OWNER), false)?;
        let [device, inode, path] = text.splitn(3, |byte| *byte == b' ').collect::<Vec<_>>()[..] else { return None };
        let [device, inode] = [device, inode].map(|number| std::str::from_utf8(number).ok()?.parse::<u64>().ok());
        let (device, inode) = (device?, inode?);
        // Devices may be numbered anew when the machine starts.
        Some(inode == self.inode && (device == self.device || path == self.path.as_os_str().as_bytes()))
    }
}

/// Returns the name of the worktree with this git directory; `worktrees` holds the private directories.
pub(crate) fn of(git_dir: &Path, worktrees: &Path) -> String {
    let by_path = short(&[git_dir.as_os_str().as_bytes()]);
    let Some(here) = Here::of(git_dir) else { return by_path };
    if let Some((id, device)) = here.recorded()
        && here.owns(worktrees, &id).unwrap_or(device)
    {
        return id;
    }
    // Another directory that was here may have taken the name along.
    if here.owns(worktrees, &by_path).unwrap_or(true) {
        return by_path;
    }
    short(&[git_dir.as_os_str().as_bytes(), here.record("").as_bytes()])
}

/// Writes down that this git directory has the name `id`.
pub(crate) fn keep(git_dir: &Path, worktrees: &Path, id: &str) -> Result<()> {
    let Some(here) = Here::of(git_dir) else { return Ok(()) };
    let private = worktrees.join(id);
    private_dir(&private)?;
    write_if_new(&private.join(OWNER), &here.owner())?;
    match write_if_new(&record(git_dir), here.record(id).as_bytes()) {
        // Where it cannot be written nothing is captured, but checkpoints can be looked at.
        Err(Error::Io { .. }) => Ok(()),
        done => done,
    }
}

fn record(git_dir: &Path) -> PathBuf {
    git_dir.join(RECORD)
}

fn short(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    hash::hex(&digest.finalize()[..8])
}
