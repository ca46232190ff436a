//! Requests to take turns back or to undo that, and their plans.

use std::collections::BTreeMap;

use fuzzy_checkpoint::{Differing, Gone, IndexKept, Oid, Picked, RepoPath, Uncovered};
use fuzzy_checkpoint_store::{NotKept, RestoreId, SessionId, TakeBack};
use serde::Serialize;

use crate::late_change::{LateChange, LateChoice};
use crate::submodules::MovedSubmodule;
use crate::timeline::Origin;

/// A request to take turns back, or to undo a restore.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the request, and they combine freely")]
pub struct TakeBackOptions {
    /// The verb.
    pub verb: TakeBack,
    /// The numbers of the turns: for `restore` the first one; empty for the last turn that is not taken back, and for
    /// `undo`.
    pub turns: Vec<i64>,
    /// For `restore`: the step of the turn whose state comes back, from 1; none for the state before the turn.
    pub step: Option<usize>,
    /// For `revert`: whether all turns after the first one are taken back, too.
    pub later: bool,
    /// For `later`: only turns of this session.
    pub session: Option<SessionId>,
    /// For `undo`: the restore; none for the newest that is no undo and that no undo undoes.
    pub of: Option<RestoreId>,
    /// Only these files, and files in these directories; empty means all.
    pub paths: Vec<RepoPath>,
    /// Only these hunks of files, counted from 0 in the changes of the turn: for `revert` of one turn.
    pub hunks: Vec<(RepoPath, Vec<usize>)>,
    /// Only the changes in these ranges of lines, each from the first to the last line of the file after the turn, from 1:
    /// for `revert` of one turn. Neighbouring changed lines are taken back together, and deleted lines belong to the line
    /// after them.
    pub lines: Vec<(RepoPath, Vec<(usize, usize)>)>,
    /// Whether files with conflicts are left alone, and the others are written.
    pub keep_going: bool,
    /// Whether files are written whose changes only touch later ones, as the plan proposes.
    pub propose: bool,
    /// Whether the restore takes place beside running turns.
    pub force: bool,
    /// Whose the changes after the last action of an interrupted turn are. Without a decision, a request with such changes
    /// is refused.
    pub late: Option<LateChoice>,
}

impl TakeBackOptions {
    /// Returns a request without further options.
    #[must_use]
    pub fn new(verb: TakeBack, turns: Vec<i64>) -> Self {
        let (paths, hunks, lines) = (Vec::new(), Vec::new(), Vec::new());
        let (session, of, late, step) = (None, None, None, None);
        let (later, keep_going, propose, force) = (false, false, false, false);
        Self { verb, turns, step, later, session, of, paths, hunks, lines, keep_going, propose, force, late }
    }

    /// Returns a request to undo a restore, or the newest one.
    #[must_use]
    pub fn undo(of: Option<RestoreId>) -> Self {
        Self { of, ..Self::new(TakeBack::Undo, Vec::new()) }
    }

    /// Returns the parts of files that are requested, by file.
    pub(crate) fn picked(&self) -> BTreeMap<&RepoPath, Picked> {
        let mut picked: BTreeMap<&RepoPath, Picked> = BTreeMap::new();
        for (path, hunks) in &self.hunks {
            picked.entry(path).or_default().hunks.extend(hunks);
        }
        for (path, lines) in &self.lines {
            picked.entry(path).or_default().lines.extend(lines);
        }
        picked
    }

    /// Returns whether the request brings back a state, without regard to who made the changes since.
    pub(crate) fn is_exact(&self) -> bool {
        self.verb == TakeBack::Restore
    }

    /// Returns whether a plan of the request is refused for want of a decision about late changes.
    #[must_use]
    pub fn is_undecided(&self, plan: &TurnPlan) -> bool {
        self.late.is_none() && !self.is_exact() && !plan.late.is_empty()
    }

    /// Returns the only paths of the request.
    pub(crate) fn only(&self) -> Vec<RepoPath> {
        self.paths.iter().chain(self.picked().into_keys()).cloned().collect()
    }

    /// Returns whether the request names parts of the changes.
    pub(crate) fn is_partial(&self) -> bool {
        !self.paths.is_empty() || !self.hunks.is_empty() || !self.lines.is_empty()
    }
}

/// A file that a plan changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct PlannedFile {
    /// The change.
    #[serde(flatten)]
    pub change: Differing,
    /// The origins of its changes that go.
    pub origins: Vec<Origin>,
    /// The origins of its other changes since the first of the turns, which stay in the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stays: Vec<Origin>,
}

/// A file that a plan leaves alone although it changed since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LeftFile {
    /// The file.
    pub path: RepoPath,
    /// The origins of its changes.
    pub origins: Vec<Origin>,
}

/// A file whose changes conflict with later ones. It is not written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TurnConflict {
    /// The file.
    pub path: RepoPath,
    /// The lines of the file now that conflict, each as the first and the last one, from 1; empty if the file was
    /// created, deleted or renamed, or is binary.
    pub lines: Vec<(usize, usize)>,
    /// The origins of these lines, or of the later changes of the file.
    pub changed_by: Vec<Origin>,
    /// The hunks of the turn in this file that do not conflict, counted from 1.
    pub other_hunks: Vec<usize>,
    /// The turns that can be taken back together without this conflict; empty if there is no such set.
    pub together: Vec<i64>,
    /// The turn before which the file can be restored as a whole.
    pub restore: Option<i64>,
    /// If the changes only touch, without a common line: the change that is proposed, as a diff. It is written only if the
    /// request says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// The contents after the turns, now, and before the turns.
    #[serde(skip)]
    pub versions: Option<[Oid; 3]>,
}

/// The plan to take turns back.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TurnPlan {
    /// Always true: a plan changes nothing.
    pub dry_run: bool,
    /// The verb.
    pub verb: TakeBack,
    /// The numbers of the turns that are taken back; for `undo`, those of the restore.
    pub turns: Vec<i64>,
    /// For `undo`: the restore.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undoes: Option<RestoreId>,
    /// Files to write or change.
    pub files_to_write: Vec<RepoPath>,
    /// Files to delete.
    pub files_to_delete: Vec<RepoPath>,
    /// The changes to the same files, with renames detected and lines counted, and their origins.
    pub files: Vec<PlannedFile>,
    /// Files that changed since and are left alone: no turn of the request changed them, or another may have.
    pub left: Vec<LeftFile>,
    /// Files that changed after the last action of an interrupted turn, for which nobody has decided yet whose change that
    /// is. A revert is refused if there are any, unless the request decides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<LateChange>,
    /// Files with conflicts. The request is refused if there are any, unless it keeps going.
    pub conflicts: Vec<TurnConflict>,
    /// Files that are written as proposed, because the request says so: their changes touch later ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposed: Vec<RepoPath>,
    /// Files that no checkpoint has, and that are brought back from copies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brought_back: Vec<RepoPath>,
    /// Files that commands of the turns named, that no checkpoint has, and that are not brought back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_brought_back: Vec<NotKept>,
    /// Files that are kept because no checkpoint proves that they were absent.
    pub kept: Vec<RepoPath>,
    /// Paths in the way that no checkpoint contains. The request is refused while there are any.
    pub obstructed: Vec<RepoPath>,
    /// Files that would be written without the setuid, setgid or sticky bit that they had.
    pub bits_dropped: Vec<RepoPath>,
    /// Paths that the target did not capture.
    pub uncovered: Vec<Uncovered>,
    /// Paths that were there before the turns, are not there, and that no checkpoint has. They cannot be brought back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
    /// The reason why staged changes of the turns stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_kept: Option<IndexKept>,
    /// The submodules and nested repositories whose commit the turns changed. They are left alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub submodules: Vec<MovedSubmodule>,
    /// The tree of the files on disk now. A request that passes it as `seen` is refused if the files changed since.
    pub tree: Oid,
    /// The planned tree.
    #[serde(skip)]
    pub planned: Oid,
    /// Sessions of the worktree with a running turn: without `force` the request is refused.
    pub agents_running: Vec<SessionId>,
}
