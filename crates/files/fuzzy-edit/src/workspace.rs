//! Where files may be read and written, what that may cost, and where it is remembered.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fuzzy_plan::Limits;
use fuzzy_safe_write::{Batch, FilePlace, Locks, Snapshot, Step};

use crate::{Encoding, FileError, Recovered, Root, State, TextFile};

/// Where files may be read and written, what that may cost, and where locks and journals are.
///
/// Without a root, naming a file is the permission to edit it, wherever it is.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(crate) root: Option<Root>,
    pub(crate) git_allowed: bool,
    pub(crate) is_strict: bool,
    pub(crate) in_place: bool,
    pub(crate) encoding: Option<Encoding>,
    limits: Limits,
    state: Option<State>,
    cancelled: Option<Arc<AtomicBool>>,
}

impl Workspace {
    /// Makes a workspace without a root.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Makes paths stay beneath a directory, which relative ones start from.
    #[must_use]
    pub fn within(self, root: Root) -> Self {
        Self { root: Some(root), ..self }
    }

    /// Takes back no batch that changed a file outside the root, also if that was edited by its name from there.
    #[must_use]
    pub fn strict(self) -> Self {
        Self { is_strict: true, ..self }
    }

    /// Lets edits into directories that are called `.git`, where there is no root; a root says so itself.
    #[must_use]
    pub fn allowing_git(self) -> Self {
        Self { git_allowed: true, ..self }
    }

    /// Lets a file with several hard links be written in place, which is not atomic: a process that is killed then
    /// leaves it half written.
    #[must_use]
    pub fn allowing_in_place(self) -> Self {
        Self { in_place: true, ..self }
    }

    /// Says in what encoding the files are, where it cannot be told from their bytes.
    #[must_use]
    pub fn with_encoding(self, encoding: Option<Encoding>) -> Self {
        Self { encoding, ..self }
    }

    /// Keeps locks and journals elsewhere than [`State::from_environment`] says.
    #[must_use]
    pub fn with_state(self, state: State) -> Self {
        Self { state: Some(state), ..self }
    }

    /// Stops what has not been written yet once `flag` is set: it ends as a [`FileError::Cancelled`].
    ///
    /// The flag is looked at between operations, while others hold the files, and during a search.
    #[must_use]
    pub fn cancelled_by(self, flag: Arc<AtomicBool>) -> Self {
        Self { cancelled: Some(flag), ..self }
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
    /// As [`TextFile::read_as`]; also [`PathError::OutsideRoot`](crate::PathError::OutsideRoot).
    pub fn read(&self, path: &Path) -> Result<TextFile, FileError> {
        let Snapshot { path, place, bytes, .. } = Snapshot::read(path, self.place(path)?, self.limits.max_bytes)?;
        TextFile::decode(path, place.target().to_owned(), bytes, self.encoding)
    }

    /// Finishes or takes back every batch that a killed process left half done; says what became of each.
    ///
    /// A file is touched only if it holds exactly what the journal says was there before or was to be there after; any
    /// other one is left as it is, and named. Planning, applying and [`undo`](Self::undo) do this first; who wants to
    /// tell people about it, or only reads files, calls it before.
    #[expect(clippy::must_use_candidate, reason = "the files are put right whether or not anyone is told")]
    pub fn recover(&self) -> Vec<Recovered> {
        fuzzy_safe_write::recover(&self.state())
    }

    /// Locks the files at `paths`; one that leads nowhere fails when it is planned. An error says whose lock it is.
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

    /// Writes files, all or none; an error says which one it is about, if it is about one.
    pub(crate) fn write(&self, steps: &[Step<'_>], locks: &mut Locks) -> Result<(), (Option<PathBuf>, FileError)> {
        if steps.is_empty() {
            return Ok(());
        }
        let targets = steps.iter().map(|step| step.place.target());
        self.lock_targets(locks, targets).map_err(|(target, error)| (Some(target), error))?;
        self.check_wanted().map_err(|error| (None, error))?;
        Batch::new(steps, self.in_place)
            .write(&self.state(), &self.made_in(), None)
            .map_err(|(index, error)| (Some(steps[index].place.target().to_owned()), error.into()))
    }

    /// Returns the place that `path` names.
    pub(crate) fn place(&self, path: &Path) -> Result<FilePlace, FileError> {
        if let Some(root) = &self.root {
            return Ok(root.place(path)?);
        }
        let everything = Root::everything()?;
        let everything = if self.git_allowed { everything.allowing_git() } else { everything };
        Ok(everything.place_of_named(path)?)
    }

    /// Returns whether a path may be edited and is that of a regular file.
    pub(crate) fn has_file(&self, path: &Path) -> bool {
        self.place(path).is_ok_and(|place| place.is_file())
    }

    /// Returns where locks and journals are kept.
    pub(crate) fn state(&self) -> Cow<'_, State> {
        self.state.as_ref().map_or_else(|| Cow::Owned(State::from_environment()), Cow::Borrowed)
    }

    /// Returns the directory that journals name as the one of a batch.
    pub(crate) fn made_in(&self) -> PathBuf {
        let root = self.root.as_ref().map(|root| root.path().to_owned());
        root.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
    }

    /// Returns the flag that is set once no answer is wanted any more.
    pub(crate) fn cancelled(&self) -> Option<&AtomicBool> {
        self.cancelled.as_deref()
    }

    /// Says whether the caller still wants an answer.
    pub(crate) fn check_wanted(&self) -> Result<(), FileError> {
        let is_cancelled = self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if is_cancelled { Err(FileError::Cancelled) } else { Ok(()) }
    }
}
