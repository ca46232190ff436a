//! The limits of a take-back: paths that no checkpoint has, and staged changes that others changed since.

use std::collections::BTreeMap;

use fuzzy_checkpoint::{Gone, IndexKept, Oid, Reader, RepoPath, Snapshot, Uncovered};
use fuzzy_checkpoint_store::{Checkpoint, Staged};

use crate::Result;
use crate::checkpointer::lost;
use crate::kept::bare;
use crate::spans::Span;

/// Returns the paths that turns lost: they were there before a turn without being captured, not after it, and are not there
/// now. With `paths`, only these and those below them.
pub(crate) fn gone_in<'s>(
    reader: &Reader<'_>,
    now: &Snapshot,
    turns: impl IntoIterator<Item = &'s Span>,
    paths: &[RepoPath],
) -> Result<Vec<Gone>> {
    let mut all: BTreeMap<RepoPath, Gone> = BTreeMap::new();
    for span in turns {
        let later = if span.running { Some(&now.commit) } else { span.end.as_ref().map(|row| &row.commit_oid) };
        let (Some(before), Some(later)) = (span.begin.as_ref(), later) else { continue };
        let gone = reader.gone(&before.commit_oid, later).map_err(|error| lost(error, &before.id))?;
        all.extend(gone.into_iter().map(|one| (one.path.clone(), one)));
    }
    Ok(all.into_values().filter(|one| paths.is_empty() || one.path.is_within_any(paths)).collect())
}

/// Takes away the paths that are named elsewhere, or that have such a path below them: copies of kept files bring these back,
/// and the steps name what else was in a directory.
pub(crate) fn without<'p>(mut gone: Vec<Gone>, named: impl Iterator<Item = &'p RepoPath>) -> Vec<Gone> {
    let named: Vec<RepoPath> = named.map(bare).collect();
    gone.retain(|one| !named.iter().any(|path| path.is_within(&bare(&one.path))));
    gone
}

/// Returns the paths that a checkpoint does not cover and that are not gone.
pub(crate) fn others(uncovered: &[Uncovered], gone: &[Gone]) -> Vec<Uncovered> {
    let is_gone = |left: &&Uncovered| gone.iter().any(|one| one.path == left.path);
    uncovered.iter().filter(|left| !is_gone(left)).cloned().collect()
}

/// The staged changes of a take-back, and the staged tree that it brings back, if it does.
pub(crate) type StagedBack = (Staged, Option<Oid>);

/// Returns the states before and after turns whose staged changes are taken back, the newest first.
pub(crate) fn sides<'s>(
    turns: impl DoubleEndedIterator<Item = &'s Span>,
    now: &'s Snapshot,
) -> impl Iterator<Item = (&'s Checkpoint, Option<&'s Oid>)> {
    turns.rev().filter_map(|span| {
        let end = || span.end.as_ref().and_then(|row| row.index_tree_oid.as_ref());
        Some((span.begin.as_ref()?, if span.running { now.index_tree.as_ref() } else { end() }))
    })
}

/// Returns the staged tree before changes, if the index is as it was after them. `sides` are the state before and the staged
/// tree after each change, the newest first.
pub(crate) fn staged_back<'c>(
    sides: impl Iterator<Item = (&'c Checkpoint, Option<&'c Oid>)>,
    now: &Snapshot,
) -> StagedBack {
    let mut tree = now.index_tree.as_ref();
    for (before, after) in sides {
        let then = before.index_tree_oid.as_ref();
        if then == after {
            continue;
        }
        let kept = |why| (Staged::Kept(why), None);
        if after.is_none() || after != tree {
            return kept(IndexKept::Changed);
        }
        if then.is_none() {
            return kept(IndexKept::NotCaptured);
        }
        if (&before.head_oid, &before.head_ref) != (&now.head, &now.head_ref) {
            return kept(IndexKept::HeadDiffers);
        }
        tree = then;
    }
    match (tree, &now.index_tree) {
        (Some(tree), Some(index)) if tree != index => (Staged::From(index.clone()), Some(tree.clone())),
        _ => (Staged::Same, None),
    }
}
