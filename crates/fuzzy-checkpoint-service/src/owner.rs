//! Who holds a worktree's lease, so that the next one need not wait for it when that process has died.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;

use fuzzy_checkpoint_store::ulid;

use crate::Result;
use crate::checkpointer::Checkpointer;

/// The name of whoever asks for a lease: one of its own for every attempt, for two threads of one service are as
/// strange to each other as two services.
///
/// The name occurs in a file of the state directory that is locked as long as the owner lives. Who gets that lock knows
/// the one named there to be dead, however it died; a living owner elsewhere, on another machine or with another state
/// directory, is never named there.
pub(crate) struct Owner {
    pub(crate) name: String,
    _alive: Option<File>,
}

impl Checkpointer {
    /// Makes an owner, after giving back the lease of one that died. Where the file cannot be had, a dead owner's lease
    /// runs out by itself.
    pub(crate) fn owner(&self, worktree: &str) -> Result<Owner> {
        let name = ulid();
        let Some(mut file) = self.owner_file(worktree) else { return Ok(Owner { name, _alive: None }) };
        let mut dead = String::new();
        // What cannot be read or written names nobody, which costs a wait and nothing else.
        if file.read_to_string(&mut dead).is_ok() && !dead.is_empty() {
            self.store.release_lease(worktree, &dead)?;
        }
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(name.as_bytes()));
        Ok(Owner { name, _alive: Some(file) })
    }

    fn owner_file(&self, worktree: &str) -> Option<File> {
        let file = self.state_file("owners", worktree)?;
        file.try_lock().ok().map(|()| file)
    }

    /// Opens the file of a worktree in a folder of the state directory, to lock it.
    pub(crate) fn state_file(&self, folder: &str, worktree: &str) -> Option<File> {
        let dir = self.engine.state_dir().join(folder);
        fs::create_dir_all(&dir).ok()?;
        // The name comes from the database, which may not lead elsewhere.
        let path = dir.join(worktree.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(worktree)?);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true).mode(0o600).open(path).ok()
    }
}
