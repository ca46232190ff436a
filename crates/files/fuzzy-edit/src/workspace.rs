//! The workspace: permitted files, limits, and the state directory.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fuzzy_plan::Limits;
use fuzzy_safe_write::{Batch, FilePlace, Locks, Remainder, Snapshot, Step};

use crate::{Encoding, FileError, Recovered, Root, State, TextFile};

/// The permitted files, the limits, and the directory of locks and journals.
///
/// Without a root, a caller may edit every file that it names.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(crate) root: Option<Root>,
    pub(crate) git_allowed: bool,
    pub(crate) is_strict: bool,
    pub(crate) in_place: bool,
    narrowed: Vec<PathBuf>,
    pub(crate) encoding: Option<Encoding>,
    limits: Limits,
    state: Option<State>,
    cancelled: Option<Arc<AtomicBool>>,
    maker: Option<Arc<str>>,
}

impl Workspace {
    /// Makes a workspace without a root.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Restricts paths to a directory, from which relative ones are resolved.
    #[must_use]
    pub fn within(self, root: Root) -> Self {
        Self { root: Some(root), ..self }
    }

    /// Restricts files to a directory as well, without a change of where relative paths start. With several calls, a file
    /// must be in all of these directories. `directory` is absolute and has no symbolic links.
    #[must_use]
    pub fn narrowed(mut self, directory: impl Into<PathBuf>) -> Self {
        self.narrowed.push(directory.into());
        self
    }

    /// Never undoes a batch with a file outside the root, even if that file was edited by its path from there.
    #[must_use]
    pub fn strict(self) -> Self {
        Self { is_strict: true, ..self }
    }

    /// Permits edits in directories named `.git`, if there is no root; a root has its own setting.
    #[must_use]
    pub fn allowing_git(self) -> Self {
        Self { git_allowed: true, ..self }
    }

    /// Permits writing a file with several hard links in place, which is not atomic: a killed process leaves it
    /// incomplete.
    #[must_use]
    pub fn allowing_in_place(self) -> Self {
        Self { in_place: true, ..self }
    }

    /// Sets the encoding of files whose bytes do not reveal it.
    #[must_use]
    pub fn with_encoding(self, encoding: Option<Encoding>) -> Self {
        Self { encoding, ..self }
    }

    /// Replaces the directory of [`State::from_environment`].
    #[must_use]
    pub fn with_state(self, state: State) -> Self {
        Self { state: Some(state), ..self }
    }

    /// Cancels the work that is not written yet once `flag` is set, with [`FileError::Cancelled`].
    ///
    /// The flag is checked between operations, while waiting for locks, and during a search.
    #[must_use]
    pub fn cancelled_by(self, flag: Arc<AtomicBool>) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// Names the server for agents whose batches these are. Then only its batches can be undone, and each server needs a
    /// name of its own; without a name, those of all.
    #[must_use]
    pub fn made_by(self, maker: Arc<str>) -> Self {
        Self { maker: Some(maker), ..self }
    }

    /// Returns the name of the server.
    pub(crate) fn maker(&self) -> Option<&str> {
        self.maker.as_deref()
    }

    /// Returns the limits.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Reads a file within the limits.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TextFile::read_as`], and [`PathError::OutsideRoot`](crate::PathError::OutsideRoot).
    pub fn read(&self, path: &Path) -> Result<TextFile, FileError> {
        let Snapshot { path, place, bytes, .. } = Snapshot::read(path, self.place(path)?, self.limits.max_bytes)?;
        TextFile::decode(path, place.target().to_owned(), bytes, self.encoding)
    }

    /// Finishes or rolls back every batch of a killed process, and returns the results.
    ///
    /// Changes a file only if it has exactly the old or the new content according to the journal; leaves any other file
    /// unchanged and reports it. Planning, applying and [`undo`](Self::undo) do this first. Call it to report the
    /// results to people, or before only reading files.
    #[expect(clippy::must_use_candidate, reason = "the recovery matters even if the caller ignores its results")]
    pub fn recover(&self) -> Vec<Recovered> {
        fuzzy_safe_write::recover(&self.state())
    }

    /// Returns the journals of unfinished batches that [`recover`](Self::recover) cannot read: they are damaged, or of
    /// another version. Their files may be old or new, and [`undo`](Self::undo) undoes no earlier batch until they are
    /// moved away.
    #[must_use]
    pub fn unreadable_journals(&self) -> Vec<PathBuf> {
        fuzzy_safe_write::unreadable(&self.state())
    }

    /// Locks the files at `paths`; a path that does not exist fails later, when it is planned. An error names the
    /// locked file.
    pub(crate) fn lock<'p>(&self, paths: impl Iterator<Item = &'p Path>) -> Result<Locks, (PathBuf, FileError)> {
        let targets: Vec<PathBuf> = paths.filter_map(|path| Some(self.place(path).ok()?.target().to_owned())).collect();
        let mut locks = Locks::default();
        self.lock_targets(&mut locks, targets.iter().map(PathBuf::as_path))?;
        Ok(locks)
    }

    /// Takes the locks of absolute paths that are not held yet.
    pub(crate) fn lock_targets<'p>(
        &self,
        locks: &mut Locks,
        targets: impl IntoIterator<Item = &'p Path>,
    ) -> Result<(), (PathBuf, FileError)> {
        locks.take(&self.state(), targets, self.limits.deadline(), || self.check_wanted())
    }

    /// Writes files, all or none; an error names its file, if it has one.
    pub(crate) fn write(
        &self,
        steps: &[Step<'_>],
        locks: &mut Locks,
    ) -> Result<Vec<Remainder>, (Option<PathBuf>, FileError)> {
        if steps.is_empty() {
            return Ok(Vec::new());
        }
        let targets = steps.iter().map(|step| step.place.target());
        self.lock_targets(locks, targets).map_err(|(target, error)| (Some(target), error))?;
        self.check_wanted().map_err(|error| (None, error))?;
        Batch::new(steps, self.in_place)
            .made_by(self.maker())
            .write(&self.state(), &self.made_in(), None)
            .map_err(|(index, error)| (Some(steps[index].place.target().to_owned()), error.into()))
    }

    /// Returns the place of `path`.
    pub(crate) fn place(&self, path: &Path) -> Result<FilePlace, FileError> {
        let place = if let Some(root) = &self.root {
            root.place(path)?
        } else {
            let everything = Root::everything()?;
            let everything = if self.git_allowed { everything.allowing_git() } else { everything };
            everything.place_of_named(path)?
        };
        self.check_narrowed(place.target())?;
        Ok(place)
    }

    /// Fails for a file outside one of the directories of [`narrowed`](Self::narrowed).
    pub(crate) fn check_narrowed(&self, target: &Path) -> Result<(), FileError> {
        match self.narrowed.iter().find(|directory| !target.starts_with(directory)) {
            Some(directory) => {
                let (path, root) = (target.to_owned(), directory.clone());
                let problem = "is outside the configured root";
                Err(crate::PathError::OutsideRoot { path, root, problem, is_git: false }.into())
            }
            None => Ok(()),
        }
    }

    /// Returns whether a path may be edited and is a regular file.
    pub(crate) fn has_file(&self, path: &Path) -> bool {
        self.place(path).is_ok_and(|place| place.is_file())
    }

    /// Returns the directory of locks and journals.
    pub(crate) fn state(&self) -> Cow<'_, State> {
        self.state.as_ref().map_or_else(|| Cow::Owned(State::from_environment()), Cow::Borrowed)
    }

    /// Returns the directory that the journal of a batch records.
    pub(crate) fn made_in(&self) -> PathBuf {
        let root = self.root.as_ref().map(|root| root.path().to_owned());
        root.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
    }

    /// Returns the flag that cancels the request.
    pub(crate) fn cancelled(&self) -> Option<&AtomicBool> {
        self.cancelled.as_deref()
    }

    /// Fails if the caller cancelled its request.
    pub(crate) fn check_wanted(&self) -> Result<(), FileError> {
        let is_cancelled = self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if is_cancelled { Err(FileError::Cancelled) } else { Ok(()) }
    }
}
