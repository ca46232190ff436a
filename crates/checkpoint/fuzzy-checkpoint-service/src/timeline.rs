//! The states of a worktree in order, the changes between them, and the origin of each change.

use std::collections::{BTreeSet, HashSet};

use fuzzy_checkpoint::{Differing, EntryChange, HeadOutcome, Locked, Oid, Reader, RepoPath, Snapshot};
use fuzzy_checkpoint_store::{Checkpoint, Kind, LateFile, Restore, RestoreId};
use serde::Serialize;

use crate::late_change::LateChange;
use crate::spans::{Span, Spans, undone};
use crate::{Error, Result};

/// The origin of a change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Origin {
    /// A turn; several if they ran at the same time and nothing tells which of them made the change.
    Turn {
        /// The numbers of the turns.
        turns: Vec<i64>,
    },
    /// Git: the branch or its commit changed in between, as by a pull or a checkout.
    Git,
    /// A restore.
    Restore {
        /// The restore.
        id: RestoreId,
    },
    /// A person or a program outside any turn.
    You,
}

/// A state of the files.
pub(crate) struct State {
    pub(crate) tree: Oid,
    head: (Option<Oid>, Option<String>),
    pub(crate) place: i64,
    /// The checkpoint with this state, or for the state after a restore, the one just before it.
    pub(crate) row: Option<Checkpoint>,
}

impl State {
    /// Returns whether the branch and its commit were the same.
    pub(crate) fn has_head(&self, other: &Snapshot) -> bool {
        (&self.head.0, &self.head.1) == (&other.head, &other.head_ref)
    }
}

/// The actors between two states.
#[derive(Debug, Clone, PartialEq, Eq)]
enum By {
    Turns(Vec<i64>),
    Git,
    Restore(RestoreId),
    You,
}

/// The changes between two neighbouring states.
pub(crate) struct Segment {
    /// The place of its first state in the list of states.
    pub(crate) at: usize,
    pub(crate) changes: Vec<EntryChange>,
    by: By,
}

/// Neighbouring changes that are taken back together: the difference from the tree `after` to the tree `before`.
pub(crate) struct Run {
    pub(crate) after: Oid,
    pub(crate) before: Oid,
    /// The places of the first and the last state.
    pub(crate) first: usize,
    pub(crate) last: usize,
    is_whole: bool,
}

impl Run {
    /// Returns the whole change of one state, at place `at`, from another.
    pub(crate) fn new(after: Oid, before: Oid, at: usize) -> Self {
        Self { after, before, first: at, last: at, is_whole: true }
    }
}

/// The changes of a set of turns.
#[derive(Default)]
pub(crate) struct Share {
    /// The newest first.
    pub(crate) runs: Vec<Run>,
    /// The paths that these turns changed.
    pub(crate) paths: BTreeSet<RepoPath>,
    /// The paths that they may have changed, with all turns that may have.
    pub(crate) contested: Vec<(RepoPath, Vec<i64>)>,
    /// Changes while they ran that other turns may have made or have made, each with the place of the state before it.
    pub(crate) left: Vec<(RepoPath, i64)>,
    /// The place of the last state before their last change.
    pub(crate) wrote_after: Option<i64>,
}

impl Share {
    /// Returns whether these turns changed a file, or may have.
    pub(crate) fn has(&self, file: &Differing) -> bool {
        let mut names = std::iter::once(&file.path).chain(&file.renamed_from);
        names.any(|path| self.paths.contains(path) || self.contested.iter().any(|(other, _)| other == path))
    }
}

/// Returns whether a restore took back a change of a path by some turns between the states at two places.
fn took(restore: &Restore, path: &RepoPath, (from, to): (i64, i64), turns: &[i64]) -> bool {
    let options = &restore.options;
    if to > restore.place {
        return false;
    }
    if let Some(moment) = restore.moment {
        return moment <= from && options.covers(path) && !restore.result.kept.contains(path);
    }
    let is_left = options.left.iter().any(|(other, place)| other == path && *place == from);
    let is_covered = !options.partly || path.is_within_any(&options.took);
    is_covered && !is_left && turns.iter().any(|number| options.turns.contains(number))
}

/// The states of a worktree.
pub(crate) struct Timeline<'a> {
    pub(crate) spans: &'a Spans,
    pub(crate) states: Vec<State>,
    /// The files of interrupted turns whose changes are the user's.
    pub(crate) left: BTreeSet<(i64, RepoPath)>,
    /// The turns that ran between each state and the next one.
    active: Vec<Vec<i64>>,
    /// The restores of files, in order.
    restores: Vec<&'a Restore>,
    reader: Reader<'a>,
}

impl<'a> Timeline<'a> {
    /// Lists the states of a worktree up to `now`.
    pub(crate) fn new(locked: &'a Locked<'_>, spans: &'a Spans, now: &Snapshot) -> Result<Self> {
        let mut states: Vec<State> = Vec::new();
        for row in spans.checkpoints.iter().filter(|row| row.kind != Kind::Plan) {
            let head = (row.head_oid.clone(), row.head_ref.clone());
            states.push(State { tree: row.tree_oid.clone(), head, place: row.place, row: Some(row.clone()) });
        }
        let reader = locked.worktree().reader();
        let restores: Vec<&Restore> = spans.restores.iter().filter(|row| row.options.files).collect();
        for restore in &restores {
            states.extend(after(locked, &reader, spans, restore)?);
        }
        states.sort_by_key(|state| state.place);
        let head = (now.head.clone(), now.head_ref.clone());
        states.push(State { tree: now.tree.clone(), head, place: i64::MAX, row: None });
        let late = spans.all.iter().flat_map(|span| span.row.late.iter().map(|file| (span.row.number, file)));
        let left = late.filter(|(_, file)| file.kept == Some(true)).map(|(number, file)| (number, file.path.clone()));
        let (left, active) = (left.collect(), active(spans, &states));
        Ok(Self { spans, states, left, active, restores, reader })
    }
}

/// Returns the turns that ran between each state and the next one, by their numbers.
fn active(spans: &Spans, states: &[State]) -> Vec<Vec<i64>> {
    let mut active = vec![Vec::new(); states.len().saturating_sub(1)];
    for span in &spans.all {
        // Those whose end is after the start of the turn, and whose start is before its end.
        let first = states.partition_point(|state| state.place <= span.from).saturating_sub(1);
        let end = states.partition_point(|state| state.place < span.until).min(active.len());
        active[first.min(end)..end].iter_mut().for_each(|turns| turns.push(span.row.number));
    }
    active
}

/// Returns the state after a restore, if both its checkpoints still exist.
fn after(locked: &Locked<'_>, reader: &Reader<'_>, spans: &Spans, restore: &Restore) -> Result<Option<State>> {
    let Some((safety, target)) = spans.sides(restore) else { return Ok(None) };
    let kept: HashSet<&RepoPath> = restore.result.kept.iter().collect();
    let tree = if restore.options.paths.is_empty() && kept.is_empty() {
        target.tree_oid.clone()
    } else {
        let changes = reader.differences(&safety.tree_oid, &target.tree_oid)?.into_iter();
        let written = changes.filter(|change| restore.options.covers(&change.path) && !kept.contains(&change.path));
        let entries: Vec<_> = written.map(|change| (change.path, change.new)).collect();
        locked.with_entries(&safety.tree_oid, &entries)?
    };
    let head = if restore.result.head == HeadOutcome::Restored { target } else { safety };
    let head = (head.head_oid.clone(), head.head_ref.clone());
    Ok(Some(State { tree, head, place: restore.place, row: Some(safety.clone()) }))
}

impl<'a> Timeline<'a> {
    pub(crate) fn reader(&self) -> &Reader<'a> {
        &self.reader
    }

    /// Returns the place in the list of states of a turn's first state.
    pub(crate) fn first(&self, span: &Span) -> usize {
        self.states.partition_point(|state| state.place < span.from)
    }

    /// Returns the place of a turn's last state.
    pub(crate) fn last(&self, span: &Span) -> usize {
        self.states.partition_point(|state| state.place < span.until).min(self.states.len() - 1)
    }

    /// Returns the segments from one state to another, the oldest first.
    pub(crate) fn segments(&self, from: usize, to: usize) -> Result<Vec<Segment>> {
        (from..to).map(|at| self.segment(at)).collect()
    }

    fn segment(&self, at: usize) -> Result<Segment> {
        let changes = self.reader.differences(&self.states[at].tree, &self.states[at + 1].tree)?;
        Ok(Segment { at, changes, by: self.by(at) })
    }

    fn by(&self, at: usize) -> By {
        let (a, b) = (&self.states[at], &self.states[at + 1]);
        // Restores of a worktree do not overlap.
        let begun = self.restores.partition_point(|restore| restore.begun < a.place);
        if let Some(restore) = self.restores[..begun].last().filter(|restore| b.place <= restore.place) {
            return By::Restore(restore.id.clone());
        }
        if !self.active[at].is_empty() {
            By::Turns(self.active[at].clone())
        } else if a.head == b.head {
            By::You
        } else {
            By::Git
        }
    }

    /// Returns the turns that may have changed a path while `active` ran: those whose edit tools named it, if there are
    /// any.
    fn candidates(&self, active: &[i64], path: &RepoPath) -> Vec<i64> {
        let is_left = |number: &&i64| self.left.contains(&(**number, path.clone()));
        let active: Vec<i64> = active.iter().filter(|number| !is_left(number)).copied().collect();
        let has_named = |number: &&i64| self.spans.turn(**number).is_some_and(|span| span.row.edited.contains(path));
        let named: Vec<i64> = active.iter().filter(has_named).copied().collect();
        if named.is_empty() || active.len() == 1 { active } else { named }
    }

    /// Returns the origin of a change.
    pub(crate) fn origin(&self, segment: &Segment, change: &EntryChange) -> Origin {
        match &segment.by {
            By::Turns(active) => match self.candidates(active, &change.path) {
                turns if turns.is_empty() => Origin::You,
                turns => Origin::Turn { turns },
            },
            By::Restore(id) => Origin::Restore { id: id.clone() },
            By::Git if self.is_of_head(segment.at + 1, change) => Origin::Git,
            By::Git | By::You => Origin::You,
        }
    }

    /// Returns whether a path is as in the commit that is checked out then, as far as that is known.
    fn is_of_head(&self, at: usize, change: &EntryChange) -> bool {
        let Some(head) = &self.states[at].head.0 else { return true };
        let tree = self.reader.tree_of(head);
        tree.and_then(|tree| self.reader.entry(&tree, &change.path)).map_or(true, |entry| entry == change.new)
    }

    /// Returns the origins of the changes of a path in segments, without repetitions, in order. A restore that is undone and
    /// its undo cancel out.
    pub(crate) fn origins(&self, segments: &[Segment], path: &RepoPath) -> Vec<Origin> {
        let undone = undone(&self.spans.restores);
        let is_none = |origin: &Origin| match origin {
            Origin::Restore { id } => {
                let is_undo = |row: &Restore| row.id == *id && row.options.undo_of.is_some();
                undone.contains_key(id) || self.spans.restores.iter().any(is_undo)
            }
            _ => false,
        };
        let mut origins = Vec::new();
        for segment in segments {
            if let Ok(found) = segment.changes.binary_search_by(|change| change.path.cmp(path)) {
                let origin = self.origin(segment, &segment.changes[found]);
                if !origins.contains(&origin) && !is_none(&origin) {
                    origins.push(origin);
                }
            }
        }
        origins
    }

    /// Returns the changes of a turn that the files had at its end, or have while it runs.
    pub(crate) fn share_at_end(&self, number: i64, locked: &Locked<'_>) -> Result<Share> {
        let until = self.spans.turn(number).map_or(i64::MAX, |span| span.until);
        self.share_at(&BTreeSet::from([number]), &[], until, locked)
    }

    /// Returns the changes of the turns `wanted` that the files still have. Paths that other turns may have changed are
    /// taken only if `only` contains them; unless it is empty, only its paths are taken.
    pub(crate) fn share(&self, wanted: &BTreeSet<i64>, only: &[RepoPath], locked: &Locked<'_>) -> Result<Share> {
        self.share_at(wanted, only, i64::MAX, locked)
    }

    /// Returns the files of turns that changed after their last actions, as far as the files still have the turns' changes
    /// and nobody has decided whose they are.
    pub(crate) fn undecided(
        &self,
        wanted: &BTreeSet<i64>,
        only: &[RepoPath],
        locked: &Locked<'_>,
    ) -> Result<Vec<LateChange>> {
        let mut late: Vec<LateChange> = Vec::new();
        for number in wanted {
            let files = self.spans.turn(*number).into_iter().flat_map(|span| &span.row.late);
            let open: Vec<&LateFile> = files.filter(|file| file.kept.is_none()).collect();
            if open.is_empty() {
                continue;
            }
            let share = self.share(&BTreeSet::from([*number]), only, locked)?;
            let is_its =
                |path: &RepoPath| share.paths.contains(path) || share.contested.iter().any(|(other, _)| other == path);
            let open = open.into_iter().filter(|file| is_its(&file.path));
            late.extend(open.map(|file| LateChange { turn: *number, file: file.clone() }));
        }
        Ok(late)
    }

    /// Leaves files of turns to the user.
    pub(crate) fn leave(&mut self, changes: &[LateChange]) {
        self.left.extend(changes.iter().map(|change| (change.turn, change.file.path.clone())));
    }

    /// Returns the restores until a place whose effect the files have.
    pub(crate) fn live(&self, place: i64) -> Vec<&'a Restore> {
        let state = self.spans.state(place);
        self.spans.restores.iter().filter(|row| state.live.contains(&row.id)).collect()
    }

    fn share_at(&self, wanted: &BTreeSet<i64>, only: &[RepoPath], place: i64, locked: &Locked<'_>) -> Result<Share> {
        let live = self.live(place);
        let spans: Vec<&Span> = wanted.iter().filter_map(|number| self.spans.turn(*number)).collect();
        let (Some(from), Some(to)) =
            (spans.iter().map(|span| self.first(span)).min(), spans.iter().map(|span| self.last(span)).max())
        else {
            return Ok(Share::default());
        };
        let mut share = Share::default();
        for segment in self.segments(from, to)?.iter().rev() {
            let mut taken: Vec<&EntryChange> = Vec::new();
            for change in &segment.changes {
                let Origin::Turn { turns } = self.origin(segment, change) else { continue };
                let (ours, others): (Vec<i64>, Vec<i64>) = turns.iter().partition(|number| wanted.contains(number));
                let is_named = change.path.is_within_any(only);
                if !only.is_empty() && !is_named {
                    continue;
                }
                let places = (self.states[segment.at].place, self.states[segment.at + 1].place);
                if ours.is_empty() {
                    // The tools of both may still name the file.
                    if matches!(&segment.by, By::Turns(active) if active.iter().any(|number| wanted.contains(number))) {
                        share.left.push((change.path.clone(), places.0));
                    }
                    continue;
                }
                if live.iter().any(|restore| took(restore, &change.path, places, &turns)) {
                    continue;
                }
                share.wrote_after = share.wrote_after.or(Some(places.0));
                if others.is_empty() || is_named {
                    share.paths.insert(change.path.clone());
                    taken.push(change);
                } else {
                    share.left.push((change.path.clone(), places.0));
                    share.contested.push((change.path.clone(), turns));
                }
            }
            self.take(segment, &taken, &mut share.runs, locked)?;
        }
        share.contested.sort();
        share.contested.dedup();
        Ok(share)
    }

    /// Adds the changes of a segment to the last run, or begins another one.
    fn take(&self, segment: &Segment, taken: &[&EntryChange], runs: &mut Vec<Run>, locked: &Locked<'_>) -> Result<()> {
        let (before, after) = (&self.states[segment.at].tree, &self.states[segment.at + 1].tree);
        let is_whole = taken.len() == segment.changes.len();
        if taken.is_empty() {
            // Equal states do not part two runs.
            if let Some(run) = runs.last_mut().filter(|run| is_whole && run.first == segment.at + 1) {
                run.first = segment.at;
            }
            return Ok(());
        }
        if let Some(run) = runs.last_mut().filter(|run| is_whole && run.is_whole && run.first == segment.at + 1) {
            (run.before, run.first) = (before.clone(), segment.at);
        } else {
            let entries: Vec<_> = taken.iter().map(|change| (change.path.clone(), change.old.clone())).collect();
            let before = if is_whole { before.clone() } else { locked.with_entries(after, &entries)? };
            runs.push(Run { after: after.clone(), before, first: segment.at, last: segment.at + 1, is_whole });
        }
        Ok(())
    }
}

/// Returns the turn with a number, if both its ends are known.
pub(crate) fn bounded(spans: &Spans, number: i64) -> Result<&Span> {
    let span = spans.turn(number).ok_or(Error::NoTurn { number })?;
    if span.is_bounded() {
        return Ok(span);
    }
    let prompt = &span.row.prompt;
    let reason = match (&span.begin, &prompt.uncheckpointed, &prompt.uncompared) {
        (None, Some(why), _) => format!("it has no checkpoint from its start: {why}"),
        (None, None, _) => "its checkpoints were pruned".to_owned(),
        (.., Some(why)) => format!("its end was not captured: {why}"),
        // A restore beside another turn may still need the checkpoint from its start.
        _ if prompt.changes.is_some() => "its checkpoints were pruned".to_owned(),
        _ => "its end was not captured".to_owned(),
    };
    Err(Error::Unbounded { number, reason })
}
