//! The directory that edits must stay in, and the walk that finds files beneath it.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{CWD, Mode, OFlags, openat, readlinkat};
use rustix::io::Errno;

use crate::Error;
use crate::git_name::means_git;
use crate::place::{DIRECTORY, FilePlace, open_directory};

/// How many symbolic links one path may lead through, as in Linux.
const LINKS: usize = 40;

/// A directory that edits must stay in.
///
/// Paths are walked one component at a time from a descriptor of the directory. The kernel is never asked to follow a
/// link or `..`, so a component that is swapped for a link meanwhile leads nowhere. A link that stays inside may be
/// followed; `..` above the root, an absolute path or link elsewhere, and a component that some file system takes for
/// `.git` are [`Error::OutsideRoot`].
#[derive(Clone, Debug)]
pub struct Root {
    directory: Arc<OwnedFd>,
    /// Without symbolic links.
    path: PathBuf,
    /// As it was given, made absolute.
    given: PathBuf,
    git_allowed: bool,
}

impl Root {
    /// Opens a directory that edits must stay in.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`], or what the system says, also if it is no directory.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let path = fs::canonicalize(directory).map_err(Error::reading(directory))?;
        let given = std::path::absolute(directory).map_err(Error::reading(directory))?;
        let flags = OFlags::RDONLY | DIRECTORY;
        let opened = match openat(CWD, &path, flags, Mode::empty()) {
            // It is there, so that it is not missing.
            Err(error @ Errno::NOTDIR) => {
                return Err(Error::Io { path: directory.to_owned(), source: error.into() });
            }
            opened => opened.map_err(Error::reading(directory))?,
        };
        Ok(Self { directory: Arc::new(opened), path, given, git_allowed: false })
    }

    /// Opens the whole file system, for paths whose naming is the permission to edit them.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn everything() -> Result<Self, Error> {
        Self::open(Path::new("/"))
    }

    /// Lets edits into directories that are called `.git`.
    #[must_use]
    pub fn allowing_git(self) -> Self {
        Self { git_allowed: true, ..self }
    }

    /// Returns the path of the directory, absolute and without symbolic links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Finds the place that `path` names. The file need not exist, nor the directories above it.
    ///
    /// # Errors
    ///
    /// [`Error::OutsideRoot`], [`Error::NotAFile`] for a directory, or what the system says.
    pub fn place(&self, path: &Path) -> Result<FilePlace, Error> {
        self.walk(path, LINKS)
    }

    /// Finds the place that `path` names wherever that is; for a root that is the whole file system.
    ///
    /// # Errors
    ///
    /// As [`place`](Self::place).
    pub fn place_of_named(&self, path: &Path) -> Result<FilePlace, Error> {
        if path.is_absolute() || path.as_os_str().is_empty() {
            return self.walk(path, LINKS);
        }
        let current = std::env::current_dir().map_err(Error::reading(path))?;
        self.walk(&current.join(path), LINKS).map_err(|error| error.about(path))
    }

    /// Finds a place by a path that was without symbolic links once; follows none now.
    ///
    /// # Errors
    ///
    /// As [`place`](Self::place); also if there is a link.
    pub fn place_without_links(&self, path: &Path) -> Result<FilePlace, Error> {
        self.walk(path, 0)
    }

    fn walk(&self, path: &Path, links: usize) -> Result<FilePlace, Error> {
        let mut walk = Walk { root: self, path, stack: Vec::new(), links };
        let relative = if path.is_absolute() {
            self.relative(path).ok_or_else(|| self.outside(path, LEADS_OUT))?
        } else {
            path.to_owned()
        };
        walk.run(&relative)
    }

    fn outside(&self, path: &Path, problem: &'static str) -> Error {
        Error::OutsideRoot { path: path.to_owned(), root: self.path.clone(), problem }
    }

    /// Returns the directory itself.
    pub(crate) fn descriptor(&self) -> &OwnedFd {
        &self.directory
    }

    /// Returns the components of a path below the root, which must have no `..` and no `.git`.
    pub(crate) fn components(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        let mut names = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(name) if !self.git_allowed && means_git(name.as_bytes()) => {
                    return Err(self.outside(path, IS_GIT));
                }
                Component::Normal(name) => names.push(name.to_owned()),
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(self.outside(path, LEADS_OUT));
                }
            }
        }
        if names.is_empty() { Err(Error::NotAFile { path: path.to_owned(), kind: "a directory" }) } else { Ok(names) }
    }

    /// Opens as many as there are of the directories `names`, each in the one before, and follows no link; returns how
    /// many there are, and what is in the way of the next.
    pub(crate) fn descend(&self, names: &[OsString]) -> (Arc<OwnedFd>, usize, Option<Errno>) {
        let mut directory = Arc::clone(&self.directory);
        for (depth, name) in names.iter().enumerate() {
            match open_directory(&directory, name) {
                Ok(opened) => directory = Arc::new(opened),
                Err(error) => return (directory, depth, Some(error)),
            }
        }
        (directory, names.len(), None)
    }

    /// Returns what `path`, which is absolute, is below the root.
    fn relative(&self, path: &Path) -> Option<PathBuf> {
        if let Ok(relative) = path.strip_prefix(&self.path).or_else(|_| path.strip_prefix(&self.given)) {
            return Some(relative.to_owned());
        }
        // The root may have further names, through links above it. Whatever this finds is walked from the root.
        for above in path.ancestors().skip(1) {
            if let Ok(canonical) = fs::canonicalize(above) {
                let rest = path.strip_prefix(above).ok()?;
                return Some(canonical.strip_prefix(&self.path).ok()?.join(rest));
            }
        }
        None
    }
}

const LEADS_OUT: &str = "leads out of the directory that may be edited";
const IS_GIT: &str = "leads into a `.git` directory";

/// One walk from the root to a place.
struct Walk<'a> {
    root: &'a Root,
    path: &'a Path,
    /// The directories that were entered.
    stack: Vec<(Arc<OwnedFd>, OsString)>,
    /// How many more links may be followed.
    links: usize,
}

impl Walk<'_> {
    fn run(&mut self, relative: &Path) -> Result<FilePlace, Error> {
        let mut ahead = parts(relative);
        if ahead.is_empty() && self.path.as_os_str().is_empty() {
            return Err(Error::Missing { path: self.path.to_owned() });
        }
        while let Some(name) = ahead.pop_front() {
            if name == ".." {
                if self.stack.pop().is_none() && self.root.path != Path::new("/") {
                    return Err(self.outside(LEADS_OUT));
                }
                continue;
            }
            if !self.root.git_allowed && means_git(name.as_bytes()) {
                return Err(self.outside(IS_GIT));
            }
            let directory = Arc::clone(self.directory());
            if ahead.is_empty() {
                match self.link(&directory, &name)? {
                    Some(link) => self.follow(&link, &mut ahead)?,
                    None => return Ok(self.place(Vec::new(), name)),
                }
                continue;
            }
            match open_directory(&directory, &name) {
                Ok(opened) => self.stack.push((Arc::new(opened), name)),
                Err(Errno::NOENT) => return self.missing(name, ahead),
                Err(error) => match self.link(&directory, &name)? {
                    Some(link) => self.follow(&link, &mut ahead)?,
                    None => return Err(Error::reading(self.path)(error)),
                },
            }
        }
        Err(Error::NotAFile { path: self.path.to_owned(), kind: "a directory" })
    }

    fn directory(&self) -> &Arc<OwnedFd> {
        self.stack.last().map_or(&self.root.directory, |(directory, _)| directory)
    }

    /// Returns where the link `name` leads, or nothing if it is no link.
    fn link(&self, directory: &OwnedFd, name: &OsStr) -> Result<Option<PathBuf>, Error> {
        match readlinkat(directory, name, Vec::new()) {
            Ok(_) if self.links == 0 => Err(Error::reading(self.path)(Errno::LOOP)),
            Ok(link) => Ok(Some(OsString::from_vec(link.into_bytes()).into())),
            Err(Errno::INVAL | Errno::NOENT) => Ok(None),
            Err(error) => Err(Error::reading(self.path)(error)),
        }
    }

    /// Puts the components of a link before those that are still ahead.
    fn follow(&mut self, link: &Path, ahead: &mut VecDeque<OsString>) -> Result<(), Error> {
        self.links -= 1;
        let relative = if link.is_absolute() {
            self.stack.clear();
            link.strip_prefix(&self.root.path).map_err(|_| self.outside(LEADS_OUT))?
        } else {
            link
        };
        for part in parts(relative).into_iter().rev() {
            ahead.push_front(part);
        }
        Ok(())
    }

    /// Returns the place of a file in directories that do not exist yet, `first` and those `ahead`.
    fn missing(&self, first: OsString, ahead: VecDeque<OsString>) -> Result<FilePlace, Error> {
        let mut names: Vec<OsString> = std::iter::once(first).chain(ahead).collect();
        let mut depth = self.stack.len();
        for name in &names {
            if name == ".." {
                depth = depth.checked_sub(1).ok_or_else(|| self.outside(LEADS_OUT))?;
                continue;
            }
            depth += 1;
            if !self.root.git_allowed && means_git(name.as_bytes()) {
                return Err(self.outside(IS_GIT));
            }
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
        FilePlace { directory: Arc::clone(self.directory()), missing, name, target: self.root.path.join(below) }
    }

    fn outside(&self, problem: &'static str) -> Error {
        self.root.outside(self.path, problem)
    }
}

/// Returns the components of a relative path, without those that say nothing.
fn parts(path: &Path) -> VecDeque<OsString> {
    path.components()
        .filter_map(|component| match component {
            Component::ParentDir => Some(OsString::from("..")),
            Component::Normal(name) => Some(name.to_owned()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
        })
        .collect()
}
