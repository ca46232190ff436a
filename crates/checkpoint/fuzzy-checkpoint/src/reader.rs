//! Reads captured states: differences of trees and of lines, and the state that last changed each line of a file.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use fuzzy_system as sys;

use crate::diff::{Detail, DiffOptions};
use crate::git::unread;
use crate::listing::Change;
use crate::objects::{Objects, commit_text};
use crate::private::{Locked, Scratch};
use crate::store::quoted;
use crate::worktree::Worktree;
use crate::{Error, Oid, RepoPath, Result, hash};

/// Reads the objects of captured states. It holds no lock.
#[derive(Debug)]
pub struct Reader<'a> {
    worktree: &'a Worktree,
    pub(crate) objects: Objects<'a>,
}

/// Lines that differ between two versions of a file, counted from 0 in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineChange {
    /// The lines of the first version.
    pub old: Range<usize>,
    /// The lines of the second version.
    pub new: Range<usize>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlamedLine {
    /// The index of the first state that has the line; 0 for a line that all states have.
    pub state: usize,
    /// The line, without its end.
    pub text: Vec<u8>,
}

impl Worktree {
    /// Returns a reader of captured states.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader { worktree: self, objects: Objects::of(self) }
    }

    /// Makes `dir` have the files of a tree and records them in the file `index`, which the next call for the same
    /// directory needs. Files that the tree does not have and no earlier call wrote stay.
    ///
    /// # Errors
    ///
    /// Fails if git fails, for example because the tree is gone or the disk is full.
    pub fn check_out(&self, tree: &Oid, dir: &Path, index: &Path) -> Result<()> {
        let call = self.own("read-tree", index).args(["--reset", "-u", tree.as_str()]);
        call.env("GIT_WORK_TREE", dir).cwd(dir).ok().map(drop)
    }
}

impl Reader<'_> {
    /// Returns the paths that differ between two trees, sorted, without renames.
    ///
    /// # Errors
    ///
    /// Fails with `lost` if a tree is gone.
    pub fn differences(&self, from: &Oid, to: &Oid) -> Result<Vec<Change>> {
        self.objects.differences(from, to)
    }

    /// Returns mode and object of a file or link in a tree.
    ///
    /// # Errors
    ///
    /// Fails with `lost` if the tree is gone.
    pub fn entry(&self, tree: &Oid, path: &RepoPath) -> Result<Option<(String, Oid)>> {
        self.objects.entry(tree, path)
    }

    /// Returns the content of a file, or the target of a link.
    ///
    /// # Errors
    ///
    /// Fails with `lost` if it is gone.
    pub fn blob(&self, oid: &Oid) -> Result<Vec<u8>> {
        self.objects.blob(oid)
    }

    /// Returns the tree of a commit of the repository or of a capture.
    ///
    /// # Errors
    ///
    /// Fails with `lost` if it is gone.
    pub fn tree_of(&self, commit: &Oid) -> Result<Oid> {
        self.objects.tree_of(commit)
    }

    /// Returns the hunks of a file's difference between two trees, as patches show them, and the number of each is its
    /// place in the list.
    ///
    /// # Errors
    ///
    /// Fails if git fails, for example because a tree is gone.
    pub fn hunks(&self, from: &Oid, to: &Oid, path: &RepoPath) -> Result<Vec<LineChange>> {
        let options = DiffOptions { paths: vec![path.clone()], detail: Detail::Patch, renames: true };
        let text = self.worktree.diff(from, to, &options)?.patch;
        let heads = text.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"@@ "));
        heads.map(|head| ranges(head).ok_or_else(|| unread("diff"))).collect()
    }

    /// Compares two versions of a file line by line; binary files have no lines.
    ///
    /// # Errors
    ///
    /// Fails if git fails, for example because a version is gone.
    pub fn line_changes(&self, old: &Oid, new: &Oid) -> Result<Vec<LineChange>> {
        // Merges compare with the same algorithm.
        let options = ["-U0", "--diff-algorithm=histogram", "--no-color", "--no-ext-diff", "--no-textconv"];
        let call = self.worktree.own("diff", &self.worktree.no_index()).args(options);
        let patch = call.args([old.as_str(), new.as_str()]).ok()?;
        let heads = patch.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"@@ "));
        heads.map(|head| ranges(head).ok_or_else(|| unread("diff"))).collect()
    }
}

impl Locked<'_> {
    /// Returns each line of a file in the last of `states` with the first state that has it in this place. Renames are
    /// followed. Returns `None` if the last state has no such file.
    ///
    /// # Errors
    ///
    /// Fails if git fails, and with `lost` if a state is gone.
    pub fn blame(&self, states: &[Oid], path: &RepoPath) -> Result<Option<Vec<BlamedLine>>> {
        let is_there = match states.last() {
            Some(last) => self.objects.entry(last, path)?.is_some_and(|(mode, _)| mode.starts_with("100")),
            None => false,
        };
        if !is_there {
            return Ok(None);
        }
        let scratch = self.scratch()?;
        let (objects, commits) = (scratch.path("objects"), self.chain(&scratch, states)?);
        let Some(last) = commits.last() else { return Ok(None) };
        let call = self.worktree.own("blame", &self.worktree.no_index()).args(["--porcelain", last.as_str(), "--"]);
        let call = call.arg(sys::path_of(path.as_bytes().to_vec()));
        let mut borrowed = quoted(&self.worktree.store_objects());
        if let Some(lends) = &self.worktree.found.lends {
            borrowed.push(if cfg!(windows) { ";" } else { ":" });
            borrowed.push(quoted(lends));
        }
        let call = call.env("GIT_OBJECT_DIRECTORY", &objects).env("GIT_ALTERNATE_OBJECT_DIRECTORIES", borrowed);
        let output = call.hold(&self.lock)?.ok()?;
        let places: HashMap<&str, usize> = commits.iter().enumerate().map(|(at, oid)| (oid.as_str(), at)).collect();
        read_blame(&output, &places).map(Some).ok_or_else(|| unread("blame"))
    }

    /// Writes a commit for each state, the parent of the next, into a store of its own.
    fn chain(&self, scratch: &Scratch, states: &[Oid]) -> Result<Vec<Oid>> {
        let objects = scratch.path("objects");
        let mut commits: Vec<Oid> = Vec::new();
        for tree in states {
            let parents: Vec<&Oid> = commits.last().into_iter().collect();
            let text = commit_text(tree, &parents, None);
            let text = [format!("commit {}\0", text.len()).as_bytes(), text.as_bytes()].concat();
            let oid = hash::object(&self.worktree.found.format, &text).ok_or_else(|| unread("object"))?;
            let (above, name) = oid.as_str().split_at(2);
            let dir = objects.join(above);
            let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
            let written = fs::create_dir_all(&dir)
                .and_then(|()| packed.write_all(&text))
                .and_then(|()| packed.finish())
                .and_then(|packed| fs::write(dir.join(name), packed));
            written.map_err(Error::io(&dir))?;
            commits.push(oid);
        }
        Ok(commits)
    }
}

/// Parses the output of `blame --porcelain`; `None` if it is not understood.
fn read_blame(output: &[u8], places: &HashMap<&str, usize>) -> Option<Vec<BlamedLine>> {
    let (mut lines, mut state) = (Vec::new(), None);
    for line in output.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if let Some(text) = line.strip_prefix(b"\t") {
            lines.push(BlamedLine { state: state.take()?, text: text.to_vec() });
        } else if state.is_none() {
            let name = line.split(|byte| *byte == b' ').next()?;
            state = Some(*places.get(std::str::from_utf8(name).ok()?)?);
        }
    }
    Some(lines)
}

/// Returns the lines of a hunk from its head, `@@ -1,2 +3 @@`.
fn ranges(head: &[u8]) -> Option<LineChange> {
    let head = String::from_utf8_lossy(head).into_owned();
    let mut words = head.split(' ').skip(1);
    let mut range = |sign: char| {
        let place = words.next()?.strip_prefix(sign)?;
        let (first, length) = place.split_once(',').unwrap_or((place, "1"));
        let (first, length): (usize, usize) = (first.parse().ok()?, length.parse().ok()?);
        // A hunk without lines on one side has the number of the line before it.
        let start = if length == 0 { first } else { first.checked_sub(1)? };
        Some(start..start + length)
    };
    Some(LineChange { old: range('-')?, new: range('+')? })
}

#[cfg(test)]
mod tests {
    use super::{LineChange, ranges};

    #[test]
    fn heads_of_hunks_are_ranges_from_zero() {
        for (head, old, new) in
            [(&b"@@ -1,2 +3 @@ fn"[..], 0..2, 2..3), (b"@@ -0,0 +1,5 @@", 0..0, 0..5), (b"@@ -7 +6,0 @@", 6..7, 6..6)]
        {
            assert_eq!(ranges(head), Some(LineChange { old, new }));
        }
        assert_eq!(ranges(b"@@ -x +1 @@"), None);
    }
}
