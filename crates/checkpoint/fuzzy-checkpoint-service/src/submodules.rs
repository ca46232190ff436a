//! Repositories inside the worktree whose checked-out commit turns changed. Restores leave them alone.

use std::collections::BTreeMap;

use fuzzy_checkpoint::{Oid, Reason, RepoPath, Uncovered};
use fuzzy_checkpoint_store::Checkpoint;
use serde::Serialize;

use crate::spans::Span;

/// A submodule or a nested repository with another commit after a turn than before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct MovedSubmodule {
    /// Its path.
    pub path: RepoPath,
    /// The commit before the turn; none if it was not there.
    pub from: Option<Oid>,
    /// The commit after the turn; none if it was not there.
    pub to: Option<Oid>,
}

/// Returns the submodules that turns moved, each once, from its first to its last commit.
pub(crate) fn moved<'s>(spans: impl IntoIterator<Item = &'s Span>) -> Vec<MovedSubmodule> {
    let mut moved: BTreeMap<&RepoPath, MovedSubmodule> = BTreeMap::new();
    for span in spans {
        let (Some(before), Some(after)) = (span.begin.as_ref(), &span.end) else { continue };
        add(&mut moved, before, after);
    }
    finished(moved)
}

/// Returns the submodules with another commit in a later checkpoint than in an earlier one.
pub(crate) fn moved_between(before: &Checkpoint, after: &Checkpoint) -> Vec<MovedSubmodule> {
    let mut moved = BTreeMap::new();
    add(&mut moved, before, after);
    finished(moved)
}

fn add<'c>(moved: &mut BTreeMap<&'c RepoPath, MovedSubmodule>, before: &'c Checkpoint, after: &'c Checkpoint) {
    let [before, after] = [before, after].map(|row| commits(&row.uncovered));
    let paths = before.iter().chain(after.iter().filter(|(path, _)| !before.contains_key(*path)));
    for (path, _) in paths {
        let (from, to) = (before.get(path), after.get(path));
        // The commit is unknown in older checkpoints, and without a commit yet.
        if from == to || [from, to].contains(&Some(&None)) {
            continue;
        }
        let [from, to] = [from, to].map(|commit| commit.copied().flatten().cloned());
        let one = moved.entry(path).or_insert_with(|| MovedSubmodule { path: (*path).clone(), from, to: None });
        one.to = to;
    }
}

fn finished(moved: BTreeMap<&RepoPath, MovedSubmodule>) -> Vec<MovedSubmodule> {
    moved.into_values().filter(|one| one.from != one.to).collect()
}

fn commits(uncovered: &[Uncovered]) -> BTreeMap<&RepoPath, Option<&Oid>> {
    let is_repository = |left: &&Uncovered| matches!(left.reason, Reason::Submodule | Reason::NestedRepo);
    uncovered.iter().filter(is_repository).map(|left| (&left.path, left.commit.as_ref())).collect()
}
