//! `turns revert` and `turns restore`: take turns back, after the plan and a question.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::{Detail, DiffOptions, RepoPath};
use fuzzy_checkpoint_service::{Error, LateChoice, TakeBackOptions, TurnPlan, TurnStep};
use fuzzy_checkpoint_store::{SessionId, TakeBack};
use fuzzy_report::Code;

use super::conversation;
use super::numbers::{named, since, step_of};
use super::plan_text::{Words, describe, head, late_files};
use super::project::{Shared, Turns};
use super::reports::{Planned, Undone};
use crate::output::{self, Answered};
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::restore::{Done, describe as describe_outcome};
use crate::verbs::checkpoint::sessions;
use crate::verbs::checkpoint::text::{count, plain, quoted};

/// Take back the changes of turns, and keep all others and your own
#[derive(Args)]
#[command(after_help = REVERT_HELP)]
pub(super) struct Revert {
    /// The numbers of the turns, such as `2`, `1 4`, `2..4`, or `2..` for turn 2 and all later ones [default: the last that
    /// is not taken back]
    #[arg(value_name = "TURN")]
    turns: Vec<String>,
    /// With `N..`, only turns of this session: its title or its name in lists, a host, `latest`, the number of a turn in
    /// it, or a prefix of its id
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
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
The changes of these turns are undone on the current files. Other turns and your own changes stay; with `N..`, no later
turn stays, except those of other sessions if --session names one. If later changes touch
the same lines, nothing of that file is written: the output names the lines and who changed them, and lists commands
that work. Where changes only touch, without a common line, the plan has a proposal: [p] at the question, or --propose.
--markers prints a file in conflict. Files that two turns may have changed at the same time are left unless --paths names them.

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
  fuzzy-edit turns revert 1 --yes --propose
  fuzzy-edit turns revert 2..4 --yes --json
  fuzzy-edit turns revert 1.. --dry-run";

/// Restore all files exactly to their state before a turn
#[derive(Args)]
#[command(after_help = RESTORE_HELP)]
pub(super) struct Restore {
    /// The number of the turn; `2.3` for the state before the third command of turn 2, as `turns show` lists them
    #[arg(value_name = "TURN")]
    number: String,
    /// Only these files, and files in these directories
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    how: How,
}

const RESTORE_HELP: &str = "\
This also undoes your own changes since then, and deletes files that you made since then: the plan names them. To keep
them, use `turns revert N..`. Ignored files and the agent's own transcript are not changed.

Examples:
  fuzzy-edit turns restore 1
  fuzzy-edit turns restore 1 --dry-run
  fuzzy-edit turns restore 1 --paths src/cart.py --yes";

/// Options of the verb that merges.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line, and they combine freely")]
struct Some_ {
    /// Only these files, and files in these directories
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    /// Leave files with conflicts alone, and write the others
    #[arg(long)]
    keep_going: bool,
    /// Also write files whose changes touch later ones without a common line, as the plan proposes
    #[arg(long)]
    propose: bool,
    /// Write nothing; print this file with the marks of its conflicts: now, after the turn, before the turn
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "yes", "propose"])]
    markers: Option<PathBuf>,
    /// Also undo what changed after the last action of an interrupted turn
    #[arg(long, conflicts_with = "keep_late")]
    late: bool,
    /// Keep what changed after the last action of an interrupted turn
    #[arg(long)]
    keep_late: bool,
}

/// Options of both verbs.
#[derive(Args, Clone, Copy)]
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
    let how = How { dry_run: arguments.how.dry_run || arguments.some.markers.is_some(), ..arguments.how };
    run(shared, how, arguments.some.markers.as_deref(), |turns| {
        let (numbers, later) = since(&arguments.turns)?;
        if arguments.session.is_some() && !later {
            let next_step = "Write `N..` for a turn and all later ones.";
            return Err(Refused::bad_input("--session: only with all turns since one", next_step));
        }
        let options = TakeBackOptions {
            later,
            session: arguments.session.as_deref().map(|name| session(turns, name)).transpose()?,
            hunks: parts(turns, &HUNKS, &arguments.hunks)?,
            lines: parts(turns, &LINES, &arguments.lines)?,
            ..TakeBackOptions::new(TakeBack::Revert, numbers)
        };
        let given = [(HUNKS.option, options.hunks.is_empty()), (LINES.option, options.lines.is_empty())];
        if let Some((option, _)) = given.iter().find(|(_, is_empty)| (later || options.turns.len() > 1) && !is_empty) {
            return Err(Refused::bad_input(format!("{option}: several turns are named"), "Name one turn."));
        }
        arguments.some.apply(turns, options)
    })
}

/// Refuses the paths of a plan without a change if no named turn changed them.
fn changed_there(turns: &Turns, options: &TakeBackOptions, plan: &TurnPlan) -> Result<(), Refused> {
    let is_asked = options.verb == TakeBack::Revert && !options.later && !options.turns.is_empty();
    if !is_asked || options.paths.is_empty() || !plan.files.is_empty() || !plan.conflicts.is_empty() {
        return Ok(());
    }
    let there = DiffOptions { paths: options.paths.clone(), detail: Detail::Names, renames: true };
    let (service, worktree) = (&turns.place.service, turns.place.worktree.id());
    for number in &options.turns {
        let Ok(shown) = service.show_turn(worktree, *number, &there) else { return Ok(()) };
        let keeps = shown.steps.iter().flat_map(TurnStep::named).any(|path| path.is_within_any(&options.paths));
        if keeps || !shown.diff.files.is_empty() || !shown.gone.is_empty() {
            return Ok(());
        }
    }
    let paths: Vec<String> = options.paths.iter().map(quoted).collect();
    let message = format!("{} did not change {}", named(&options.turns), paths.join(" or "));
    let next_step = format!("`fuzzy-edit turns diff {} --names` lists its files.", options.turns[0]);
    Err(Refused::new(Code::Missing, message, next_step))
}

pub(super) fn restore(shared: &Shared, arguments: &Restore) -> Result<ExitCode, Refused> {
    run(shared, arguments.how, None, |turns| {
        let (turn, step) = step_of(&arguments.number)?;
        let options = TakeBackOptions { step, ..TakeBackOptions::new(TakeBack::Restore, vec![turn]) };
        let paths = turns.place.paths(&arguments.paths)?.unwrap_or_default();
        Ok(TakeBackOptions { paths, ..options })
    })
}

/// Returns the session that an option names.
fn session(turns: &Turns, name: &str) -> Result<SessionId, Refused> {
    match sessions::find(&turns.place, name)? {
        Some(found) => Ok(found),
        None => Err(sessions::unknown(&turns.place, name)?),
    }
}

impl Some_ {
    fn apply(&self, turns: &Turns, options: TakeBackOptions) -> Result<TakeBackOptions, Refused> {
        let paths = turns.place.paths(&self.paths)?.unwrap_or_default();
        let late = match (self.late, self.keep_late) {
            (true, _) => Some(LateChoice::Take),
            (_, true) => Some(LateChoice::Keep),
            _ => None,
        };
        Ok(TakeBackOptions { paths, keep_going: self.keep_going, propose: self.propose, late, ..options })
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
    how: How,
    markers: Option<&Path>,
    options: impl FnOnce(&Turns) -> Result<TakeBackOptions, Refused>,
) -> Result<ExitCode, Refused> {
    let asks = !how.yes && !how.dry_run;
    let turns = Turns::read_to_take_back(shared, how.yes, how.dry_run)?;
    let options = options(&turns)?;
    // With a question, its answer covers running turns, too.
    let options = TakeBackOptions { force: how.force || asks || how.dry_run, ..options };
    if let Some(file) = markers {
        return marked(&turns, &options, file);
    }
    let undo_with = "fuzzy-edit undo".to_owned();
    let (json, dry_run, yes) = (shared.json, how.dry_run, how.yes);
    carry_out(&turns, options, &Request { json, dry_run, yes, undo_with, head: None, is_back: false })
}

/// Prints a file in conflict with marks.
fn marked(turns: &Turns, options: &TakeBackOptions, file: &Path) -> Result<ExitCode, Refused> {
    let (place, worktree) = (&turns.place, turns.place.worktree.id());
    let path = place.paths(&[file.to_owned()])?.and_then(|mut paths| paths.pop());
    let plan = place.service.plan_turns(worktree, options).map_err(|error| place.explain(error))?;
    let conflict = plan.conflicts.iter().find(|conflict| Some(&conflict.path) == path.as_ref()).ok_or_else(|| {
        let message = format!("--markers: `{}` has no conflict", plain(&file.to_string_lossy()));
        Refused::bad_input(message, "--dry-run lists the files with conflicts.")
    })?;
    Ok(output::answer_bytes(&place.service.marked(worktree, conflict)?))
}

/// A request to carry out a plan.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line, and they combine freely")]
pub(crate) struct Request {
    /// Whether the answer is JSON.
    pub(crate) json: bool,
    /// Whether only the plan is printed.
    pub(crate) dry_run: bool,
    /// Whether nothing is asked.
    pub(crate) yes: bool,
    /// The command that undoes it.
    pub(crate) undo_with: String,
    /// The first line; without it, the turns are named.
    pub(crate) head: Option<String>,
    /// Whether messages are brought back.
    pub(crate) is_back: bool,
}

/// Plans, asks, and takes back.
#[expect(clippy::too_many_lines, reason = "it is one dialogue")]
pub(crate) fn carry_out(turns: &Turns, mut options: TakeBackOptions, request: &Request) -> Result<ExitCode, Refused> {
    let asks = !request.yes && !request.dry_run;
    let (place, worktree) = (&turns.place, turns.place.worktree.id());
    let plan_of =
        |options: &TakeBackOptions| place.service.plan_turns(worktree, options).map_err(|error| place.explain(error));
    let mut planned = if request.yes && !request.dry_run { None } else { Some(plan_of(&options)?) };
    planned.as_ref().map_or(Ok(()), |plan| changed_there(turns, &options, plan))?;
    if asks {
        Refused::if_no_terminal("Add --yes to go on, or --dry-run to print the plan.")?;
    }
    if let Some(plan) = planned.as_mut().filter(|plan| asks && options.is_undecided(plan)) {
        let question = output::agreed(&late_files(turns, plan), "also undo these changes");
        options.late = Some(if question { LateChoice::Take } else { LateChoice::Keep });
        *plan = plan_of(&options)?;
    }
    let mut seen = None;
    if let Some(plan) = planned {
        let refused = refused(&plan, &options);
        let text = describe(&Words { turns, options: &options, head: request.head.as_deref() }, &plan);
        if request.dry_run {
            let report = Planned { plan, refused };
            output::print(request.json, &report, || text);
            return Ok(report.refused.as_ref().map_or(ExitCode::SUCCESS, |refused| {
                refused.complain();
                refused.exit_code()
            }));
        }
        let others = plan.files.len() as u64;
        if let Some(refused) = refused {
            let is_conflict = refused.code() == Code::Conflict && plan.obstructed.is_empty();
            let is_proposed = plan.conflicts.iter().any(|conflict| conflict.proposal.is_some());
            if !is_conflict || others == 0 && !is_proposed {
                output::show(&text);
                return Err(refused);
            }
            let what =
                if others > 0 { format!("take back the other {}", count(others, "file")) } else { "go on".into() };
            let keys = match (others > 0, is_proposed) {
                (true, true) => "y/N/p for the proposal",
                (true, false) => "y/N",
                _ => "N/p for the proposal",
            };
            match output::asked(&text, &format!("{what}? [{keys}]")).as_str() {
                "y" | "yes" if others > 0 => options.keep_going = true,
                "p" if is_proposed => {
                    options.propose = true;
                    options.keep_going = true;
                    let proposed = plan_of(&options)?;
                    let text = describe(&Words { turns, options: &options, head: request.head.as_deref() }, &proposed);
                    show_diff(turns, &proposed)?;
                    if !agreed(turns, &proposed, &text, options.verb)? {
                        return Err(refused);
                    }
                }
                _ => return Err(refused),
            }
        } else if !agreed(turns, &plan, &text, options.verb)? {
            return Err(Refused::new(Code::Declined, "nothing was changed", "Answer y to go on."));
        }
        seen = Some(plan.tree);
    }
    let words = Words { turns, options: &options, head: request.head.as_deref() };
    let done = place.service.take_back(worktree, &options, seen.as_ref());
    let (plan, outcome) = match done {
        Err(error @ (Error::Conflicts { .. } | Error::LateChanges { .. })) => {
            let plan = plan_of(&options)?;
            if request.json {
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
    if outcome.is_none() {
        changed_there(turns, &options, &plan)?;
    }
    let has_conflicts = !plan.conflicts.is_empty();
    let TurnPlan { verb, turns: numbers, .. } = &plan;
    // An undo brings turns back, and the conversation has them.
    let taken = if *verb == TakeBack::Undo || outcome.is_none() { &[][..] } else { numbers };
    let report = Undone {
        conversations: conversation::ways_back(turns, taken),
        verb: *verb,
        turns: numbers.clone(),
        undo_with: outcome.as_ref().map(|_| request.undo_with.clone()),
        left: plan.left.clone(),
        not_brought_back: plan.not_brought_back.clone(),
        conflicts: plan.conflicts.clone(),
        uncovered: if outcome.is_none() { plan.uncovered.clone() } else { Vec::new() },
        gone: if outcome.is_none() { plan.gone.clone() } else { Vec::new() },
        submodules: plan.submodules.clone(),
        outcome,
    };
    output::print(request.json, &report, || {
        let text = if request.yes { describe(&words, &plan) } else { String::new() };
        let done = match (&report.outcome, &report.undo_with) {
            (Some(outcome), Some(undo_with)) => {
                let next = if *verb == TakeBack::Undo && request.is_back { "redo" } else { "undo" };
                let ways_back = conversation::describe(&report.conversations);
                let next = format!("{ways_back}to {next} this: {undo_with}");
                let head = match options.step.zip(numbers.first()) {
                    Some((step, turn)) => format!("restored to step {turn}.{step}"),
                    None => head(*verb, numbers, request.is_back),
                };
                describe_outcome(outcome, &Done { head: &head, is_back: request.is_back, next: &next })
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
                show_diff(turns, plan)?;
                text.clear();
            }
        }
    }
}

/// Prints the diff of a plan.
fn show_diff(turns: &Turns, plan: &TurnPlan) -> Result<(), Refused> {
    let options = DiffOptions { paths: Vec::new(), detail: Detail::Patch, renames: true };
    let service = &turns.place.service;
    let diff = service.compare_trees(turns.place.worktree.id(), &plan.tree, &plan.planned, &options)?;
    output::explain_diff(&diff.patch);
    Ok(())
}
