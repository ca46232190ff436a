//! `turns revert`, `undo`, `restore` and `redo`: take turns back, after the plan and a question.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::{Detail, DiffOptions, RepoPath};
use fuzzy_checkpoint_service::{Error, LateChoice, TakeBackOptions, TurnPlan};
use fuzzy_checkpoint_store::TakeBack;
use fuzzy_report::Code;

use super::numbers::turns_of;
use super::plan_text::{Words, describe, head, late_files};
use super::project::{Shared, Turns};
use super::reports::{Planned, Undone};
use crate::output::{self, Answered};
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::restore::{Done, describe as describe_outcome};
use crate::verbs::checkpoint::text::plain;

/// Undo the changes of turns alone, and keep all later ones and your own
#[derive(Args)]
#[command(after_help = REVERT_HELP)]
pub(super) struct Revert {
    /// The numbers of the turns, such as `2`, `1 4` or `2..4` [default: the last that is not undone]
    #[arg(value_name = "TURN")]
    turns: Vec<String>,
    /// Only these hunks of a file of one turn, numbered from 1 as `turns diff` prints them
    #[arg(long, value_name = "PATH:N,…", num_args = 1..)]
    hunks: Vec<String>,
    /// Only the changes in these lines of a file of one turn, as numbered after the turn
    #[arg(long, value_name = "PATH:A-B,…", num_args = 1..)]
    lines: Vec<String>,
    #[command(flatten)]
    some: Some_,
    #[command(flatten)]
    how: How,
}

const REVERT_HELP: &str = "\
The changes of these turns are undone on the current files. Later turns and your own changes stay. If later changes touch
the same lines, nothing of that file is written: the output names the lines and who changed them, and lists commands
that work. Files that two turns may have changed at the same time are left unless --paths names them.

Hosts do not report an interruption, so the turn may have files that you changed between the interruption and the next
prompt. They are named with their times, and the command asks once whether they belong to the turn; --late and
--keep-late decide it beforehand.

`turns diff` shows hunks and lines. With --lines, changed lines that are neighbours go together, and deleted lines go with
the line after them.

Examples:
  fuzzy-edit turns revert 1
  fuzzy-edit turns revert 1 --dry-run
  fuzzy-edit turns revert 1 --paths src/cart.py
  fuzzy-edit turns revert 1 --hunks a.txt:1
  fuzzy-edit turns revert 1 --lines a.txt:1-2
  fuzzy-edit turns revert 1 --yes --keep-late
  fuzzy-edit turns revert 2..4 --yes --json";

/// Undo a turn and all later ones, and keep your own changes
#[derive(Args)]
#[command(after_help = UNDO_HELP)]
pub(super) struct Undo {
    /// The number of the first turn [default: the last that is not undone]
    #[arg(value_name = "TURN")]
    number: Option<i64>,
    /// Also undo changes that no turn made since then, and delete your new files
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    some: Some_,
    #[command(flatten)]
    how: How,
}

const UNDO_HELP: &str = "\
Files that only you changed are left alone; in the others, your lines stay. If they touch lines of a turn, nothing of that
file is written. With --all the files are as before the turn, as after `turns restore`. Ignored files and the agent's own
transcript are not changed.

An interrupted turn counts as running until the next prompt of its session, or `turns end`.

Examples:
  fuzzy-edit turns undo
  fuzzy-edit turns undo 1 --dry-run
  fuzzy-edit turns undo 1 --yes --json
  fuzzy-edit turns undo 1 --all";

/// Restore all files exactly to their state before a turn
#[derive(Args)]
#[command(after_help = RESTORE_HELP)]
pub(super) struct Restore {
    /// The number of the turn
    #[arg(value_name = "TURN")]
    number: i64,
    /// Only these files, and files in these directories
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    how: How,
}

const RESTORE_HELP: &str = "\
This also undoes your own changes since then, and deletes files that you made since then: the plan names them. To keep
them, use `turns undo`.

Examples:
  fuzzy-edit turns restore 1
  fuzzy-edit turns restore 1 --dry-run
  fuzzy-edit turns restore 1 --paths src/cart.py --yes";

/// Bring back what the last revert, undo or restore of turns took back
#[derive(Args)]
#[command(after_help = REDO_HELP)]
pub(super) struct Redo {
    #[command(flatten)]
    how: How,
}

const REDO_HELP: &str = "\
Undoes the newest of these commands in the worktree that is not undone yet, also in another terminal or on another day.
Your changes since then stay. Repeat it for the ones before.

Examples:
  fuzzy-edit turns redo
  fuzzy-edit turns redo --dry-run
  fuzzy-edit turns redo --yes";

/// Options of the verbs that merge.
#[derive(Args)]
struct Some_ {
    /// Only these files, and files in these directories
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    /// Leave files with conflicts alone, and write the others
    #[arg(long)]
    keep_going: bool,
    /// Also undo what changed after the last action of an interrupted turn
    #[arg(long, conflicts_with = "keep_late")]
    late: bool,
    /// Keep what changed after the last action of an interrupted turn
    #[arg(long)]
    keep_late: bool,
}

/// Options of all these verbs.
#[derive(Args)]
struct How {
    /// Change nothing; print the plan
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Go on while a turn is running; make sure that the agent no longer writes
    #[arg(long)]
    force: bool,
}

pub(super) fn revert(shared: &Shared, arguments: &Revert) -> Result<ExitCode, Refused> {
    run(shared, &arguments.how, |turns| {
        let numbers = turns_of(&arguments.turns)?;
        let options = TakeBackOptions {
            hunks: parts(turns, &HUNKS, &arguments.hunks)?,
            lines: parts(turns, &LINES, &arguments.lines)?,
            ..TakeBackOptions::new(TakeBack::Revert, numbers)
        };
        let given = [(HUNKS.option, options.hunks.is_empty()), (LINES.option, options.lines.is_empty())];
        if let Some((option, _)) = given.iter().find(|(_, is_empty)| options.turns.len() > 1 && !is_empty) {
            return Err(Refused::bad_input(format!("{option}: several turns are named"), "Name one turn."));
        }
        arguments.some.apply(turns, options)
    })
}

pub(super) fn undo(shared: &Shared, arguments: &Undo) -> Result<ExitCode, Refused> {
    run(shared, &arguments.how, |turns| {
        let options = TakeBackOptions::new(TakeBack::Undo, arguments.number.into_iter().collect());
        arguments.some.apply(turns, TakeBackOptions { all: arguments.all, ..options })
    })
}

pub(super) fn restore(shared: &Shared, arguments: &Restore) -> Result<ExitCode, Refused> {
    run(shared, &arguments.how, |turns| {
        let options = TakeBackOptions::new(TakeBack::Restore, vec![arguments.number]);
        let paths = turns.place.paths(&arguments.paths)?.unwrap_or_default();
        Ok(TakeBackOptions { paths, ..options })
    })
}

pub(super) fn redo(shared: &Shared, arguments: &Redo) -> Result<ExitCode, Refused> {
    run(shared, &arguments.how, |_| Ok(TakeBackOptions::new(TakeBack::Redo, Vec::new())))
}

impl Some_ {
    fn apply(&self, turns: &Turns, options: TakeBackOptions) -> Result<TakeBackOptions, Refused> {
        let paths = turns.place.paths(&self.paths)?.unwrap_or_default();
        let late = match (self.late, self.keep_late) {
            (true, _) => Some(LateChoice::Take),
            (_, true) => Some(LateChoice::Keep),
            _ => None,
        };
        Ok(TakeBackOptions { paths, keep_going: self.keep_going, late, ..options })
    }
}

/// An option that names parts of a file, `PATH:PART,PART`.
struct Parts<T> {
    option: &'static str,
    /// The parts, in words.
    says: &'static str,
    next_step: &'static str,
    /// Parses a part.
    part: fn(&str) -> Option<T>,
}

/// Hunks are counted from 1 on the command line, and from 0 in the request.
const HUNKS: Parts<usize> = Parts {
    option: "--hunks",
    says: "numbers of hunks",
    next_step: "Write `src/cart.py:1,3`; `fuzzy-edit turns diff` prints the hunks in order.",
    part: |text| text.parse::<usize>().ok()?.checked_sub(1),
};

const LINES: Parts<(usize, usize)> = Parts {
    option: "--lines",
    says: "lines",
    next_step: "Write `src/cart.py:3-5,9`: lines of the file after the turn, from 1.",
    part: |text| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        (0 < first && first <= last).then_some((first, last))
    },
};

/// Parses the values of an option, each as a path and its parts.
fn parts<T>(turns: &Turns, of: &Parts<T>, values: &[String]) -> Result<Vec<(RepoPath, Vec<T>)>, Refused> {
    let parsed = values.iter().map(|text| {
        let bad = || {
            let message = format!("{}: `{}` is not a path with {}", of.option, plain(text), of.says);
            Refused::bad_input(message, of.next_step)
        };
        let (path, parts) = text.rsplit_once(':').ok_or_else(bad)?;
        let parts: Vec<T> = parts.split(',').map(of.part).collect::<Option<_>>().ok_or_else(bad)?;
        let path = turns.place.paths(&[PathBuf::from(path)])?.and_then(|mut paths| paths.pop()).ok_or_else(bad)?;
        Ok((path, parts))
    });
    parsed.collect()
}

fn run(
    shared: &Shared,
    how: &How,
    options: impl FnOnce(&Turns) -> Result<TakeBackOptions, Refused>,
) -> Result<ExitCode, Refused> {
    let asks = !how.yes && !how.dry_run;
    let turns = Turns::read_to_take_back(shared, how.yes, how.dry_run)?;
    if asks && !output::can_ask() {
        let next_step = "Add --yes to go on, or --dry-run to print the plan.";
        return Err(Refused::bad_input("there is no terminal for the question", next_step));
    }
    let options = options(&turns)?;
    // With a question, its answer covers running turns, too.
    let mut options = TakeBackOptions { force: how.force || asks || how.dry_run, ..options };
    let (place, worktree) = (&turns.place, turns.place.worktree.id());
    let plan_of =
        |options: &TakeBackOptions| place.service.plan_turns(worktree, options).map_err(|error| place.explain(error));
    let mut planned = if how.yes { None } else { Some(plan_of(&options)?) };
    if let Some(plan) = planned.as_mut().filter(|plan| asks && options.is_undecided(plan)) {
        let question = output::agreed(&late_files(&turns, plan), "also undo these changes");
        options.late = Some(if question { LateChoice::Take } else { LateChoice::Keep });
        *plan = plan_of(&options)?;
    }
    let words = Words { turns: &turns, options: &options };
    let plan = || plan_of(&options);
    let mut seen = None;
    if let Some(plan) = planned {
        let refused = refused(&plan, &options);
        if how.dry_run {
            let report = Planned { plan, refused };
            output::print(shared.json, &report, || describe(&words, &report.plan));
            return Ok(report.refused.as_ref().map_or(ExitCode::SUCCESS, |refused| {
                refused.complain();
                refused.exit_code()
            }));
        }
        let text = describe(&words, &plan);
        if let Some(refused) = refused {
            output::show(&text);
            return Err(refused);
        }
        if !agreed(&turns, &plan, &text, options.verb)? {
            return Err(Refused::new(Code::Declined, "nothing was changed", "Answer y to go on."));
        }
        seen = Some(plan.tree);
    }
    let done = place.service.take_back(worktree, &options, seen.as_ref());
    let (plan, outcome) = match done {
        Err(error @ (Error::Conflicts { .. } | Error::LateChanges { .. })) => {
            let plan = plan()?;
            if shared.json {
                let report = Planned { plan, refused: Some(error.into()) };
                output::print(true, &report, String::new);
                return Ok(report.refused.map_or(ExitCode::FAILURE, |refused| {
                    refused.complain();
                    refused.exit_code()
                }));
            }
            output::show(&describe(&words, &plan));
            return Err(error.into());
        }
        done => done.map_err(|error| place.explain(error))?,
    };
    let sidecar = if place.worktree.is_sidecar() { " --sidecar" } else { "" };
    let undo_with =
        outcome.as_ref().map(|outcome| format!("fuzzy-edit checkpoint undo {}{sidecar}", outcome.restore_id));
    let has_conflicts = !plan.conflicts.is_empty();
    // The others never change the index.
    let is_exact = options.verb == TakeBack::Restore || options.all;
    let whole = is_exact && options.paths.is_empty();
    let TurnPlan { verb, turns: numbers, .. } = &plan;
    let report = Undone {
        verb: *verb,
        turns: numbers.clone(),
        undo_with,
        left: plan.left.clone(),
        conflicts: plan.conflicts.clone(),
        uncovered: if outcome.is_none() { plan.uncovered.clone() } else { Vec::new() },
        submodules: plan.submodules.clone(),
        outcome,
    };
    output::print(shared.json, &report, || {
        let text = if how.yes { describe(&words, &plan) } else { String::new() };
        let done = match (&report.outcome, &report.undo_with) {
            (Some(outcome), Some(undo_with)) => {
                let taken = Done::TakenBack { head: head(*verb, numbers), undo_with };
                describe_outcome(outcome, &taken, whole)
            }
            _ => "nothing was changed\n".to_owned(),
        };
        text + &done
    });
    Ok(if has_conflicts { ExitCode::from(Code::Conflict.exit_code()) } else { ExitCode::SUCCESS })
}

/// Returns the failure of a plan that would be refused.
fn refused(plan: &TurnPlan, options: &TakeBackOptions) -> Option<Refused> {
    if options.is_undecided(plan) {
        return Some(Error::LateChanges { changes: plan.late.clone() }.into());
    }
    if !plan.obstructed.is_empty() {
        return Some(
            fuzzy_checkpoint::Error::Obstructed { paths: plan.obstructed.clone(), repositories: Vec::new() }.into(),
        );
    }
    let paths: Vec<RepoPath> = plan.conflicts.iter().map(|conflict| conflict.path.clone()).collect();
    (!paths.is_empty() && !options.keep_going).then(|| Error::Conflicts { paths }.into())
}

/// Asks whether a plan is to be carried out; `d` shows its diff first.
fn agreed(turns: &Turns, plan: &TurnPlan, text: &str, verb: TakeBack) -> Result<bool, Refused> {
    let mut text = text.to_owned();
    loop {
        match output::answered(&text, verb.as_str()) {
            Answered::Yes => return Ok(true),
            Answered::No => return Ok(false),
            Answered::Diff => {
                let options = DiffOptions { paths: Vec::new(), detail: Detail::Patch, renames: true };
                let service = &turns.place.service;
                let diff = service.compare_trees(turns.place.worktree.id(), &plan.tree, &plan.planned, &options)?;
                output::explain_diff(&diff.patch);
                text.clear();
            }
        }
    }
}
