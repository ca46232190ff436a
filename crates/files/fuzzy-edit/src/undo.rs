//! Undoes batches.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use fuzzy_safe_write::{Batch, Done, InTurn, Locks, Record, Remainder, Root, State, Step};

use crate::merge_lines::merge_lines;
use crate::{Batches, Code, Failure, FileError, PastBatch, Undone, UndoneAction, UndoneFile, Workspace};

/// The steps of an undo, and what remains to be said about them.
type Taken = (Vec<Step<'static>>, Vec<Remainder>);

/// The reason why a batch cannot be undone: the file, and its problem.
type Hindrance = (PathBuf, FileError);

impl Workspace {
    /// Undoes the last batch that was made in the root or beneath it, or that changed only files there; without a root,
    /// the last one of all.
    ///
    /// All of its files get their old text again, and removed or moved files their old paths; changes of a text since then
    /// are kept by a merge. If one file cannot be undone, none changes. Another call undoes the batch before. The newest
    /// 64 batches are known, as long as their journals have at most 64 MiB together.
    ///
    /// # Errors
    ///
    /// Returns `missing` if there is no such batch, `stale` if the changes of a file since then conflict with the undo, or
    /// an error of writing: an undo needs the same permissions as an edit.
    pub fn undo(&self) -> Result<Undone, Box<Failure>> {
        self.undo_batch(None, false)
    }

    /// Undoes the batch with this id, or the last one; a `dry_run` only reports the effects. The undo of an undo repeats the
    /// batch.
    ///
    /// # Errors
    ///
    /// Returns the failures of [`undo`](Self::undo).
    pub fn undo_batch(&self, batch: Option<&str>, dry_run: bool) -> Result<Undone, Box<Failure>> {
        self.recover();
        let state = self.state();
        let done = Done::newest(&state, batch, |_, record| self.is_in_reach(record));
        let Some(done) = done.map_err(|path| unreadable(&path))? else { return Err(Box::new(no_batch(batch))) };
        let (steps, remainders) = self.take_back(&state, &done, dry_run).map_err(|(path, error)| {
            let mut failure = <Box<Failure>>::from(error);
            if failure.code == Code::Stale {
                failure.next_step = format!(
                    "Restore the file to the result of batch {}, or undo another batch by its id; list the batches.",
                    done.id()
                );
            }
            failure.about(path.to_string_lossy())
        })?;
        let status = match done.record().undoes() {
            _ if dry_run => "dry_run",
            Some(_) => "redone",
            None => "undone",
        };
        Ok(Undone { status, batch: done.id().to_owned(), files: noted(&steps, &remainders) })
    }

    /// Undoes a batch, unless it is a `dry_run`; returns the steps, and what remains to be said about them.
    fn take_back(&self, state: &State, done: &Done, dry_run: bool) -> Result<Taken, Hindrance> {
        let paths = done.record().paths();
        let mut locks = Locks::default();
        self.lock_targets(&mut locks, paths.iter().map(PathBuf::as_path))?;
        let steps = self.steps(done.record())?;
        let mut remainders = Vec::new();
        if !dry_run {
            let batch = Batch::new(&steps, self.in_place).made_by(self.maker());
            let written = batch.write(state, &self.made_in(), Some(done.id().to_owned()));
            remainders = written.map_err(|(index, error)| (paths[index].clone(), error.into()))?;
        }
        Ok((steps, remainders))
    }

    /// Lists the batches that [`undo_batch`](Self::undo_batch) can find, the newest first, with their obstacles.
    #[must_use]
    pub fn batches(&self) -> Batches {
        self.recover();
        let (all, unreadable) = Done::all(&self.state());
        let undone: HashSet<String> = all.iter().filter_map(|(_, record)| Some(record.undoes()?.to_owned())).collect();
        let is_live = |id: &str, record: &Record| record.undoes().is_none() && !undone.contains(id);
        let all = all.into_iter().filter(|(id, record)| is_live(id, record) && self.is_in_reach(record));
        let mut in_turn = InTurn::default();
        let past = |(batch, record): (String, Record)| {
            let past = self.past(batch, &record);
            let waits_for = match past.code {
                None => in_turn.add(&past.batch, &record, true),
                Some(Code::Stale) => in_turn.add(&past.batch, &record, false),
                Some(_) => None,
            };
            PastBatch { waits_for, ..past }
        };
        Batches {
            status: "listed",
            batches: all.map(past).collect(),
            unreadable: unreadable.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        }
    }

    /// Returns the name of the newest batch in the journal, of any root and server, undos included. Later names sort after
    /// it.
    #[must_use]
    pub fn newest_batch(&self) -> Option<String> {
        Done::newest_name(&self.state())
    }

    /// Returns the batches in the root that a journal has, the oldest first, with undone ones and undos.
    #[must_use]
    pub fn history(&self) -> Vec<(String, Record)> {
        self.recover();
        let mut all = Done::all(&self.state()).0;
        all.retain(|(_, record)| self.is_in_reach(record));
        all.reverse();
        all
    }

    fn past(&self, batch: String, record: &Record) -> PastBatch {
        let paths = record.paths().iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let (files, hindrance) = match self.steps(record) {
            Ok(steps) => (steps.iter().map(undone).collect(), None),
            Err(hindrance) => (Vec::new(), Some(hindrance)),
        };
        PastBatch {
            time_ms: record.time_ms(&batch),
            code: hindrance.as_ref().map(|(_, error)| error.code()),
            file_path: hindrance.map(|(path, _)| path.to_string_lossy().into_owned()),
            waits_for: None,
            batch,
            files,
            paths,
        }
    }

    /// Returns the steps that undo a batch, if all of its files may be written and still have its result.
    fn steps(&self, record: &Record) -> Result<Vec<Step<'static>>, Hindrance> {
        for path in record.paths() {
            self.check_permitted(&path).map_err(|error| (path, error))?;
        }
        record.steps(&merge_lines).map_err(|(path, error)| (path, error.into()))
    }

    /// Checks that a file may be edited. An edit outside the root may be undone from the directory where it was made,
    /// unless the root is strict.
    fn check_permitted(&self, path: &Path) -> Result<(), FileError> {
        if self.is_strict {
            return self.place(path).map(drop);
        }
        self.check_narrowed(path)?;
        let everything = Root::everything()?;
        let everything = if self.git_allowed { everything.allowing_git() } else { everything };
        match everything.place_without_links(path) {
            // The steps detect any other change of the path when they read it.
            Err(error @ crate::PathError::OutsideRoot { .. }) => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn is_in_reach(&self, record: &Record) -> bool {
        self.maker().is_none_or(|maker| record.maker() == Some(maker)) && self.is_in_root(record)
    }

    fn is_in_root(&self, record: &Record) -> bool {
        let Some(root) = &self.root else { return true };
        record.made_in().starts_with(root.path()) || record.paths().iter().all(|path| path.starts_with(root.path()))
    }
}

/// Returns the failure for a journal that may belong to the last batch.
fn unreadable(path: &Path) -> Box<Failure> {
    let message = format!(
        "the journal `{}` is damaged, or of another version, and may be that of the last batch",
        path.display()
    );
    let next_step = "Undo another batch by its id; list the batches. Without that file, the batch is forgotten.";
    Box::new(Failure::new(Code::Io, message, next_step))
}

fn no_batch(batch: Option<&str>) -> Failure {
    let message = match batch {
        Some(batch) => format!("there is no batch `{}` to undo here", batch.escape_debug()),
        None => "there is no batch to undo here".to_owned(),
    };
    let next_step = "Run the command in the directory of the batch, or pass that directory as the root; only the newest batches are kept.";
    Failure::new(Code::Missing, message, next_step)
}

/// Returns the effect of an undo's step on its file.
fn undone(step: &Step<'_>) -> UndoneFile {
    let action = match (&step.before, &step.after) {
        (_, None) => UndoneAction::Removed,
        (None, _) => UndoneAction::Recreated,
        _ => UndoneAction::Restored,
    };
    UndoneFile { file_path: step.path.to_string_lossy().into_owned(), action, note: None }
}

/// Returns the effects of an undo's steps with notes.
fn noted(steps: &[Step<'_>], remainders: &[Remainder]) -> Vec<UndoneFile> {
    let file = |(index, step)| {
        let said = remainders.iter().filter(|remainder| remainder.concerns(index)).map(ToString::to_string);
        let note = said.collect::<Vec<_>>().join("\n");
        UndoneFile { note: (!note.is_empty()).then_some(note), ..undone(step) }
    };
    steps.iter().enumerate().map(file).collect()
}
