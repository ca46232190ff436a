//! Merges trees: applies the difference between two states to a third one.
//!
//! A path that only one side changed needs no program. For the others git merges by lines and follows renames; a git
//! before 2.40 merges file by file and follows none.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::diff::{Detail, DiffOptions};
use crate::git::{Answer, unread};
use crate::listing::Change;
use crate::objects::{DIRECTORY, Edit, Entry, header};
use crate::private::Locked;
use crate::snapshot::{Meta, Snapshot};
use crate::{Error, Gone, Oid, RepoPath, Result};

/// The number of attempts to leave out what conflicts.
const ATTEMPTS: usize = 8;
/// Git's status for an unknown option.
const USAGE: i32 = 129;

/// The result of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The tree `ours` with the changes that do not conflict.
    pub tree: Oid,
    /// The paths with conflicts, sorted, and those that renames join to them: they are as in `ours`.
    pub conflicts: Vec<RepoPath>,
}

/// A merge, or the paths that conflict.
type Tried = std::result::Result<Oid, BTreeSet<RepoPath>>;

/// Another state of the files than that of now.
#[derive(Debug, Clone, Copy)]
pub struct Revision<'a> {
    /// The files.
    pub tree: &'a Oid,
    /// The staged tree, if that is another one.
    pub index: Option<&'a Oid>,
    /// The paths whose absence is proven.
    pub absent: &'a BTreeSet<RepoPath>,
    /// The states of which the first one that has a file gives its permissions, if the files now lack it.
    pub sources: &'a [&'a Snapshot],
    /// The paths that belong to the state, and that no checkpoint has.
    pub gone: &'a [Gone],
}

impl Locked<'_> {
    /// Applies the difference from the tree `base` to the tree `theirs` to the tree `ours`: changes of `ours` since
    /// `base` stay. Changes with no unchanged line between them conflict, unless they are equal.
    ///
    /// # Errors
    ///
    /// Fails if git fails, and with `lost` if objects of a tree are gone.
    pub fn merge(&self, base: &Oid, ours: &Oid, theirs: &Oid) -> Result<Merged> {
        let changes = self.objects.differences(base, theirs)?;
        let paths: BTreeSet<RepoPath> = changes.iter().map(|change| change.path.clone()).collect();
        let mut left: BTreeSet<RepoPath> = BTreeSet::new();
        let mut pairs = None;
        for _ in 0..ATTEMPTS {
            let wanted: Vec<&Change> = changes.iter().filter(|change| !left.contains(&change.path)).collect();
            let found = match self.try_merge(base, ours, &wanted)? {
                Ok(tree) => return Ok(Merged { tree, conflicts: left.into_iter().collect() }),
                Err(found) => found,
            };
            if pairs.is_none() {
                pairs = Some([self.renames(base, theirs)?, self.renames(base, ours)?].concat());
            }
            let before = left.len();
            left.extend(found);
            // A rename is taken as a whole or not at all.
            while let Some((from, to)) =
                pairs.iter().flatten().find(|(from, to)| left.contains(from) != left.contains(to))
            {
                left.extend([from.clone(), to.clone()]);
            }
            left.retain(|path| paths.contains(path));
            if left.len() == before {
                break;
            }
        }
        Ok(Merged { tree: ours.clone(), conflicts: paths.into_iter().collect() })
    }

    /// Returns the renames between two trees.
    fn renames(&self, from: &Oid, to: &Oid) -> Result<Vec<(RepoPath, RepoPath)>> {
        let options = DiffOptions { paths: Vec::new(), detail: Detail::Names, renames: true };
        let files = self.worktree.diff(from, to, &options)?.files.into_iter();
        Ok(files.filter_map(|file| Some((file.renamed_from?, file.path))).collect())
    }

    fn try_merge(&self, base: &Oid, ours: &Oid, wanted: &[&Change]) -> Result<Tried> {
        let mut edits: Vec<(RepoPath, Option<Entry>)> = Vec::new();
        let mut both: Vec<&Change> = Vec::new();
        for change in wanted {
            let our = self.objects.entry(ours, &change.path)?;
            if our == change.old {
                edits.push((change.path.clone(), change.new.clone()));
            } else if our != change.new || our.is_none() {
                // A file that is gone on both sides may have another name now, which only git finds.
                both.push(change);
            }
        }
        let tree = self.with_entries(ours, &edits)?;
        let swept = self.swept(ours, &tree, &edits)?;
        if both.is_empty() && swept.is_empty() {
            return Ok(Ok(tree));
        }
        let edited: Vec<(RepoPath, Option<Entry>)> =
            wanted.iter().map(|change| (change.path.clone(), change.new.clone())).collect();
        let theirs = self.with_entries(base, &edited)?;
        match self.merge_tree(base, ours, &theirs)? {
            Some(Ok(tree)) => Ok(Ok(tree)),
            // Git may name only a new path of its own.
            Some(Err(found)) if wanted.iter().any(|change| found.contains(&change.path)) => Ok(Err(found)),
            Some(Err(found)) => {
                Ok(Err(found.into_iter().chain(both.iter().map(|change| change.path.clone())).chain(swept).collect()))
            }
            None if swept.is_empty() => self.merge_by_file(ours, edits, &both),
            None => Ok(Err(swept)),
        }
    }

    /// Returns the edits that would replace a directory by a file, or a file by a directory, and so remove other files.
    fn swept(&self, ours: &Oid, tree: &Oid, edits: &[(RepoPath, Option<Entry>)]) -> Result<BTreeSet<RepoPath>> {
        let named: HashSet<&RepoPath> = edits.iter().map(|(path, _)| path).collect();
        let changed = self.objects.differences(ours, tree)?;
        let others: Vec<&RepoPath> =
            changed.iter().map(|change| &change.path).filter(|path| !named.contains(path)).collect();
        let meets = |path: &&RepoPath| others.iter().any(|other| other.is_within(path) || path.is_within(other));
        Ok(named.iter().copied().filter(meets).cloned().collect())
    }

    /// Merges with git; `None` if this git cannot.
    fn merge_tree(&self, base: &Oid, ours: &Oid, theirs: &Oid) -> Result<Option<Tried>> {
        // Before git 2.45 each side has to be a commit.
        let commits = [base, ours, theirs].map(|tree| self.objects.commit_tree(tree, &[], None));
        let [base, ours, theirs] = commits;
        let (base, ours, theirs) = (base?, ours?, theirs?);
        let call = self.worktree.own("merge-tree", &self.worktree.no_index()).args(["--write-tree", "-z"]);
        let call = call.arg(format!("--merge-base={base}")).args([ours.as_str(), theirs.as_str()]);
        // A new file in a renamed directory stays where it is.
        let settings = [("COUNT", "1"), ("KEY_0", "merge.directoryRenames"), ("VALUE_0", "false")];
        let call = settings.iter().fold(call, |call, (name, value)| call.env(&format!("GIT_CONFIG_{name}"), value));
        let answer = call.hold(&self.lock)?.run()?;
        match answer.code {
            0 | 1 => read(&answer.stdout, answer.code == 0).map(Some).ok_or_else(|| unread("merge-tree")),
            USAGE => Ok(None),
            _ => Err(answer.failed("merge-tree")),
        }
    }

    /// Merges each file that both sides changed by its lines.
    fn merge_by_file(&self, ours: &Oid, mut edits: Vec<(RepoPath, Option<Entry>)>, both: &[&Change]) -> Result<Tried> {
        let mut found = BTreeSet::new();
        for change in both {
            let our = self.objects.entry(ours, &change.path)?;
            let merged = match (&change.old, &our, &change.new) {
                (_, None, None) => continue,
                (Some(base), Some(our), Some(their)) => self.merge_file(base, our, their)?,
                _ => None,
            };
            match merged {
                Some(entry) => edits.push((change.path.clone(), Some(entry))),
                None => drop(found.insert(change.path.clone())),
            }
        }
        if found.is_empty() { Ok(Ok(self.with_entries(ours, &edits)?)) } else { Ok(Err(found)) }
    }

    /// Merges a file; `None` if its changes conflict, or if a side is no regular file or is binary.
    fn merge_file(&self, base: &Entry, our: &Entry, their: &Entry) -> Result<Option<Entry>> {
        if !are_regular([base, our, their]) {
            return Ok(None);
        }
        let answer = self.git_merge_file([&our.1, &base.1, &their.1], &[])?;
        if answer.code != 0 {
            return Ok(None);
        }
        self.merged_entry([base, our, their], &answer.stdout).map(Some)
    }

    /// Merges three texts, ours, the base and theirs, with `git merge-file`, whose status is the number of conflicts.
    pub(crate) fn git_merge_file(&self, texts: [&Oid; 3], options: &[&str]) -> Result<Answer> {
        let scratch = self.scratch()?;
        let paths = ["ours", "base", "theirs"].map(|name| scratch.path(name));
        for (path, oid) in paths.iter().zip(texts) {
            std::fs::write(path, self.objects.blob(oid)?).map_err(Error::io(path))?;
        }
        let call = self.worktree.own("merge-file", &self.worktree.no_index()).args(["-q", "-p"]).args(options);
        call.args(&paths).hold(&self.lock)?.run()
    }

    /// Stores a merged text as an entry, with the mode that one side changed.
    pub(crate) fn merged_entry(&self, [base, our, their]: [&Entry; 3], text: &[u8]) -> Result<Entry> {
        let mode = if our.0 == base.0 { &their.0 } else { &our.0 };
        Ok((mode.clone(), self.objects.store("blob", text)?))
    }

    /// Returns the tree with other entries: a mode and an object, or none for a path that is removed.
    ///
    /// # Errors
    ///
    /// Fails with `lost` if the tree is gone, and if the disk is full.
    pub fn with_entries(&self, tree: &Oid, entries: &[(RepoPath, Option<(String, Oid)>)]) -> Result<Oid> {
        if entries.is_empty() {
            return Ok(tree.clone());
        }
        let edits: Vec<Edit<'_>> = entries.iter().map(|(path, entry)| (path.as_bytes(), entry.clone())).collect();
        match self.objects.edited(Some(tree), &edits)? {
            Some(tree) => Ok(tree),
            None => self.objects.store("tree", b""),
        }
    }

    /// Returns those of `gone`, files that a change from `then` created, whose removal is safe: `then` proves that they
    /// were absent, and not only restores have captured them.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn proven_absent(&self, then: &Snapshot, gone: &[RepoPath]) -> Result<BTreeSet<RepoPath>> {
        let kept = self.to_keep(then, gone)?;
        Ok(gone.iter().filter(|path| !kept.contains(path)).cloned().collect())
    }

    /// Returns the state `now` with other files, as a state that can be restored. The commit is not pinned yet.
    ///
    /// # Errors
    ///
    /// Fails with `lost` if objects of a state are gone, and if the disk is full.
    pub fn revised(&self, now: &Snapshot, revision: &Revision<'_>) -> Result<Snapshot> {
        let Revision { tree, index, absent, sources, gone } = *revision;
        let mut meta: Meta = Meta { gone: gone.to_vec(), ..(*now.meta).clone() };
        meta.absent.extend(absent.iter().cloned());
        meta.absent.sort();
        meta.absent.dedup();
        if let Some(modes) = &mut meta.modes {
            for change in self.objects.differences(&now.tree, tree)? {
                let Some((mode, _)) = change.new.filter(|_| change.old.is_none()) else { continue };
                for source in sources {
                    let Some((was, _)) = self.objects.entry(&source.tree, &change.path)? else { continue };
                    let Some(bits) = &source.meta.modes else { continue };
                    let bits = bits.of(change.path.as_bytes(), was == "100755");
                    // A renamed file keeps what was done to it under its other name: who may read it, may execute it.
                    let bits = match mode.as_str() {
                        _ if was == mode => bits,
                        "100755" => bits | (bits & 0o444) >> 2,
                        _ => bits & !0o111,
                    };
                    modes.set(&change.path, bits);
                    break;
                }
            }
        }
        self.objects.keep_new(&now.tree, &[Some(tree), index])?;
        let notes = serde_json::to_vec(&meta).map_err(|_| unread("meta"))?;
        let notes = ("100644".to_owned(), self.objects.store("blob", &notes)?);
        let body = self.objects.object_of("commit", &now.commit)?;
        let text = String::from_utf8_lossy(&body).into_owned();
        let aux = header(&text, "parent ").last().ok_or_else(|| Error::Lost { what: now.commit.to_string() })?;
        let aux = self.objects.tree_of(&aux)?;
        let mut parts = vec![("meta.json".into(), Some(notes))];
        parts.extend(index.map(|index| ("index".into(), Some((DIRECTORY.to_owned(), index.clone())))));
        let aux = self.with_entries(&aux, &parts)?;
        let aux = self.objects.commit_tree(&aux, &[], None)?;
        let commit = self.objects.commit_tree(tree, &[&aux], now.head.as_ref())?;
        let index_tree = index.or(now.index_tree.as_ref()).cloned();
        let (tree, meta, secrets) = (tree.clone(), Arc::new(meta), Vec::new());
        Ok(Snapshot { commit, tree, index_tree, secrets, meta, ..now.clone() })
    }
}

/// Parses the output of `merge-tree -z`; `None` if it is not understood.
fn read(output: &[u8], is_clean: bool) -> Option<Tried> {
    let mut parts = output.split(|byte| *byte == 0);
    let tree = Oid::from_line(parts.next()?)?;
    if is_clean {
        return Some(Ok(tree));
    }
    let mut found = BTreeSet::new();
    for part in parts.by_ref().take_while(|part| !part.is_empty()) {
        found.insert(RepoPath::new(&part[memchr::memchr(b'\t', part)? + 1..]));
    }
    while let Some(count) = parts.next().filter(|part| !part.is_empty()) {
        let count = std::str::from_utf8(count).ok()?.parse::<usize>().ok()?;
        let named: Vec<&[u8]> = parts.by_ref().take(count).collect();
        let (kind, _message) = (parts.next()?, parts.next()?);
        if kind.starts_with(b"CONFLICT") {
            found.extend(named.into_iter().map(RepoPath::new));
        }
    }
    Some(Err(found))
}

/// Returns whether all entries are regular files.
pub(crate) fn are_regular(entries: [&Entry; 3]) -> bool {
    entries.iter().all(|(mode, _)| mode.starts_with("100"))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn conflicts_are_read_from_files_and_messages() {
        let oid = "1".repeat(40);
        let clean = format!("{oid}\0");
        assert!(read(clean.as_bytes(), true).is_some_and(|tried| tried.is_ok_and(|tree| tree.as_str() == oid)));
        let output = format!(
            "{oid}\0100644 {oid} 1\ta b\0100644 {oid} 2\ta b\0\0\
             1\0x\0Auto-merging\0Auto-merging x\n\0\
             2\0from\0to\0CONFLICT (rename/delete)\0CONFLICT (rename/delete): from renamed to to\n\0"
        );
        let found = read(output.as_bytes(), false).expect("understood").expect_err("conflicts");
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, ["a b", "from", "to"]);
        assert!(read(b"no tree", false).is_none());
    }
}
