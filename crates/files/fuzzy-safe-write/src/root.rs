//! The root directory of edits, and the walk that finds files beneath it.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::Error;
use crate::git_name::means_git;
use crate::place::FilePlace;
use crate::sys::{self, Directory};

/// Symbolic links that one path may pass, at most; the same limit as in Linux.
const LINKS: usize = 40;

/// A directory that edits must not leave.
///
/// Paths are walked one component at a time from a descriptor of the directory. The kernel never follows a link or `..`
/// itself, so a component that is replaced by a link meanwhile has no effect. Links that stay inside the root are
/// followed. A `..` above the root, an absolute path or link outside it, and a component that some file system treats
/// as `.git` are [`Error::OutsideRoot`].
#[derive(Clone, Debug)]
pub struct Root {
    top: Top,
    /// The directory as the caller gave it, made absolute; `None` for the whole file system.
    given: Option<PathBuf>,
    git_allowed: bool,
}

/// The start of a walk.
#[derive(Clone, Debug)]
struct Top {
    directory: Arc<Directory>,
    /// The path without symbolic links.
    path: PathBuf,
}

impl Root {
    /// Opens a directory as the root.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Missing`], or an error of the system, also if it is not a directory.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let path = fs::canonicalize(directory).map(sys::plain).map_err(Error::reading(directory))?;
        let given = std::path::absolute(directory).map_err(Error::reading(directory))?;
        let top = Top::open(path).map_err(|source| match source.kind() {
            // The path exists, so the error is not `Missing`.
            ErrorKind::NotADirectory => Error::Io { path: directory.to_owned(), source },
            _ => Error::reading(directory)(source),
        })?;
        Ok(Self { top, given: Some(sys::plain(given)), git_allowed: false })
    }

    /// Opens the whole file system, for callers that may edit every path they name.
    ///
    /// # Errors
    ///
    /// Returns an error of the system.
    pub fn everything() -> Result<Self, Error> {
        let path = sys::top_of_all();
        let top = Top::open(path.clone()).map_err(Error::reading(&path))?;
        Ok(Self { top, given: None, git_allowed: false })
    }

    /// Permits edits in directories named `.git`.
    #[must_use]
    pub fn allowing_git(self) -> Self {
        Self { git_allowed: true, ..self }
    }

    /// Returns the path of the directory, absolute and without symbolic links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.top.path
    }

    /// Returns the place of `path`. Neither the file nor its parent directories need to exist.
    ///
    /// # Errors
    ///
    /// Returns [`Error::OutsideRoot`], [`Error::NotAFile`] for a directory, or an error of the system.
    pub fn place(&self, path: &Path) -> Result<FilePlace, Error> {
        self.walk(path, LINKS)
    }

    /// Returns the place of `path`, resolved from the working directory; for a root that is the whole file system.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`place`](Self::place).
    pub fn place_of_named(&self, path: &Path) -> Result<FilePlace, Error> {
        if path.is_absolute() || path.as_os_str().is_empty() {
            return self.walk(path, LINKS);
        }
        let current = std::env::current_dir().map_err(Error::reading(path))?;
        self.walk(&current.join(path), LINKS).map_err(|error| error.about(path))
    }

    /// Returns the place of a path that had no symbolic links earlier; follows none now.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`place`](Self::place), and an error if there is a link.
    pub fn place_without_links(&self, path: &Path) -> Result<FilePlace, Error> {
        self.walk(path, 0)
    }

    fn walk(&self, path: &Path, links: usize) -> Result<FilePlace, Error> {
        let mut walk = Walk { root: self, top: self.top.clone(), path, stack: Vec::new(), links };
        let plain = sys::plain(path.to_owned());
        let relative = if plain.is_absolute() { walk.begin(&plain)? } else { plain };
        walk.run(&relative)
    }

    fn outside(&self, path: &Path, problem: &'static str) -> Error {
        Error::OutsideRoot { path: path.to_owned(), root: self.top.path.clone(), problem, is_git: problem == IS_GIT }
    }

    /// Returns the directory itself.
    pub(crate) fn directory(&self) -> &Directory {
        &self.top.directory
    }

    /// Returns the components of a path below the root; rejects `..` and `.git`.
    pub(crate) fn components(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        let mut names = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(name) => {
                    self.check_name(path, name)?;
                    names.push(name.to_owned());
                }
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(self.outside(path, LEADS_OUT));
                }
            }
        }
        if names.is_empty() { Err(Error::NotAFile { path: path.to_owned(), kind: "a directory" }) } else { Ok(names) }
    }

    /// Opens the existing directories among `names`, each in the one before, without following links; returns the last
    /// one, their number, and the error of the next.
    pub(crate) fn descend(&self, names: &[OsString]) -> (Arc<Directory>, usize, Option<io::Error>) {
        let mut directory = Arc::clone(&self.top.directory);
        for (depth, name) in names.iter().enumerate() {
            match sys::open_directory(&directory, name) {
                Ok(opened) => directory = Arc::new(opened),
                Err(error) => return (directory, depth, Some(error)),
            }
        }
        (directory, names.len(), None)
    }

    /// Checks that a file may have this name.
    fn check_name(&self, path: &Path, name: &OsStr) -> Result<(), Error> {
        if !self.git_allowed && means_git(name.as_encoded_bytes()) {
            return Err(self.outside(path, IS_GIT));
        }
        sys::check_name(name).map_err(|problem| Error::BadName { path: path.to_owned(), problem })
    }

    /// Returns the absolute `path` relative to the root.
    fn relative(&self, path: &Path) -> Option<PathBuf> {
        let given = self.given.as_deref().unwrap_or(&self.top.path);
        if let Ok(relative) = path.strip_prefix(&self.top.path).or_else(|_| path.strip_prefix(given)) {
            return Some(relative.to_owned());
        }
        // The root may have other paths, through links above it. The result is still walked from the root.
        for above in path.ancestors().skip(1) {
            if let Ok(canonical) = fs::canonicalize(above).map(sys::plain) {
                let rest = path.strip_prefix(above).ok()?;
                return Some(canonical.strip_prefix(&self.top.path).ok()?.join(rest));
            }
        }
        None
    }
}

const LEADS_OUT: &str = "leads out of the directory that may be edited";
const IS_GIT: &str = "leads into a `.git` directory";

impl Top {
    fn open(path: PathBuf) -> io::Result<Self> {
        Ok(Self { directory: Arc::new(sys::open_top(&path)?), path })
    }
}

/// One walk from the root to a place.
struct Walk<'a> {
    root: &'a Root,
    /// The start: the root, or the anchor of an absolute path if the root is the whole file system.
    top: Top,
    path: &'a Path,
    /// The entered directories.
    stack: Vec<(Arc<Directory>, OsString)>,
    /// The number of links that may still be followed.
    links: usize,
}

impl Walk<'_> {
    fn run(&mut self, relative: &Path) -> Result<FilePlace, Error> {
        let mut ahead = self.parts(relative)?;
        if ahead.is_empty() && self.path.as_os_str().is_empty() {
            return Err(Error::Missing { path: self.path.to_owned() });
        }
        while let Some(name) = ahead.pop_front() {
            if name == ".." {
                if self.stack.pop().is_none() && !self.is_at_the_top_of_all() {
                    return Err(self.outside(LEADS_OUT));
                }
                continue;
            }
            self.root.check_name(self.path, &name)?;
            let directory = Arc::clone(self.directory());
            if ahead.is_empty() {
                match self.link(&directory, &name)? {
                    Some(link) => self.follow(&link, &mut ahead)?,
                    None => return Ok(self.place(Vec::new(), sys::spelling_of_file(&directory, name))),
                }
                continue;
            }
            match sys::open_directory(&directory, &name) {
                Ok(opened) => {
                    let name = sys::spelling(&opened, name);
                    self.stack.push((Arc::new(opened), name));
                }
                Err(error) if error.kind() == ErrorKind::NotFound => return self.missing(name, ahead),
                Err(error) => match self.link(&directory, &name)? {
                    Some(link) => self.follow(&link, &mut ahead)?,
                    None => return Err(Error::reading(self.path)(error)),
                },
            }
        }
        Err(Error::NotAFile { path: self.path.to_owned(), kind: "a directory" })
    }

    fn directory(&self) -> &Arc<Directory> {
        self.stack.last().map_or(&self.top.directory, |(directory, _)| directory)
    }

    /// Returns whether the walk began at the top of the file system.
    fn is_at_the_top_of_all(&self) -> bool {
        sys::anchor(&self.top.path).is_some_and(|anchor| anchor == self.top.path)
    }

    /// Moves to the anchor of an absolute path; returns the rest of the path.
    fn begin(&mut self, path: &Path) -> Result<PathBuf, Error> {
        self.stack.clear();
        let anchor = sys::anchor(path).filter(|_| self.root.given.is_none());
        if let Some(anchor) = anchor.filter(|anchor| *anchor != self.top.path) {
            self.top = Top::open(anchor).map_err(Error::reading(self.path))?;
            return Ok(path.strip_prefix(&self.top.path).unwrap_or(path).to_owned());
        }
        self.root.relative(path).ok_or_else(|| self.outside(LEADS_OUT))
    }

    /// Returns the components of a relative path, without `.`.
    fn parts(&self, path: &Path) -> Result<VecDeque<OsString>, Error> {
        let mut parts = VecDeque::new();
        for component in path.components() {
            match component {
                Component::ParentDir => parts.push_back(OsString::from("..")),
                Component::Normal(name) => parts.push_back(name.to_owned()),
                Component::CurDir => {}
                // The path starts elsewhere.
                Component::RootDir | Component::Prefix(_) => return Err(self.outside(LEADS_OUT)),
            }
        }
        Ok(parts)
    }

    /// Returns the target of the link `name`, or `None` if it is not a link.
    fn link(&self, directory: &Directory, name: &OsStr) -> Result<Option<PathBuf>, Error> {
        match sys::read_link(directory, name).map_err(Error::reading(self.path))? {
            Some(_) if self.links == 0 => Err(Error::reading(self.path)(sys::too_many_links())),
            link => Ok(link.map(|link| sys::path_of(link).into())),
        }
    }

    /// Puts the components of a link before the remaining ones.
    fn follow(&mut self, link: &Path, ahead: &mut VecDeque<OsString>) -> Result<(), Error> {
        self.links -= 1;
        let link = sys::plain(link.to_owned());
        let relative = match self.root.given {
            _ if link.is_relative() => link,
            None => self.begin(&link)?,
            Some(_) => {
                self.stack.clear();
                link.strip_prefix(&self.top.path).map_err(|_| self.outside(LEADS_OUT))?.to_owned()
            }
        };
        for part in self.parts(&relative)?.into_iter().rev() {
            ahead.push_front(part);
        }
        Ok(())
    }

    /// Returns the place of a file in directories that do not exist yet: `first`, then those in `ahead`.
    fn missing(&self, first: OsString, ahead: VecDeque<OsString>) -> Result<FilePlace, Error> {
        let mut names: Vec<OsString> = std::iter::once(first).chain(ahead).collect();
        let mut depth = self.stack.len();
        for name in &names {
            if name == ".." {
                depth = depth.checked_sub(1).ok_or_else(|| self.outside(LEADS_OUT))?;
                continue;
            }
            depth += 1;
            self.root.check_name(self.path, name)?;
        }
        if names.iter().any(|name| name == "..") {
            return Err(Error::Missing { path: self.path.to_owned() });
        }
        let Some(name) = names.pop() else { return Err(Error::Missing { path: self.path.to_owned() }) };
        Ok(self.place(names, name))
    }

    fn place(&self, missing: Vec<OsString>, name: OsString) -> FilePlace {
        let entered = self.stack.iter().map(|(_, name)| name);
        let below: PathBuf = entered.chain(&missing).chain([&name]).collect();
        FilePlace { directory: Arc::clone(self.directory()), missing, name, target: self.top.path.join(below) }
    }

    fn outside(&self, problem: &'static str) -> Error {
        self.root.outside(self.path, problem)
    }
}
