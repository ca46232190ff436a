//! Undoes the operations of a project: batches of edits and restores.

use std::fmt::Write as _;
use std::process::ExitCode;

use fuzzy_checkpoint_service::{Batch, Operation, Operations, Source, TakeBackOptions};
use fuzzy_checkpoint_store::{Restore, RestoreId, TakeBack, now_ms};
use fuzzy_edit::{Batches, Failure, Workspace};
use fuzzy_report::Code;
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::{Arguments, How, Redo};
use super::batches::{ago, describe, list_of, short, undo_batch, whole};
use crate::output;
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::text::{self, plain};
use crate::verbs::turns::numbers::named;
use crate::verbs::turns::project::Turns;
use crate::verbs::turns::take_back::{Request, carry_out};

/// An operation older than this is undone only after a question, in milliseconds.
const RECENT_MS: i64 = 3_600_000;

/// The batches and restores of a project, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Listed {
    #[serde(flatten)]
    batches: Batches,
    /// The take-backs and restores that can be undone, the newest first.
    restores: Vec<ListedRestore>,
}

/// A restore that can be undone.
#[derive(Serialize, JsonSchema)]
struct ListedRestore {
    /// Its id.
    id: RestoreId,
    /// Its end, in milliseconds since 1970.
    time_ms: i64,
    /// The verb, if it took turns back.
    verb: Option<TakeBack>,
    /// The numbers of these turns.
    turns: Vec<i64>,
}

/// Either kind of failure.
enum Problem {
    Batch(Box<Failure>),
    Restore(Refused),
}

impl From<Box<Failure>> for Problem {
    fn from(failure: Box<Failure>) -> Self {
        Self::Batch(failure)
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Self::Restore(refused)
    }
}

/// The operations of a project, with their owners.
struct Project<'h> {
    how: &'h How,
    workspace: Workspace,
    /// The records; none if there are none for the current directory.
    turns: Option<Turns>,
    operations: Operations,
}

pub(super) fn undo(arguments: &Arguments) -> ExitCode {
    finish(&arguments.how, |project| {
        if arguments.list {
            return Ok(project.list());
        }
        let Some(id) = &arguments.id else {
            project.readable()?;
            let Some(newest) = project.operations.to_undo() else { return project.undo_batch(None) };
            return project.undo_asking(newest);
        };
        let all = project.operations.all.iter().map(|operation| operation.id.clone());
        let id = whole(all, id)?;
        match project.operations.all.iter().find(|operation| operation.id == id) {
            Some(operation) => project.undo(operation),
            None => project.undo_batch(Some(&id)),
        }
    })
}

/// Undoes the last undo.
pub(crate) fn redo(arguments: &Redo) -> ExitCode {
    finish(&arguments.how, |project| match project.operations.to_redo() {
        None => {
            let next_step = "`fuzzy-edit undo --list` lists all operations.";
            Err(Refused::new(Code::Missing, "there is no undo to redo here", next_step).into())
        }
        Some((undo, Some(since))) => {
            let message = format!("{} was made after the last undo", project.what(since));
            let next_step = format!("`fuzzy-edit undo {}` redoes that undo.", project.short(&undo.id));
            Err(Refused::new(Code::Declined, message, next_step).into())
        }
        Some((undo, None)) => project.undo_asking(undo),
    })
}

fn finish(how: &How, work: impl FnOnce(&Project<'_>) -> Result<ExitCode, Problem>) -> ExitCode {
    let json = how.records.shared.json;
    match Project::open(how).and_then(|project| work(&project)) {
        Ok(code) => code,
        Err(Problem::Batch(failure)) => output::failure(json, &failure),
        Err(Problem::Restore(refused)) => refused.report(json),
    }
}

impl<'h> Project<'h> {
    fn open(how: &'h How) -> Result<Self, Problem> {
        let workspace = how.writing.beneath_root(Workspace::default())?;
        let batches = workspace.history().into_iter().map(|(name, record)| Batch {
            at: record.time_ms(&name).and_then(|at| i64::try_from(at).ok()),
            undoes: record.undoes().map(str::to_owned),
            is_of_server: record.maker().is_some(),
            name,
        });
        let batches: Vec<Batch> = batches.collect();
        let turns = Turns::with_records(&how.records.shared, how.records.agent.backend(), how.writing.base())?;
        let operations = match &turns {
            Some(turns) => {
                turns.place.service.operations(turns.place.worktree.id(), &batches).map_err(Refused::from)?
            }
            None => Operations::of_batches(&batches),
        };
        Ok(Self { how, workspace, turns, operations })
    }

    /// Refuses if a journal that cannot be read may be that of the newest operation.
    fn readable(&self) -> Result<(), Problem> {
        match self.workspace.undo_batch(None, true) {
            Err(failure) if failure.code == Code::Io && failure.details.file_path.is_none() => Err(failure.into()),
            _ => Ok(()),
        }
    }

    /// Undoes an operation; first asks if its effect may be another one than the user expects.
    fn undo_asking(&self, operation: &Operation) -> Result<ExitCode, Problem> {
        let Some(reason) = doubt(operation).filter(|_| !self.how.yes && !self.how.dry_run) else {
            return self.undo(operation);
        };
        let (what, id) = (self.what(operation), self.short(&operation.id));
        let instead = self.instead(operation);
        if output::can_ask() {
            let instead = instead.map(|line| format!("instead: {line}\n")).unwrap_or_default();
            if output::agreed(&format!("{what}: {reason}\n{instead}"), "undo it") {
                return self.undo(operation);
            }
            return Err(Refused::new(Code::Declined, "nothing was changed", "Answer y to go on.").into());
        }
        let instead = instead.map(|line| format!("{line}\n")).unwrap_or_default();
        let message = format!("{what} was not undone: {reason}");
        Err(Refused::new(Code::Declined, message, format!("{instead}`fuzzy-edit undo {id}` goes on.")).into())
    }

    /// Returns the command that takes back the turn that began after an operation.
    fn instead(&self, operation: &Operation) -> Option<String> {
        let number = operation.later_turn?;
        let turn = self.operations.turns.iter().find(|turn| turn.number == number)?;
        let (host, age) = (plain(&turn.host), text::age(now_ms(), turn.began_at));
        Some(format!("fuzzy-edit turns revert {number}  # turn {number}, {host}, {age}"))
    }

    fn undo(&self, operation: &Operation) -> Result<ExitCode, Problem> {
        match (&operation.source, &self.turns) {
            (Source::Restore(row), Some(turns)) => {
                let options = TakeBackOptions::undo(Some(row.id.clone()));
                let head = format!("undo {}", self.what(operation));
                let request = Request {
                    json: self.how.records.shared.json,
                    dry_run: self.how.dry_run,
                    // Whatever needs a question was asked before.
                    yes: true,
                    undo_with: if row.takes_back() { undo_with(turns) } else { redo_with(turns) },
                    head: Some(head),
                    is_back: row.options.undo_of.is_none() || row.options.redo,
                };
                Ok(carry_out(turns, options, &request)?)
            }
            _ => self.undo_batch(Some(&operation.id)),
        }
    }

    fn undo_batch(&self, id: Option<&str>) -> Result<ExitCode, Problem> {
        let undone = undo_batch(&self.workspace, id, self.how.dry_run)?;
        let operation = self.operations.all.iter().find(|operation| operation.id == undone.batch);
        let head = operation.map(|operation| format!("undo {}\n", self.what(operation))).unwrap_or_default();
        let next = match undone.status {
            "undone" => "to redo this: fuzzy-edit redo\n",
            "redone" => "to undo this: fuzzy-edit undo\n",
            _ => "",
        };
        let json = self.how.records.shared.json;
        Ok(output::answer(json, &undone, || output::unless_quiet(|| head + &describe(&undone) + next)))
    }

    fn list(&self) -> ExitCode {
        let live = self.operations.all.iter().rev().filter(|operation| operation.is_live());
        let restores = live.filter_map(|operation| match &operation.source {
            Source::Restore(row) => Some(ListedRestore {
                id: row.id.clone(),
                time_ms: row.updated_at,
                verb: row.options.verb,
                turns: row.options.turns.clone(),
            }),
            Source::Batch => None,
        });
        let listed = Listed { batches: self.workspace.batches(), restores: restores.collect() };
        output::answer(self.how.records.shared.json, &listed, || self.described(&listed))
    }

    /// Returns the batches and restores as lines, in one order.
    fn described(&self, listed: &Listed) -> String {
        if listed.restores.is_empty() {
            return list_of(&listed.batches);
        }
        let mut text = String::new();
        for operation in self.operations.all.iter().rev().filter(|operation| operation.is_live()) {
            match &operation.source {
                Source::Restore(row) => {
                    let at = u64::try_from(row.updated_at).map_or_else(|_| String::new(), ago);
                    let _ = writeln!(text, "{}  {at:>10}  {}", self.short(&operation.id), said(row));
                }
                Source::Batch => {
                    let is_it = |past: &&fuzzy_edit::PastBatch| past.batch == operation.id;
                    let batches = listed.batches.batches.iter().filter(is_it).cloned().collect();
                    text += &list_of(&Batches { batches, unreadable: Vec::new(), ..listed.batches.clone() });
                }
            }
        }
        let unreadable = Batches { batches: Vec::new(), ..listed.batches.clone() };
        if unreadable.unreadable.is_empty() { text } else { list_of(&unreadable) + &text }
    }

    /// Returns the kind, the id, the owner and the age of an operation.
    fn what(&self, operation: &Operation) -> String {
        let age = operation.at.map(|at| format!(", {}", text::age(now_ms(), at))).unwrap_or_default();
        let id = self.short(&operation.id);
        match &operation.source {
            Source::Batch => {
                let kind = if operation.undoes.is_some() { "the undo" } else { "the batch" };
                let owner = if operation.is_others { " of an agent" } else { "" };
                format!("{kind} {id}{owner}{age}")
            }
            Source::Restore(row) => {
                let sessions = self.turns.as_ref().map(|turns| &turns.all);
                let turn = sessions.and_then(|all| all.iter().find(|turn| turn.session_id == row.session_id));
                let owner = turn.map(|turn| format!(" of {}", plain(&turn.session))).unwrap_or_default();
                format!("the {} ({id}{owner}{age})", said(row))
            }
        }
    }

    /// Returns the part of an id that tells it from the others: the end of a batch's, and the beginning of a restore's.
    fn short<'i>(&'i self, id: &'i str) -> &'i str {
        let all = || self.operations.all.iter();
        if all().any(|operation| operation.id == id && operation.source == Source::Batch) {
            return short(id, all().map(|operation| operation.id.as_str()));
        }
        let restores = all().filter(|operation| operation.source != Source::Batch);
        text::short(id, text::distinct_length(restores.map(|operation| operation.id.as_str())))
    }
}

/// Returns the reason for a question.
fn doubt(operation: &Operation) -> Option<String> {
    if let Some(number) = operation.later_turn {
        return Some(format!("turn {number} began after it"));
    }
    if operation.is_others {
        return Some("it may be the work of another session".to_owned());
    }
    let is_old = operation.at.is_some_and(|at| now_ms().saturating_sub(at) > RECENT_MS);
    is_old.then(|| "it is older than an hour".to_owned())
}

/// Returns the kind of a restore, in words.
fn said(row: &Restore) -> String {
    let options = &row.options;
    let turns = || if options.turns.is_empty() { String::new() } else { format!(" of {}", named(&options.turns)) };
    match (options.undo_of.is_some(), options.verb) {
        (true, _) if options.redo => format!("redo{}", turns()),
        (true, _) => format!("undo{}", turns()),
        (false, Some(TakeBack::Restore)) => {
            format!("restore to before turn {}", options.turns.first().copied().unwrap_or_default())
        }
        (false, Some(_)) => format!("revert{}", turns()),
        (false, None) => format!("restore of checkpoint {}", text::short(row.checkpoint_id.as_str(), 8)),
    }
}

fn redo_with(turns: &Turns) -> String {
    format!("fuzzy-edit redo{}", sidecar(turns))
}

fn undo_with(turns: &Turns) -> String {
    format!("fuzzy-edit undo{}", sidecar(turns))
}

/// Returns the option for a sidecar that is not found without it.
fn sidecar(turns: &Turns) -> &'static str {
    if turns.needs_sidecar { " --sidecar" } else { "" }
}
