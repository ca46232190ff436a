//! `--checkpoint`: takes a checkpoint just before edits are written.

use std::collections::HashMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::{Engine, RepoPath};
use fuzzy_checkpoint_service::{CreateOptions, MANUAL, ProcessBackend};
use fuzzy_edit::{Editor, ListReport, Operation, Plan, Report, Session};
use schemars::JsonSchema;
use serde::Serialize;

use super::options::Shared;
use super::refused::Refused;
use super::text;
use crate::options::Writing;
use crate::output;

/// Whether anything is written, and what is done before.
#[derive(Args)]
pub(crate) struct Carrying {
    /// Write nothing, only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Take a checkpoint of the git worktree of the files first; see `fuzzy-edit checkpoint`
    #[arg(long)]
    checkpoint: bool,
}

impl Carrying {
    /// Carries out operations, after a checkpoint if one was asked for and anything will be written.
    pub(crate) fn out(
        &self,
        editor: &Editor,
        writing: &Writing,
        session: &mut Session,
        operations: &[Operation],
    ) -> (Before, Vec<Report>) {
        let before = if self.checkpoint && !self.dry_run {
            Before::writing(&editor.plan(session, operations), writing.base())
        } else {
            Before::default()
        };
        let mut reports = if self.dry_run {
            editor.plan(session, operations).dry_run(session)
        } else {
            editor.apply(session, operations)
        };
        before.note(&mut reports);
        (before, reports)
    }
}

/// What was done before the first write. An edit goes on without a checkpoint, but never silently.
#[derive(Default)]
pub(crate) struct Before {
    id: Option<String>,
    /// Why a file, named as the report names it, cannot be brought back.
    missing: HashMap<String, String>,
}

/// A report together with the checkpoint that was taken first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Checkpointed<T> {
    #[serde(flatten)]
    report: T,
    /// The checkpoint taken before the first write, if one was asked for and could be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<String>,
}

impl Before {
    /// Takes a checkpoint of the worktree that holds the first of the files about to be written: those that the plan says
    /// will change, named from `base`.
    fn writing(plan: &Plan<'_>, base: &Path) -> Self {
        let mut names: Vec<String> = Vec::new();
        for success in plan.successes().filter(|success| success.changed) {
            if !names.contains(&success.file_path) {
                names.push(success.file_path.clone());
            }
        }
        if !plan.is_sound() || names.is_empty() {
            return Self::default();
        }
        match Self::take(&names, base) {
            Ok(before) => before,
            Err(refused) => {
                let reason = refused.reason();
                Self { id: None, missing: names.into_iter().map(|name| (name, reason.clone())).collect() }
            }
        }
    }

    fn take(names: &[String], base: &Path) -> Result<Self, Refused> {
        let state = Shared::state()?;
        let targets: Vec<PathBuf> = names.iter().map(|name| resolved(&base.join(name))).collect();
        let above = targets.iter().flat_map(|target| target.ancestors().skip(1)).find(|dir| dir.is_dir());
        let worktree = Engine::new(&state).open(above.unwrap_or(base))?;
        let service = Shared::default().service(&state, ProcessBackend::default())?;
        let session = service.session_titled(worktree.root(), MANUAL)?;
        let label = match names {
            [] | [_] => format!("before an edit of {}", names.concat()),
            [first, others @ ..] => {
                format!("before edits of {first} and {}", text::count(others.len() as u64, "other file"))
            }
        };
        let taken = service.create(&session, &CreateOptions { label, ..CreateOptions::default() })?.checkpoint;
        let mut missing = HashMap::new();
        let locked = worktree.lock()?;
        for (name, target) in names.iter().zip(&targets) {
            let inside =
                target.strip_prefix(worktree.root()).ok().map(|path| RepoPath::new(path.as_os_str().as_bytes()));
            let held = match &inside {
                Some(path) => locked.content(&taken.tree_oid, path)?.is_some(),
                None => false,
            };
            // A file that is about to be made has nothing to be brought back.
            if !held && target.symlink_metadata().is_ok() {
                let reason =
                    format!("{} does not hold this file: ignored, too large or in another repository", taken.id);
                missing.insert(name.clone(), reason);
            }
        }
        Ok(Self { id: Some(taken.id.0), missing })
    }

    /// Adds to the note of each edit why its file is in no checkpoint, where it is not.
    fn note(&self, reports: &mut [Report]) {
        for report in reports {
            let Report::Success(success) = report else { continue };
            if let Some(reason) = self.missing.get(&success.file_path) {
                let note = format!("no checkpoint: {reason}");
                success.note = Some(success.note.take().map_or_else(|| note.clone(), |old| format!("{old}\n{note}")));
            }
        }
    }

    /// Prints what became of a list, and says in the exit code whether it was carried out.
    pub(crate) fn report(&self, list: &ListReport, json: bool, diff: bool) -> ExitCode {
        let text = || self.describe() + &output::describe_all(list, diff);
        let told = output::print(json, &self.with(list), text);
        match list {
            ListReport::Success { status, .. } => output::outcome(told, *status),
            ListReport::Failure { failure, edits } => {
                output::complain_of(edits);
                ExitCode::from(failure.code.exit_code())
            }
        }
    }

    /// Puts a report together with the checkpoint.
    pub(crate) fn with<T>(&self, report: T) -> Checkpointed<T> {
        Checkpointed { report, checkpoint: self.id.clone() }
    }

    /// Says in a line which checkpoint was taken.
    pub(crate) fn describe(&self) -> String {
        self.id.as_ref().map_or_else(String::new, |id| format!("checkpoint {id}\n"))
    }
}

/// Returns the file behind links; where it is about to be made, perhaps with directories above it, where it will be.
fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let real = |above: &Path| {
        let mut real = fs::canonicalize(above).ok()?;
        // An empty rest would end the path with a slash, which only directories bear.
        real.extend(path.strip_prefix(above).ok()?);
        Some(real)
    };
    path.ancestors().find_map(real).unwrap_or_else(|| path.clone())
}
