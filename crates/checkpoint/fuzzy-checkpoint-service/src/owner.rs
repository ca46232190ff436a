//! Who holds a worktree's lease, so that the next one need not wait for it when that process has died.

use std::fs::{self, File};
use std::io::{Read, Seek, Write};

use fuzzy_checkpoint_store::ulid;

use crate::Result;
use crate::checkpointer::Checkpointer;

/// The name under which a lease is asked for: a new one for every attempt, for two threads of one service are as
/// strange to each other as two services.
///
/// The name occurs in a file of the state directory that is locked as long as the owner lives. Who gets that lock knows
/// the one named there to be dead, however it died; a living owner elsewhere, on another machine or with another state
/// directory, is never named there.
pub(crate) struct Owner {
    pub(crate) name: String,
    _alive: Option<StateFile>,
}

impl Checkpointer {
    /// Makes an owner, after giving back the lease of one that died. Where the file cannot be had, a dead owner's lease
    /// runs out by itself.
    pub(crate) fn owner(&self, worktree: &str) -> Result<Owner> {
        let name = ulid();
        let Some(mut file) = self.owner_file(worktree) else { return Ok(Owner { name, _alive: None }) };
        let mut dead = String::new();
        // What cannot be read or written names nobody, which costs a wait and nothing else.
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

    /// Opens the file of a worktree in a folder of the state directory, to lock it.
    pub(crate) fn state_file(&self, folder: &str, worktree: &str) -> Option<StateFile> {
        let dir = self.engine.state_dir().join(folder);
        fs::create_dir_all(&dir).ok()?;
        // The name comes from the database, which may not lead elsewhere.
        let path = dir.join(worktree.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(worktree)?);
        let mut options = fuzzy_system::private_file();
        options.create(true).truncate(false).read(true).write(true).open(path).ok().map(StateFile)
    }
}

/// A file that is there to be locked. Its lock ends with it at once: a process that another thread is just starting has
/// all open files until its program begins, and their locks with them.
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
