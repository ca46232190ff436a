//! Parses git's lists.

use std::collections::BTreeSet;
use std::path::Path;

use crate::git::{Call, split_z, unread};
use crate::worktree::Worktree;
use crate::{IndexLeft, Oid, RepoPath, Result};

/// One line of `ls-files -s -v`.
pub(crate) struct Entry {
    pub(crate) skipped: bool,
    pub(crate) mode: String,
    pub(crate) oid: Oid,
    pub(crate) stage: u8,
    pub(crate) path: RepoPath,
}

/// The user's index, as far as a capture needs it.
#[derive(Default)]
pub(crate) struct UserIndex {
    pub(crate) entries: Vec<Entry>,
    /// The reason why the index cannot be stored as a tree and restored, if it cannot.
    pub(crate) left: Option<IndexLeft>,
}

pub(crate) const GITLINK: &str = "160000";

impl UserIndex {
    /// Returns the files, one entry per path.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Entry> {
        let mut last: Option<&RepoPath> = None;
        self.entries.iter().filter(move |entry| {
            let first = last.replace(&entry.path) != Some(&entry.path);
            first && entry.mode != GITLINK && !entry.path.is_reserved()
        })
    }

    pub(crate) fn submodules(&self) -> impl Iterator<Item = &RepoPath> {
        self.entries.iter().filter(|entry| entry.mode == GITLINK).map(|entry| &entry.path)
    }
}

impl Worktree {
    /// Makes a git call read a copy of the user's index.
    fn on_copy(&self, call: Call, copy: &Path) -> Call {
        call.env("GIT_DIR", &self.found.staging).env("GIT_INDEX_FILE", copy)
    }

    /// Lists the copy `copy` of the user's index, with the content `content`, without refreshing it.
    pub(crate) fn user_index(&self, copy: &Path, content: &[u8]) -> Result<UserIndex> {
        let listed = self.on_copy(self.user("ls-files"), copy).args(["-s", "-v", "-z"]).ok()?;
        let entries = split_z(&listed).map(entry).collect::<Option<Vec<Entry>>>().ok_or_else(|| unread("ls-files"))?;
        let split = !self.on_copy(self.user("rev-parse"), copy).arg("--shared-index-path").ok()?.is_empty();
        // Version 2 has no room for the flags "skip-worktree" and "intent to add".
        let intent =
            content.get(4..8) != Some(&[0, 0, 0, 2]) && has_intent_to_add(self.on_copy(self.user("ls-files"), copy))?;
        let left = if self.found.sidecar {
            Some(IndexLeft::Sidecar)
        } else if entries.iter().any(|entry| entry.stage != 0) {
            Some(IndexLeft::Unmerged)
        } else if split {
            Some(IndexLeft::Split)
        } else if intent {
            Some(IndexLeft::IntentToAdd)
        } else {
            entries.iter().any(|entry| entry.skipped).then_some(IndexLeft::SkipWorktree)
        };
        Ok(UserIndex { entries, left })
    }

    /// Returns the user's current commit and branch.
    pub(crate) fn head(&self) -> Result<(Option<Oid>, Option<String>)> {
        self.now().map(|now| (now.head, now.branch))
    }

    /// Runs git to get the user's head and the ref of the warm index.
    pub(crate) fn now_by_git(&self) -> Result<Now> {
        let pinned = self.pinned_by_git()?;
        let args = ["HEAD^{commit}", "--symbolic-full-name", "HEAD"];
        let answer = self.user("rev-parse").args(args).run()?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let (head, name) = match lines[..] {
            [head, name] if answer.code == 0 => (Oid::new(head).ok(), name),
            _ => return self.now_unborn(pinned),
        };
        match name {
            "HEAD" => Ok(Now { pinned, head, branch: None }),
            _ if name.starts_with("refs/") => Ok(Now { pinned, head, branch: Some(name.to_owned()) }),
            _ => self.now_unborn(pinned),
        }
    }

    /// Runs git for each of them, if there is no commit yet or a name is ambiguous.
    fn now_unborn(&self, pinned: Option<Oid>) -> Result<Now> {
        let commit = self.user("rev-parse").args(["--verify", "-q", "HEAD^{commit}"]).run()?;
        let branch = self.user("symbolic-ref").args(["-q", "HEAD"]).run()?;
        let name = String::from_utf8_lossy(&branch.stdout).trim_end().to_owned();
        Ok(Now {
            pinned,
            head: Oid::from_line(&commit.stdout).filter(|_| commit.code == 0),
            branch: Some(name).filter(|name| branch.code == 0 && !name.is_empty()),
        })
    }

    pub(crate) fn warm_ref(&self) -> String {
        format!("refs/fuzzy-edit/warm/{}", self.id)
    }
}

/// The current values of the user's head and our ref.
pub(crate) struct Now {
    /// The commit of the warm index's ref.
    pub(crate) pinned: Option<Oid>,
    pub(crate) head: Option<Oid>,
    pub(crate) branch: Option<String>,
}

fn has_intent_to_add(list: Call) -> Result<bool> {
    const INTENT_TO_ADD: u32 = 1 << 29;
    let listed = list.arg("--debug").ok()?;
    let finder = memchr::memmem::Finder::new("\tflags: ");
    Ok(finder.find_iter(&listed).any(|at| {
        let digits = &listed[at + 8..];
        let end = digits.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(digits.len());
        let flags = std::str::from_utf8(&digits[..end]).ok().and_then(|text| u32::from_str_radix(text, 16).ok());
        flags.is_none_or(|flags| flags & INTENT_TO_ADD != 0)
    }))
}

fn entry(line: &[u8]) -> Option<Entry> {
    let tab = memchr::memchr(b'\t', line)?;
    let head = std::str::from_utf8(&line[..tab]).ok()?;
    let mut parts = head.split(' ');
    let (tag, mode, oid, stage) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some(Entry {
        skipped: matches!(tag, "S" | "s"),
        mode: mode.to_owned(),
        oid: Oid::new(oid).ok()?,
        stage: stage.parse().ok()?,
        path: RepoPath::new(&line[tab + 1..]),
    })
}

/// The difference of one path between two trees.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// The path.
    pub path: RepoPath,
    /// Mode and object before; `None` when the path is added.
    pub old: Option<(String, Oid)>,
    /// Mode and object after; `None` when the path is deleted.
    pub new: Option<(String, Oid)>,
}

/// All paths of an index, in byte order.
pub(crate) struct Sorted {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl Sorted {
    /// Parses paths that end with NUL.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        let starts = std::iter::once(0).chain(memchr::memchr_iter(0, &bytes).map(|end| end + 1)).collect();
        Self { bytes, starts }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.starts.windows(2).map(|ends| &self.bytes[ends[0]..ends[1] - 1])
    }

    pub(crate) fn contains(&self, path: &RepoPath) -> bool {
        let starts = &self.starts[..self.len()];
        let found = starts.binary_search_by(|start| {
            let rest = &self.bytes[*start..];
            rest[..memchr::memchr(0, rest).unwrap_or(rest.len())].cmp(path.as_bytes())
        });
        found.is_ok()
    }
}

/// Returns the object of an `ls-tree` line.
pub(crate) fn oid_of(line: &[u8]) -> Option<Oid> {
    let end = memchr::memchr(b'\t', line)?;
    line[..end].rsplit(|byte| *byte == b' ').next().and_then(Oid::from_line)
}

/// Parses paths that end with NUL, and sorts them.
pub(crate) fn paths(output: &[u8]) -> BTreeSet<RepoPath> {
    split_z(output).map(RepoPath::new).collect()
}

/// Formats paths, each followed by NUL.
pub(crate) fn lines(paths: &[RepoPath]) -> Vec<u8> {
    paths.iter().flat_map(|path| path.as_bytes().iter().copied().chain([0])).collect()
}

/// Formats paths with "./" before each, so that none is read as pathspec magic.
pub(crate) fn dotted(paths: &[RepoPath]) -> Vec<u8> {
    paths.iter().flat_map(|path| b"./".iter().chain(path.as_bytes()).copied().chain([0])).collect()
}

/// Parses the output of a command with [`dotted`] paths.
pub(crate) fn undotted(output: &[u8]) -> Vec<RepoPath> {
    split_z(output).filter_map(|path| path.strip_prefix(b"./")).map(RepoPath::new).collect()
}
