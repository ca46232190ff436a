//! Takes turns back: their changes alone, or the whole state before one.
//!
//! The changes of turns are undone by a three-way merge from the newest to the oldest: the state after the turns, the
//! state before them, and the files now. So later turns and the user's own changes stay. The result becomes a
//! checkpoint, which is restored, so that all of this can be undone as any restore.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

use fuzzy_checkpoint::{
    CaptureOptions, Detail, DiffOptions, Differing, Locked, Oid, Plan, Reason, RepoPath, Revision, Snapshot, Uncovered,
};
use fuzzy_checkpoint_store::{
    Checkpoint, Kind, RestoreOptions, RestoreOutcome, SessionId, SessionState, Staged, TakeBack, Trim,
};

use crate::checkpointer::Checkpointer;
use crate::late_change::LateChoice;
use crate::losses::{gone_in, others, sides, staged_back, without};
use crate::preview::with_lines;
use crate::spans::{Span, Spans};
use crate::submodules::moved;
use crate::timeline::{Origin, Run, Share, Timeline, bounded};
use crate::turn_list::Taken;
use crate::turn_plan::{LeftFile, PlannedFile, TakeBackOptions, TurnConflict, TurnPlan};
use crate::{Error, Result};

/// The number of attempts while files change.
const ATTEMPTS: usize = 8;

/// A plan with the state to restore.
pub(crate) struct Prepared {
    pub(crate) plan: TurnPlan,
    /// The state, and the checkpoint if it has one.
    pub(crate) to: Snapshot,
    pub(crate) row: Option<Checkpoint>,
    pub(crate) session: SessionId,
    /// The files with secrets that were captured for the first time.
    pub(crate) secrets: Vec<RepoPath>,
    /// The options of the restore, as far as the plan does not determine them.
    pub(crate) options: RestoreOptions,
    /// Whether a part of the turns' changes is left.
    pub(crate) partly: bool,
    /// The files that the turns changed, as far as they are taken back, and the changes in them that are not.
    pub(crate) took: Vec<RepoPath>,
    pub(crate) left: Vec<(RepoPath, i64)>,
    /// The paths to restore, if the state has a checkpoint.
    pub(crate) covered: Vec<RepoPath>,
}

impl Prepared {
    /// Returns a plan that takes all of its changes back; `row` is the checkpoint of the state `to`.
    pub(crate) fn whole(
        plan: TurnPlan,
        (to, row): (Snapshot, Option<Checkpoint>),
        now: &Snapshot,
        session: SessionId,
        options: RestoreOptions,
    ) -> Self {
        let (secrets, took, left, covered) = (now.secrets.clone(), Vec::new(), Vec::new(), Vec::new());
        Self { plan, to, row, session, secrets, options, partly: false, took, left, covered }
    }
}

/// The changes of a request, and what they are made on.
pub(crate) struct Target {
    pub(crate) tree: Oid,
    pub(crate) conflicts: Vec<TurnConflict>,
    pub(crate) proposed: Vec<RepoPath>,
    pub(crate) kept: BTreeSet<RepoPath>,
    pub(crate) absent: BTreeSet<RepoPath>,
    pub(crate) sources: Vec<Snapshot>,
}

impl Checkpointer {
    /// Plans to take turns of a worktree back; changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no such turn, if the changes of one are unknown, and if git or the store fails. Conflicts and
    /// paths in the way are parts of the plan.
    pub fn plan_turns(&self, worktree: &str, options: &TakeBackOptions) -> Result<TurnPlan> {
        let opened = self.worktree(worktree)?;
        let locked = opened.lock()?;
        Ok(self.prepare(&locked, worktree, options)?.plan)
    }

    /// Takes turns of a worktree back, by a restore that can be undone. `seen` is the tree of a plan that was agreed to;
    /// without it, the plan of this moment is carried out. Returns `None` for the outcome if no file differs.
    ///
    /// # Errors
    ///
    /// As [`Checkpointer::plan_turns`]; refuses conflicts unless the request keeps going, files that changed since the
    /// plan, and everything that a restore refuses. Nothing is written then.
    pub fn take_back(
        &self,
        worktree: &str,
        options: &TakeBackOptions,
        seen: Option<&Oid>,
    ) -> Result<(TurnPlan, Option<RestoreOutcome>)> {
        self.take_back_once(worktree, options, seen, None)
    }

    /// Does the same as [`Checkpointer::take_back`] for a request with a key.
    pub(crate) fn take_back_once(
        &self,
        worktree: &str,
        options: &TakeBackOptions,
        seen: Option<&Oid>,
        key: Option<&str>,
    ) -> Result<(TurnPlan, Option<RestoreOutcome>)> {
        let mut last = Error::RestoreInProgress;
        let mut secrets: BTreeSet<RepoPath> = BTreeSet::new();
        for _ in 0..if seen.is_some() { 1 } else { ATTEMPTS } {
            let (plan, target, session, mut restore) = {
                let opened = self.worktree(worktree)?;
                let locked = opened.lock()?;
                let prepared = self.prepare(&locked, worktree, options)?;
                if let Some(seen) = seen.filter(|seen| **seen != prepared.plan.tree) {
                    let changed = opened.reader().differences(seen, &prepared.plan.tree).unwrap_or_default();
                    return Err(Error::PlanChanged { paths: changed.into_iter().map(|change| change.path).collect() });
                }
                secrets.extend(prepared.secrets.iter().cloned());
                self.checked(&locked, prepared, options)?
            };
            let decided = |plan: &TurnPlan| match options.late {
                Some(choice) => self.decide(worktree, &plan.late, choice == LateChoice::Keep),
                None => Ok(()),
            };
            let Some(target) = target else { return decided(&plan).map(|()| (plan, None)) };
            restore.force = options.force;
            let again = |error: &Error| match error {
                Error::PlanChanged { .. } => seen.is_none(),
                // A message was added just now: the undo can no longer bring the transcript back, but the files.
                Error::Store(fuzzy_checkpoint_store::Error::Conflict { what: "session" }) => true,
                _ => false,
            };
            match self.restore(&session, &target, restore, key) {
                Err(error) if again(&error) => last = error,
                done => {
                    let mut outcome = done?;
                    // The capture of the plan may have been the first one with them.
                    secrets.extend(std::mem::take(&mut outcome.secrets));
                    outcome.secrets = secrets.into_iter().collect();
                    // It is done. If the decision cannot be recorded, it is asked for again.
                    let _ = decided(&plan);
                    return Ok((plan, Some(outcome)));
                }
            }
        }
        Err(last)
    }

    /// Returns a file in conflict with the marks of git: the text now, the text after the turns, and the text before them.
    ///
    /// # Errors
    ///
    /// Fails if git does, and with `lost` if a version is gone.
    pub fn marked(&self, worktree: &str, conflict: &TurnConflict) -> Result<Vec<u8>> {
        let Some([base, ours, theirs]) = &conflict.versions else {
            return Err(Error::Invalid("the conflict is not one of lines"));
        };
        let opened = self.worktree(worktree)?;
        let names = ["now", "after the turn", "before the turn"];
        Ok(opened.lock()?.marked(base, ours, theirs, names)?)
    }

    /// Refuses what cannot be carried out, and makes the target a checkpoint.
    fn checked(
        &self,
        locked: &Locked<'_>,
        prepared: Prepared,
        options: &TakeBackOptions,
    ) -> Result<(TurnPlan, Option<fuzzy_checkpoint_store::CheckpointId>, SessionId, RestoreOptions)> {
        let Prepared { plan, to, row, session, options: restore, partly, mut took, left, covered, .. } = prepared;
        if options.is_undecided(&plan) {
            return Err(Error::LateChanges { changes: plan.late });
        }
        if !plan.conflicts.is_empty() && !options.keep_going {
            return Err(Error::Conflicts { paths: plan.conflicts.into_iter().map(|conflict| conflict.path).collect() });
        }
        if !plan.obstructed.is_empty() {
            return Err(fuzzy_checkpoint::Error::Obstructed { paths: plan.obstructed, repositories: Vec::new() }.into());
        }
        let partly = partly || options.is_partial() || !plan.conflicts.is_empty();
        let parts: Vec<RepoPath> = options.picked().into_keys().cloned().collect();
        took.retain(|path| {
            let is_left = plan.conflicts.iter().any(|conflict| conflict.path == *path) || parts.contains(path);
            partly && !is_left
        });
        let mut restore = RestoreOptions {
            seen: Some(plan.tree.clone()).filter(|_| restore.files),
            verb: Some(options.verb),
            turns: plan.turns.clone(),
            partly,
            took,
            left,
            parts,
            ..restore
        };
        let differs =
            !plan.files_to_write.is_empty() || !plan.files_to_delete.is_empty() || !plan.brought_back.is_empty();
        // An undo is recorded even if no file differs, so that the next one goes on.
        if !differs && options.verb != TakeBack::Undo {
            return Ok((plan, None, session, restore));
        }
        if let Some(row) = row {
            restore.paths = covered;
            return Ok((plan, Some(row.id), session, restore));
        }
        // An undo gives the whole state back: it was made from the present one, and names no files that can be told apart.
        if options.verb != TakeBack::Undo {
            restore.paths = plan.files_to_write.iter().chain(&plan.files_to_delete).cloned().collect();
            restore.paths.extend(plan.brought_back.iter().cloned());
        }
        let label = format!("{} of {}", options.verb.as_str(), numbers(&plan.turns));
        let of = self.session(&session)?;
        let row = self.keep(locked, &of, &to, Kind::Plan, &label, of.next_seq - 1)?;
        Ok((plan, Some(row.id), session, restore))
    }

    fn prepare(&self, locked: &Locked<'_>, worktree: &str, options: &TakeBackOptions) -> Result<Prepared> {
        let spans = self.spans(worktree)?;
        if options.verb == TakeBack::Undo {
            return self.prepare_undo(locked, &spans, options.of.as_ref());
        }
        let wanted = wanted(&spans, options)?;
        let first = wanted.first().copied().ok_or(Error::NoneLeft)?;
        let exact = options.is_exact();
        let before = match options.step {
            Some(step) => Some(spans.step(first, step).ok_or(Error::NoStep { number: first, step })?.clone()),
            None => spans.turn(first).and_then(|span| span.begin.as_ref()).cloned(),
        };
        if !exact {
            for number in &wanted {
                bounded(&spans, *number)?;
            }
        }
        let before = match before {
            Some(before) => before,
            None => bounded(&spans, first)?.begin.clone().ok_or(Error::NoTurn { number: first })?,
        };
        let then = self.load(locked, &before)?;
        let now = locked.capture(&CaptureOptions::before(&then))?;
        locked.worktree().check_paths(&[&now.tree, &then.tree], &options.paths).or_else(|error| {
            // A file that turns created and deleted again is in neither state.
            if exact && !spans.keeps(&wanted, &options.paths) { Err(error) } else { Ok(()) }
        })?;
        let (copies, not_brought_back) = self.copies(locked.worktree(), &spans, &wanted, options);
        let brought_back: Vec<RepoPath> = copies.iter().map(|copy| copy.path.clone()).collect();
        let named = || copies.iter().map(|copy| &copy.path).chain(not_brought_back.iter().map(|left| &left.path));
        let paths = paired(locked, &spans, &wanted, (&then, &now), options)?;
        let options = &TakeBackOptions { paths, ..options.clone() };
        let mut timeline = Timeline::new(locked, &spans, &now)?;
        let late = timeline.undecided(&wanted, &options.only(), locked)?;
        if options.late == Some(LateChoice::Keep) && !exact {
            timeline.leave(&late);
        }
        let session = before.session_id.clone();
        let submodules = moved(wanted.iter().filter_map(|number| spans.turn(*number)));
        if exact {
            let mut plan = locked.plan(&now, &then, &options.paths)?;
            plan.gone = without(plan.gone, named());
            let turns = wanted.into_iter().collect();
            let from = timeline.states.partition_point(|state| state.place < before.place);
            let uncovered = others(&before.uncovered, &plan.gone);
            let plan = described(locked, &timeline, from, (&now, &then), plan, options.verb, turns)?;
            let plan = TurnPlan { late, brought_back, not_brought_back, uncovered, submodules, ..plan };
            let covered = options.paths.clone();
            let options = RestoreOptions { trim: Trim::None, copies, ..RestoreOptions::default() };
            return Ok(Prepared { covered, ..Prepared::whole(plan, (then, Some(before)), &now, session, options) });
        }
        let merge = Merge { service: self, locked, timeline: &timeline, now: &now, wanted: &wanted, options };
        let share = timeline.share(&wanted, &options.only(), locked)?;
        let target = merge.target(&share)?;
        // A file that cannot be read looks deleted, which is no conflict.
        let mut unread = now.uncovered.iter().filter(|left| left.reason == Reason::Unreadable);
        let is_in_conflict = |left: &&Uncovered| target.conflicts.iter().any(|found| found.path.is_within(&left.path));
        if let Some(left) = unread.find(is_in_conflict).filter(|_| !options.keep_going) {
            let path = locked.worktree().root().join(left.path.to_string());
            return Err(fuzzy_checkpoint::Error::Unreadable { path, source: ErrorKind::PermissionDenied.into() }.into());
        }
        let sources: Vec<&Snapshot> = target.sources.iter().collect();
        let spans_of = || wanted.iter().filter_map(|number| spans.turn(*number));
        let gone = without(gone_in(timeline.reader(), &now, spans_of(), &options.only())?, named());
        let is_whole = !options.is_partial() && target.conflicts.is_empty();
        let (staged, index) = if is_whole { staged_back(sides(spans_of(), &now), &now) } else { (Staged::All, None) };
        let (tree, absent, index) = (&target.tree, &target.absent, index.as_ref());
        let mut to = locked.revised(&now, &Revision { tree, index, absent, sources: &sources, gone: &gone })?;
        let plan = locked.plan(&now, &to, &[])?;
        let suspect = suspect(&spans, &wanted);
        to.uncovered.extend(suspect.iter().cloned());
        let from = spans_of().map(|span| timeline.first(span)).min();
        let turns: Vec<i64> = wanted.iter().copied().collect();
        let from = from.unwrap_or_default();
        let mut plan = described(locked, &timeline, from, (&now, &to), plan, options.verb, turns)?;
        plan.kept.extend(target.kept);
        plan.kept.sort();
        plan.kept.dedup();
        plan.left.extend(merge.left(&share, from)?);
        plan.left.sort_by(|a, b| a.path.cmp(&b.path));
        plan.left.dedup();
        plan.late = late;
        plan.conflicts = target.conflicts;
        plan.proposed = target.proposed;
        plan.uncovered = suspect;
        plan.index_kept = if let Staged::Kept(why) = &staged { Some(*why) } else { None };
        plan.submodules = submodules;
        let options = RestoreOptions { trim: Trim::None, staged, copies, ..RestoreOptions::default() };
        (plan.brought_back, plan.not_brought_back) = (brought_back, not_brought_back);
        Ok(Prepared {
            partly: !share.contested.is_empty(),
            took: share.paths.into_iter().collect(),
            left: share.left,
            ..Prepared::whole(plan, (to, None), &now, session, options)
        })
    }
}

/// Returns the paths of a request, with both names of each file that its turns renamed: a rename is taken back as a whole.
fn paired(
    locked: &Locked<'_>,
    spans: &Spans,
    wanted: &BTreeSet<i64>,
    (then, now): (&Snapshot, &Snapshot),
    options: &TakeBackOptions,
) -> Result<Vec<RepoPath>> {
    let mut paths = options.paths.clone();
    if paths.is_empty() {
        return Ok(paths);
    }
    let is_exact = options.is_exact();
    let end =
        |span: &Span| if span.running { Some(&now.tree) } else { span.end.as_ref().map(|row| &row.tree_oid) }.cloned();
    let ends = |span: &Span| Some((span.begin.as_ref()?.tree_oid.clone(), end(span)?));
    let compared: Vec<(Oid, Oid)> = if is_exact {
        vec![(then.tree.clone(), now.tree.clone())]
    } else {
        wanted.iter().filter_map(|number| ends(spans.turn(*number)?)).collect()
    };
    let names = DiffOptions { paths: Vec::new(), detail: Detail::Names, renames: true };
    let mut pairs = Vec::new();
    for (from, to) in compared {
        let files = locked.worktree().diff(&from, &to, &names)?.files.into_iter();
        pairs.extend(files.filter_map(|file| Some([file.renamed_from?, file.path])));
    }
    while let Some(pair) = pairs.iter().find(|[from, to]| from.is_within_any(&paths) != to.is_within_any(&paths)) {
        paths.extend(pair.iter().filter(|path| !path.is_within_any(&paths)).cloned().collect::<Vec<_>>());
    }
    Ok(paths)
}

/// Describes a plan of the engine, with the origins of its changes since the state at `from`.
pub(crate) fn described(
    locked: &Locked<'_>,
    timeline: &Timeline<'_>,
    from: usize,
    (now, to): (&Snapshot, &Snapshot),
    plan: Plan,
    verb: TakeBack,
    turns: Vec<i64>,
) -> Result<TurnPlan> {
    let segments = timeline.segments(from, timeline.states.len() - 1)?;
    let planned = with_lines(locked, now, to, plan)?;
    let origins = |file: &Differing| {
        let mut origins = timeline.origins(&segments, &file.path);
        for origin in file.renamed_from.iter().flat_map(|path| timeline.origins(&segments, path)) {
            if !origins.contains(&origin) {
                origins.push(origin);
            }
        }
        origins
    };
    let files = planned.files.into_iter();
    let goes = |origin: &Origin| match (verb, origin) {
        (TakeBack::Restore, _) => true,
        (_, Origin::Turn { turns: by }) => by.iter().all(|number| turns.contains(number)),
        _ => false,
    };
    let files: Vec<PlannedFile> = files
        .map(|change| {
            let (goes, stays) = origins(&change).into_iter().partition(goes);
            PlannedFile { origins: goes, stays, change }
        })
        .collect();
    let running = timeline.spans.sessions.values().filter(|session| session.state == SessionState::Running);
    let mut agents_running: Vec<SessionId> = running.map(|session| session.id.clone()).collect();
    agents_running.sort();
    Ok(TurnPlan {
        dry_run: true,
        verb,
        turns,
        undoes: None,
        files_to_write: planned.plan.writes,
        files_to_delete: planned.plan.deletes,
        files,
        left: Vec::new(),
        late: Vec::new(),
        conflicts: Vec::new(),
        proposed: Vec::new(),
        brought_back: Vec::new(),
        not_brought_back: Vec::new(),
        kept: planned.plan.kept,
        obstructed: planned.plan.obstructed,
        bits_dropped: planned.plan.bits_dropped,
        uncovered: Vec::new(),
        gone: planned.plan.gone,
        index_kept: None,
        submodules: Vec::new(),
        tree: now.tree.clone(),
        planned: to.tree.clone(),
        agents_running,
    })
}

/// Returns the paths that the checkpoints before turns may not have as they were, each once.
fn suspect(spans: &Spans, turns: &BTreeSet<i64>) -> Vec<Uncovered> {
    let begins = turns.iter().filter_map(|number| spans.turn(*number)?.begin.as_ref());
    let suspect = begins.flat_map(|row| &row.uncovered).filter(|left| is_suspect(left));
    let by_path: BTreeMap<&RepoPath, &Uncovered> = suspect.map(|left| (&left.path, left)).collect();
    by_path.into_values().cloned().collect()
}

fn is_suspect(left: &Uncovered) -> bool {
    left.reason == Reason::Suspect
}

/// Returns the turns of a request.
fn wanted(spans: &Spans, options: &TakeBackOptions) -> Result<BTreeSet<i64>> {
    let taken = spans.taken();
    let is_whole = |number: &i64| taken.get(number) == Some(&Taken::Whole);
    let is_visible = |span: &&Span| span.row.prompt.trimmed_by.is_none() && !span.row.is_deleted();
    let visible = || spans.all.iter().filter(is_visible);
    for number in &options.turns {
        if !visible().any(|span| span.row.number == *number) {
            return Err(Error::NoTurn { number: *number });
        }
    }
    let last = || {
        let mut candidates = visible().rev().filter(|span| !is_whole(&span.row.number));
        // A turn without changes has nothing to take back. Its changes before a late checkpoint, and those of submodules,
        // cannot be taken back, and are named.
        let is_changed = |span: &&Span| {
            if span.is_forgotten() {
                return false;
            }
            let late = || span.begin.as_ref().is_some_and(|row| row.uncovered.iter().any(is_suspect));
            let counted = span.row.prompt.changes.as_ref();
            counted.is_none_or(|changes| changes.files > 0) || late() || !moved([*span]).is_empty()
        };
        // Later writes of a turn that was taken back are named only by its number while it runs.
        let is_live = |span: &&Span| !(span.running && taken.get(&span.row.number) == Some(&Taken::Continued));
        candidates.find(|span| is_changed(span) && is_live(span)).map(|span| span.row.number)
    };
    let first = options.turns.iter().min().copied().or_else(last).ok_or(Error::NoneLeft)?;
    if options.verb == TakeBack::Revert && !options.later {
        // Those that are taken back already are skipped.
        let named: BTreeSet<i64> = options.turns.iter().copied().filter(|number| !is_whole(number)).collect();
        return Ok(if named.is_empty() { BTreeSet::from([first]) } else { named });
    }
    let is_of = |span: &&Span| options.session.as_ref().is_none_or(|session| span.row.prompt.session_id == *session);
    // Nothing is known of the changes of a forgotten turn.
    let since = visible().filter(|span| span.row.number == first || is_of(span) && !span.is_forgotten());
    let since = since.map(|span| span.row.number).filter(|number| *number >= first);
    Ok(since.filter(|number| *number == first || !is_whole(number)).collect())
}

/// The parts of a merge.
pub(crate) struct Merge<'m> {
    pub(crate) service: &'m Checkpointer,
    pub(crate) locked: &'m Locked<'m>,
    pub(crate) timeline: &'m Timeline<'m>,
    pub(crate) now: &'m Snapshot,
    pub(crate) wanted: &'m BTreeSet<i64>,
    pub(crate) options: &'m TakeBackOptions,
}

impl Merge<'_> {
    /// Undoes the changes, from the newest to the oldest.
    pub(crate) fn target(&self, share: &Share) -> Result<Target> {
        let mut target = Target {
            tree: self.now.tree.clone(),
            conflicts: Vec::new(),
            proposed: Vec::new(),
            kept: BTreeSet::new(),
            absent: BTreeSet::new(),
            sources: Vec::new(),
        };
        let mut paths: BTreeMap<RepoPath, TurnConflict> = BTreeMap::new();
        // Without a run, no hunk and no line is looked up below.
        if let (true, Some(path)) = (share.runs.is_empty(), self.options.picked().into_keys().next()) {
            return Err(fuzzy_checkpoint::Error::NoSuchPart { path: path.clone() }.into());
        }
        for run in &share.runs {
            let before = self.picked(run)?;
            let after = self.with_grown(run, &target.tree)?;
            let [before, after] = self.without_parts(run, [&before, &after])?;
            let merged = self.locked.merge(&after, &target.tree, &before)?;
            let mut tree = merged.tree;
            for path in merged.conflicts {
                let proposal = self.proposal([&after, &target.tree, &before], &path)?;
                if let Some(entry) = proposal.as_ref().filter(|_| self.options.propose) {
                    tree = self.locked.with_entries(&tree, &[(path.clone(), Some(entry.clone()))])?;
                    target.proposed.push(path);
                    continue;
                }
                let mut conflict = self.conflict(run, &before, &target.tree, &path)?;
                conflict.proposal = proposal.map(|entry| self.described(&target.tree, &path, entry)).transpose()?;
                paths.entry(path).or_insert(conflict);
            }
            self.spare(run, &tree, &mut target)?;
        }
        if !paths.is_empty() && share.runs.len() > 1 {
            // A file with a conflict in one of the turns is left as it is.
            target.tree = self.without(&target.tree, paths.keys())?;
        }
        target.conflicts = paths.into_values().collect();
        Ok(target)
    }

    /// Returns a file whose changes only touch, merged; the trees are those after the turns, now, and before the turns.
    fn proposal(&self, trees: [&Oid; 3], path: &RepoPath) -> Result<Option<(String, Oid)>> {
        let reader = self.timeline.reader();
        let mut entries = Vec::new();
        for tree in trees {
            entries.extend(reader.entry(tree, path)?);
        }
        match &entries[..] {
            [base, ours, theirs] => Ok(self.locked.merge_touching(base, ours, theirs)?),
            _ => Ok(None),
        }
    }

    /// Describes the change of a file to a proposed entry as a diff.
    fn described(&self, tree: &Oid, path: &RepoPath, entry: (String, Oid)) -> Result<String> {
        let proposed = self.locked.with_entries(tree, &[(path.clone(), Some(entry))])?;
        let options = DiffOptions { paths: vec![path.clone()], detail: Detail::Patch, renames: false };
        let diff = self.locked.worktree().diff(tree, &proposed, &options)?;
        Ok(String::from_utf8_lossy(&diff.patch).into_owned())
    }

    /// Returns the state after a run, with the files that it lacks because they grew over the limit. Their contents are
    /// taken from `now`, if they are still as large: so the contents from before the run replace them.
    fn with_grown(&self, run: &Run, now: &Oid) -> Result<Oid> {
        let (reader, worktree) = (self.timeline.reader(), self.locked.worktree());
        let left = self.timeline.states[run.last].row.iter().flat_map(|row| &row.uncovered);
        let mut entries = Vec::new();
        for Uncovered { path, .. } in left.filter(|left| left.reason == Reason::TooLarge) {
            let is_lacking = reader.entry(&run.after, path)?.is_none() && reader.entry(&run.before, path)?.is_some();
            if let Some(entry) = reader.entry(now, path)?.filter(|_| is_lacking && worktree.is_too_large(path)) {
                entries.push((path.clone(), Some(entry)));
            }
        }
        Ok(self.locked.with_entries(&run.after, &entries)?)
    }

    /// Gives files with conflicts their present state again.
    fn without<'p>(&self, tree: &Oid, paths: impl Iterator<Item = &'p RepoPath>) -> Result<Oid> {
        let reader = self.timeline.reader();
        let entries: Result<Vec<_>> =
            paths.map(|path| Ok((path.clone(), reader.entry(&self.now.tree, path)?))).collect();
        Ok(self.locked.with_entries(tree, &entries?)?)
    }

    /// Returns the state before a run, in which only the requested hunks are undone.
    fn picked(&self, run: &Run) -> Result<Oid> {
        let mut entries = Vec::new();
        for (path, picked) in self.options.picked() {
            let entry = self.locked.file_without(&run.before, &run.after, path, &picked)?;
            entries.push((path.clone(), Some(entry)));
        }
        Ok(self.locked.with_entries(&run.before, &entries)?)
    }

    /// Returns the states before and after a run without the parts of files that earlier requests took back.
    fn without_parts(&self, run: &Run, trees: [&Oid; 2]) -> Result<[Oid; 2]> {
        let mut trees = trees.map(Clone::clone);
        for restore in self.timeline.live(i64::MAX) {
            let options = &restore.options;
            let is_later = self.timeline.states[run.last].place <= restore.place;
            if !is_later || !options.turns.iter().any(|number| self.wanted.contains(number)) {
                continue;
            }
            let Some((then, to)) = self.timeline.spans.sides(restore) else { continue };
            for path in &options.parts {
                for tree in &mut trees {
                    *tree = self.with_change(tree, &then.tree_oid, &to.tree_oid, path)?;
                }
            }
        }
        Ok(trees)
    }

    /// Makes the change of a file between two trees in another one, unless that conflicts.
    fn with_change(&self, tree: &Oid, from: &Oid, to: &Oid, path: &RepoPath) -> Result<Oid> {
        let reader = self.timeline.reader();
        let entries = [reader.entry(from, path)?, reader.entry(to, path)?];
        if reader.entry(tree, path)?.is_none() || entries.iter().any(Option::is_none) {
            return Ok(tree.clone());
        }
        let [from, to] = entries.map(|entry| self.locked.with_entries(tree, &[(path.clone(), entry)]));
        let merged = self.locked.merge(&from?, tree, &to?)?;
        Ok(if merged.conflicts.is_empty() { merged.tree } else { tree.clone() })
    }

    /// Keeps files whose absence from the state before a run is not proven.
    fn spare(&self, run: &Run, tree: &Oid, target: &mut Target) -> Result<()> {
        let reader = self.timeline.reader();
        let changes = reader.differences(&target.tree, tree)?;
        let gone: Vec<RepoPath> =
            changes.iter().filter(|change| change.new.is_none()).map(|change| change.path.clone()).collect();
        let is_back = changes.iter().any(|change| change.old.is_none());
        let row = self.timeline.states[run.first].row.as_ref();
        let then = if gone.is_empty() && !is_back { None } else { row };
        let then = then.map(|row| self.service.load(self.locked, row)).transpose()?;
        let proven = match &then {
            Some(then) if !gone.is_empty() => self.locked.proven_absent(then, &gone)?,
            _ => BTreeSet::new(),
        };
        let kept: Vec<&RepoPath> = gone.iter().filter(|path| !proven.contains(path)).collect();
        let entries: Result<Vec<_>> =
            kept.iter().map(|path| Ok(((*path).clone(), reader.entry(&target.tree, path)?))).collect();
        let spared = self.locked.with_entries(tree, &entries?)?;
        target.kept.extend(kept.into_iter().cloned());
        target.tree = spared;
        target.absent.extend(proven);
        // The oldest state has the permissions of the files that come back.
        target.sources.splice(0..0, then);
        Ok(())
    }

    /// Describes a conflict of a run in a file.
    fn conflict(&self, run: &Run, before: &Oid, ours: &Oid, path: &RepoPath) -> Result<TurnConflict> {
        let reader = self.timeline.reader();
        let entry = |tree: &Oid| reader.entry(tree, path);
        let (mut lines, mut bases) = (Vec::new(), Vec::new());
        let mut versions = None;
        if let (Some((_, base)), Some((_, our)), Some((_, their))) = (entry(&run.after)?, entry(ours)?, entry(before)?)
        {
            let (since, back) = (reader.line_changes(&base, &our)?, reader.line_changes(&base, &their)?);
            versions = Some([base, our, their]);
            for change in since {
                let meets = |other: &fuzzy_checkpoint::LineChange| {
                    other.old.start <= change.old.end && change.old.start <= other.old.end
                };
                if back.iter().any(meets) {
                    lines.push((change.new.start + 1, change.new.end.max(change.new.start + 1)));
                    bases.push(change.old);
                }
            }
        }
        let changed_by = self.changed_by(run, path, &lines)?;
        let mut other_hunks = Vec::new();
        if let (Some(number), true, true) = (self.single(), self.options.picked().is_empty(), !bases.is_empty()) {
            let span = bounded(self.timeline.spans, number)?;
            let trees = [self.timeline.first(span), self.timeline.last(span)].map(|at| &self.timeline.states[at].tree);
            let hunks = reader.hunks(trees[0], trees[1], path)?;
            let free = hunks
                .iter()
                .enumerate()
                .filter(|(_, hunk)| bases.iter().all(|base| base.end < hunk.new.start || hunk.new.end < base.start));
            other_hunks = free.map(|(at, _)| at + 1).collect();
        }
        let together = self.together(&changed_by, path)?;
        let restore = self.wanted.first().copied();
        let (path, proposal) = (path.clone(), None);
        Ok(TurnConflict { path, lines, changed_by, other_hunks, together, restore, proposal, versions })
    }

    /// Returns the turn of a revert of one turn.
    fn single(&self) -> Option<i64> {
        self.wanted.first().copied().filter(|_| self.options.verb == TakeBack::Revert && self.wanted.len() == 1)
    }

    /// Returns the origins of lines of a file since a run, or of all its changes since then.
    fn changed_by(&self, run: &Run, path: &RepoPath, lines: &[(usize, usize)]) -> Result<Vec<Origin>> {
        let segments = self.timeline.segments(run.last, self.timeline.states.len() - 1)?;
        let all = self.timeline.origins(&segments, path);
        if lines.is_empty() || all.len() < 2 {
            return Ok(all);
        }
        let states: Vec<Oid> = self.timeline.states[run.last..].iter().map(|state| state.tree.clone()).collect();
        let Some(blamed) = self.locked.blame(&states, path)? else { return Ok(all) };
        let mut found: Vec<Origin> = Vec::new();
        for (first, last) in lines {
            for line in blamed.get(first - 1..(*last).min(blamed.len())).into_iter().flatten() {
                let Some(segment) = line.state.checked_sub(1).and_then(|at| segments.get(at)) else { continue };
                let change = segment.changes.iter().find(|change| change.path == *path);
                let origin = change.map(|change| self.timeline.origin(segment, change));
                found.extend(origin.filter(|origin| !found.contains(origin)));
            }
        }
        Ok(if found.is_empty() { all } else { found })
    }

    /// Returns the turns that can be taken back together with those of the request, if that avoids the conflict.
    fn together(&self, changed_by: &[Origin], path: &RepoPath) -> Result<Vec<i64>> {
        let mut more: BTreeSet<i64> = self.wanted.clone();
        for origin in changed_by {
            match origin {
                Origin::Turn { turns } => more.extend(turns),
                _ => return Ok(Vec::new()),
            }
        }
        if self.options.verb != TakeBack::Revert || more == *self.wanted {
            return Ok(Vec::new());
        }
        if more.iter().any(|number| bounded(self.timeline.spans, *number).is_err()) {
            return Ok(Vec::new());
        }
        let share = self.timeline.share(&more, std::slice::from_ref(path), self.locked)?;
        let mut tree = self.now.tree.clone();
        for run in &share.runs {
            let [before, after] = self.without_parts(run, [&run.before, &run.after])?;
            let merged = self.locked.merge(&after, &tree, &before)?;
            if !merged.conflicts.is_empty() {
                return Ok(Vec::new());
            }
            tree = merged.tree;
        }
        Ok(more.into_iter().collect())
    }

    /// Returns the files that changed since the state at `from` and are left alone.
    fn left(&self, share: &Share, from: usize) -> Result<Vec<LeftFile>> {
        let contested = share
            .contested
            .iter()
            .map(|(path, turns)| LeftFile { path: path.clone(), origins: vec![Origin::Turn { turns: turns.clone() }] });
        let mut left: Vec<LeftFile> = contested.collect();
        let kept = self.timeline.left.iter().filter(|(number, _)| self.wanted.contains(number));
        left.extend(kept.map(|(_, path)| LeftFile { path: path.clone(), origins: vec![Origin::You] }));
        if !self.options.later {
            return Ok(left);
        }
        let segments = self.timeline.segments(from, self.timeline.states.len() - 1)?;
        let options = DiffOptions { paths: self.options.only(), detail: Detail::Names, renames: false };
        let worktree = self.locked.worktree();
        for file in worktree.diff(&self.timeline.states[from].tree, &self.now.tree, &options)?.files {
            if !share.paths.contains(&file.path) && !left.iter().any(|left| left.path == file.path) {
                let origins = self.timeline.origins(&segments, &file.path);
                left.push(LeftFile { path: file.path, origins });
            }
        }
        Ok(left)
    }
}

/// Returns the numbers of turns as text, such as `turns 1, 4`.
fn numbers(turns: &[i64]) -> String {
    let numbers: Vec<String> = turns.iter().map(ToString::to_string).collect();
    format!("{} {}", if turns.len() == 1 { "turn" } else { "turns" }, numbers.join(", "))
}
