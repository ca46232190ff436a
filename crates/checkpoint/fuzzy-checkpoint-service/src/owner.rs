//! The owner of a worktree's lease. If its process dies, the next owner need not wait until the lease expires.

use std::fs::{self, File};
use std::io::{Read, Seek, Write};

use fuzzy_checkpoint_store::ulid;

use crate::Result;
use crate::checkpointer::Checkpointer;

/// The owner's name in the lease. Every attempt has a new name, because two threads of one service exclude each other
/// just as two services do.
///
/// The name is in a file of the state directory, which is locked while the owner lives. A process that gets the lock
/// knows that the owner named in the file is dead, however it died. A live owner on another machine or with another
/// state directory never appears in that file.
pub(crate) struct Owner {
    pub(crate) name: String,
    _alive: Option<StateFile>,
}

impl Checkpointer {
    /// Creates an owner, and releases the lease of a dead one. If the file is not available, a dead owner's lease
    /// expires by itself.
    pub(crate) fn owner(&self, worktree: &str) -> Result<Owner> {
        let name = ulid();
        let Some(mut file) = self.owner_file(worktree) else { return Ok(Owner { name, _alive: None }) };
        let mut dead = String::new();
        // If the file cannot be read or written, the only cost is a wait for the lease to expire.
        if file.0.read_to_string(&mut dead).is_ok() && !dead.is_empty() {
            self.store.release_lease(worktree, &dead)?;
        }
        let _ = file.0.set_len(0).and_then(|()| file.0.rewind()).and_then(|()| file.0.write_all(name.as_bytes()));
        Ok(Owner { name, _alive: Some(file) })
    }

    fn owner_file(&self, worktree: &str) -> Option<StateFile> {
        let file = self.state_file("owners", worktree)?;
        file.0.try_lock().ok().map(|()| file)
    }

    /// Opens a worktree's lock file in a folder of the state directory.
    pub(crate) fn state_file(&self, folder: &str, worktree: &str) -> Option<StateFile> {
        let dir = self.engine.state_dir().join(folder);
        fs::create_dir_all(&dir).ok()?;
        // The id is read from the database and must not lead out of the folder.
        let path = dir.join(worktree.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(worktree)?);
        let mut options = fuzzy_system::private_file();
        options.create(true).truncate(false).read(true).write(true).open(path).ok().map(StateFile)
    }
}

/// A lock file. Dropping it unlocks it explicitly: another thread may be starting a process, and until its program
/// begins that process holds all open files, and their locks.
pub(crate) struct StateFile(pub(crate) File);

impl Drop for StateFile {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::{File, StateFile};

    #[test]
    fn a_lock_ends_with_its_file_while_another_thread_starts_processes() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("file");
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    Command::new("true").status().expect("it runs");
                }
            });
            let refused = (0..2_000).filter(|_| {
                let file = StateFile(File::create(&path).expect("opened"));
                file.0.try_lock().is_err()
            });
            let refused = refused.count();
            is_over.store(true, Ordering::Relaxed);
            assert_eq!(refused, 0);
        });
    }
}
