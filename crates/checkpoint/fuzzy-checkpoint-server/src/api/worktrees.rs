//! The turns of a worktree: of all its sessions, by their numbers.

use axum::Json;
use axum::extract::State;
use fuzzy_checkpoint::{Detail, DiffOptions, Differing, Gone, Oid, RepoPath};
use fuzzy_checkpoint_service::{
    Blame, LateChoice, LeftFile, ListedTurn, TakeBackOptions, TurnConflict, TurnPlan, TurnShow, TurnStep,
};
use fuzzy_checkpoint_store::{RestoreId, RestoreOutcome, SessionId, TakeBack};
use fuzzy_report::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::checkpoints::{OfFile, Part, named};
use super::extract::{Ids, Key, Params};
use crate::app::App;
use crate::rejection::Rejection;
use crate::restores;

/// A worktree.
#[derive(Serialize, JsonSchema)]
pub(crate) struct WorktreeEntry {
    id: String,
    /// The root of the files.
    root: String,
}

/// The worktrees beneath the roots of the server.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Worktrees {
    worktrees: Vec<WorktreeEntry>,
}

/// Selects turns.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// Only turns that changed this file, or files below this directory; lists these files with each turn.
    path: Option<String>,
    /// Only turns of this session.
    session: Option<SessionId>,
}

/// A turn, and those of its files that were requested.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TurnWithFiles {
    #[serde(flatten)]
    turn: ListedTurn,
    /// The changed files, if a path was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<Differing>>,
}

/// The turns of a worktree, the oldest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Turns {
    turns: Vec<TurnWithFiles>,
}

/// A file that several turns may have changed at the same time.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SharedFile {
    path: RepoPath,
    turns: Vec<i64>,
}

/// A turn with its changes.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OneTurn {
    turn: ListedTurn,
    #[serde(flatten)]
    part: Part,
    /// Those of the files that another turn may have changed at the same time.
    shared: Vec<SharedFile>,
    /// Paths that were there before the turn, are not there, and that no checkpoint has.
    gone: Vec<Gone>,
    /// The captures before the commands of its shells.
    steps: Vec<TurnStep>,
}

/// Selects a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// The file.
    path: String,
}

/// Hunks of a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Hunks {
    /// The file.
    path: RepoPath,
    /// The hunks of the turn's patch of this file, counted from 1.
    #[schemars(length(min = 1))]
    hunks: Vec<usize>,
}

/// Ranges of lines of a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Lines {
    /// The file.
    path: RepoPath,
    /// The first and the last line of each range, in the file after the turn, from 1. Neighbouring changed lines are taken
    /// back together, and deleted lines belong to the line after them.
    #[schemars(length(min = 1))]
    lines: Vec<(usize, usize)>,
}

/// A request to take turns back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the request, and they combine freely")]
pub(super) struct Request {
    /// `revert` takes the changes of turns back, `restore` brings back the state before a turn, `undo` undoes one of these,
    /// a restore of a checkpoint, or an undo.
    verb: TakeBack,
    /// The numbers of the turns: for `restore` and `later` the first one; without it, the last one that is not taken back.
    #[serde(default)]
    turns: Vec<i64>,
    /// For `restore`: the step of the turn whose state comes back, from 1; without it, the state before the turn.
    #[serde(default)]
    step: Option<usize>,
    /// For `revert`: whether all turns after the first one are taken back, too.
    #[serde(default)]
    later: bool,
    /// For `later`: only turns of this session.
    #[serde(default)]
    session: Option<SessionId>,
    /// For `undo`: the restore; without it, the newest one that is no undo and is not undone.
    #[serde(default)]
    restore: Option<RestoreId>,
    /// Only these files and directories.
    #[serde(default)]
    paths: Vec<RepoPath>,
    /// Only these hunks, for `revert` of one turn.
    #[serde(default)]
    hunks: Vec<Hunks>,
    /// Only the changes in these lines, for `revert` of one turn.
    #[serde(default)]
    lines: Vec<Lines>,
    /// Whether files with conflicts are left alone, and the others are written.
    #[serde(default)]
    keep_going: bool,
    /// Whether files are written whose changes only touch later ones, as the plan proposes.
    #[serde(default)]
    propose: bool,
    /// Whether to go on beside running turns; make sure that their agents do not write.
    #[serde(default)]
    force: bool,
    /// Whose the changes after the last action of an interrupted turn are: `take` takes them back, too, `keep` keeps them.
    /// Without it, such changes are refused with `late_changes`; the plan lists them.
    #[serde(default)]
    late: Option<LateChoice>,
    /// The `tree` of a plan: if the files have changed since, nothing is written.
    #[serde(default)]
    seen: Option<Oid>,
}

/// Turns that are taken back, or brought back.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TakenBack {
    verb: TakeBack,
    turns: Vec<i64>,
    /// Files that changed since and are left alone.
    left: Vec<LeftFile>,
    /// Files with conflicts, which are left alone.
    conflicts: Vec<TurnConflict>,
    /// Paths that no checkpoint has, and that cannot be brought back.
    gone: Vec<Gone>,
    /// The restore; null if no file differed.
    restore: Option<RestoreOutcome>,
}

impl Request {
    fn options(self) -> Result<(TakeBackOptions, Option<Oid>), Rejection> {
        let paths = self.paths.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        let mut hunks = Vec::new();
        for Hunks { path, hunks: numbers } in &self.hunks {
            let numbers: Option<Vec<usize>> = numbers.iter().map(|hunk| hunk.checked_sub(1)).collect();
            let numbers = numbers.filter(|numbers| !numbers.is_empty()).ok_or_else(|| {
                Rejection::bad_input("hunks: they are counted from 1", "Name hunks of the turn's patch.")
            })?;
            hunks.push((named(path)?, numbers));
        }
        let mut lines = Vec::new();
        for Lines { path, lines: ranges } in self.lines {
            if ranges.is_empty() || ranges.iter().any(|(first, last)| *first == 0 || last < first) {
                return Err(Rejection::bad_input(
                    "lines: a range has a first and a last line, counted from 1",
                    "Name lines of the file after the turn.",
                ));
            }
            lines.push((named(&path)?, ranges));
        }
        let (verb, is_of_one) = (self.verb, self.turns.len() == 1);
        if !(hunks.is_empty() && lines.is_empty()) && (!is_of_one || self.later || verb != TakeBack::Revert) {
            let message = "hunks, lines: only a revert of one turn can have them";
            return Err(Rejection::bad_input(message, "Omit them, or name one turn."));
        }
        if self.step.is_some() && (!is_of_one || verb != TakeBack::Restore) {
            let message = "step: only a restore of one turn can have it";
            return Err(Rejection::bad_input(message, "Omit it, or name one turn."));
        }
        let names_turns = !(self.turns.is_empty() && paths.is_empty());
        if verb == TakeBack::Undo && names_turns || verb != TakeBack::Undo && self.restore.is_some() {
            let message = "undo: it names a restore, and no turns and paths; the other verbs name none";
            return Err(Rejection::bad_input(message, "Omit the others."));
        }
        let options = TakeBackOptions {
            verb,
            turns: self.turns,
            step: self.step,
            later: self.later,
            session: self.session,
            of: self.restore,
            paths,
            hunks,
            lines,
            keep_going: self.keep_going,
            propose: self.propose,
            force: self.force,
            late: self.late,
        };
        Ok((options, self.seen))
    }
}

pub(super) async fn list(State(app): State<App>) -> Result<Json<Worktrees>, Rejection> {
    app.look(|app| {
        let rows = app.worktrees()?.into_iter();
        Ok(Json(Worktrees { worktrees: rows.map(|row| WorktreeEntry { id: row.id, root: row.root }).collect() }))
    })
    .await
}

pub(super) async fn turns(
    State(app): State<App>,
    Ids(worktree): Ids<String>,
    Params(Which { path, session }): Params<Which>,
) -> Result<Json<Turns>, Rejection> {
    let path = path.map(|path| named(&RepoPath::from(path.as_str()))).transpose()?;
    app.git(move |app| {
        let (worktree, service) = (app.worktree(&worktree)?, app.service());
        let mut turns: Vec<TurnWithFiles> = if let Some(path) = path {
            let options = DiffOptions { paths: vec![path], detail: Detail::Lines, renames: true };
            let shown = service.turns_with(&worktree, &options)?.into_iter();
            shown.map(|shown| TurnWithFiles { turn: shown.turn, changed: Some(shown.diff.files) }).collect()
        } else {
            let all = service.turns(&worktree)?.into_iter();
            all.map(|turn| TurnWithFiles { turn, changed: None }).collect()
        };
        turns.retain(|row| session.as_ref().is_none_or(|session| row.turn.session_id == *session));
        Ok(Json(Turns { turns }))
    })
    .await
}

pub(super) async fn turn(
    State(app): State<App>,
    Ids((worktree, number)): Ids<(String, i64)>,
    Params(of): Params<OfFile>,
) -> Result<Json<OneTurn>, Rejection> {
    let options = of.options()?;
    app.git(move |app| {
        let TurnShow { turn, diff, shared, gone, steps, .. } =
            app.service().show_turn(&app.worktree(&worktree)?, number, &options)?;
        let shared = shared.into_iter().map(|(path, turns)| SharedFile { path, turns }).collect();
        Ok(Json(OneTurn { turn, part: diff.into(), shared, gone, steps }))
    })
    .await
}

pub(super) async fn end(
    State(app): State<App>,
    Ids((worktree, number)): Ids<(String, i64)>,
) -> Result<Json<ListedTurn>, Rejection> {
    app.git(move |app| {
        let (worktree, service) = (app.worktree(&worktree)?, app.service());
        let find = || -> Result<ListedTurn, Rejection> {
            let turn = service.turns(&worktree)?.into_iter().find(|turn| turn.number == number);
            turn.ok_or_else(|| fuzzy_checkpoint_service::Error::NoTurn { number }.into())
        };
        let turn = find()?;
        service.end_interrupted(&turn.session_id, &turn.id)?;
        find().map(Json)
    })
    .await
}

pub(super) async fn blame(
    State(app): State<App>,
    Ids(worktree): Ids<String>,
    Params(File { path }): Params<File>,
) -> Result<Json<Blame>, Rejection> {
    let path = named(&RepoPath::from(path.as_str()))?;
    app.git(move |app| Ok(Json(app.service().blame(&app.worktree(&worktree)?, &path)?))).await
}

pub(super) async fn plan(
    State(app): State<App>,
    Ids(worktree): Ids<String>,
    Body(request): Body<Request>,
) -> Result<Json<TurnPlan>, Rejection> {
    let (options, _) = request.options()?;
    app.git(move |app| Ok(Json(app.service().plan_turns(&app.worktree(&worktree)?, &options)?))).await
}

pub(super) async fn take_back(
    State(app): State<App>,
    Ids(worktree): Ids<String>,
    Key(key): Key,
    Body(request): Body<Request>,
) -> Result<Json<TakenBack>, Rejection> {
    let (options, seen) = request.options()?;
    let done = app.git(move |app| {
        let worktree = app.worktree(&worktree)?;
        if let Some(id) = options.of.as_ref().filter(|_| seen.is_none()) {
            let row = restores::known(app, id)?;
            if row.worktree_id != worktree {
                return Err(Rejection::no_restore());
            }
            let (verb, turns, left, conflicts) = (options.verb, row.options.turns, Vec::new(), Vec::new());
            let restore = restores::undo(app, id, key.as_deref())?;
            let gone = restore.gone.clone();
            return Ok(Json(TakenBack { verb, turns, left, conflicts, gone, restore: Some(restore) }));
        }
        let (plan, restore) = app.service().take_back(&worktree, &options, seen.as_ref())?;
        let TurnPlan { verb, turns, left, conflicts, gone, .. } = plan;
        Ok(Json(TakenBack { verb, turns, left, conflicts, gone, restore }))
    });
    // The request is valid, but not in the current state.
    done.await
        .map_err(|rejection| if rejection.failure.code == Code::Invalid { rejection.conflict() } else { rejection })
}
