//! The store of checkpoints: a repository of our own in the state directory, with their objects and refs.
//!
//! All worktrees of a repository share one store. It borrows from the user's object store, which is only read: git finds
//! borrowed objects by an environment variable, so calls without it see and write only our own objects. A sidecar is a
//! store that borrows nothing.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fuzzy_system as sys;
use serde::{Deserialize, Serialize};

use crate::files::{self, NEXT, below, private_dir, sweep, write_durably};
use crate::git::{Call, NO_HEAD};
use crate::identity::{self, Spot};
use crate::worktree::{QUIET, Worktree};
use crate::{Error, Oid, Result, hash};

/// The name of the folder of stores in the state directory.
pub(crate) const STORES: &str = "store";
/// The name of the folder of sidecars beside it.
pub(crate) const SIDECARS: &str = "sidecar";
/// The file that excludes the removal of objects while others capture.
const LOCK: &str = "lock";
/// The beginning of the names of files whose only purpose is to be synchronized.
const SYNCED: &str = ".sync-";
/// The file that is locked while the files of a store are made.
const MAKING: &str = "making";
/// The number of loose objects and packs from which a collection packs all objects.
const LOOSE: usize = 2000;
const PACKS: usize = 20;

/// The record of a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    /// Distinguishes this store from a later one at its path.
    id: String,
    /// The directory that the worktrees of the repository share.
    common_dir: Option<Spot>,
}

/// An object with its size on disk, in bytes.
pub(crate) type OnDisk = (Oid, u64);

/// Returns the path of the store of a repository, which may not exist yet. `stores` contains all stores.
pub(crate) fn of(common_dir: &Path, stores: &Path) -> Result<PathBuf> {
    let by_path = stores.join(identity::short(&[sys::bytes_of(common_dir.as_os_str())]));
    let Some(spot) = Spot::of(common_dir)? else { return Ok(by_path) };
    // This is first, because another process may make this store meanwhile.
    let is_taken = files::exists(&by_path.join(identity::RECORD))?;
    let mut unread = None;
    for (_, dir) in below(stores)? {
        match identity::read::<Record>(&dir) {
            Ok(Some(Record { common_dir: Some(known), .. })) if known.is(&spot) == Some(true) => return Ok(dir),
            Ok(_) => {}
            Err(error) => unread = unread.or(Some(error)),
        }
    }
    if let Some(error) = unread {
        return Err(error);
    }
    Ok(if is_taken { stores.join(identity::short(&[format!("{spot:?}").as_bytes()])) } else { by_path })
}

/// Returns the name by which records name a store, from its path.
pub(crate) fn name_of(store: &Path) -> Option<String> {
    let name = store.file_name()?.to_str()?;
    let is_sidecar = store.parent()?.file_name()? == SIDECARS;
    Some(if is_sidecar { format!("{SIDECARS}/{name}") } else { name.to_owned() })
}

/// Returns the path of a store from its name; `state_dir` contains all stores and sidecars.
pub(crate) fn at(state_dir: &Path, name: &str) -> PathBuf {
    match name.strip_prefix(SIDECARS).and_then(|name| name.strip_prefix('/')) {
        Some(name) => state_dir.join(SIDECARS).join(name),
        None => state_dir.join(STORES).join(name),
    }
}

/// Returns the id of a store; `None` if it was never made.
///
/// # Errors
///
/// Fails if the store was made and is not whole: a part of it may be away only now.
pub(crate) fn id_of(store: &Path) -> Result<Option<String>> {
    let Some(Record { id, .. }) = identity::read(store)? else { return Ok(None) };
    for dir in ["objects", "refs"].map(|name| store.join(name)) {
        fs::read_dir(&dir).map_err(Error::unreadable(&dir))?;
    }
    Ok(Some(id))
}

/// Returns the directory that the worktrees of a store's repository share, as it was when the store was last used.
pub(crate) fn repository_of(store: &Path) -> Result<Option<PathBuf>> {
    let record: Option<Record> = identity::read(store)?;
    Ok(record.and_then(|record| record.common_dir).map(|spot| spot.path()))
}

/// Returns the object format of a store; `None` if it does not exist.
pub(crate) fn format_of(store: &Path) -> Result<Option<String>> {
    let path = store.join("config");
    if fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_file()) {
        // Something else has its name; the next lock replaces it.
        return Ok(None);
    }
    let config = files::own(&path)?.map(|config| String::from_utf8_lossy(&config).into_owned());
    Ok(config.map(|config| if config.contains("objectFormat = sha256") { "sha256" } else { "sha1" }.to_owned()))
}

impl Worktree {
    /// Returns the directory of the store.
    #[must_use]
    pub fn store(&self) -> &Path {
        &self.found.store
    }

    /// Returns the name of the store: a random id and its path; `None` if it does not exist yet.
    ///
    /// # Errors
    ///
    /// Fails if its record cannot be read.
    pub fn store_name(&self) -> Result<Option<String>> {
        let path = self.found.store.to_str();
        Ok(id_of(&self.found.store)?.zip(path).map(|(id, path)| format!("{id} {path}")))
    }

    /// Gives the store at its known path the id `id` again, if only its record is gone. Returns whether it was.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read or written.
    pub fn name_store_again(&self, id: &str) -> Result<bool> {
        let store = &self.found.store;
        if identity::read::<Record>(store)?.is_some() || !files::exists(&store.join("refs"))? {
            return Ok(false);
        }
        identity::write(store, &Record { id: id.to_owned(), common_dir: None }).map(|()| true)
    }

    pub(crate) fn store_objects(&self) -> PathBuf {
        self.found.store.join("objects")
    }

    /// Writes the files that make a directory a repository.
    pub(crate) fn make_store(&self) -> Result<()> {
        let store = &self.found.store;
        // Several worktrees share a store, and the lock of each excludes only its own processes.
        let making = self.locked_file(MAKING)?;
        making.lock().map_err(Error::io(store))?;
        let known: Option<Record> = identity::read(store)?;
        if known.is_none() {
            if self.found.store_id.is_some() {
                return Err(Error::StoreMissing { path: store.clone() });
            }
            for dir in ["objects/info", "objects/pack", "refs"] {
                private_dir(&store.join(dir))?;
            }
        }
        sweep(store, NEXT)?;
        write_durably(&store.join("HEAD"), NO_HEAD)?;
        write_durably(&store.join("config"), self.config.as_bytes())?;
        let common_dir = if self.found.sidecar { None } else { Spot::of(&self.found.common_dir)? };
        let id = known.as_ref().map_or_else(new_id, |known| known.id.clone());
        // A folder that lost its repository keeps its store, also for another repository.
        let common_dir = common_dir.or_else(|| known.as_ref().and_then(|known| known.common_dir.clone()));
        let record = Record { id, common_dir };
        if known.as_ref() != Some(&record) {
            identity::write(store, &record)?;
        }
        Ok(())
    }

    /// Lets a call read the objects of the user's store.
    pub(crate) fn borrowing(&self, call: Call) -> Call {
        match &self.found.lends {
            Some(lends) => call.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", quoted(lends)),
            None => call,
        }
    }

    /// Starts a call on the store.
    pub(crate) fn kept(&self, verb: &str) -> Call {
        self.borrowing(self.scrubbed(verb, &QUIET).env("GIT_DIR", &self.found.store))
    }

    /// Starts a call on the store that sees only its own objects.
    fn alone(&self, verb: &str) -> Call {
        self.scrubbed(verb, &QUIET).env("GIT_DIR", &self.found.store)
    }

    /// Returns those of `oids` that the store itself has.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn stored(&self, oids: &[Oid]) -> Result<HashSet<Oid>> {
        Ok(self.own_sizes(oids)?.into_iter().map(|(oid, _)| oid).collect())
    }

    /// Returns the objects of the store that `commits` hold, with their sizes. Missing objects are skipped.
    pub(crate) fn held(&self, commits: &[Oid]) -> Result<Vec<OnDisk>> {
        self.own_sizes(&self.reachable(commits)?)
    }

    /// Returns the objects that `commits` hold, in the store or borrowed. Objects that are surely missing are skipped.
    fn reachable(&self, commits: &[Oid]) -> Result<Vec<Oid>> {
        let (there, gone) = self.existing(commits)?;
        self.confirm_missing(&gone)?;
        if there.is_empty() {
            return Ok(Vec::new());
        }
        let call = self.kept("rev-list").args(["--objects", "--no-object-names", "--missing=print", "--stdin"]);
        let listed = call.input(lines(&there)).ok()?;
        self.confirm_missing(&missing(&listed))?;
        Ok(found(&listed))
    }

    /// Returns those of `oids` that exist in the store or are borrowed, and the others.
    fn existing(&self, oids: &[Oid]) -> Result<(Vec<Oid>, Vec<Oid>)> {
        if oids.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let call = self.kept("cat-file").arg("--batch-check=%(objectname)").input(lines(oids));
        let there: HashSet<Oid> = found(&call.ok()?).into_iter().collect();
        Ok(oids.iter().cloned().partition(|oid| there.contains(oid)))
    }

    /// Returns those of `oids` that the store itself has, with their sizes on disk.
    pub(crate) fn own_sizes(&self, oids: &[Oid]) -> Result<Vec<OnDisk>> {
        if oids.is_empty() {
            return Ok(Vec::new());
        }
        let call = self.alone("cat-file").arg("--batch-check=%(objectname) %(objectsize:disk)").input(lines(oids));
        Ok(sizes(&call.ok()?))
    }

    /// Returns those of `oids` that are not in the store but can be borrowed, with their sizes on disk, and those that
    /// are missing everywhere.
    pub(crate) fn borrowed(&self, oids: &[Oid]) -> Result<(Vec<OnDisk>, Vec<Oid>)> {
        let own: HashSet<Oid> = self.own_sizes(oids)?.into_iter().map(|(oid, _)| oid).collect();
        let others: Vec<Oid> = oids.iter().filter(|oid| !own.contains(oid)).cloned().collect();
        if others.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let call = self.kept("cat-file").arg("--batch-check=%(objectname) %(objectsize:disk)").input(lines(&others));
        let there = sizes(&call.ok()?);
        let known: HashSet<&Oid> = there.iter().map(|(oid, _)| oid).collect();
        let missing = others.iter().filter(|oid| !known.contains(oid)).cloned().collect();
        Ok((there, missing))
    }

    /// Returns those of `oids` that are not in the store, with their sizes on disk.
    ///
    /// # Errors
    ///
    /// Returns `lost` if one of them cannot be borrowed.
    pub(crate) fn all_borrowed(&self, oids: &[Oid]) -> Result<Vec<OnDisk>> {
        let (borrowed, missing) = self.borrowed(oids)?;
        let Some(first) = missing.first() else { return Ok(borrowed) };
        self.confirm_missing(&missing)?;
        Err(Error::Lost { what: first.to_string() })
    }

    /// Copies objects into a pack of the store.
    pub(crate) fn pack(&self, objects: &[OnDisk]) -> Result<()> {
        let oids: Vec<Oid> = objects.iter().map(|(oid, _)| oid.clone()).collect();
        self.pack_into(&self.store_objects(), &oids)
    }

    /// Packs objects. Nothing is compared with other objects, because that takes longest.
    pub(crate) fn pack_into(&self, objects: &Path, oids: &[Oid]) -> Result<()> {
        if oids.is_empty() {
            return Ok(());
        }
        let call = self.kept("pack-objects").args(["-q", "--window=0", "--threads=1"]);
        call.arg(objects.join("pack/pack")).input(lines(oids)).ok().map(drop)
    }

    /// Waits until no other process removes objects of the store, and prevents it while the returned lock is held.
    pub(crate) fn share_store(&self) -> Result<File> {
        let file = self.locked_file(LOCK)?;
        file.lock_shared().map_err(Error::io(&self.found.store))?;
        Ok(file)
    }

    /// Waits until no capture or restore of the repository runs, and prevents them while the returned lock is held.
    pub(crate) fn exclude_store(&self) -> Result<File> {
        let file = self.locked_file(LOCK)?;
        file.lock().map_err(Error::io(&self.found.store))?;
        Ok(file)
    }

    fn locked_file(&self, name: &str) -> Result<File> {
        private_dir(&self.found.store)?;
        let path = self.found.store.join(name);
        sys::private_file().create(true).truncate(false).write(true).open(&path).map_err(Error::io(&path))
    }

    /// Makes everything durable that git has written to the store: its own synchronization of a batch of objects is
    /// complete only when the file system commits its journal, which a synchronized file forces.
    pub(crate) fn flush(&self) -> Result<()> {
        let store = &self.found.store;
        // Another process may do the same at the same time, so each has a file of its own.
        let synced = tempfile::Builder::new().prefix(SYNCED).tempfile_in(store).and_then(|mut file| {
            file.write_all(b"synchronized\n")?;
            file.as_file().sync_all()
        });
        synced.map_err(Error::io(store))
    }

    /// Frees the space of objects that no checkpoint holds. No capture or restore of the repository runs meanwhile.
    /// Returns the number of freed bytes. On a full disk, packed objects remain.
    ///
    /// # Errors
    ///
    /// Fails if git or a file operation fails.
    pub fn collect(&self) -> Result<u64> {
        self.collected(false)
    }

    /// Does the same, and leaves no object that no checkpoint holds.
    ///
    /// # Errors
    ///
    /// Fails if git or a file operation fails; returns `disk_full` if packed objects remain.
    pub fn collect_all(&self) -> Result<u64> {
        self.collected(true)
    }

    fn collected(&self, is_strict: bool) -> Result<u64> {
        if id_of(&self.found.store)?.is_none() {
            return Ok(0);
        }
        let lock = self.exclude_store()?;
        let before = self.store_bytes();
        self.drop_unfinished()?;
        let refs: Vec<Oid> = self.own_refs("refs")?.into_iter().map(|(_, oid)| oid).collect();
        let reachable = self.reachable(&refs)?;
        let held = self.own_sizes(&reachable)?;
        let needed: HashSet<&Oid> = held.iter().map(|(oid, _)| oid).collect();
        // An object of ours that git could not read must not look like a borrowed one.
        let others: Vec<Oid> = reachable.iter().filter(|oid| !needed.contains(oid)).cloned().collect();
        self.confirm_not_own(&others)?;
        let loose = self.loose_objects()?;
        for (oid, path) in loose.iter().filter(|(oid, _)| !needed.contains(oid)) {
            fs::remove_file(path).map_err(Error::io(oid.as_str()))?;
        }
        let packs = self.packs()?;
        let is_crowded = loose.len() > LOOSE || packs.len() > PACKS;
        // Packing needs space for a second copy of all remaining objects.
        let size = held.iter().map(|(_, size)| size).sum::<u64>();
        let free = sys::free_space(&self.found.store).map_err(Error::io(&self.found.store))?;
        let has_space = free >= size.saturating_add(self.limits.min_free_bytes);
        let is_wasteful = (is_strict || has_space && !is_crowded) && self.has_waste(&packs, &needed)?;
        if is_strict && is_wasteful && !has_space {
            return Err(Error::DiskFull { path: self.found.store.clone() });
        }
        if has_space && (is_crowded || is_wasteful) {
            let names: Vec<Oid> = held.iter().map(|(oid, _)| oid.clone()).collect();
            let call = self.alone("pack-objects").args(["-q", "--threads=1"]);
            let call = call.arg(self.store_objects().join("pack/pack")).input(lines(&names));
            let made =
                if names.is_empty() { String::new() } else { String::from_utf8_lossy(&call.ok()?).trim().into() };
            self.flush()?;
            for pack in packs.iter().filter(|pack| made.is_empty() || !pack.to_string_lossy().contains(&made)) {
                // The index goes last: a pack without its data is ignored.
                for kind in ["pack", "rev", "mtimes", "idx"] {
                    crate::files::remove(&pack.with_extension(kind))?;
                }
            }
            for (_, path) in loose.iter().filter(|(oid, _)| needed.contains(oid)) {
                crate::files::remove(path)?;
            }
        }
        drop(lock);
        Ok(before.saturating_sub(self.store_bytes()))
    }

    /// Removes files that killed processes did not finish. All others wait for the lock of the store.
    fn drop_unfinished(&self) -> Result<()> {
        // Git uses this prefix in all its directories of objects, and so does our own writer.
        below(&self.store_objects())?.iter().try_for_each(|(_, dir)| sweep(dir, "tmp_"))?;
        sweep(&self.found.store, SYNCED)
    }

    /// Returns whether packs contain objects that are not needed.
    fn has_waste(&self, packs: &[PathBuf], needed: &HashSet<&Oid>) -> Result<bool> {
        if packs.is_empty() {
            return Ok(false);
        }
        let listed = self.alone("cat-file").args(["--batch-all-objects", "--batch-check=%(objectname)"]).ok()?;
        Ok(found(&listed).iter().any(|oid| !needed.contains(oid)))
    }

    /// Returns the indexes of the store's packs.
    fn packs(&self) -> Result<Vec<PathBuf>> {
        let packs = below(&self.store_objects().join("pack"))?.into_iter();
        let packs = packs.filter(|(name, _)| name.starts_with("pack-") && name.strip_suffix(".idx").is_some());
        Ok(packs.map(|(_, path)| path).collect())
    }

    fn loose_objects(&self) -> Result<Vec<(Oid, PathBuf)>> {
        let mut found = Vec::new();
        for (above, dir) in below(&self.store_objects())?.into_iter().filter(|(name, _)| name.len() == 2) {
            let files = below(&dir)?.into_iter();
            found.extend(files.filter_map(|(name, path)| Some((Oid::new(format!("{above}{name}")).ok()?, path))));
        }
        Ok(found)
    }

    /// Returns the size of the store's files, in bytes.
    #[must_use]
    pub fn store_bytes(&self) -> u64 {
        let (mut bytes, mut dirs) = (0, vec![self.store_objects()]);
        while let Some(dir) = dirs.pop() {
            for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
                match entry.metadata() {
                    Ok(meta) if meta.is_dir() => dirs.push(entry.path()),
                    Ok(meta) => bytes += meta.len(),
                    Err(_) => {}
                }
            }
        }
        bytes
    }

    /// Returns whether the newest capture still borrows objects from the user's repository.
    #[must_use]
    pub fn is_borrowing(&self) -> bool {
        self.warm().is_some_and(|warm| !warm.whole) && !self.found.sidecar
    }

    /// Returns whether the repository has one of these commits.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn has_commit(&self, commits: &[Oid]) -> Result<bool> {
        let call = self.user("rev-list").args(["--no-walk", "--ignore-missing", "--stdin"]);
        Ok(!found(&call.input(lines(commits)).ok()?).is_empty())
    }

    /// Copies everything that the checkpoints borrow into the store, so that they survive the loss of the repository.
    /// Does nothing if that exceeds `limit` bytes. Captures may run meanwhile. Returns whether nothing is borrowed any
    /// more.
    ///
    /// # Errors
    ///
    /// Fails if git or a file operation fails.
    pub fn keep_all(&self, limit: u64) -> Result<bool> {
        if !self.is_borrowing() {
            return Ok(true);
        }
        let Some(before) = self.warm() else { return Ok(true) };
        let _shared = self.share_store()?;
        let mut commits: Vec<Oid> = self.pins()?.into_iter().map(|(_, commit)| commit).collect();
        commits.push(before.commit.clone());
        let (borrowed, _) = self.borrowed(&self.reachable(&commits)?)?;
        if borrowed.iter().map(|(_, bytes)| bytes).sum::<u64>() > limit {
            return Ok(false);
        }
        self.pack(&borrowed)?;
        self.flush()?;
        let own = self.alone("rev-list").args(["--objects", "--quiet", before.commit.as_str()]).run()?;
        if own.code != 0 {
            return Ok(false);
        }
        let locked = self.lock()?;
        let now = self.warm().filter(|now| now.commit == before.commit);
        now.map(|now| locked.cache.remember_whole(now)).transpose().map(|done| done.is_some())
    }

    /// Removes a whole store.
    pub(crate) fn remove_store(&self) -> Result<()> {
        match fs::remove_dir_all(&self.found.store) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(&self.found.store)(error)),
            _ => Ok(()),
        }
    }
}

/// Formats names for a git call, one on each line.
pub(crate) fn lines(oids: &[Oid]) -> Vec<u8> {
    oids.iter().flat_map(|oid| [oid.as_str().as_bytes(), b"\n"].concat()).collect()
}

/// Returns the objects in the output of a git call, without the missing ones.
pub(crate) fn found(output: &[u8]) -> Vec<Oid> {
    output.split(|byte| *byte == b'\n').filter_map(Oid::from_line).collect()
}

/// Returns the objects that a git call reports as missing.
pub(crate) fn missing(output: &[u8]) -> Vec<Oid> {
    let lines = output.split(|byte| *byte == b'\n');
    lines.filter_map(|line| Oid::from_line(line.strip_prefix(b"?")?)).collect()
}

/// Returns the objects and sizes in the output of a git call, without the missing ones.
fn sizes(output: &[u8]) -> Vec<OnDisk> {
    let text = String::from_utf8_lossy(output);
    let sized = |line: &str| {
        let (oid, size) = line.split_once(' ')?;
        Some((Oid::new(oid).ok()?, size.parse().ok()?))
    };
    text.lines().filter_map(sized).collect()
}

/// Quotes a path for git's list of object stores.
pub(crate) fn quoted(path: &Path) -> OsString {
    let bytes = sys::bytes_of(path.as_os_str());
    if !bytes.iter().any(|byte| matches!(byte, b':' | b';' | b'"' | b'\\' | b'\n')) {
        return path.as_os_str().to_owned();
    }
    let mut text = vec![b'"'];
    for byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', *byte]),
            b'\n' => text.extend(b"\\n"),
            _ => text.push(*byte),
        }
    }
    text.push(b'"');
    sys::path_of(text)
}

fn new_id() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    hash::sha256(format!("{now} {}", std::process::id()).as_bytes())[..16].to_owned()
}
