//! Keeps the private git directory, its lock and its scratch space.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_safe_write::{ASIDE, Root};
use fuzzy_system as sys;

use crate::files::{private_dir, regular, write_if_new};
use crate::place::out_of_place;
use crate::session::Slot;
use crate::worktree::Worktree;
use crate::{Error, Oid, Result, identity};

/// Turns off every conversion, whatever the worktree's own attributes say: this file has the last word.
const ATTRIBUTES: &str = "* -text !eol -ident -filter -working-tree-encoding\n";

/// A worktree with its lock held: nobody else captures or restores it.
#[derive(Debug)]
pub struct Locked<'a> {
    pub(crate) worktree: &'a Worktree,
    pub(crate) lock: File,
    /// The root of the files, held open: what is written goes there, whatever its name means by then.
    pub(crate) root: Root,
    /// The same, to read what is captured.
    pub(crate) dir: sys::Directory,
    /// Where what is being written is on record.
    pub(crate) writes: PathBuf,
    /// Reads objects.
    pub(crate) objects: Slot,
    /// Moves refs.
    pub(crate) refs: Slot,
}

/// Keeps everybody else out of a worktree as long as it lives.
#[derive(Debug)]
pub struct Held(File);

impl Worktree {
    /// Waits for the worktree's lock and removes what interrupted operations left.
    ///
    /// # Errors
    ///
    /// Returns `locked` when the wait runs out.
    pub fn lock(&self) -> Result<Locked<'_>> {
        let Held(lock) = self.hold()?;
        let root = Root::open(&self.found.root).map_err(Error::from)?;
        let dir = sys::open_top(&self.found.root).map_err(Error::io(&self.found.root))?;
        let writes = self.private.join("writes");
        let (objects, refs) = (Slot::default(), Slot::default());
        let locked = Locked { worktree: self, lock, root, dir, writes, objects, refs };
        locked.sweep()?;
        locked.drop_stale_index_lock()?;
        locked.write_files()?;
        self.keep_identity()?;
        Ok(locked)
    }

    /// Waits for the worktree's lock, only to look: nothing is removed or written.
    ///
    /// # Errors
    ///
    /// Returns `locked` when the wait runs out.
    pub fn hold(&self) -> Result<Held> {
        for dir in ["git/refs", "git/objects", "git/info", "tmp"] {
            private_dir(&self.private.join(dir))?;
        }
        let path = self.private.join("lock");
        let open = sys::private_file().create(true).truncate(false).write(true).open(&path);
        let lock = open.map_err(Error::io(&path))?;
        let locked = match lock.try_lock() {
            Err(TryLockError::WouldBlock) => out_of_place(|| {
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

    /// Makes the name it has here the one that it keeps.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be written down, and while another operation holds the worktree's lock.
    pub fn take_name(&self) -> Result<()> {
        let _alone = self.hold()?;
        self.keep_identity()
    }

    fn keep_identity(&self) -> Result<()> {
        let worktrees = self.private.parent().unwrap_or(&self.private);
        identity::keep(&self.found.git_dir, self.found.named_root(), worktrees, &self.id)
    }

    /// Returns the scratch directories that are there; the holder of the lock knows them to be stale.
    ///
    /// # Errors
    ///
    /// Fails when the private directory cannot be read.
    pub fn scratch_left(&self) -> Result<Vec<PathBuf>> {
        let tmp = self.private.join("tmp");
        let entries = fs::read_dir(&tmp).map_err(Error::io(&tmp))?;
        let mut left: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        left.sort();
        Ok(left)
    }

    /// Returns the ignore rules that hold besides the `.gitignore` files, the weakest first.
    pub(crate) fn exclude_text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let users = self.excludes_file.as_deref().and_then(|path| regular(path, true));
        // A repository may come from anybody: its file may not lead elsewhere.
        let common = regular(&self.found.rules.join("info/exclude"), false)
            .filter(|_| fs::symlink_metadata(self.found.rules.join("info")).is_ok_and(|meta| meta.is_dir()));
        for rules in [users, common].into_iter().flatten() {
            text.extend_from_slice(rules.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&rules));
            text.push(b'\n');
        }
        let patterns = self.exclude.iter().map(|pattern| pattern.clone().into_bytes());
        // What is written waits under such a name, and what it replaced stays there until all is done.
        let beside = format!("{ASIDE}*").into_bytes();
        for pattern in patterns.chain(self.own_state()).chain([beside]) {
            text.extend_from_slice(&pattern);
            text.push(b'\n');
        }
        text
    }

    /// Returns the rule that leaves out our own state where it lies in the worktree: a restore must not take back the
    /// record of itself.
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
        // A rule is a line; and without a name of its own there is nothing to leave out.
        (!inside.is_empty() && !inside.contains(&b'\n')).then_some(pattern)
    }

    pub(crate) fn warm_index(&self) -> PathBuf {
        self.private.join("warm.index")
    }
}

impl Locked<'_> {
    /// Returns the worktree.
    #[must_use]
    pub const fn worktree(&self) -> &Worktree {
        self.worktree
    }

    /// Removes scratch directories. The holder of the lock is alone, so all of them are stale.
    fn sweep(&self) -> Result<()> {
        let left = self.worktree.scratch_left()?;
        left.into_iter().try_for_each(|dir| fs::remove_dir_all(&dir).map_err(Error::io(&dir)))
    }

    fn write_files(&self) -> Result<()> {
        let own = self.worktree.private.join("git");
        // It names the last capture; what was cut short by a power failure names nothing.
        let head = fs::read(own.join("HEAD")).unwrap_or_default();
        if Oid::from_line(&head).is_none() {
            write_if_new(&own.join("HEAD"), b"ref: refs/heads/none\n")?;
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

/// A directory that vanishes with its owner.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays after is swept by the next holder of the lock.
        let _ = fs::remove_dir_all(&self.0);
    }
}
