//! Carries out a plan: the files are written by us, not by git, which overwrites what was saved since it looked.

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
use crate::{Error, Oid, RepoPath, Result, failpoint};

/// What a plan writes, beside its paths, until it is [`finish`](Self::finish)ed or taken back.
///
/// One that is dropped before that, or whose process is killed, is what [`Locked::interrupted`] returns.
#[derive(Debug)]
pub struct Writing<'a> {
    changeset: Changeset<'a>,
}

impl Locked<'_> {
    /// Prepares what a plan says: looks at every path and every permission, then writes what is new beside its path. No
    /// path is changed yet, and after an error nothing is left.
    ///
    /// # Errors
    ///
    /// Returns `obstructed` when something uncovered is in the way, and `changed_during` with the paths that are no
    /// longer what was captured.
    pub fn begin(&self, to: &Snapshot, plan: &Plan) -> Result<Writing<'_>> {
        self.begin_telling(to, plan, &|| ())
    }

    /// As [`Locked::begin`]; calls `told` before each file that it writes beside its path.
    ///
    /// # Errors
    ///
    /// As [`Locked::begin`].
    pub fn begin_telling(&self, to: &Snapshot, plan: &Plan, told: &dyn Fn()) -> Result<Writing<'_>> {
        if !plan.obstructed.is_empty() {
            return Err(Error::Obstructed { paths: plan.obstructed.clone() });
        }
        let bare = to.meta.bare.iter();
        let stay: HashSet<RepoPath> = bare.flat_map(|dir| dir.ancestors().chain([dir.clone()])).collect();
        let changes = plan.changes.iter().map(|change| self.change(to, &stay, change)).collect::<Result<Vec<_>>>()?;
        let mut failed = None;
        // What a loss of power leaves of files is made whole from the checkpoint.
        let begun = Changeset::begin(&self.root, &self.writes(), &changes, Durability::Kill, |index| {
            told();
            let new = plan.changes[index].new.as_ref();
            new.map_or(Ok(Vec::new()), |(_, oid)| self.blob(oid)).map_err(|error| {
                failed = Some(error);
                io::Error::other("its object cannot be read")
            })
        });
        let changeset = begun.map_err(|error| failed.unwrap_or_else(|| error.into()))?;
        Ok(Writing { changeset })
    }

    /// Keeps the record of what is written in the git directory, under a name that nobody else can know: whoever goes on
    /// may have another state directory, and must find what waits beside the paths.
    #[must_use]
    pub fn recording_as(mut self, restore: &str) -> Self {
        if restore.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            self.writes = self.records().join(restore);
        }
        self
    }

    fn records(&self) -> PathBuf {
        self.worktree.found.git_dir.join("fuzzy-edit-writes")
    }

    /// Returns what was begun and neither finished nor taken back, oldest first.
    ///
    /// # Errors
    ///
    /// Fails when a file operation does.
    pub fn interrupted(&self) -> Result<Vec<Writing<'_>>> {
        failpoint::hook_writes();
        // Older programs kept all records there.
        let own = self.worktree.private.join("writes");
        let mut found = Changeset::interrupted(&self.root, &State::at(&own))?;
        if self.writes != own {
            found.extend(Changeset::interrupted(&self.root, &self.writes())?);
        }
        Ok(found.into_iter().map(|changeset| Writing { changeset }).collect())
    }

    /// Removes what is empty of the record, when the restore is over.
    pub fn forget_record(&self) {
        if self.writes.starts_with(self.records()) {
            // A directory that is not empty is still in use.
            for dir in [self.writes.join("changesets"), self.writes.clone(), self.records()] {
                let _ = fs::remove_dir(dir);
            }
        }
    }

    /// Carries out a plan from beginning to end.
    ///
    /// # Errors
    ///
    /// As [`Locked::begin`]. Returns `changed_during`, too, with the files that were saved while the others were written;
    /// these have what was saved.
    pub fn apply(&self, from: &Snapshot, to: &Snapshot, plan: &Plan) -> Result<()> {
        let mut writing = self.begin(to, plan)?;
        let mut changed = writing.write()?;
        self.cover(from, to, plan, &changed)?;
        changed.extend(writing.finish()?);
        if changed.is_empty() { Ok(()) } else { Err(Error::ChangedDuring { paths: changed.into_iter().collect() }) }
    }

    /// Carries out a plan as [`Locked::apply`] does, on a disk that may be full: what is deleted goes first, and files
    /// that do not all fit beside the old ones are written one by one, those that shrink most first. Files that someone
    /// changes meanwhile keep what they have.
    ///
    /// # Errors
    ///
    /// As [`Locked::begin`]. What was written until then stays.
    pub fn apply_pressed(&self, from: &Snapshot, to: &Snapshot, plan: &Plan) -> Result<()> {
        if !plan.obstructed.is_empty() {
            return Err(Error::Obstructed { paths: plan.obstructed.clone() });
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

    /// Returns how many bytes one side of a change has.
    fn length(&self, side: Option<&(String, Oid)>) -> Result<usize> {
        side.map_or(Ok(0), |(_, oid)| self.blob(oid).map(|content| content.len()))
    }

    /// Notes in the warm index that the files, but for the `changed` ones, are what the plan from `from` to `to` says.
    ///
    /// # Errors
    ///
    /// Fails when git fails.
    pub fn cover(&self, from: &Snapshot, to: &Snapshot, plan: &Plan, changed: &BTreeSet<RepoPath>) -> Result<()> {
        let done: Vec<&Change> = plan.changes.iter().filter(|change| !changed.contains(&change.path)).collect();
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        // Without one the next capture looks at every file.
        if done.is_empty() || !copy_index(&self.worktree.warm_index(), &index)? {
            return Ok(());
        }
        let known = self.known(self.worktree.now()?.pinned.as_ref()).filter(|known| known.tree == from.tree);
        self.index_info(&index, self.edits(&done))?;
        match known {
            Some(known) if plan.whole && changed.is_empty() => {
                let users = known.users.map(|users| self.users_without(users, &plan.deletes)).transpose()?.flatten();
                self.publish_restored(&index, to, users, known.modes)
            }
            _ => {
                let tree = self.write_tree(&index)?;
                self.publish_mixed(&index, &tree)
            }
        }
    }

    /// Returns where what is being written is on record.
    fn writes(&self) -> State {
        State::at(&self.writes)
    }

    /// Translates a change; what was there is read back from the capture that will have to give it back. Of the
    /// directories above what is deleted, `stay` names those that were there then.
    fn change(&self, to: &Snapshot, stay: &HashSet<RepoPath>, change: &Change) -> Result<fuzzy_safe_write::Change> {
        let before = change.old.as_ref().map(|(mode, oid)| Ok::<_, Error>(self.expected(mode, &self.blob(oid)?)));
        let above: Vec<RepoPath> = change.path.ancestors().collect();
        Ok(fuzzy_safe_write::Change {
            path: sys::on_disk(Path::new(""), change.path.as_bytes()),
            before: before.transpose()?,
            after: change.new.as_ref().map(|(mode, _)| {
                let recorded = self.recorded_bits(to, change);
                recorded.map_or_else(|| self.wanted(mode), |bits| Wanted::File(Mode::Exactly(bits)))
            }),
            prune: above.iter().rev().take_while(|dir| !stay.contains(dir)).count(),
        })
    }

    /// Returns the permission bits, all twelve, that a file had which comes back. One that stays keeps its own, but for
    /// the exec bit.
    pub(crate) fn recorded_bits(&self, to: &Snapshot, change: &Change) -> Option<u32> {
        let (mode, _) = change.new.as_ref().filter(|_| !is_regular(change.old.as_ref()))?;
        match (self.wanted(mode), &to.meta.modes) {
            (Wanted::File(Mode::Executable(executable)), Some(modes)) => Some(modes.of(&change.path, executable)),
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

    /// Writes changes as lines for `update-index`, deletions first so that a file may become a directory.
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
    /// Returns the paths that someone changed since they were looked at; of use before the first
    /// [`write`](Self::write).
    ///
    /// # Errors
    ///
    /// Fails when a file operation does.
    pub fn differing(&self) -> Result<BTreeSet<RepoPath>> {
        Ok(in_worktree(self.changeset.differing()?))
    }

    /// Writes every path, but for those that someone changed, which keep what they have and are returned. Can be called
    /// again.
    ///
    /// # Errors
    ///
    /// Fails when a file operation does; the rest can still be written, or all be taken back.
    pub fn write(&mut self) -> Result<BTreeSet<RepoPath>> {
        self.write_telling(&|| ())
    }

    /// As [`write`](Self::write); calls `told` after each path.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn write_telling(&mut self, told: &dyn Fn()) -> Result<BTreeSet<RepoPath>> {
        failpoint::hook_writes();
        failpoint::hit("before files");
        let outcome = self.changeset.apply_with_progress(told)?;
        Ok(in_worktree(outcome.changed.into_iter().chain(outcome.blocked)))
    }

    /// Looks at every path once more, as [`write`](Self::write) does, and lets go of what was there before. A file that
    /// someone still has open for writing stays beside its path, and is returned, too.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn finish(self) -> Result<BTreeSet<RepoPath>> {
        let outcome = self.changeset.finish()?;
        Ok(in_worktree(outcome.changed.into_iter().chain(outcome.blocked).chain(outcome.held)))
    }

    /// Returns every path what it was before, but for those that someone changed since, which keep what they have and
    /// are returned. Needs no space.
    ///
    /// # Errors
    ///
    /// Fails when a file operation does; what is left is [`interrupted`](Locked::interrupted).
    pub fn take_back(self) -> Result<BTreeSet<RepoPath>> {
        let outcome = self.changeset.abort()?;
        Ok(in_worktree(outcome.changed.into_iter().chain(outcome.blocked)))
    }
}

impl Plan {
    /// Returns whether the files stay as they are.
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
