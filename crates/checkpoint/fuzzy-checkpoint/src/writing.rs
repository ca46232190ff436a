//! Executes a plan. It writes the files itself, because git would overwrite files that were saved after its check.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fuzzy_safe_write::{Changeset, Durability, Expected, Mode, State, Wanted};
use fuzzy_system as sys;

use crate::index::copy_index;
use crate::listing::Change;
use crate::plan::Plan;
use crate::private::Locked;
use crate::snapshot::Snapshot;
use crate::{Error, Oid, RepoPath, Result, failpoint, staged};

/// The running execution of a plan, until it is [`finish`](Self::finish)ed or rolled back.
///
/// If it is dropped before that, or its process is killed, [`Locked::interrupted`] returns it.
#[derive(Debug)]
pub struct Writing<'a> {
    changeset: Changeset<'a>,
}

impl Locked<'_> {
    /// Prepares a plan: checks every path and every permission, then writes the new contents beside their paths. No
    /// path changes yet, and after an error no temporary files remain.
    ///
    /// # Errors
    ///
    /// Returns `obstructed` if an uncaptured file is in the way, and `changed_during` with the paths that differ from
    /// the capture.
    pub fn begin(&self, to: &Snapshot, plan: &Plan) -> Result<Writing<'_>> {
        self.begin_with_progress(to, plan, &|| ())
    }

    /// Does the same as [`Locked::begin`] and calls `progress` before each file that it writes beside its path.
    ///
    /// # Errors
    ///
    /// As [`Locked::begin`].
    pub fn begin_with_progress(&self, to: &Snapshot, plan: &Plan, progress: &dyn Fn()) -> Result<Writing<'_>> {
        if !plan.obstructed.is_empty() {
            return Err(self.worktree.obstructed(plan.obstructed.clone()));
        }
        let empty_dirs = to.meta.bare.iter();
        let kept_dirs: HashSet<RepoPath> = empty_dirs.flat_map(|dir| dir.ancestors().chain([dir.clone()])).collect();
        let changes =
            plan.changes.iter().map(|change| self.change(to, &kept_dirs, change)).collect::<Result<Vec<_>>>()?;
        let mut failed = None;
        let begun = Changeset::begin(&self.root, &self.writes(), &changes, Durability::PowerLoss, |index| {
            progress();
            let new = plan.changes[index].new.as_ref();
            new.map_or(Ok(Vec::new()), |(_, oid)| self.objects.blob(oid)).map_err(|error| {
                failed = Some(error);
                io::Error::other("its object cannot be read")
            })
        });
        let changeset = begun.map_err(|error| failed.unwrap_or_else(|| error.into()))?;
        Ok(Writing { changeset })
    }

    /// Stores the record of the writes under the name of the restore.
    #[must_use]
    pub fn recording_as(mut self, restore: &str) -> Self {
        if restore.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            self.writes = self.records().join(restore);
        }
        self
    }

    fn records(&self) -> PathBuf {
        self.worktree.private.join("restores")
    }

    /// Returns the writings that were neither finished nor rolled back, oldest first.
    ///
    /// # Errors
    ///
    /// Fails if a file operation does.
    pub fn interrupted(&self) -> Result<Vec<Writing<'_>>> {
        failpoint::hook_writes();
        let own = self.worktree.private.join("writes");
        let mut found = Changeset::interrupted(&self.root, &State::at(&own))?;
        if self.writes != own {
            found.extend(Changeset::interrupted(&self.root, &self.writes())?);
        }
        Ok(found.into_iter().map(|changeset| Writing { changeset }).collect())
    }

    /// Removes the empty directories of the record after the restore.
    pub fn forget_record(&self) {
        if self.writes.starts_with(self.records()) {
            // A non-empty directory is still in use.
            let dir = &self.writes;
            for dir in [&dir.join("changesets"), dir, dir.parent().unwrap_or(dir)] {
                let _ = fs::remove_dir(dir);
            }
        }
    }

    /// Executes a whole plan.
    ///
    /// # Errors
    ///
    /// As [`Locked::begin`]; also returns `changed_during` with the files that were saved while the others were
    /// written. These keep their saved content.
    pub fn apply(&self, from: &Snapshot, to: &Snapshot, plan: &Plan) -> Result<()> {
        let mut writing = self.begin(to, plan)?;
        let mut changed = writing.write()?;
        self.cover(from, to, plan, &changed)?;
        changed.extend(writing.finish()?);
        if changed.is_empty() { Ok(()) } else { Err(Error::ChangedDuring { paths: changed.into_iter().collect() }) }
    }

    /// Executes a plan as [`Locked::apply`] does, on a disk that may be full: if the new files do not all fit beside
    /// the old ones, it deletes first and then writes files one by one, those that shrink most first. Files that change
    /// meanwhile keep their content.
    ///
    /// # Errors
    ///
    /// As [`Locked::begin`]. Files written until then remain.
    pub fn apply_pressed(&self, from: &Snapshot, to: &Snapshot, plan: &Plan) -> Result<()> {
        if !plan.obstructed.is_empty() {
            return Err(self.worktree.obstructed(plan.obstructed.clone()));
        }
        match self.apply_part(to, plan) {
            Err(Error::DiskFull { .. }) => self.one_by_one(to, plan)?,
            done => done?,
        }
        self.cover(from, to, plan, &BTreeSet::new())
    }

    fn apply_part(&self, to: &Snapshot, plan: &Plan) -> Result<()> {
        let mut writing = self.begin(to, plan)?;
        writing.write()?;
        writing.finish().map(drop)
    }

    fn one_by_one(&self, to: &Snapshot, plan: &Plan) -> Result<()> {
        let (gone, mut others): (Vec<Change>, Vec<Change>) =
            plan.changes.iter().cloned().partition(|change| change.new.is_none());
        if !gone.is_empty() {
            self.apply_part(to, &Plan { changes: gone, ..Plan::default() })?;
        }
        let mut growth = HashMap::new();
        for change in &others {
            let (new, old) = (self.length(change.new.as_ref())?, self.length(change.old.as_ref())?);
            growth.insert(change.path.clone(), new as i128 - old as i128);
        }
        others.sort_by_key(|change| growth.get(&change.path).copied());
        for change in others {
            self.apply_part(to, &Plan { changes: vec![change], ..Plan::default() })?;
        }
        Ok(())
    }

    /// Returns the size of one side of a change in bytes.
    fn length(&self, side: Option<&(String, Oid)>) -> Result<usize> {
        side.map_or(Ok(0), |(_, oid)| self.objects.blob(oid).map(|content| content.len()))
    }

    /// Records in the warm index that the files, except for `changed` ones, have their state after the plan from `from`
    /// to `to`.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn cover(&self, from: &Snapshot, to: &Snapshot, plan: &Plan, changed: &BTreeSet<RepoPath>) -> Result<()> {
        let done: Vec<&Change> = plan.changes.iter().filter(|change| !changed.contains(&change.path)).collect();
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        // Without a warm index, the next capture reads every file.
        if done.is_empty() || !copy_index(&self.worktree.warm_index(), &index)? {
            return Ok(());
        }
        let known = self.cache.known(self.worktree.now()?.pinned.as_ref()).filter(|known| known.tree == from.tree);
        self.index_info(&index, self.edits(&done))?;
        match known {
            Some(known) if plan.whole && changed.is_empty() => {
                let users =
                    known.users.map(|users| staged::users_without(self, users, &plan.deletes)).transpose()?.flatten();
                let trees = [Some(&to.tree), to.index_tree.as_ref()];
                let whole = known.whole && self.objects.keep_new(&from.tree, &trees).is_ok();
                self.cache.publish_restored(&index, to, users, known.modes, whole)
            }
            _ => {
                let tree = self.write_tree(&index)?;
                self.cache.publish_mixed(&index, &tree)
            }
        }
    }

    /// Returns the record of running writes.
    fn writes(&self) -> State {
        State::at(&self.writes)
    }

    /// Translates a change. The old content is read from the capture that would restore it. `kept_dirs` has the directories
    /// that existed in the target and must not be pruned.
    fn change(
        &self,
        to: &Snapshot,
        kept_dirs: &HashSet<RepoPath>,
        change: &Change,
    ) -> Result<fuzzy_safe_write::Change> {
        let before =
            change.old.as_ref().map(|(mode, oid)| Ok::<_, Error>(self.expected(mode, &self.objects.blob(oid)?)));
        let above: Vec<RepoPath> = change.path.ancestors().collect();
        Ok(fuzzy_safe_write::Change {
            path: sys::on_disk(Path::new(""), change.path.as_bytes()),
            before: before.transpose()?,
            after: change.new.as_ref().map(|(mode, _)| {
                let recorded = self.recorded_bits(to, change);
                recorded.map_or_else(|| self.wanted(mode), |bits| Wanted::File(Mode::Exactly(bits)))
            }),
            prune: above.iter().rev().take_while(|dir| !kept_dirs.contains(dir)).count(),
        })
    }

    /// Returns all twelve recorded permission bits of a file that is created again. A file that exists keeps its own
    /// bits, except for the executable bit.
    pub(crate) fn recorded_bits(&self, to: &Snapshot, change: &Change) -> Option<u32> {
        let (mode, _) = change.new.as_ref().filter(|_| !is_regular(change.old.as_ref()))?;
        match (self.wanted(mode), &to.meta.modes) {
            (Wanted::File(Mode::Executable(executable)), Some(modes)) => {
                Some(modes.of(change.path.as_bytes(), executable))
            }
            _ => None,
        }
    }

    fn expected(&self, mode: &str, content: &[u8]) -> Expected {
        match self.wanted(mode) {
            Wanted::Link => Expected::link(content),
            Wanted::File(mode) => Expected::file(content, mode),
        }
    }

    fn wanted(&self, mode: &str) -> Wanted {
        match mode {
            "120000" if self.worktree.abilities.links => Wanted::Link,
            _ if self.worktree.abilities.modes => Wanted::File(Mode::Executable(mode == "100755")),
            _ => Wanted::File(Mode::Any),
        }
    }

    /// Formats changes as lines for `update-index`, deletions first, so that a directory can replace a file.
    fn edits(&self, changes: &[&Change]) -> Vec<u8> {
        let zero = Oid::zero(&self.worktree.found.format);
        let mut input = Vec::new();
        for deletions in [true, false] {
            for change in changes.iter().filter(|change| change.new.is_none() == deletions) {
                let head =
                    change.new.as_ref().map_or_else(|| format!("0 {zero}\t"), |(mode, oid)| format!("{mode} {oid}\t"));
                input.extend_from_slice(head.as_bytes());
                input.extend_from_slice(change.path.as_bytes());
                input.push(0);
            }
        }
        input
    }
}

impl Writing<'_> {
    /// Returns the paths that changed since they were checked; only meaningful before the first [`write`](Self::write).
    ///
    /// # Errors
    ///
    /// Fails if a file operation does.
    pub fn differing(&self) -> Result<BTreeSet<RepoPath>> {
        Ok(in_worktree(self.changeset.differing()?))
    }

    /// Writes every path, except for those that changed meanwhile, which keep their content and are returned. Can be
    /// repeated.
    ///
    /// # Errors
    ///
    /// Fails if a file operation does; the rest can still be written, or everything rolled back.
    pub fn write(&mut self) -> Result<BTreeSet<RepoPath>> {
        self.write_with_progress(&|| ())
    }

    /// Does the same as [`write`](Self::write) and calls `progress` after each path.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn write_with_progress(&mut self, progress: &dyn Fn()) -> Result<BTreeSet<RepoPath>> {
        failpoint::hook_writes();
        failpoint::hit("before files");
        let outcome = self.changeset.apply_with_progress(progress)?;
        Ok(in_worktree(outcome.changed.into_iter().chain(outcome.blocked)))
    }

    /// Checks every path once more, as [`write`](Self::write) does, and removes the replaced files. A replaced file
    /// that another program still has open for writing remains beside its path, and the path is returned, too.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn finish(self) -> Result<BTreeSet<RepoPath>> {
        let outcome = self.changeset.finish()?;
        Ok(in_worktree(outcome.changed.into_iter().chain(outcome.blocked).chain(outcome.held)))
    }

    /// Rolls every path back, except for those that changed since, which keep their content and are returned. Needs no
    /// space.
    ///
    /// # Errors
    ///
    /// Fails if a file operation does; the rest is [`interrupted`](Locked::interrupted).
    pub fn roll_back(self) -> Result<BTreeSet<RepoPath>> {
        let outcome = self.changeset.abort()?;
        Ok(in_worktree(outcome.changed.into_iter().chain(outcome.blocked)))
    }
}

impl Plan {
    /// Returns whether the plan changes no files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the plan without these paths.
    #[must_use]
    pub fn without(&self, paths: &BTreeSet<RepoPath>) -> Self {
        let mut plan = Self { whole: false, ..self.clone() };
        plan.changes.retain(|change| !paths.contains(&change.path));
        for named in [&mut plan.writes, &mut plan.deletes, &mut plan.bits_dropped] {
            named.retain(|path| !paths.contains(path));
        }
        plan
    }
}

fn is_regular(side: Option<&(String, Oid)>) -> bool {
    side.is_some_and(|(mode, _)| mode.starts_with("100"))
}

fn in_worktree(paths: impl IntoIterator<Item = PathBuf>) -> BTreeSet<RepoPath> {
    paths.into_iter().map(|path| RepoPath::new(sys::in_git(&path))).collect()
}
