//! The private git directory of a worktree, its lock and its scratch directories.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_safe_write::{ASIDE, Root};
use fuzzy_system as sys;

use crate::capture_cache::Cache;
use crate::files::{private_dir, regular, write_if_new};
use crate::git::NO_HEAD;
use crate::objects::Objects;
use crate::permit::without_permit;
use crate::worktree::Worktree;
use crate::{Error, Oid, Result, files, identity, store};

/// Turns off every conversion: this file overrides the worktree's own attributes.
const ATTRIBUTES: &str = "* -text !eol -ident -filter -working-tree-encoding !merge !conflict-marker-size\n";

/// A locked worktree, which no other operation captures or restores.
#[derive(Debug)]
pub struct Locked<'a> {
    pub(crate) worktree: &'a Worktree,
    pub(crate) lock: File,
    /// Prevents the removal of objects from the store.
    _store: File,
    /// The root of the files, as an open directory: all writes go there, even if its path now leads elsewhere.
    pub(crate) root: Root,
    /// The same, for reading.
    pub(crate) dir: sys::Directory,
    /// The directory with the records of running writes.
    pub(crate) writes: PathBuf,
    pub(crate) objects: Objects<'a>,
    pub(crate) cache: Cache<'a>,
}

/// The lock of a worktree, which excludes all other operations while it exists.
#[derive(Debug)]
pub struct Held(File);

impl Worktree {
    /// Waits for the worktree's lock and removes the remains of interrupted operations.
    ///
    /// # Errors
    ///
    /// Returns `locked` if the wait times out, and `io` if the root was replaced since the worktree was opened.
    pub fn lock(&self) -> Result<Locked<'_>> {
        let Held(lock) = self.hold()?;
        let root = Root::open(&self.found.root).map_err(Error::from)?;
        let dir = sys::open_top(&self.found.root).map_err(Error::io(&self.found.root))?;
        let writes = self.private.join("writes");
        if !self.is_sidecar() && !identity::is_at(&self.private, &self.found.root, &self.found.git_dir)? {
            return Err(Error::damaged(&self.found.root, "another directory has taken its place just now"));
        }
        let store = loop {
            self.make_store()?;
            let shared = self.share_store()?;
            // Another process may have removed the store together with the last other worktree of the repository.
            if files::exists(&self.found.store.join(identity::RECORD))? {
                break shared;
            }
        };
        let (objects, cache) = (Objects::of(self), Cache::of(self));
        let locked = Locked { worktree: self, lock, _store: store, root, dir, writes, objects, cache };
        locked.sweep()?;
        locked.drop_stale_index_lock()?;
        locked.write_files()?;
        self.keep_identity()?;
        Ok(locked)
    }

    /// Waits for the worktree's lock, only to read: nothing is removed or written.
    ///
    /// # Errors
    ///
    /// Returns `locked` if the wait times out.
    pub fn hold(&self) -> Result<Held> {
        for dir in ["git/refs", "git/objects", "git/info", "tmp"] {
            private_dir(&self.private.join(dir))?;
        }
        let path = self.private.join("lock");
        let open = sys::private_file().create(true).truncate(false).write(true).open(&path);
        let lock = open.map_err(Error::io(&path))?;
        let locked = match lock.try_lock() {
            Err(TryLockError::WouldBlock) => without_permit(|| {
                let deadline = Instant::now() + self.limits.lock_wait;
                loop {
                    match lock.try_lock() {
                        Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                            thread::sleep(Duration::from_millis(5));
                        }
                        done => break done,
                    }
                }
            }),
            done => done,
        };
        match locked {
            Ok(()) => Ok(Held(lock)),
            Err(TryLockError::WouldBlock) => Err(Error::Locked),
            Err(TryLockError::Error(error)) => Err(Error::io(&path)(error)),
        }
    }

    /// Records the id, so that the worktree keeps it.
    ///
    /// # Errors
    ///
    /// Fails if the record cannot be written, or while another operation holds the worktree's lock.
    pub fn take_name(&self) -> Result<()> {
        let _alone = self.hold()?;
        self.make_store()?;
        if !self.is_sidecar() {
            identity::release_others(&self.found.root, self.private.parent().unwrap_or(&self.private), &self.id)?;
        }
        self.keep_identity()
    }

    fn keep_identity(&self) -> Result<()> {
        if self.is_sidecar() {
            return identity::keep_sidecar(&self.found.git_dir, &self.id);
        }
        let Some(store) = store::name_of(&self.found.store) else { return Ok(()) };
        match identity::Record::new(&self.found.root, &self.found.git_dir, store)? {
            Some(record) => identity::write(&self.private, &record),
            None => Ok(()),
        }
    }

    /// Returns the existing scratch directories; while the lock is held, all of them are stale.
    ///
    /// # Errors
    ///
    /// Fails if the private directory cannot be read.
    pub fn scratch_left(&self) -> Result<Vec<PathBuf>> {
        let tmp = self.private.join("tmp");
        Ok(files::below(&tmp)?.into_iter().map(|(_, path)| path).collect())
    }

    /// Returns the ignore rules outside the `.gitignore` files, the weakest first.
    pub(crate) fn exclude_text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let users = self.excludes_file.as_deref().and_then(|path| regular(path, true));
        // The repository is untrusted, so this file must not be a link.
        let common = regular(&self.found.rules.join("info/exclude"), false)
            .filter(|_| fs::symlink_metadata(self.found.rules.join("info")).is_ok_and(|meta| meta.is_dir()));
        for rules in [users, common].into_iter().flatten() {
            text.extend_from_slice(rules.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&rules));
            text.push(b'\n');
        }
        let patterns = self.exclude.iter().map(|pattern| pattern.clone().into_bytes());
        // Temporary files of a restore have such names, both new and replaced ones.
        let beside = format!("{ASIDE}*").into_bytes();
        for pattern in patterns.chain(self.own_state()).chain([beside]) {
            text.extend_from_slice(&pattern);
            text.push(b'\n');
        }
        text
    }

    /// Returns the rule that excludes our own state directory if it is inside the worktree: a restore must not revert
    /// its own records.
    fn own_state(&self) -> Option<Vec<u8>> {
        let state = sys::canonical(self.private.parent()?.parent()?).ok()?;
        let inside = sys::in_git(state.strip_prefix(&self.found.root).ok()?);
        let mut pattern = vec![b'/'];
        for &byte in &inside {
            if br"\*?[ ".contains(&byte) {
                pattern.push(b'\\');
            }
            pattern.push(byte);
        }
        pattern.push(b'/');
        // A rule is one line, so a path with a line end cannot be excluded, nor can the root itself.
        (!inside.is_empty() && !inside.contains(&b'\n')).then_some(pattern)
    }

    /// Returns whether an earlier capture left an index, so that the next one reads only changed files.
    #[must_use]
    pub fn is_warm(&self) -> bool {
        self.warm_index().is_file()
    }

    /// Returns an index that never exists, for calls that read only objects. With the warm one, git reads a file of the
    /// worktree in the place of an equal object, and takes it for empty if it cannot.
    pub(crate) fn no_index(&self) -> PathBuf {
        self.private.join("no.index")
    }

    pub(crate) fn warm_index(&self) -> PathBuf {
        self.private.join("warm.index")
    }
}

impl Locked<'_> {
    /// Gives up the last capture, so that the store need not hold its objects. The next capture reads every file.
    ///
    /// # Errors
    ///
    /// Fails if git or a file operation fails.
    pub fn drop_capture(&self) -> Result<()> {
        self.cache.give_up()
    }

    /// Returns the worktree.
    #[must_use]
    pub const fn worktree(&self) -> &Worktree {
        self.worktree
    }

    /// Removes the scratch directories and unfinished files: while the lock is held, all of them are stale.
    fn sweep(&self) -> Result<()> {
        for dir in ["", "git", "git/info"] {
            files::sweep(&self.worktree.private.join(dir), files::NEXT)?;
        }
        let left = self.worktree.scratch_left()?;
        left.into_iter().try_for_each(|dir| fs::remove_dir_all(&dir).map_err(Error::io(&dir)))
    }

    fn write_files(&self) -> Result<()> {
        let own = self.worktree.private.join("git");
        // `HEAD` is the last capture; after a power failure it may be truncated.
        let head = fs::read(own.join("HEAD")).unwrap_or_default();
        if Oid::from_line(&head).is_none() {
            write_if_new(&own.join("HEAD"), NO_HEAD)?;
        }
        write_if_new(&own.join("config"), self.worktree.config.as_bytes())?;
        write_if_new(&own.join("info/attributes"), ATTRIBUTES.as_bytes())?;
        write_if_new(&own.join("info/exclude"), &self.worktree.exclude_text())
    }

    pub(crate) fn scratch(&self) -> Result<Scratch> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let dir = self.worktree.private.join("tmp").join(name);
        private_dir(&dir)?;
        Ok(Scratch(dir))
    }
}

/// A directory that is removed when it is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If this fails, the next holder of the lock removes it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
