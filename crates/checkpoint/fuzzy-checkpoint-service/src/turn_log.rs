//! Answers questions about turns: the turns that changed a file, the changes of one, the turn that last changed a line.

use fuzzy_checkpoint::{CaptureOptions, Diff, DiffOptions, Gone, Locked, Oid, RepoPath, Snapshot};
use fuzzy_checkpoint_store::Checkpoint;
use serde::Serialize;

use crate::changes::Trees;
use crate::checkpointer::Checkpointer;
use crate::losses::{gone_in, without};
use crate::spans::{Span, Spans};
use crate::steps::{TurnStep, steps_of};
use crate::timeline::{Origin, Timeline, bounded};
use crate::turn_list::{ListedTurn, listed};
use crate::{Error, Result};

/// A turn with changes of it.
#[derive(Debug, Clone)]
pub struct TurnShow {
    /// The turn.
    pub turn: ListedTurn,
    /// Its changes. A file that another turn may have changed at the same time is included.
    pub diff: Diff,
    /// The files that another turn may have changed at the same time, with all turns that may have.
    pub shared: Vec<(RepoPath, Vec<i64>)>,
    /// The paths that were there before the turn, are not there, and that no checkpoint has.
    pub gone: Vec<Gone>,
    /// The captures before the commands of its shells.
    pub steps: Vec<TurnStep>,
    /// The compared states.
    pub trees: Trees,
}

/// A line of a file with the origin of its last change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct BlamedLine {
    /// The number of the line, from 1.
    pub line: usize,
    /// The origin; none if the line is older than all known turns.
    pub origin: Option<Origin>,
    /// The line, without its end. Bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// The lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Blame {
    /// The file.
    pub path: RepoPath,
    /// Its lines as they are on disk now.
    pub lines: Vec<BlamedLine>,
    /// The turns that the lines name, by their numbers.
    pub turns: Vec<BlamedTurn>,
}

/// A turn that changed a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct BlamedTurn {
    /// The number of the turn.
    pub number: i64,
    /// The name of the host, or the title of the session if another program created it.
    pub host: String,
    /// The prompt.
    pub prompt: String,
    /// The time of the prompt, in milliseconds since 1970.
    pub began_at: i64,
}

/// A turn with the states before and after it.
#[derive(Debug, Clone)]
pub struct BisectState {
    /// The turn.
    pub turn: ListedTurn,
    /// The tree of the files before it.
    pub before: Oid,
    /// The tree of the files after it.
    pub after: Oid,
}

impl Checkpointer {
    /// Returns the turns whose changes include one of `paths`, by their numbers, each with these changes.
    ///
    /// # Errors
    ///
    /// Fails if git or the store does.
    pub fn turns_with(&self, worktree: &str, options: &DiffOptions) -> Result<Vec<TurnShow>> {
        self.with_timeline(worktree, |locked, timeline, _| {
            let mut found = Vec::new();
            for turn in listed(timeline.spans) {
                let Ok(span) = bounded(timeline.spans, turn.number) else { continue };
                let shown = show(locked, timeline, span, turn, options)?;
                if !shown.diff.files.is_empty() {
                    found.push(shown);
                }
            }
            Ok(found)
        })
    }

    /// Returns a turn with its changes, without those of other turns that ran at the same time, as far as they can be
    /// told apart.
    ///
    /// # Errors
    ///
    /// Fails if there is no such turn, if its changes are unknown, and if git or the store does.
    pub fn show_turn(&self, worktree: &str, number: i64, options: &DiffOptions) -> Result<TurnShow> {
        self.with_timeline(worktree, |locked, timeline, now| {
            let turn = listed(timeline.spans).into_iter().find(|turn| turn.number == number);
            let turn = turn.ok_or(Error::NoTurn { number })?;
            let span = bounded(timeline.spans, number)?;
            let gone = gone_in(timeline.reader(), now, [span], &options.paths)?;
            let shown = show(locked, timeline, span, turn, options)?;
            Ok(TurnShow { gone: without(gone, shown.steps.iter().flat_map(TurnStep::named)), ..shown })
        })
    }

    /// Compares the files now with the last known state before: the end of the last turn or restore, or the start of a
    /// running turn.
    ///
    /// # Errors
    ///
    /// Fails if git or the store does.
    pub fn since_last(&self, worktree: &str, options: &DiffOptions) -> Result<Diff> {
        self.with_timeline(worktree, |locked, timeline, _| match &timeline.states[..] {
            [.., last, now] => Ok(locked.worktree().diff(&last.tree, &now.tree, options)?),
            _ => Ok(Diff { files: Vec::new(), patch: Vec::new() }),
        })
    }

    /// Returns each line of a file with the origin of its last change.
    ///
    /// # Errors
    ///
    /// Returns `missing` if there is no such file; fails if git or the store does.
    pub fn blame(&self, worktree: &str, path: &RepoPath) -> Result<Blame> {
        self.with_timeline(worktree, |locked, timeline, _| {
            let states: Vec<Oid> = timeline.states.iter().map(|state| state.tree.clone()).collect();
            let missing = || fuzzy_checkpoint::Error::NoSuchPath { paths: vec![path.clone()] };
            let lines = locked.blame(&states, path)?.ok_or_else(missing)?;
            let segments = timeline.segments(0, states.len() - 1)?;
            let mut blamed = Vec::new();
            for (at, line) in lines.into_iter().enumerate() {
                let segment = line.state.checked_sub(1).and_then(|at| segments.get(at));
                // A renamed file had another path then.
                let change = |path: &RepoPath| segment?.changes.iter().find(|change| change.path == *path);
                let origin = segment.map(|segment| match change(path).or(segment.changes.first()) {
                    Some(change) => timeline.origin(segment, change),
                    None => Origin::You,
                });
                let text = String::from_utf8_lossy(&line.text).into_owned();
                blamed.push(BlamedLine { line: at + 1, origin, text });
            }
            let is_named = |number: &i64| {
                let mut origins = blamed.iter().filter_map(|line| line.origin.as_ref());
                origins.any(|origin| matches!(origin, Origin::Turn { turns } if turns.contains(number)))
            };
            let turns = listed(timeline.spans).into_iter().filter(|turn| is_named(&turn.number));
            let turns = turns.map(|ListedTurn { number, host, prompt, began_at, .. }| BlamedTurn {
                number,
                host,
                prompt,
                began_at,
            });
            let turns = turns.collect();
            Ok(Blame { path: path.clone(), lines: blamed, turns })
        })
    }

    /// Returns the files that changed outside any turn since a checkpoint, sorted.
    ///
    /// # Errors
    ///
    /// Fails if git or the store does.
    pub fn outside_since(&self, row: &Checkpoint) -> Result<Vec<RepoPath>> {
        self.with_timeline(&row.worktree_id, |_, timeline, _| {
            let from = timeline.states.partition_point(|state| state.place < row.place);
            let mut found = Vec::new();
            for segment in timeline.segments(from, timeline.states.len() - 1)? {
                let outside = segment
                    .changes
                    .iter()
                    .filter(|change| matches!(timeline.origin(&segment, change), Origin::You | Origin::Git));
                found.extend(outside.map(|change| change.path.clone()));
            }
            found.sort();
            found.dedup();
            Ok(found)
        })
    }

    /// Returns the turns that changed files and of which both states are known, by their numbers, from the turn `first` on.
    ///
    /// # Errors
    ///
    /// Fails if there is no turn `first`, or if the store does.
    pub fn bisect_states(&self, worktree: &str, first: Option<i64>) -> Result<Vec<BisectState>> {
        let spans = self.spans(worktree)?;
        let turns = listed(&spans);
        if let Some(number) = first.filter(|number| !turns.iter().any(|turn| turn.number == *number)) {
            return Err(Error::NoTurn { number });
        }
        let wanted = turns.into_iter().filter(|turn| first.is_none_or(|first| turn.number >= first));
        Ok(wanted.filter_map(|turn| bisected(&spans, turn)).filter(|state| state.before != state.after).collect())
    }

    /// Checks a state of a worktree out into another directory, as [`fuzzy_checkpoint::Worktree::check_out`] does.
    ///
    /// # Errors
    ///
    /// Fails if the state is gone or cannot be written.
    pub fn check_out(&self, worktree: &str, tree: &Oid, dir: &std::path::Path, index: &std::path::Path) -> Result<()> {
        Ok(self.worktree(worktree)?.check_out(tree, dir, index)?)
    }

    /// Compares two states of a worktree.
    ///
    /// # Errors
    ///
    /// Fails if one of them is gone.
    pub fn compare_trees(&self, worktree: &str, from: &Oid, to: &Oid, options: &DiffOptions) -> Result<Diff> {
        Ok(self.worktree(worktree)?.diff(from, to, options)?)
    }

    fn with_timeline<T>(
        &self,
        worktree: &str,
        work: impl FnOnce(&Locked<'_>, &Timeline<'_>, &Snapshot) -> Result<T>,
    ) -> Result<T> {
        let opened = self.worktree(worktree)?;
        let locked = opened.lock()?;
        let spans = self.spans(worktree)?;
        let now = locked.capture(&CaptureOptions::to_compare())?;
        let timeline = Timeline::new(&locked, &spans, &now)?;
        work(&locked, &timeline, &now)
    }
}

fn bisected(spans: &Spans, turn: ListedTurn) -> Option<BisectState> {
    let span = spans.turn(turn.number)?;
    let (before, after) = (span.begin.as_ref()?.tree_oid.clone(), span.end.as_ref()?.tree_oid.clone());
    Some(BisectState { turn, before, after })
}

fn show(
    locked: &Locked<'_>,
    timeline: &Timeline<'_>,
    span: &Span,
    turn: ListedTurn,
    options: &DiffOptions,
) -> Result<TurnShow> {
    let share = timeline.share_at_end(turn.number, locked)?;
    let [from, to] = [timeline.first(span), timeline.last(span)].map(|at| &timeline.states[at].tree);
    let worktree = locked.worktree();
    let mut diff = worktree.diff(from, to, options)?;
    let all = diff.files.len();
    diff.files.retain(|file| share.has(file));
    if diff.files.len() < all && !diff.patch.is_empty() {
        let mut paths: Vec<RepoPath> = diff.files.iter().map(|file| file.path.clone()).collect();
        paths.extend(diff.files.iter().filter_map(|file| file.renamed_from.clone()));
        diff.patch = if paths.is_empty() {
            Vec::new()
        } else {
            worktree.diff(from, to, &DiffOptions { paths, ..options.clone() })?.patch
        };
    }
    let shared = share.contested.into_iter();
    let shared = shared.filter(|(path, _)| diff.files.iter().any(|file| file.path == *path)).collect();
    let trees = Trees { from: from.clone(), to: to.clone() };
    Ok(TurnShow { turn, diff, shared, gone: Vec::new(), steps: steps_of(span), trees })
}
