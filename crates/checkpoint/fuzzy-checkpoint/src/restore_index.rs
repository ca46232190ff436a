//! Restores the user's index by git's own protocol and never by force.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_system as sys;

use crate::failpoint;
use crate::files::remove;
use crate::index::copy_index;
use crate::private::Locked;
use crate::snapshot::Snapshot;
use crate::worktree::Worktree;
use crate::{Error, IndexKept, IndexOutcome, Oid, Result, files};

/// The name of the index that is about to replace the user's.
const NEXT: &str = "index.fuzzy-edit";
/// The longest time to wait for another program's index lock.
const INDEX_WAIT: Duration = Duration::from_secs(2);

/// Files that exist during operations of the user that own index and head.
const IN_PROGRESS: [&str; 6] =
    ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer"];

impl Worktree {
    pub(crate) fn operation_in_progress(&self) -> bool {
        IN_PROGRESS.iter().any(|name| fs::symlink_metadata(self.found.git_dir.join(name)).is_ok())
    }

    /// Returns the number of commits since `commit`; 0 if it is unknown.
    ///
    /// # Errors
    ///
    /// Fails if git cannot be run.
    pub fn commits_since(&self, commit: Option<&Oid>) -> Result<u64> {
        let (Some(then), (Some(now), _)) = (commit, self.head()?) else { return Ok(0) };
        if *then == now {
            return Ok(0);
        }
        let answer = self.user("rev-list").args(["--count", &format!("{then}..{now}")]).run()?;
        Ok(String::from_utf8_lossy(&answer.stdout).trim().parse().unwrap_or(0))
    }

    /// Returns the short name of a branch, unless it is checked out.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn unless_on(&self, branch: Option<&str>) -> Result<Option<String>> {
        let Some(branch) = branch else { return Ok(None) };
        let is_on = self.head()?.1.as_deref() == Some(branch);
        Ok((!is_on).then(|| branch.strip_prefix("refs/heads/").unwrap_or(branch).to_owned()))
    }
}

impl Locked<'_> {
    /// Returns the reason why a restore of all files would not restore the index; `None` if it would, or if the index
    /// is the same.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn index_kept(&self, from: &Snapshot, to: &Snapshot) -> Result<Option<IndexKept>> {
        let (Some(now), Some(then)) = (&from.index_tree, &to.index_tree) else {
            return Ok(Some(if to.index_tree.is_none() { IndexKept::NotCaptured } else { IndexKept::NotSaved }));
        };
        if now == then {
            return Ok(None);
        }
        let (head, head_ref) = self.worktree.head()?;
        if head != to.head || head_ref != to.head_ref {
            return Ok(Some(IndexKept::HeadDiffers));
        }
        Ok(self.worktree.operation_in_progress().then_some(IndexKept::InProgress))
    }

    /// Restores the user's index, if the head is the recorded one and `from` contains the current index, so that this
    /// can be undone.
    ///
    /// # Errors
    ///
    /// Fails if git or a file operation fails; a lock held by another program is an outcome, not an error.
    pub fn restore_index(&self, from: &Snapshot, to: &Snapshot) -> Result<IndexOutcome> {
        if self.index_kept(from, to)?.is_some() {
            return Ok(IndexOutcome::Kept);
        }
        let Some(then) = to.index_tree.as_ref().filter(|then| from.index_tree.as_ref() != Some(*then)) else {
            return Ok(IndexOutcome::Unchanged);
        };
        let deadline = Instant::now() + INDEX_WAIT;
        loop {
            match self.install_index(then, to.head.as_ref()) {
                Ok(true) => return Ok(IndexOutcome::Restored),
                // An index that cannot be written must not block a restore of the files.
                Ok(false) => {}
                Err(Error::Io { source, .. }) if unwritable(&source) => return Ok(IndexOutcome::Busy),
                Err(error) => return Err(error),
            }
            if Instant::now() >= deadline {
                return Ok(IndexOutcome::Busy);
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Builds the new index beside the user's and installs it under git's own lock. The lock file is a hard link to the
    /// finished file, so after a crash every process can recognize the lock as ours, with any state directory.
    fn install_index(&self, tree: &Oid, head: Option<&Oid>) -> Result<bool> {
        let users = &self.worktree.found.index;
        let scratch = self.scratch()?;
        let copy = scratch.path("user.index");
        let before = read_if_any(users)?;
        if copy_index(users, &copy)? && Some(fs::read(&copy).map_err(Error::io(&copy))?) != before {
            return Ok(false);
        }
        // The user's index needs a checksum, which our own indexes omit.
        let config =
            [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "index.skipHash"), ("GIT_CONFIG_VALUE_0", "false")];
        let call = self.worktree.own("read-tree", &copy).args(["--reset", tree.as_str()]);
        let call = config.iter().fold(call, |call, (name, value)| call.env(name, value));
        if call.hold(&self.lock)?.run()?.code != 0 {
            return Ok(false);
        }
        self.give_back(tree, head)?;
        let next = self.next_index();
        remove(&next)?;
        let content = fs::read(&copy).map_err(Error::io(&copy))?;
        let mut file = File::create_new(&next).map_err(Error::io(&next))?;
        // Held until our process ends.
        file.lock().map_err(Error::io(&next))?;
        file.write_all(&content).and_then(|()| file.sync_all()).map_err(Error::io(&next))?;
        if let Ok(meta) = fs::metadata(users) {
            file.set_permissions(meta.permissions()).map_err(Error::io(&next))?;
        }
        let lock = index_lock(users);
        let taken = match fs::hard_link(&next, &lock) {
            Ok(()) => true,
            Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => false,
            Err(error) => return Err(Error::io(&lock)(error)),
        };
        failpoint::hit("index locked");
        let unchanged = taken && read_if_any(users)? == before;
        if unchanged {
            fs::rename(&lock, users).map_err(Error::io(users))?;
            failpoint::hit("index installed");
        } else if taken {
            remove(&lock)?;
        }
        remove(&next)?;
        Ok(unchanged)
    }

    /// Copies those objects of an index to the user's repository that it lacks: without them git could neither commit
    /// the index nor collect garbage.
    fn give_back(&self, tree: &Oid, head: Option<&Oid>) -> Result<()> {
        let Some(users) = &self.worktree.found.lends else { return Ok(()) };
        let head = head.and_then(|head| self.objects.tree_of(head).ok());
        let mut named = BTreeSet::new();
        self.objects.new_objects(head.as_ref(), tree, &mut named)?;
        self.objects.copy_to(users, &named.into_iter().collect::<Vec<_>>())
    }

    /// Removes the index lock of an interrupted restore, recognized by its other link; never removes another program's
    /// lock.
    pub(crate) fn drop_stale_index_lock(&self) -> Result<()> {
        // Older programs, and those with the store on another file system, store it in the git directory.
        for dir in [&self.worktree.private, &self.worktree.found.git_dir] {
            self.drop_stale_lock_of(&dir.join(NEXT))?;
        }
        Ok(())
    }

    /// Returns the path of the index that is about to replace the user's. It is in the git directory only if ours is on
    /// another file system, because both are links to one file.
    fn next_index(&self) -> PathBuf {
        let (ours, users) = (&self.worktree.private, &self.worktree.found.git_dir);
        let device = |dir: &Path| sys::identity(dir).ok().map(|found| found.device);
        if device(ours) == device(users) { ours.join(NEXT) } else { users.join(NEXT) }
    }

    fn drop_stale_lock_of(&self, next: &Path) -> Result<()> {
        let Ok(file) = sys::open_regular(next, false) else { return Ok(()) };
        if file.try_lock().is_err() {
            // Its process is alive, with another state directory.
            return Ok(());
        }
        let lock = index_lock(&self.worktree.found.index);
        let ours = sys::identity_of(&file).map_err(Error::io(next))?;
        if sys::identity_of_name(&lock).is_ok_and(|found| found == ours) {
            remove(&lock)?;
        }
        remove(next)
    }
}

/// Returns whether an error is permanent, for example on a file system without hard links.
fn unwritable(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, Unsupported};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | Unsupported)
}

fn index_lock(index: &Path) -> PathBuf {
    let mut name = index.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

fn read_if_any(path: &Path) -> Result<Option<Vec<u8>>> {
    match files::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(path)(error)),
    }
}
