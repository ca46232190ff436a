//! Taking back the last batch.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::file::Snapshot;
use crate::journal::Done;
use crate::lock::Locks;
use crate::plan::new_id;
use crate::record::{Entry, Record};
use crate::root::Root;
use crate::write::{Batch, Step};
use crate::{Code, Failure, FileError, Undone, UndoneAction, UndoneFile, Workspace};

impl Workspace {
    /// Takes back the last batch that was made in the root or beneath it, or that changed only files there; without a
    /// root the last one of all.
    ///
    /// All of its files get their old text again, and those that it removed or moved their places, if every one of
    /// them still holds what the batch wrote; otherwise none is touched. What is taken back is forgotten, so that
    /// another call takes back the batch before. As many as 64 batches are known, the newest ones, whose journals
    /// together have no more than 64 MiB.
    ///
    /// # Errors
    ///
    /// A failure with the code `missing` if there is no such batch, `stale` if a file changed since, or what is in the
    /// way of writing.
    pub fn undo(&self) -> Result<Undone, Box<Failure>> {
        self.recover();
        let state = self.state();
        let Some(done) = Done::newest(&state, |record| self.is_meant(record)) else {
            return Err(Box::new(Failure::new(
                Code::Missing,
                "there is no batch to take back here",
                "Run it in the directory of the batch, or name that as the root; only the newest batches are kept.",
            )));
        };
        let entries = &done.record.entries;
        let about = |path: &Path, error: FileError| Box::new(<Box<Failure>>::from(error).about(path.to_string_lossy()));
        let paths: Vec<PathBuf> = entries.iter().map(Entry::path).collect();
        let mut locks = Locks::default();
        self.lock_targets(&mut locks, paths.iter().map(PathBuf::as_path))
            .map_err(|(path, error)| about(&path, error))?;
        let everything = Root::everything().map_err(|error| about(Path::new("/"), error))?.allowing_git();
        let mut steps = Vec::with_capacity(entries.len());
        for (entry, path) in entries.iter().zip(&paths) {
            steps.push(step(&everything, entry, path).map_err(|error| about(path, error))?);
        }
        let in_place = entries.iter().any(|entry| entry.in_place);
        let batch = Batch { id: &new_id(), first: 0, steps: &steps, in_place };
        batch
            .write(&state, &self.made_in(), Some(done.id.clone()))
            .map_err(|(index, error)| about(&paths[index], error))?;
        let files = steps.iter().map(undone).collect();
        Ok(Undone { status: "undone", files })
    }

    fn is_meant(&self, record: &Record) -> bool {
        let Some(root) = &self.root else { return true };
        let is_below = |path: PathBuf| path.starts_with(root.path());
        is_below(record.made_in()) || record.entries.iter().all(|entry| is_below(entry.path()))
    }
}

/// Returns what takes back one entry.
fn step(everything: &Root, entry: &Entry, path: &Path) -> Result<Step<'static>, FileError> {
    let stale = || FileError::Stale { path: path.to_owned() };
    let place = everything.place_without_links(path).map_err(|_| stale())?;
    let before = match Snapshot::read(path, place.clone(), entry.largest()) {
        Ok(snapshot) => Some(snapshot.bytes),
        Err(FileError::Missing { .. }) => None,
        Err(FileError::TooLarge { .. } | FileError::NotAFile { .. }) => return Err(stale()),
        Err(error) => return Err(error),
    };
    let after = entry.reverse(before.as_deref()).map_err(|_| stale())?;
    let (attributes, directories) = (entry.attributes.clone(), entry.directories);
    let (before, after) = (before.map(Cow::Owned), after.map(Cow::Owned));
    Ok(Step { path: path.to_owned(), place, before, after, attributes, directories })
}

/// Returns what taking back a step does to its file.
fn undone(step: &Step<'_>) -> UndoneFile {
    let action = match (&step.before, &step.after) {
        (_, None) => UndoneAction::Removed,
        (None, _) => UndoneAction::Recreated,
        _ => UndoneAction::Restored,
    };
    UndoneFile { file_path: step.path.to_string_lossy().into_owned(), action }
}
