//! What a restore would do, before it does anything.

use std::fmt::Write as _;

use fuzzy_checkpoint::{RepoPath, Uncovered};
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, HeadMode, RestoreOptions, Trim};
use serde::Serialize;

use super::place::Place;
use super::problem::Problem;
use super::text;

/// The plan of a restore.
#[derive(Serialize)]
pub(super) struct Plan {
    dry_run: bool,
    checkpoint_id: CheckpointId,
    files_to_write: Vec<RepoPath>,
    files_to_delete: Vec<RepoPath>,
    kept: Vec<RepoPath>,
    obstructed: Vec<RepoPath>,
    messages_to_trim: u64,
    checkpoints_to_hide: Vec<CheckpointId>,
    uncovered: Vec<Uncovered>,
    head: &'static str,
    commits_since: u64,
    /// Why the restore would be refused.
    #[serde(flatten)]
    pub(super) refused: Option<Problem>,
}

impl Plan {
    /// Asks the service what it would do to the files, and counts the rest.
    pub(super) fn make(place: &Place, target: &Checkpoint, options: &RestoreOptions) -> Result<Self, Problem> {
        let session = &target.session_id;
        let files = place.service.plan(session, &target.id, options).map_err(|error| place.explain(error))?;
        let details = place.service.show(session, &target.id)?;
        let spared = options.spares_transcript();
        let trimmed =
            |seq: i64| !spared && (seq > target.anchor_seq || seq == target.anchor_seq && options.trim == Trim::From);
        let messages = place.service.store().messages(session)?.iter().filter(|message| trimmed(message.seq)).count();
        let after = |row: &Checkpoint| {
            (row.anchor_seq, row.created_at, &row.id) > (target.anchor_seq, target.created_at, &target.id)
        };
        let later = place.service.list(session, fuzzy_checkpoint_store::ListFilter::default())?;
        let refused = (!files.obstructed.is_empty())
            .then(|| fuzzy_checkpoint::Error::Obstructed { paths: files.obstructed.clone() }.into());
        Ok(Self {
            dry_run: true,
            checkpoint_id: target.id.clone(),
            files_to_write: files.writes,
            files_to_delete: files.deletes,
            kept: files.kept,
            obstructed: files.obstructed,
            messages_to_trim: messages as u64,
            checkpoints_to_hide: later.into_iter().filter(|row| !spared && after(row)).map(|row| row.id).collect(),
            uncovered: target.uncovered.clone(),
            head: if options.head == HeadMode::Restore { "restore" } else { "keep" },
            commits_since: details.commits_since,
            refused,
        })
    }

    /// Tells whether a path, or anything below it, is in the plan.
    pub(super) fn touches(&self, path: &RepoPath) -> bool {
        let lists = [&self.files_to_write, &self.files_to_delete, &self.kept, &self.obstructed];
        lists.into_iter().flatten().any(|one| one.is_within(path))
    }

    /// Describes the plan to people.
    pub(super) fn describe(&self, label: &str) -> String {
        let mut out = format!("restore {}", self.checkpoint_id);
        if !label.is_empty() {
            let _ = write!(out, " ({})", text::plain(label));
        }
        out.push('\n');
        let files = [&self.files_to_write, &self.files_to_delete, &self.obstructed];
        if files.iter().all(|paths| paths.is_empty()) {
            out += "no file differs\n";
        }
        out += &text::paths("write", self.files_to_write.iter());
        out += &text::paths("delete", self.files_to_delete.iter());
        out += &text::paths("keep, though the checkpoint has none: ignored or not covered then", self.kept.iter());
        out += &text::paths("in the way, and in no checkpoint", self.obstructed.iter());
        out += &text::uncovered(&self.uncovered);
        if self.messages_to_trim > 0 {
            let _ = writeln!(out, "trim {} of the session", text::count(self.messages_to_trim, "message"));
        }
        if !self.checkpoints_to_hide.is_empty() {
            let hidden = text::count(self.checkpoints_to_hide.len() as u64, "later checkpoint");
            let _ = writeln!(out, "hide {hidden} until this is undone; --files-only does not");
        }
        if self.commits_since > 0 {
            let commits = self.commits_since;
            let _ = match self.head {
                "restore" => writeln!(out, "take the branch back; commits made since: {commits}"),
                _ => writeln!(out, "commits made since, which stay on the branch without --head restore: {commits}"),
            };
        }
        out
    }
}
