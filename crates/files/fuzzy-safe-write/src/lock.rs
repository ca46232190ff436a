//! Advisory locks between processes that write the same file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::hash::sha256;
use crate::sys::{self, Directory};
use crate::{Error, State};

/// The pause before a lock is tried again: at first, and at most.
const PAUSE: (Duration, Duration) = (Duration::from_micros(200), Duration::from_millis(20));

/// The locks of one batch, released on drop.
#[derive(Debug, Default)]
pub struct Locks {
    held: BTreeMap<PathBuf, Lock>,
}

/// One lock. Its file is removed on release, so that no lock files accumulate.
#[derive(Debug)]
struct Lock {
    folder: Arc<Directory>,
    name: OsString,
    _file: File,
}

impl Locks {
    /// Takes the locks of all `targets` that are not held yet; waits until `deadline` at most, and while `wanted`
    /// returns no error.
    ///
    /// Takes them in the order of their names, so that two batches never deadlock.
    ///
    /// # Errors
    ///
    /// Returns a target with [`Error::Busy`], an error of the state directory, or an error of `wanted`.
    pub fn take<'a, E: From<Error>>(
        &mut self,
        state: &State,
        targets: impl IntoIterator<Item = &'a Path>,
        deadline: Option<Instant>,
        wanted: impl Fn() -> Result<(), E>,
    ) -> Result<(), (PathBuf, E)> {
        let mut missing: Vec<&Path> = targets.into_iter().filter(|path| !self.held.contains_key(*path)).collect();
        let Some(first) = missing.first() else { return Ok(()) };
        let folder = Arc::new(state.folder("locks").map_err(|error| ((*first).to_owned(), error.into()))?);
        missing.sort_unstable();
        missing.dedup();
        for path in missing {
            let lock = Lock::take(&folder, path, deadline, &wanted).map_err(|error| (path.to_owned(), error))?;
            self.held.insert(path.to_owned(), lock);
        }
        Ok(())
    }
}

impl Lock {
    fn take<E: From<Error>>(
        folder: &Arc<Directory>,
        path: &Path,
        deadline: Option<Instant>,
        wanted: impl Fn() -> Result<(), E>,
    ) -> Result<Self, E> {
        let name = OsString::from(&sha256(path.as_os_str().as_encoded_bytes())[..32]);
        let mut pause = PAUSE.0;
        loop {
            let file = sys::open_lock(folder, &name).map_err(Error::state(path))?;
            match sys::try_lock(&file) {
                // The previous owner may have removed the file; then its lock excludes no other process.
                Ok(true) if sys::is_linked(folder, &name, &file) => {
                    return Ok(Self { folder: Arc::clone(folder), name, _file: file });
                }
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::state(path)(error).into()),
            }
            wanted()?;
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Error::Busy { path: path.to_owned() }.into());
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(PAUSE.1);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The lock remains until the file is closed, right after this.
        let _ = sys::remove(&self.folder, &self.name);
    }
}
