//! `checkpoint restore`: restores a checkpoint.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fuzzy_checkpoint_store::{Checkpoint, HeadMode, RestoreOptions, RestoreOutcome, SessionId, Trim};
use fuzzy_report::Code;

use super::options::{Agent, Session, Shared};
use super::place::Place;
use super::plan::Plan;
use super::refused::Refused;
use super::{recover, text};
use crate::output;

/// Go back to a checkpoint; shows what it would do and asks
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line, and they combine freely")]
pub(super) struct Arguments {
    /// Its id, or a beginning of it; `latest` is the newest, `~1` the one before
    #[arg(required_unless_present = "abort")]
    id: Option<String>,
    /// Change nothing, only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// What leaves the session's transcript: the messages after the checkpoint's prompt, the prompt too, or none
    #[arg(long, value_name = "WHICH", default_value = "after", conflicts_with = "files_only")]
    #[arg(value_parser = PossibleValuesParser::new(["after", "from", "none"]).map(|word| Trim::parse(&word).unwrap_or(Trim::After)))]
    trim: Trim,
    /// Leave transcript, agent and later checkpoints alone, as --trim none does
    #[arg(long)]
    files_only: bool,
    /// What happens to the branch: it stays, or goes back to its commit of then
    #[arg(long, value_name = "HOW", default_value = "keep")]
    #[arg(value_parser = PossibleValuesParser::new(["keep", "restore"]).map(|word| HeadMode::parse(&word).unwrap_or(HeadMode::Keep)))]
    head: HeadMode,
    /// Only these files, or what lies below these directories; leaves the transcript alone
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    /// Restore though a turn of the session is running; without --stop-command you vouch that nothing writes any more
    #[arg(long)]
    force: bool,
    /// Give up a restore that cannot be finished: the files go back to what they were before it
    #[arg(long, value_name = "RESTORE", conflicts_with_all = ["id", "dry_run", "trim", "files_only", "head", "paths", "force"])]
    abort: Option<String>,
    #[command(flatten)]
    session: Session,
    #[command(flatten)]
    agent: Agent,
}

const AFTER_HELP: &str = "\
Before anything is written, a checkpoint of what is there now is taken; `undo` goes back to that. Files that the
checkpoint cannot prove were absent, because they were ignored then, for example, are kept. A restore that is
interrupted is finished by `recover`.

Without a terminal to ask on, --yes is needed.

Examples:
  fuzzy-edit checkpoint restore latest
  fuzzy-edit checkpoint restore 01KAN3F2
  fuzzy-edit checkpoint restore 01KAN3F2 --dry-run
  fuzzy-edit checkpoint restore 01KAN3F2 --yes --json
  fuzzy-edit checkpoint restore 01KAN3F2 --paths src/cart.py
  fuzzy-edit checkpoint restore 01KAN3F2 --head restore
  fuzzy-edit checkpoint restore --abort 01KAN4QX";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let asks = !arguments.yes && !arguments.dry_run && arguments.abort.is_none();
    if asks && !output::can_ask() {
        let next_step = "Add --yes to restore, or --dry-run to see what would be done.";
        return Err(Refused::bad_input("there is no terminal to ask on", next_step));
    }
    let place = Place::open(shared, arguments.agent.backend())?;
    if let Some(abort) = &arguments.abort {
        return recover::abort(shared, &place, abort);
    }
    let session = place.session(&arguments.session)?;
    let target = place.checkpoint(session.as_ref(), arguments.id.as_deref().unwrap_or_default())?;
    let mut options = arguments.options(&place)?;
    if arguments.dry_run || asks {
        let plan = Plan::make(&place, &target, &options)?;
        if arguments.dry_run {
            output::print(shared.json, &plan, || plan.describe(&target.label));
            return Ok(plan.refused.as_ref().map_or(ExitCode::SUCCESS, |refused| {
                refused.complain();
                refused.exit_code()
            }));
        }
        if let Some(refused) = plan.refused {
            return Err(refused);
        }
        if !output::agreed(&plan.describe(&target.label), "restore") {
            return Err(Refused::new(Code::Declined, "nothing was changed", "Answer y to restore."));
        }
        // The restore fails if the files changed since the plan.
        options.seen = plan.preview.tree;
    }
    let outcome = place.service.restore(&target.session_id, &target.id, options, None);
    let outcome = outcome.map_err(|error| place.explain(error))?;
    report(shared, &outcome, &Done::Restored(&target), arguments.paths.is_empty());
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn options(&self, place: &Place) -> Result<RestoreOptions, Refused> {
        let mut options = RestoreOptions {
            trim: if self.files_only { Trim::None } else { self.trim },
            head: self.head,
            force: self.force,
            ..RestoreOptions::default()
        };
        match place.paths(&self.paths)? {
            Some(paths) => options.paths = paths,
            // If the paths include the whole worktree, the transcript is kept, as for any paths.
            None => options.trim = Trim::None,
        }
        Ok(options)
    }
}

/// The action to report.
pub(crate) enum Done<'a> {
    /// A restore of this checkpoint.
    Restored(&'a Checkpoint),
    /// The undo of a restore.
    Undone,
    /// The undo of an undo.
    Again,
    /// A restore to the state before turns, and the command that undoes it.
    TakenBack { turns: &'a [usize], undo_with: &'a str },
}

/// Reports a restore of all files or of some. The restore is complete even if printing fails.
pub(super) fn report(shared: &Shared, outcome: &RestoreOutcome, done: &Done<'_>, whole: bool) {
    output::print(shared.json, outcome, || shared.unless_quiet(|| describe(outcome, done, whole)));
}

pub(crate) fn describe(outcome: &RestoreOutcome, done: &Done<'_>, whole: bool) -> String {
    let mut out = match done {
        Done::Restored(target) => format!("restored {}", target.id),
        Done::Undone => "undone".to_owned(),
        Done::Again => "done again".to_owned(),
        Done::TakenBack { turns, .. } => format!("taken back {}", numbers(turns)),
    };
    let (written, deleted) = (text::count(outcome.files_written, "file"), outcome.files_deleted);
    let _ = match (outcome.files_written, deleted) {
        (0, 0) => writeln!(out, ": no file differed"),
        _ => writeln!(out, ": {written} written, {deleted} deleted"),
    };
    out += &text::paths("kept, though the checkpoint has none", outcome.kept.iter());
    out += &text::paths("come back without the setuid, setgid or sticky bit", outcome.bits_dropped.iter());
    if let Done::Restored(_) | Done::TakenBack { .. } = done {
        out += &text::uncovered(&outcome.uncovered);
    }
    out += &text::paths("looks like a secret and is captured now", outcome.secrets.iter());
    out += match outcome.index.as_str() {
        "restored" => "the index is as it was\n",
        "kept" if whole => "the index was left alone: the branch has moved, or git is in the middle of something\n",
        "busy" => "the index was left alone: it is locked by another process, or cannot be written\n",
        _ => "",
    };
    if outcome.head == "restored" {
        out += "the branch is where it was\n";
    } else if outcome.commits_since > 0 {
        let _ = writeln!(out, "commits made since, which stay on the branch: {}", outcome.commits_since);
    }
    if outcome.messages_deleted > 0 {
        let verb = if let Done::Undone = done { "brought back" } else { "trimmed" };
        let _ = writeln!(out, "{} {verb}", text::count(outcome.messages_deleted, "message"));
    }
    if let Some(kept) = outcome.transcript_kept {
        let _ = writeln!(out, "{}", text::transcript_kept(kept));
    }
    if let Some(prompt) = &outcome.prompt {
        let _ = writeln!(out, "the prompt was: {}", text::plain(prompt));
    }
    if !outcome.other_sessions_affected.is_empty() {
        let names: Vec<&str> = outcome.other_sessions_affected.iter().map(SessionId::as_str).collect();
        let _ = writeln!(out, "other sessions work in this directory: {}", names.join(", "));
    }
    let _ = match (done, &outcome.safety_checkpoint_id) {
        (Done::Restored(_) | Done::Again, _) => {
            writeln!(out, "to take this back: fuzzy-edit checkpoint undo {}", outcome.restore_id)
        }
        (Done::TakenBack { undo_with, .. }, _) => writeln!(out, "undo that with: {undo_with}"),
        (Done::Undone, Some(safety)) => writeln!(out, "what was there until now is in checkpoint {safety}"),
        (Done::Undone, None) => Ok(()),
    };
    out
}

/// Returns the numbers of turns as text.
fn numbers(turns: &[usize]) -> String {
    let numbers: Vec<String> = turns.iter().map(ToString::to_string).collect();
    format!("{} {}", if turns.len() == 1 { "turn" } else { "turns" }, numbers.join(", "))
}
