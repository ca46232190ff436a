//! `checkpoint restore`: restores a checkpoint.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fuzzy_checkpoint::{HeadOutcome, IndexOutcome};
use fuzzy_checkpoint_store::{HeadMode, RestoreOptions, RestoreOutcome, Trim};
use fuzzy_report::Code;

use super::options::{Agent, Session, Shared};
use super::place::Place;
use super::plan::Plan;
use super::refused::Refused;
use super::{recover, text};
use crate::output;

/// Restore a checkpoint, after printing the plan and asking for confirmation
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line, and they combine freely")]
pub(super) struct Arguments {
    /// Its id or a prefix of it; `latest` is the newest, `~1` the one before
    #[arg(required_unless_present = "abort")]
    id: Option<String>,
    /// Change nothing; print the plan
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// The messages to delete from the transcript: those after the checkpoint's prompt, the prompt, too, or none
    #[arg(long, value_name = "WHICH", default_value = "after", conflicts_with = "files_only")]
    #[arg(value_parser = PossibleValuesParser::new(["after", "from", "none"]).map(|word| Trim::parse(&word).unwrap_or(Trim::After)))]
    trim: Trim,
    /// Restore only files: keep transcript, agent and later checkpoints, as --trim none does
    #[arg(long)]
    files_only: bool,
    /// Keep the branch, or check the checkpoint's branch out again and reset it to its commit then
    #[arg(long, value_name = "HOW", default_value = "keep")]
    #[arg(value_parser = PossibleValuesParser::new(["keep", "restore"]).map(|word| HeadMode::parse(&word).unwrap_or(HeadMode::Keep)))]
    head: HeadMode,
    /// Restore only these files, and files in these directories; keeps the transcript
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    /// Restore while a turn is running; without --stop-command, make sure that the agent no longer writes
    #[arg(long)]
    force: bool,
    /// Abort a restore that cannot be finished, and roll its files back
    #[arg(long, value_name = "RESTORE", conflicts_with_all = ["id", "dry_run", "trim", "files_only", "head", "paths", "force"])]
    abort: Option<String>,
    #[command(flatten)]
    session: Session,
    #[command(flatten)]
    agent: Agent,
}

const AFTER_HELP: &str = "\
This is for checkpoints that you or a script took; `fuzzy-edit turns revert` takes the work of agents back. A restore first
takes a checkpoint of the current state, so `fuzzy-edit undo` can undo it. It keeps files that were not covered by
the checkpoint, such as files that were ignored then, because they may have existed. `recover` finishes an interrupted
restore.

Without a terminal, --yes is required.

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
        Refused::if_no_terminal("Add --yes to restore, or --dry-run to print the plan.")?;
        if !output::agreed(&plan.describe(&target.label), "restore") {
            return Err(Refused::new(Code::Declined, "nothing was changed", "Answer y to restore."));
        }
        // The restore fails if the files changed since the plan.
        options.seen = plan.preview.tree;
    }
    let outcome = place.service.restore(&target.session_id, &target.id, options, None);
    let outcome = outcome.map_err(|error| place.explain(error))?;
    let head = format!("restored {}", target.id);
    let next = if shared.sidecar { "to undo this: fuzzy-edit undo --sidecar" } else { "to undo this: fuzzy-edit undo" };
    let done = Done { head: &head, is_back: false, next };
    // The restore is complete even if printing fails.
    output::print(shared.json, &outcome, || output::unless_quiet(|| describe(&outcome, &done)));
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

/// A restore to report.
pub(crate) struct Done<'a> {
    /// The action in words.
    pub(crate) head: &'a str,
    /// Whether it brought messages back, instead of trimming them.
    pub(crate) is_back: bool,
    /// The command that undoes it, with its purpose.
    pub(crate) next: &'a str,
}

/// Describes a restore that is done.
pub(crate) fn describe(outcome: &RestoreOutcome, done: &Done<'_>) -> String {
    let mut out = done.head.to_owned();
    let _ = match outcome.counted() {
        [0, 0, 0] => writeln!(out, ": no file differed"),
        [written, 0, deleted] => writeln!(out, ": {} written, {deleted} deleted", text::count(written, "file")),
        [written, renamed, deleted] => {
            writeln!(out, ": {} written, {renamed} renamed, {deleted} deleted", text::count(written, "file"))
        }
    };
    out += &text::paths("brought back from copies", outcome.brought_back.iter().map(|done| &done.path));
    out += &text::paths("kept, because the checkpoint did not cover them", outcome.kept.iter());
    out += &text::paths("restored without the setuid, setgid or sticky bit", outcome.bits_dropped.iter());
    out += &text::gone(&outcome.gone);
    out += &text::uncovered(&outcome.uncovered);
    out += &text::paths("captured now, and probably secret", outcome.secrets.iter());
    out += match outcome.index {
        IndexOutcome::Restored => "the index is restored\n",
        IndexOutcome::Busy => "the index was not changed: it is locked by another process, or cannot be written\n",
        IndexOutcome::Unchanged | IndexOutcome::Kept => "",
    };
    if let Some(kept) = outcome.index_kept {
        let _ = writeln!(out, "the index was not changed: {}", text::index_kept(kept, None));
    }
    if let Some(branch) = &outcome.of_branch {
        let _ = writeln!(out, "{}", text::of_branch(branch, HeadMode::Keep));
    }
    if outcome.head == HeadOutcome::Restored {
        out += "the branch is restored\n";
    } else if outcome.commits_since > 0 {
        let _ = writeln!(out, "commits made since, which remain on the branch: {}", outcome.commits_since);
    }
    if outcome.messages_deleted > 0 {
        let verb = if done.is_back { "restored" } else { "trimmed" };
        let _ = writeln!(out, "{} {verb}", text::count(outcome.messages_deleted, "message"));
    }
    if let Some(kept) = outcome.transcript_kept {
        let _ = writeln!(out, "{}", text::transcript_kept(kept));
    }
    if let Some(prompt) = &outcome.prompt {
        let _ = writeln!(out, "the prompt was: {}", text::plain(prompt));
    }
    out += done.next;
    out.push('\n');
    out
}
