//! Assigns ids to worktrees: a moved worktree keeps its id, and a copy gets a new one.
//!
//! A worktree is a git directory together with a root of files; several roots may share one git directory. The id is
//! stored in the git directory, with the device and the inode of both. A move changes neither of these, a copy changes
//! those of the copied directories.

use std::path::{Path, PathBuf};

use fuzzy_system::{self as sys, Identity};
use sha2::{Digest, Sha256};

use crate::files::{private_dir, regular, write_if_new};
use crate::{Error, Result, hash};

/// The file in the git directory: the id, then device and inode of the git directory and of the root.
const RECORD: &str = "fuzzy-edit-worktree";
/// The file in the private directory: the same numbers, then the path of the git directory that has the id.
const OWNER: &str = "owner";

/// The location of a worktree.
struct Here<'a> {
    git_dir: &'a Path,
    of_git_dir: Identity,
    /// `None` for a sidecar, which belongs to the path of its directory.
    of_root: Option<Identity>,
}

/// The recorded location of a worktree.
struct Written<'t> {
    of_git_dir: Identity,
    /// Older programs did not record it.
    of_root: Option<Identity>,
    /// The bytes after the numbers.
    rest: &'t [u8],
}

impl<'t> Written<'t> {
    fn read(text: &'t [u8]) -> Option<Self> {
        let (of_git_dir, rest) = identity(text)?;
        let root = identity(rest);
        Some(Self { of_git_dir, of_root: root.map(|(it, _)| it), rest: root.map_or(rest, |(_, rest)| rest) })
    }

    /// Returns whether the inodes equal those of `here`, and whether the devices do.
    fn fits(&self, here: &Here<'_>) -> (bool, bool) {
        let pairs = [Some((self.of_git_dir, here.of_git_dir)), self.of_root.zip(here.of_root)];
        let all = |same: fn(Identity, Identity) -> bool| pairs.iter().flatten().all(|(then, now)| same(*then, *now));
        (all(|then, now| then.file == now.file), all(|then, now| then.device == now.device))
    }
}

/// Splits device and inode off the beginning, each with the blank after it.
fn identity(text: &[u8]) -> Option<(Identity, &[u8])> {
    let (device, text) = number(text)?;
    let (file, rest) = number(text)?;
    Some((Identity { device, file }, rest))
}

/// Splits a number off the beginning, with the blank after it.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let end = text.iter().position(|byte| matches!(byte, b' ' | b'\n')).unwrap_or(text.len());
    let number = std::str::from_utf8(&text[..end]).ok()?.parse().ok()?;
    Some((number, text.get(end + 1..).unwrap_or_default()))
}

impl<'a> Here<'a> {
    /// Returns `None` if the directories do not exist.
    fn of(git_dir: &'a Path, root: Option<&Path>) -> Option<Self> {
        let of_root = root.map(|root| sys::identity(root).ok());
        if of_root == Some(None) {
            return None;
        }
        Some(Self { git_dir, of_git_dir: sys::identity(git_dir).ok()?, of_root: of_root.flatten() })
    }

    /// Formats the numbers.
    fn numbers(&self) -> String {
        let all = [Some(self.of_git_dir), self.of_root].into_iter().flatten();
        all.map(|it| it.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn record(&self, id: &str) -> String {
        format!("{id} {}\n", self.numbers())
    }

    fn owner(&self) -> Vec<u8> {
        [self.numbers().as_bytes(), b" ", sys::bytes_of(self.git_dir.as_os_str())].concat()
    }

    /// Returns the recorded id, if the record has these inodes, and whether it has these devices.
    fn recorded(&self) -> Option<(String, bool)> {
        let text = regular(&record(self.git_dir), false)?;
        let (id, numbers) = name(&text)?;
        let (inodes, devices) = Written::read(numbers)?.fits(self);
        inodes.then_some((id, devices))
    }

    /// Returns whether the record has this git directory with another root.
    fn is_anothers(&self) -> bool {
        let Some(text) = regular(&record(self.git_dir), false) else { return false };
        let Some(written) = name(&text).and_then(|(_, numbers)| Written::read(numbers)) else { return false };
        written.of_git_dir == self.of_git_dir && !written.fits(self).0
    }

    /// Returns whether the id belongs to this worktree, according to our own files; `None` if they have no record of
    /// it.
    fn owns(&self, worktrees: &Path, id: &str) -> Option<bool> {
        let text = regular(&worktrees.join(id).join(OWNER), false)?;
        let written = Written::read(&text)?;
        let (inodes, devices) = written.fits(self);
        // Device numbers may change when the machine restarts.
        Some(inodes && (devices || written.rest == sys::bytes_of(self.git_dir.as_os_str())))
    }
}

/// Splits the id off a record.
fn name(text: &[u8]) -> Option<(String, &[u8])> {
    let (id, numbers) = text.split_at_checked(16)?;
    let is_name = id.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let numbers = numbers.strip_prefix(b" ").filter(|_| is_name)?;
    Some((String::from_utf8(id.to_vec()).ok()?, numbers))
}

/// Returns the id of the worktree with this git directory and this root, which is `None` for a sidecar. `worktrees`
/// contains the private directories.
pub(crate) fn of(git_dir: &Path, root: Option<&Path>, worktrees: &Path) -> String {
    let by_path = short(&[sys::bytes_of(git_dir.as_os_str())]);
    let Some(here) = Here::of(git_dir, root) else { return by_path };
    if let Some((id, devices)) = here.recorded()
        && here.owns(worktrees, &id).unwrap_or(devices)
    {
        return id;
    }
    // A worktree that was moved away may have kept this id, or another one shares the git directory.
    if !here.is_anothers() && here.owns(worktrees, &by_path).unwrap_or(true)
        || here.owns(worktrees, &by_path) == Some(true)
    {
        return by_path;
    }
    short(&[sys::bytes_of(git_dir.as_os_str()), here.record("").as_bytes()])
}

/// Records that this worktree has the id `id`.
pub(crate) fn keep(git_dir: &Path, root: Option<&Path>, worktrees: &Path, id: &str) -> Result<()> {
    let Some(here) = Here::of(git_dir, root) else { return Ok(()) };
    let private = worktrees.join(id);
    private_dir(&private)?;
    write_if_new(&private.join(OWNER), &here.owner())?;
    if here.is_anothers() {
        // The first worktree keeps the record; our own files suffice for the others.
        return Ok(());
    }
    match write_if_new(&record(git_dir), here.record(id).as_bytes()) {
        // A read-only repository cannot be captured, but its checkpoints can still be read.
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
