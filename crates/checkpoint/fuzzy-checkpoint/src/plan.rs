//! Plans the files that a restore writes, deletes and keeps, before anything is changed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

use fuzzy_system as sys;

use crate::git::NO_HEAD;
use crate::listing::{self, Change};
use crate::private::Locked;
use crate::snapshot::{Meta, Snapshot};
use crate::walk::{self, SPARED};
use crate::{Error, Gone, Oid, Reason, RepoPath, Result};

/// The changes that a restore would make to the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Files to write.
    pub writes: Vec<RepoPath>,
    /// Files to delete: the checkpoint proves that they were absent.
    pub deletes: Vec<RepoPath>,
    /// Files that are not in the checkpoint and remain, because they were ignored then or not captured.
    pub kept: Vec<RepoPath>,
    /// Paths in the way that no checkpoint contains. A restore is refused unless this is empty.
    pub obstructed: Vec<RepoPath>,
    /// Paths that belong to the target, are not there, and that no checkpoint has.
    pub gone: Vec<Gone>,
    /// Those of `writes` that lose their setuid, setgid or sticky bit.
    pub bits_dropped: Vec<RepoPath>,
    /// Whether the files then equal the target's.
    pub(crate) whole: bool,
    pub(crate) changes: Vec<Change>,
}

impl Plan {
    /// Returns the number of files that are written with the content of a deleted one: those that a rename moved.
    #[must_use]
    pub fn renamed(&self) -> u64 {
        let deleted =
            self.changes.iter().filter(|change| change.new.is_none()).filter_map(|change| change.old.as_ref());
        let mut contents: HashMap<&Oid, usize> = HashMap::new();
        for (_, oid) in deleted {
            *contents.entry(oid).or_default() += 1;
        }
        let added = self.changes.iter().filter(|change| change.old.is_none()).filter_map(|change| change.new.as_ref());
        let is_moved = |(_, oid): &&(String, Oid)| {
            let left = contents.get_mut(oid).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        };
        added.filter(is_moved).count() as u64
    }
}

impl Locked<'_> {
    /// Plans the changes from `from`, which must be the newest capture, to `to`. With `paths`, only these paths and
    /// paths below them are planned.
    ///
    /// # Errors
    ///
    /// Fails if git fails or the target's objects are gone.
    pub fn plan(&self, from: &Snapshot, to: &Snapshot, paths: &[RepoPath]) -> Result<Plan> {
        let is_wanted = |path: &RepoPath| paths.is_empty() || path.is_within_any(paths);
        let mut plan = self.plan_if(from, to, |change| is_wanted(&change.path))?;
        plan.gone = self.objects.gone(&to.commit, &from.commit)?;
        // The state of a take-back names only those of its request.
        plan.gone.retain(|gone| is_wanted(&gone.path) || to.meta.gone.contains(gone));
        Ok(plan)
    }

    /// Plans the rest of the plan `begun`, or of its rollback. Other changes were made by someone else since: they are
    /// not planned, and their paths are returned.
    ///
    /// # Errors
    ///
    /// As [`Locked::plan`].
    pub fn plan_rest(&self, from: &Snapshot, to: &Snapshot, begun: &Plan) -> Result<(Plan, BTreeSet<RepoPath>)> {
        let begun: HashSet<&Change> = begun.changes.iter().collect();
        let mut left = BTreeSet::new();
        let plan = self.plan_if(from, to, |change| {
            let is_rest = begun.contains(change);
            if !is_rest {
                left.insert(change.path.clone());
            }
            is_rest
        })?;
        Ok((plan, left))
    }

    fn plan_if(&self, from: &Snapshot, to: &Snapshot, wanted: impl FnMut(&Change) -> bool) -> Result<Plan> {
        let mut changes = self.objects.differences(&from.tree, &to.tree)?;
        let all = changes.len();
        changes.retain(wanted);
        let gone: Vec<RepoPath> =
            changes.iter().filter(|change| change.new.is_none()).map(|change| change.path.clone()).collect();
        let kept = if gone.is_empty() { BTreeSet::new() } else { self.to_keep(to, &gone)? };
        changes.retain(|change| !kept.contains(&change.path));
        let mut plan = Plan { kept: kept.into_iter().collect(), ..Plan::default() };
        for change in &changes {
            let paths = if change.new.is_none() { &mut plan.deletes } else { &mut plan.writes };
            paths.push(change.path.clone());
        }
        plan.obstructed = self.obstructions(from, to, &plan, &changes)?;
        plan.whole = changes.len() == all;
        let lending =
            changes.iter().filter(|change| self.recorded_bits(to, change).is_some_and(|bits| bits & 0o7000 != 0));
        plan.bits_dropped = lending.map(|change| change.path.clone()).collect();
        plan.changes = changes;
        Ok(plan)
    }

    /// Returns those of `gone` that are kept: the checkpoint does not prove their absence, or they are ignored now and
    /// only restores have captured them.
    pub(crate) fn to_keep(&self, to: &Snapshot, gone: &[RepoPath]) -> Result<BTreeSet<RepoPath>> {
        let mut kept = self.unproven(to, gone)?;
        let spared = walk::read_list(self, SPARED);
        kept.extend(gone.iter().filter(|path| spared.contains(path)).cloned());
        Ok(kept)
    }

    /// Returns those of `gone` whose absence the checkpoint does not prove.
    fn unproven(&self, to: &Snapshot, gone: &[RepoPath]) -> Result<BTreeSet<RepoPath>> {
        let meta = &*to.meta;
        let ignored: HashSet<&[u8]> = meta.ignored.iter().map(RepoPath::as_bytes).collect();
        let uncovered: HashSet<&RepoPath> = meta.uncovered.iter().map(|left| &left.path).collect();
        let sparse: HashSet<&RepoPath> = meta.sparse.iter().collect();
        let absent: HashSet<&RepoPath> = meta.absent.iter().collect();
        let (mut kept, mut rest) = (BTreeSet::new(), Vec::new());
        for path in gone.iter().filter(|path| !absent.contains(path)) {
            let is_unknown = uncovered.contains(path)
                || sparse.contains(path)
                || ignored.contains(path.as_bytes())
                || path
                    .ancestors()
                    .any(|dir| uncovered.contains(&dir) || ignored.contains(&[dir.as_bytes(), b"/"].concat()[..]));
            if is_unknown {
                kept.insert(path.clone());
            } else {
                rest.push(path.clone());
            }
        }
        if !rest.is_empty() {
            kept.extend(self.ignored_then(to, meta, &rest)?);
        }
        Ok(kept)
    }

    /// Returns those of `paths` that the ignore rules of the checkpoint ignore: runs git in an empty directory that
    /// contains only these rules.
    fn ignored_then(&self, to: &Snapshot, meta: &Meta, paths: &[RepoPath]) -> Result<BTreeSet<RepoPath>> {
        let scratch = self.scratch()?;
        let (git_dir, rules) = (scratch.path("git"), scratch.path("rules"));
        for dir in ["refs", "objects", "info"].map(|name| git_dir.join(name)).iter().chain([&rules]) {
            fs::create_dir_all(dir).map_err(Error::io(dir))?;
        }
        write(&git_dir.join("HEAD"), NO_HEAD)?;
        write(&git_dir.join("config"), self.worktree.config.as_bytes())?;
        write(&git_dir.join("info/exclude"), &meta.exclude)?;
        let dirs: HashSet<RepoPath> = paths.iter().flat_map(RepoPath::ancestors).collect();
        let found = meta.rules.iter().filter(|(path, _)| path.ancestors().last().is_none_or(|dir| dirs.contains(&dir)));
        let mut files: HashMap<RepoPath, Vec<u8>> = found.cloned().collect();
        files.extend(self.gitignores(&to.tree, &dirs)?);
        for (path, content) in
            files.iter().filter(|(path, _)| !path.is_reserved() && sys::may_be_named(path.as_bytes()))
        {
            let file = sys::on_disk(&rules, path.as_bytes());
            file.parent().map_or(Ok(()), fs::create_dir_all).map_err(Error::io(&file))?;
            write(&file, content)?;
        }
        let call = self.worktree.own("check-ignore", &scratch.path("index")).args(["--no-index", "-z", "--stdin"]);
        let answer = call
            .env("GIT_LITERAL_PATHSPECS", "0")
            .env("GIT_DIR", &git_dir)
            .env("GIT_WORK_TREE", &rules)
            .cwd(&rules)
            .input(listing::dotted(paths))
            .run()?;
        // As in a capture: paths are not literal, and status 1 means that none is ignored.
        if !matches!(answer.code, 0 | 1) {
            return Err(answer.failed("check-ignore"));
        }
        Ok(listing::undotted(&answer.stdout).into_iter().collect())
    }

    /// Reads the `.gitignore` files of a tree, at its root and in `dirs`.
    fn gitignores(&self, tree: &Oid, dirs: &HashSet<RepoPath>) -> Result<Vec<(RepoPath, Vec<u8>)>> {
        let mut found = Vec::new();
        let mut known = HashMap::new();
        for dir in [None].into_iter().chain(dirs.iter().map(Some)) {
            let Some(entries) = self.objects.directory(tree, dir, &mut known)? else { continue };
            if let Some((_, oid)) = entries.get(&b".gitignore"[..]).filter(|(mode, _)| mode.starts_with("100")) {
                let name = dir.map_or_else(Vec::new, |dir| [dir.as_bytes(), b"/"].concat());
                found.push((RepoPath::new([&name[..], b".gitignore"].concat()), self.objects.blob(oid)?));
            }
        }
        Ok(found)
    }

    /// Returns the paths that exist, are in no checkpoint, and would be overwritten.
    fn obstructions(&self, from: &Snapshot, to: &Snapshot, plan: &Plan, changes: &[Change]) -> Result<Vec<RepoPath>> {
        let root = &self.worktree.found.root;
        let deleted: HashSet<&RepoPath> = plan.deletes.iter().collect();
        let then: HashSet<&RepoPath> = repositories(to).collect();
        // Files in a directory that was a nested repository then, too, were captured.
        let nested: HashSet<&RepoPath> = repositories(from).filter(|path| !then.contains(path)).collect();
        let mut found = BTreeSet::new();
        for change in changes {
            let path = &change.path;
            // A new nested repository owns all its paths, deletions included.
            found.extend(path.ancestors().filter(|above| nested.contains(above)));
            if change.new.is_none() {
                continue;
            }
            if path.is_reserved() || !sys::may_be_named(path.as_bytes()) {
                found.insert(path.clone());
                continue;
            }
            for above in path.ancestors() {
                let in_the_way = match fs::symlink_metadata(sys::on_disk(root, above.as_bytes())) {
                    Ok(meta) if meta.is_dir() => false,
                    Ok(_) => !deleted.contains(&above),
                    Err(_) => break,
                };
                if in_the_way {
                    found.insert(above);
                }
            }
            if let (None, Some((mode, oid))) = (&change.old, &change.new) {
                self.look_at(path, mode, oid, &deleted, &mut found)?;
            }
        }
        let inner = |path: &RepoPath| path.ancestors().any(|above| nested.contains(&above) && found.contains(&above));
        Ok(found.iter().filter(|path| !inner(path)).cloned().collect())
    }

    /// Checks the path of a file to be added.
    fn look_at(
        &self,
        path: &RepoPath,
        mode: &str,
        oid: &Oid,
        deleted: &HashSet<&RepoPath>,
        found: &mut BTreeSet<RepoPath>,
    ) -> Result<()> {
        let root = &self.worktree.found.root;
        let disk = sys::on_disk(root, path.as_bytes());
        // Nothing exists below a path that is not a directory; the path itself was checked as a directory above.
        let real = path
            .ancestors()
            .all(|dir| fs::symlink_metadata(sys::on_disk(root, dir.as_bytes())).is_ok_and(|meta| meta.is_dir()));
        let Some(meta) = fs::symlink_metadata(&disk).ok().filter(|_| real) else { return Ok(()) };
        if meta.is_dir() {
            return uncovered_below(&disk, path, deleted, found);
        }
        let same = self.worktree.holds(path, mode, oid);
        if !same {
            found.insert(path.clone());
        }
        Ok(())
    }
}

/// Collects all paths below a directory that the plan does not delete; empty directories do not count.
fn uncovered_below(
    disk: &Path,
    path: &RepoPath,
    deleted: &HashSet<&RepoPath>,
    found: &mut BTreeSet<RepoPath>,
) -> Result<()> {
    for entry in fs::read_dir(disk).map_err(Error::io(disk))? {
        let entry = entry.map_err(Error::io(disk))?;
        let below = RepoPath::new([path.as_bytes(), b"/", sys::bytes_of(&entry.file_name())].concat());
        if entry.file_type().map_err(Error::io(disk))?.is_dir() {
            uncovered_below(&entry.path(), &below, deleted, found)?;
        } else if !deleted.contains(&below) {
            found.insert(below);
        }
    }
    Ok(())
}

impl crate::Worktree {
    /// Returns the error for paths in the way of a restore.
    #[must_use]
    pub fn obstructed(&self, paths: Vec<RepoPath>) -> Error {
        let is_repository = |path: &&RepoPath| {
            let git = sys::on_disk(&self.found.root, path.as_bytes()).join(".git");
            git.symlink_metadata().is_ok()
        };
        let repositories = paths.iter().filter(is_repository).cloned().collect();
        Error::Obstructed { paths, repositories }
    }
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    fs::write(path, content).map_err(Error::io(path))
}

/// Returns the nested repositories, which a checkpoint does not capture.
fn repositories(of: &Snapshot) -> impl Iterator<Item = &RepoPath> {
    let left = of.uncovered.iter().filter(|left| matches!(left.reason, Reason::NestedRepo | Reason::Submodule));
    left.map(|left| &left.path)
}
