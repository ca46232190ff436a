//! Where locks and journals are kept.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::Error;

/// The directory that locks and journals are kept in; nobody but its owner may look into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The first that can be used is.
    candidates: Vec<PathBuf>,
}

/// How directories of the state are opened.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl State {
    /// Keeps everything in `directory`, which is made when it is needed.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { candidates: vec![directory.into()] }
    }

    /// Keeps everything where the environment says: in `$XDG_STATE_HOME/fuzzy-edit`, or without that variable in
    /// `$HOME/.local/state/fuzzy-edit`; where that cannot be made, in `fuzzy-edit-UID` among the temporary files.
    #[must_use]
    pub fn from_environment() -> Self {
        let own = Self::lasting();
        let user = rustix::process::geteuid().as_raw();
        let temporary = std::env::temp_dir().join(format!("fuzzy-edit-{user}"));
        Self { candidates: own.into_iter().chain([temporary]).collect() }
    }

    /// Returns the directory that the environment names for what has to last; none where that is not known.
    ///
    /// That is [`from_environment`](Self::from_environment) without the temporary files, which a system may clear away.
    #[must_use]
    pub fn lasting() -> Option<PathBuf> {
        let state = absolute_path("XDG_STATE_HOME");
        let state = state.or_else(|| Some(absolute_path("HOME")?.join(".local/state")));
        Some(state?.join("fuzzy-edit"))
    }

    /// Opens a folder of the state, which is made if it is not there.
    pub(crate) fn folder(&self, name: &str) -> Result<OwnedFd, Error> {
        let mut failure = None;
        for candidate in &self.candidates {
            match usable(candidate).and_then(|directory| Ok(subfolder(&directory, name)?)) {
                Ok(folder) => return Ok(folder),
                Err(source) => failure = failure.or(Some((candidate.clone(), source))),
            }
        }
        let (path, source) = failure.unwrap_or_else(|| (PathBuf::new(), io::ErrorKind::NotFound.into()));
        Err(Error::State { path, source })
    }

    /// Opens a folder of the state in every place where there is one.
    pub(crate) fn existing(&self, name: &str) -> Vec<OwnedFd> {
        let opened = self.candidates.iter().filter_map(|candidate| open(&candidate.join(name)).ok());
        opened.filter(is_own).collect()
    }
}

/// Returns the absolute path that a variable of the environment holds.
fn absolute_path(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

fn open(directory: &Path) -> Result<OwnedFd, Errno> {
    rustix::fs::open(directory, FOLDER, Mode::empty())
}

/// Opens a directory that is ours alone; makes it, and those above it, if need be.
fn usable(path: &Path) -> io::Result<OwnedFd> {
    let directory = match open(path) {
        Err(Errno::NOENT) => {
            if let Some(above) = path.parent() {
                fs::create_dir_all(above)?;
            }
            match DirBuilder::new().mode(0o700).create(path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => open(path)?,
            }
        }
        opened => opened?,
    };
    if !is_own(&directory) {
        return Err(io::Error::other("it belongs to someone else"));
    }
    Ok(directory)
}

/// Returns whether we own a directory; closes it to all others.
fn is_own(directory: &OwnedFd) -> bool {
    let Ok(stat) = rustix::fs::fstat(directory) else { return false };
    let is_closed = !Mode::from_raw_mode(stat.st_mode).intersects(Mode::RWXG | Mode::RWXO);
    stat.st_uid == rustix::process::geteuid().as_raw()
        && (is_closed || rustix::fs::fchmod(directory, Mode::RWXU).is_ok())
}

fn subfolder(directory: &OwnedFd, name: &str) -> Result<OwnedFd, Errno> {
    let opened = rustix::fs::openat(directory, name, FOLDER, Mode::empty());
    if !matches!(opened, Err(Errno::NOENT)) {
        return opened;
    }
    match rustix::fs::mkdirat(directory, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => rustix::fs::openat(directory, name, FOLDER, Mode::empty()),
        Err(error) => Err(error),
    }
}

/// Returns the names in a folder, sorted.
pub(crate) fn names(folder: &OwnedFd) -> Vec<OsString> {
    use std::os::unix::ffi::OsStringExt;
    let Ok(entries) = rustix::fs::Dir::read_from(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries
        .filter_map(Result::ok)
        .map(|entry| OsString::from_vec(entry.file_name().to_bytes().to_owned()))
        .filter(|name| name != "." && name != "..")
        .collect();
    names.sort();
    names
}

/// Returns whether `name` still means this open file, and locks are of use.
pub(crate) fn is_linked(folder: &OwnedFd, name: &std::ffi::OsStr, file: &fs::File) -> bool {
    let Ok(ours) = file.metadata() else { return false };
    let stat = rustix::fs::statat(folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
    stat.is_ok_and(|stat| stat.st_ino == ours.ino() && stat.st_dev == ours.dev())
}
