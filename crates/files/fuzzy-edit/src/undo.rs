//! Taking back batches.

use std::path::{Path, PathBuf};

use fuzzy_safe_write::{Batch, Done, Locks, Record, Root, State, Step};

use crate::{Batches, Code, Failure, FileError, PastBatch, Undone, UndoneAction, UndoneFile, Workspace};

/// Why a batch must not be taken back: the file, and what is wrong with it.
type Hindrance = (PathBuf, FileError);

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
    /// way of writing: undoing takes the permissions that editing takes.
    pub fn undo(&self) -> Result<Undone, Box<Failure>> {
        self.undo_batch(None, false)
    }

    /// Takes back the batch of this name, or else the last one; only says what that would do if it is a `dry_run`.
    ///
    /// # Errors
    ///
    /// As [`undo`](Self::undo).
    pub fn undo_batch(&self, batch: Option<&str>, dry_run: bool) -> Result<Undone, Box<Failure>> {
        self.recover();
        let state = self.state();
        let done = Done::newest(&state, |id, record| batch.is_none_or(|batch| batch == id) && self.is_meant(record));
        let Some(done) = done else { return Err(Box::new(no_batch(batch))) };
        let steps = self.take_back(&state, &done, dry_run).map_err(|(path, error)| {
            let mut failure = <Box<Failure>>::from(error);
            if failure.code == Code::Stale {
                failure.next_step = format!(
                    "Put the file back to what batch {} wrote, or take back another one by its name; list them.",
                    done.id()
                );
            }
            failure.about(path.to_string_lossy())
        })?;
        let status = if dry_run { "dry_run" } else { "undone" };
        Ok(Undone { status, batch: done.id().to_owned(), files: steps.iter().map(undone).collect() })
    }

    /// Takes a batch back, unless it is a `dry_run`; returns the steps of that.
    fn take_back(&self, state: &State, done: &Done, dry_run: bool) -> Result<Vec<Step<'static>>, Hindrance> {
        let paths = done.record().paths();
        let mut locks = Locks::default();
        self.lock_targets(&mut locks, paths.iter().map(PathBuf::as_path))?;
        let steps = self.steps(done.record())?;
        if !dry_run {
            let batch = Batch::new(&steps, self.in_place);
            let written = batch.write(state, &self.made_in(), Some(done.id().to_owned()));
            written.map_err(|(index, error)| (paths[index].clone(), error.into()))?;
        }
        Ok(steps)
    }

    /// Lists the batches that [`undo_batch`](Self::undo_batch) takes back, the newest first, and what keeps it from
    /// that.
    #[must_use]
    pub fn batches(&self) -> Batches {
        self.recover();
        let all = Done::all(&self.state()).into_iter().filter(|(_, record)| self.is_meant(record));
        Batches { status: "listed", batches: all.map(|(batch, record)| self.past(batch, &record)).collect() }
    }

    fn past(&self, batch: String, record: &Record) -> PastBatch {
        let paths = record.paths().iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let (files, hindrance) = match self.steps(record) {
            Ok(steps) => (steps.iter().map(undone).collect(), None),
            Err(hindrance) => (Vec::new(), Some(hindrance)),
        };
        PastBatch {
            time_ms: Record::time_ms(&batch),
            code: hindrance.as_ref().map(|(_, error)| error.code()),
            file_path: hindrance.map(|(path, _)| path.to_string_lossy().into_owned()),
            batch,
            files,
            paths,
        }
    }

    /// Returns what takes a batch back, if all of its files may be written and hold what it wrote.
    fn steps(&self, record: &Record) -> Result<Vec<Step<'static>>, Hindrance> {
        for path in record.paths() {
            self.check_permitted(&path).map_err(|error| (path, error))?;
        }
        record.steps().map_err(|(path, error)| (path, error.into()))
    }

    /// Checks that a file may be edited. What was edited because it was named may be taken back from where it was
    /// named, unless the root is strict.
    fn check_permitted(&self, path: &Path) -> Result<(), FileError> {
        if self.is_strict {
            return self.place(path).map(drop);
        }
        let everything = Root::everything()?;
        let everything = if self.git_allowed { everything.allowing_git() } else { everything };
        match everything.place_without_links(path) {
            // That something else is there now is found when it is read.
            Err(error @ crate::PathError::OutsideRoot { .. }) => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn is_meant(&self, record: &Record) -> bool {
        let Some(root) = &self.root else { return true };
        record.made_in().starts_with(root.path()) || record.paths().iter().all(|path| path.starts_with(root.path()))
    }
}

fn no_batch(batch: Option<&str>) -> Failure {
    let message = match batch {
        Some(batch) => format!("there is no batch `{}` to take back here", batch.escape_debug()),
        None => "there is no batch to take back here".to_owned(),
    };
    let next_step = "Run it in the directory of the batch, or name that as the root; only the newest batches are kept.";
    Failure::new(Code::Missing, message, next_step)
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
