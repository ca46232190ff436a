//! Code shared by several tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use fuzzy_edit::{Editor, Failure, FileEdit, Operation, Report, Root, Session, State, Success, Workspace};
use fuzzy_pipeline::{Pipeline, ladder};

/// A state directory for tests, so that they do not evict the last batches of the user who runs them.
pub(crate) const STATE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/fuzzy-edit-state");

/// Makes an editor with this state directory.
pub(crate) fn editor() -> Editor {
    editor_with(Path::new(STATE))
}

/// Makes an editor with the state directory `state`.
pub(crate) fn editor_with(state: &Path) -> Editor {
    let pipeline = Pipeline::new(ladder::conservative());
    Editor::new(Workspace::default().with_state(State::at(state)), pipeline)
}

/// Runs operations in a new session.
pub(crate) trait Alone {
    /// Plans operations and writes nothing.
    fn shown<T: Clone + Into<Operation>>(&self, operations: &[T]) -> Vec<Report>;

    /// Applies operations.
    fn applied<T: Clone + Into<Operation>>(&self, operations: &[T]) -> Vec<Report>;

    /// Changes the workspace.
    fn on(self, change: impl FnOnce(Workspace) -> Workspace) -> Self;

    /// Works on the files beneath a root.
    fn within(self, root: Root) -> Self;
}

impl Alone for Editor {
    fn shown<T: Clone + Into<Operation>>(&self, operations: &[T]) -> Vec<Report> {
        let session = &mut Session::default();
        self.plan(session, &all(operations)).dry_run(session)
    }

    fn applied<T: Clone + Into<Operation>>(&self, operations: &[T]) -> Vec<Report> {
        self.apply(&mut Session::default(), &all(operations))
    }

    fn on(self, change: impl FnOnce(Workspace) -> Workspace) -> Self {
        let workspace = change(self.workspace().clone());
        self.with_workspace(workspace)
    }

    fn within(self, root: Root) -> Self {
        self.on(|workspace| workspace.within(root))
    }
}

fn all<T: Clone + Into<Operation>>(operations: &[T]) -> Vec<Operation> {
    operations.iter().cloned().map(Into::into).collect()
}

/// Files in a temporary directory.
pub(crate) struct Files(tempfile::TempDir);

impl Files {
    /// Creates files with these names and texts.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(directory.path().join(name), text).unwrap();
        }
        Self(directory)
    }

    /// Returns the path of a file; for an empty name, of the directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn edit(&self, name: &str, old: &str, new: &str) -> FileEdit {
        FileEdit::new(&self.path(name), old, new)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

/// Sets the mode bits of a file; on systems without them, only the write permission.
pub(crate) fn set_mode(path: &Path, mode: u32) {
    let mut permissions = fs::metadata(path).unwrap().permissions();
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, mode);
    #[cfg(not(unix))]
    permissions.set_readonly(mode & 0o200 == 0);
    fs::set_permissions(path, permissions).unwrap();
}

/// Returns the twelve mode bits of a file.
#[cfg(unix)]
pub(crate) fn mode(path: &Path) -> u32 {
    std::os::unix::fs::MetadataExt::mode(&fs::metadata(path).unwrap()) & 0o7777
}

/// Returns whether a file is executable; always false on systems without modes.
pub(crate) fn can_run(path: &Path) -> bool {
    #[cfg(unix)]
    return mode(path) & 0o111 != 0;
    #[cfg(not(unix))]
    return path.as_os_str().is_empty();
}

/// Returns whether a process was killed or aborted.
pub(crate) fn was_killed(status: ExitStatus) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status) == Some(9);
    #[cfg(not(unix))]
    return status.code() == Some(9);
}

/// Returns the report of an edit that succeeded.
#[track_caller]
pub(crate) fn success(report: &Report) -> &Success {
    match report {
        Report::Success(success) => success,
        Report::Failure(failure) => panic!("{failure}"),
    }
}

/// Returns the report of an edit that failed.
#[track_caller]
pub(crate) fn failure(report: &Report) -> &Failure {
    match report {
        Report::Failure(failure) => failure,
        Report::Success(success) => panic!("{success:?}"),
    }
}
