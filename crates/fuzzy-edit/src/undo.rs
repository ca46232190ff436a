//! Taking back the last batch.

use std::path::{Path, PathBuf};

use fuzzy_safe_write::{Batch, Done, Locks, Record, Step};

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
        let about = |path: &Path, error: FileError| Box::new(<Box<Failure>>::from(error).about(path.to_string_lossy()));
        let paths = done.record().paths();
        let mut locks = Locks::default();
        self.lock_targets(&mut locks, paths.iter().map(PathBuf::as_path))
            .map_err(|(path, error)| about(&path, error))?;
        let steps = done.steps().map_err(|(path, error)| about(&path, error.into()))?;
        Batch::new(&steps, done.is_in_place())
            .write(&state, &self.made_in(), Some(done.id().to_owned()))
            .map_err(|(index, error)| about(&paths[index], error.into()))?;
        let files = steps.iter().map(undone).collect();
        Ok(Undone { status: "undone", files })
    }

    fn is_meant(&self, record: &Record) -> bool {
        let Some(root) = &self.root else { return true };
        let is_below = |path: PathBuf| path.starts_with(root.path());
        is_below(record.made_in()) || record.paths().into_iter().all(is_below)
    }
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
