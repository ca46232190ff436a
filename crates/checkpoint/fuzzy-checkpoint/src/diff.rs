//! Compares two captured states.

use std::collections::HashSet;

use fuzzy_system as sys;

use crate::git::{Call, split_z, unread};
use crate::listing::oid_of;
use crate::private::Locked;
use crate::worktree::Worktree;
use crate::{Differing, Error, Kind, Oid, RepoPath, Result};

/// How much of a difference is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Which files differ.
    Names,
    /// And how many lines of each: reads the files.
    Lines,
    /// And the changes themselves.
    Patch,
}

/// What to compare, and how.
#[derive(Debug, Clone)]
pub struct DiffOptions {
    /// Only these paths and what lies below them; empty means all.
    pub paths: Vec<RepoPath>,
    /// How much is wanted.
    pub detail: Detail,
    /// Whether a file that went and one like it that came are one renamed file.
    pub renames: bool,
}

/// The difference between two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// What happened to which file, sorted by path.
    pub files: Vec<Differing>,
    /// The changes as a unified patch; empty unless asked for.
    pub patch: Vec<u8>,
}

/// How many paths one call of git is given: an argument vector has an end.
const PORTION: usize = 500;

impl Worktree {
    /// Compares two trees. What captures and restores do meanwhile makes no difference.
    ///
    /// # Errors
    ///
    /// Fails when git fails, which it does when a tree is gone.
    pub fn diff(&self, from: &Oid, to: &Oid, options: &DiffOptions) -> Result<Diff> {
        let mut files = Vec::new();
        if from != to {
            files = self.differing(from, to, options)?;
        }
        let mut patch = Vec::new();
        if options.detail == Detail::Patch && !files.is_empty() {
            let mut paths = options.paths.clone();
            if !paths.is_empty() {
                // Git pairs only what it is shown.
                paths.extend(
                    files.iter().flat_map(|file| [Some(&file.path), file.renamed_from.as_ref()]).flatten().cloned(),
                );
                paths.sort();
                paths.dedup();
            }
            let call = self.compare(options).args(["-p", from.as_str(), to.as_str(), "--"]);
            patch = call.args(paths.iter().map(|path| sys::path_of(path.as_bytes().to_vec()))).ok()?;
        }
        Ok(Diff { files, patch })
    }

    fn differing(&self, from: &Oid, to: &Oid, options: &DiffOptions) -> Result<Vec<Differing>> {
        let mut call = self.compare(options).args(["-z", "--raw"]);
        if options.detail != Detail::Names {
            call = call.arg("--numstat");
        }
        let output = call.args([from.as_str(), to.as_str()]).ok()?;
        let mut files = read(&output).ok_or_else(|| unread("diff-tree"))?;
        if !options.paths.is_empty() {
            files.retain(|file| {
                [Some(&file.path), file.renamed_from.as_ref()]
                    .into_iter()
                    .flatten()
                    .any(|it| it.is_within_any(&options.paths))
            });
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    fn compare(&self, options: &DiffOptions) -> Call {
        let renames = if options.renames { "-M" } else { "--no-renames" };
        // No index takes part.
        self.own("diff-tree", &self.warm_index()).args(["-r", "--no-ext-diff", "--no-textconv", "--no-color", renames])
    }

    /// Makes sure that each of `paths` names a file, or a directory with one, in at least one of the trees.
    ///
    /// # Errors
    ///
    /// Returns `missing` with the paths that name nothing; fails when git fails, which it does when a tree is gone.
    pub fn check_paths(&self, trees: &[&Oid], paths: &[RepoPath]) -> Result<()> {
        let mut left = paths.to_vec();
        for tree in trees {
            let mut found = HashSet::new();
            for portion in left.chunks(PORTION) {
                let call = self.own("ls-tree", &self.warm_index()).args(["-z", "--name-only", tree.as_str(), "--"]);
                let output = call.args(portion.iter().map(|path| sys::path_of(path.as_bytes().to_vec()))).ok()?;
                found.extend(split_z(&output).map(RepoPath::new));
            }
            // Of a directory and a path below it git shows only the latter.
            left.retain(|path| !found.contains(path) && !found.iter().any(|one| one.is_within(path)));
        }
        if left.is_empty() { Ok(()) } else { Err(Error::NoSuchPath { paths: left }) }
    }
}

impl Locked<'_> {
    /// Returns the bytes a checkpoint holds for a path, `None` when it holds none.
    ///
    /// # Errors
    ///
    /// Fails when git fails.
    pub fn content(&self, tree: &Oid, path: &RepoPath) -> Result<Option<Vec<u8>>> {
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        let call = self.worktree.own("ls-tree", &index).args(["-r", "-z", tree.as_str(), "--"]);
        let line = call.arg(sys::path_of(path.as_bytes().to_vec())).hold(&self.lock)?.ok()?;
        oid_of(&line).map(|oid| self.blob(&oid)).transpose()
    }
}

/// Reads `diff-tree -z --raw`, with or without `--numstat` after it; `None` where it is not understood.
fn read(output: &[u8]) -> Option<Vec<Differing>> {
    let mut files: Vec<Differing> = Vec::new();
    let mut counted = 0;
    let mut parts = split_z(output);
    while let Some(head) = parts.next() {
        if let Some(fields) = head.strip_prefix(b":") {
            let status = fields.rsplit(|byte| *byte == b' ').next().and_then(|status| status.first());
            let (change, renamed_from) = match status? {
                b'A' => (Kind::Added, None),
                b'D' => (Kind::Deleted, None),
                b'R' => (Kind::Renamed, Some(RepoPath::new(parts.next()?))),
                _ => (Kind::Changed, None),
            };
            let path = RepoPath::new(parts.next()?);
            files.push(Differing { path, change, renamed_from, insertions: None, deletions: None });
            continue;
        }
        // The counts come in the same order.
        let fields: Vec<&[u8]> = head.splitn(3, |byte| *byte == b'\t').collect();
        let [insertions, deletions, name] = fields[..] else { return None };
        if name.is_empty() {
            parts.next()?;
            parts.next()?;
        }
        let file = files.get_mut(counted)?;
        [file.insertions, file.deletions] =
            [insertions, deletions].map(|text| std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()));
        counted += 1;
    }
    (counted == 0 || counted == files.len()).then_some(files)
}
