//! Trees of files and links: as they are on disk, and as a changeset should leave them.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use fuzzy_safe_write::{Change, Changeset, Durability, Error, Expected, Mode, Root, State, Wanted};

/// The object at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    File {
        bytes: Vec<u8>,
        mode: u32,
    },
    Link(String),
    /// An empty directory.
    Empty,
}

/// Everything below a directory, except directories that are not empty.
pub(crate) type Tree = BTreeMap<PathBuf, Node>;

/// The wanted object at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    File { bytes: Vec<u8>, mode: Mode },
    Link(String),
}

/// The wanted objects below a directory.
pub(crate) type Goals = BTreeMap<PathBuf, Goal>;

/// A directory of files, and another directory for the state.
pub(crate) struct Place {
    directory: tempfile::TempDir,
    pub(crate) root: Root,
}

impl Place {
    pub(crate) fn new(tree: &Tree) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let files = directory.path().join("files");
        fs::create_dir(&files).unwrap();
        for (path, node) in tree {
            put(&files.join(path), node);
        }
        let root = Root::open(&files).unwrap();
        Self { directory, root }
    }

    pub(crate) fn state(&self) -> State {
        State::at(self.directory.path().join("state"))
    }

    pub(crate) fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join("files").join(below)
    }

    /// Reads everything below the root.
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        add(&self.path(""), Path::new(""), &mut tree);
        tree
    }

    /// Begins a changeset from `tree` to `goals`.
    pub(crate) fn begin(&self, tree: &Tree, goals: &Goals) -> Result<Changeset<'_>, Error> {
        let changes = changes(tree, goals);
        let load = |index: usize| match &goals[&changes[index].path] {
            Goal::File { bytes, .. } => Ok(bytes.clone()),
            Goal::Link(target) => Ok(target.clone().into_bytes()),
        };
        Changeset::begin(&self.root, &self.state(), &changes, Durability::Kill, load)
    }

    /// Returns the changesets whose processes are gone.
    pub(crate) fn interrupted(&self) -> Vec<Changeset<'_>> {
        Changeset::interrupted(&self.root, &self.state()).unwrap()
    }

    /// Checks that no temporary name and no journal remains.
    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        let tree = self.tree();
        let left = tree.keys().find(|path| path.to_string_lossy().contains(".fuzzy-edit-"));
        assert_eq!(left, None);
        let journals = fs::read_dir(self.directory.path().join("state/changesets"));
        assert_eq!(journals.map_or(0, Iterator::count), 0);
    }
}

pub(crate) fn file(text: &str, mode: u32) -> Node {
    Node::File { bytes: text.as_bytes().to_vec(), mode }
}

pub(crate) fn goal(text: &str, mode: Mode) -> Goal {
    Goal::File { bytes: text.as_bytes().to_vec(), mode }
}

pub(crate) fn put(path: &Path, node: &Node) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match node {
        Node::File { bytes, mode } => {
            fs::write(path, bytes).unwrap();
            fs::set_permissions(path, Permissions::from_mode(*mode)).unwrap();
        }
        Node::Link(target) => symlink(target, path).unwrap(),
        Node::Empty => fs::create_dir_all(path).unwrap(),
    }
}

/// Returns the object at a path, unless it is a directory.
pub(crate) fn node(path: &Path) -> Option<Node> {
    let metadata = fs::symlink_metadata(path).ok()?;
    if metadata.is_symlink() {
        let target = fs::read_link(path).unwrap();
        return Some(Node::Link(String::from_utf8(target.as_os_str().as_bytes().to_vec()).unwrap()));
    }
    let mode = metadata.permissions().mode() & 0o7777;
    metadata.is_file().then(|| Node::File { bytes: fs::read(path).unwrap(), mode })
}

fn add(root: &Path, below: &Path, tree: &mut Tree) {
    let mut is_empty = true;
    for entry in fs::read_dir(root.join(below)).unwrap() {
        is_empty = false;
        let path = below.join(entry.unwrap().file_name());
        match node(&root.join(&path)) {
            Some(node) => drop(tree.insert(path, node)),
            None => add(root, &path, tree),
        }
    }
    if is_empty && below != Path::new("") {
        tree.insert(below.to_owned(), Node::Empty);
    }
}

/// Returns the changes from a tree to goals.
pub(crate) fn changes(tree: &Tree, goals: &Goals) -> Vec<Change> {
    let mut paths: Vec<&PathBuf> = tree.keys().chain(goals.keys()).collect();
    paths.sort();
    paths.dedup();
    let change = |path: &&PathBuf| {
        let before = match tree.get(*path) {
            Some(Node::File { bytes, mode }) => {
                // Plans with different knowledge of the mode.
                let mode = match bytes.len() % 3 {
                    0 => Mode::Any,
                    1 => Mode::Executable(mode & 0o100 != 0),
                    _ => Mode::Exactly(*mode),
                };
                Some(Expected::file(bytes, mode))
            }
            Some(Node::Link(target)) => Some(Expected::link(target.as_bytes())),
            Some(Node::Empty) | None => None,
        };
        let after = goals.get(*path).map(|goal| match goal {
            Goal::File { mode, .. } => Wanted::File(*mode),
            Goal::Link(_) => Wanted::Link,
        });
        Change { path: (*path).clone(), before, after, prune: usize::MAX }
    };
    paths.iter().map(change).collect()
}

/// Returns the tree after the goals are applied.
pub(crate) fn expected(tree: &Tree, goals: &Goals) -> Tree {
    let node = |(path, goal): (&PathBuf, &Goal)| {
        let node = match goal {
            Goal::Link(target) => Node::Link(target.clone()),
            Goal::File { bytes, mode } => {
                let old = match tree.get(path) {
                    Some(Node::File { mode, .. }) => *mode,
                    _ => new_mode(),
                };
                let mode = match mode {
                    Mode::Any => old,
                    Mode::Executable(true) => old | (old & 0o444) >> 2,
                    Mode::Executable(false) => old & !0o111,
                    Mode::Exactly(mode) => *mode,
                };
                Node::File { bytes: bytes.clone(), mode }
            }
        };
        (path.clone(), node)
    };
    goals.iter().map(node).collect()
}

/// Returns the mode of any new file.
fn new_mode() -> u32 {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new");
    fs::write(&path, "").unwrap();
    fs::metadata(&path).unwrap().permissions().mode() & 0o7777
}

pub(crate) fn tree(entries: &[(&str, Node)]) -> Tree {
    entries.iter().map(|(path, node)| (PathBuf::from(path), node.clone())).collect()
}

pub(crate) fn goals(entries: &[(&str, Goal)]) -> Goals {
    entries.iter().map(|(path, goal)| (PathBuf::from(path), goal.clone())).collect()
}
