//! Compares two captured states.

use std::collections::HashSet;

use fuzzy_system as sys;

use crate::git::{Call, split_z, unread};
use crate::worktree::Worktree;
use crate::{Change, Differing, Error, Oid, RepoPath, Result};

/// The level of detail of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The changed files.
    Names,
    /// Also the number of changed lines; this reads the files.
    Lines,
    /// Also the patch, which names binary files only.
    Patch,
    /// Also the contents of binary files in the patch, so that `git apply` takes it.
    Binary,
}

/// The options of a comparison.
#[derive(Debug, Clone)]
pub struct DiffOptions {
    /// Only these paths and paths below them; empty means all.
    pub paths: Vec<RepoPath>,
    /// The level of detail.
    pub detail: Detail,
    /// Whether to detect renamed files.
    pub renames: bool,
}

/// The difference between two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The changed files, sorted by path.
    pub files: Vec<Differing>,
    /// The changes as a unified patch; empty unless requested.
    pub patch: Vec<u8>,
}

/// The number of paths in one git call, because argument lists are limited.
const PORTION: usize = 500;

impl Worktree {
    /// Compares two trees. Concurrent captures and restores have no effect on it.
    ///
    /// # Errors
    ///
    /// Fails if git fails, for example because a tree is gone.
    pub fn diff(&self, from: &Oid, to: &Oid, options: &DiffOptions) -> Result<Diff> {
        let mut files = Vec::new();
        if from != to {
            files = self.differing(from, to, options)?;
        }
        let mut patch = Vec::new();
        if options.detail >= Detail::Patch && !files.is_empty() {
            let mut paths = options.paths.clone();
            if !paths.is_empty() {
                // Git detects renames only among the listed paths.
                paths.extend(
                    files.iter().flat_map(|file| [Some(&file.path), file.renamed_from.as_ref()]).flatten().cloned(),
                );
                paths.sort();
                paths.dedup();
            }
            let whole: &[&str] = if options.detail == Detail::Binary { &["--binary", "--full-index"] } else { &[] };
            let call = self.compare(options).arg("-p").args(whole).args([from.as_str(), to.as_str(), "--"]);
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

    pub(crate) fn compare(&self, options: &DiffOptions) -> Call {
        let renames = if options.renames { "-M" } else { "--no-renames" };
        // The index is not used.
        self.own("diff-tree", &self.no_index()).args(["-r", "--no-ext-diff", "--no-textconv", "--no-color", renames])
    }

    /// Checks that each of `paths` is a file, or a directory with files, in at least one of the trees.
    ///
    /// # Errors
    ///
    /// Returns `missing` with the paths that are in no tree; fails if git fails, for example because a tree is gone.
    pub fn check_paths(&self, trees: &[&Oid], paths: &[RepoPath]) -> Result<()> {
        let mut left = paths.to_vec();
        for tree in trees {
            let mut found = HashSet::new();
            for portion in left.chunks(PORTION) {
                let call = self.own("ls-tree", &self.no_index()).args(["-z", "--name-only", tree.as_str(), "--"]);
                let output = call.args(portion.iter().map(|path| sys::path_of(path.as_bytes().to_vec()))).ok()?;
                found.extend(split_z(&output).map(RepoPath::new));
            }
            // If a directory and a path below it are requested, git lists only the latter.
            left.retain(|path| !found.contains(path) && !found.iter().any(|one| one.is_within(path)));
        }
        if left.is_empty() { Ok(()) } else { Err(Error::NoSuchPath { paths: left }) }
    }
}

/// Parses the output of `diff-tree -z --raw`, with or without `--numstat` after it; `None` if it is not understood.
pub(crate) fn read(output: &[u8]) -> Option<Vec<Differing>> {
    let mut files: Vec<Differing> = Vec::new();
    let mut counted = 0;
    let mut parts = split_z(output);
    while let Some(head) = parts.next() {
        if let Some(fields) = head.strip_prefix(b":") {
            let status = fields.rsplit(|byte| *byte == b' ').next().and_then(|status| status.first());
            let (change, renamed_from) = match status? {
                b'A' => (Change::Added, None),
                b'D' => (Change::Deleted, None),
                b'R' => (Change::Renamed, Some(RepoPath::new(parts.next()?))),
                _ => (Change::Changed, None),
            };
            let path = RepoPath::new(parts.next()?);
            files.push(Differing { path, change, renamed_from, insertions: None, deletions: None });
            continue;
        }
        // The counts are in the same order.
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
