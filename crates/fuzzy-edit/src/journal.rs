//! Journals: what a batch is about to do, and did, so that it can be finished or taken back.
//!
//! A journal is written before the first file changes and stays in the folder `pending` until the batch is whole; the
//! process holds a lock on it, which ends with the process. Then it moves to `done`, where the newest ones are kept.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags};

use crate::hash::sha256;
use crate::record::Record;
use crate::state::{is_linked, names};
use crate::{FileError, State, fault};

/// How many batches can be taken back, at most.
const KEPT: usize = 64;

/// How large the journals of these are together, at most, in bytes.
const KEPT_BYTES: u64 = 64 << 20;

/// What the name of a journal ends in whose files were not all put right.
const LEFT: &[u8] = b".left";

/// A journal of a batch that is not whole yet.
#[derive(Debug)]
pub(crate) struct Pending {
    folder: OwnedFd,
    name: OsString,
    /// Locked; whoever gets this lock knows that the process is gone.
    _file: File,
}

/// A journal of a batch that was carried out.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) id: String,
    pub(crate) record: Record,
    /// Locked, so that a batch is taken back once.
    _file: File,
}

impl Pending {
    /// Writes down what batch `id` is going to do. A batch of several files survives a loss of power from here on.
    pub(crate) fn begin(state: &State, id: &str, record: &Record) -> Result<Self, FileError> {
        let folder = state.folder("pending")?;
        let name = OsString::from(id);
        let write = || -> io::Result<File> {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            let mut file = loop {
                fault::point()?;
                let file = File::from(rustix::fs::openat(&folder, &name, flags, Mode::RUSR | Mode::WUSR)?);
                fault::point()?;
                rustix::fs::flock(&file, FlockOperation::LockExclusive)?;
                // Between these two, someone may have taken it for one that nobody finishes, and removed it.
                if is_linked(&folder, &name, &file) {
                    break file;
                }
            };
            let mut text = serde_json::to_vec(record)?;
            let sum = sha256(&text);
            text.extend([b"\n", sum.as_bytes(), b"\n"].concat());
            file.write_all(&text)?;
            fault::point()?;
            if record.entries.len() > 1 {
                file.sync_all()?;
                rustix::fs::fsync(&folder)?;
            }
            Ok(file)
        };
        match write() {
            Ok(file) => Ok(Self { folder, name, _file: file }),
            Err(source) => {
                let _ = rustix::fs::unlinkat(&folder, &name, AtFlags::empty());
                Err(FileError::State { path: id.into(), source })
            }
        }
    }

    /// Returns the journals that processes left behind, with what they say, and removes those that say nothing.
    pub(crate) fn orphans(state: &State) -> Vec<(Self, Record)> {
        let mut orphans = Vec::new();
        for folder in state.existing("pending") {
            for name in names(&folder) {
                let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
                let Ok(opened) = rustix::fs::openat(&folder, &name, flags, Mode::empty()) else { continue };
                let mut file = File::from(opened);
                let Ok(own) = folder.try_clone() else { continue };
                let is_ours = rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
                if !is_ours || !is_linked(&folder, &name, &file) {
                    continue;
                }
                match read(&mut file) {
                    Ok(record) => orphans.push((Self { folder: own, name, _file: file }, record)),
                    // It was not written to its end, so that nothing else was.
                    Err(Unreadable::Torn) => Self { folder: own, name, _file: file }.discard(),
                    Err(Unreadable::Unknown) => {}
                }
            }
        }
        orphans
    }

    /// Returns the name of the batch.
    pub(crate) fn id(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// Notes that the batch is whole. If it took an earlier one back, both are forgotten.
    pub(crate) fn finish(self, state: &State, record: &Record) {
        match &record.undoes {
            None => self.keep(state, OsStr::new("")),
            Some(undone) => {
                for folder in state.existing("done") {
                    let _ = rustix::fs::unlinkat(&folder, undone, AtFlags::empty());
                }
                self.discard();
            }
        }
    }

    /// Keeps a journal some of whose files were neither old nor new, for people to read.
    pub(crate) fn leave(self, state: &State) {
        self.keep(state, OsStr::from_bytes(LEFT));
    }

    /// Forgets a batch that changed nothing.
    pub(crate) fn discard(self) {
        let _ = rustix::fs::unlinkat(&self.folder, &self.name, AtFlags::empty());
    }

    fn keep(self, state: &State, suffix: &OsStr) {
        let mut name = self.name.clone();
        name.push(suffix);
        let kept = state.folder("done").is_ok_and(|done| {
            let is_kept = rustix::fs::renameat(&self.folder, &self.name, &done, &name).is_ok();
            prune(&done);
            is_kept
        });
        if !kept {
            // The batch is whole; that it cannot be taken back is the lesser evil.
            self.discard();
        }
    }
}

impl Done {
    /// Returns the newest batch that `is_meant`, and nobody else is taking back.
    pub(crate) fn newest(state: &State, is_meant: impl Fn(&Record) -> bool) -> Option<Self> {
        for folder in state.existing("done") {
            for name in names(&folder).into_iter().rev() {
                if name.as_bytes().ends_with(LEFT) {
                    continue;
                }
                let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
                let Ok(opened) = rustix::fs::openat(&folder, &name, flags, Mode::empty()) else { continue };
                let mut file = File::from(opened);
                let Some(record) = read(&mut file).ok().filter(&is_meant) else { continue };
                let is_ours = rustix::fs::flock(&file, FlockOperation::LockExclusive).is_ok();
                if is_ours && is_linked(&folder, &name, &file) {
                    return Some(Self { id: name.to_string_lossy().into_owned(), record, _file: file });
                }
            }
        }
        None
    }
}

/// Why a journal cannot be read.
enum Unreadable {
    /// It ends before it should.
    Torn,
    /// It is from another version of this program, something else wrote into it, or the system does not let us.
    Unknown,
}

fn read(file: &mut File) -> Result<Record, Unreadable> {
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(|_| Unreadable::Unknown)?;
    // The sum comes last, on a line of its own. What it does not fit might remove a file that no batch made.
    let end = text.iter().position(|byte| *byte == b'\n').ok_or(Unreadable::Torn)?;
    let sum = text[end + 1..].strip_suffix(b"\n").ok_or(Unreadable::Torn)?;
    let json = Some(&text[..end]).filter(|json| sum == sha256(json).as_bytes()).ok_or(Unreadable::Unknown)?;
    let record: Record = serde_json::from_slice(json).map_err(|_| Unreadable::Unknown)?;
    if record.version == Record::VERSION { Ok(record) } else { Err(Unreadable::Unknown) }
}

/// Removes the oldest journals until as many are left as are kept.
fn prune(done: &OwnedFd) {
    let mut bytes = 0;
    for (index, name) in names(done).iter().rev().enumerate() {
        let stat = rustix::fs::statat(done, name, AtFlags::SYMLINK_NOFOLLOW);
        bytes += stat.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or(0));
        if index >= KEPT || bytes > KEPT_BYTES {
            let _ = rustix::fs::unlinkat(done, name, AtFlags::empty());
        }
    }
}
