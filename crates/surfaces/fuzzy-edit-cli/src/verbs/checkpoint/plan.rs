//! Describes a restore before it is carried out.

use std::fmt::Write as _;

use fuzzy_checkpoint::IndexKept;
use fuzzy_checkpoint_service::{Error, Preview};
use fuzzy_checkpoint_store::{Checkpoint, HeadMode, RestoreOptions};
use schemars::JsonSchema;
use serde::Serialize;

use super::place::Place;
use super::refused::Refused;
use super::text;

/// The plan of a restore.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Plan {
    #[serde(flatten)]
    pub(crate) preview: Preview,
    /// The failure of the restore, if it would be refused.
    #[serde(flatten)]
    pub(crate) refused: Option<Refused>,
    /// The names of the sessions whose turns run.
    #[serde(skip)]
    agents: Vec<String>,
}

impl Plan {
    /// Requests the plan from the service.
    pub(crate) fn make(place: &Place, target: &Checkpoint, options: &RestoreOptions) -> Result<Self, Refused> {
        let preview = place.service.preview(&target.session_id, &target.id, options);
        let preview = preview.map_err(|error| place.explain(error))?;
        let agent = preview.agents_running.first().filter(|_| options.files && !options.force);
        let refused = if preview.obstructed.is_empty() {
            agent.map(|session| Error::AgentRunning { session: session.clone() }.into())
        } else {
            Some(place.worktree.obstructed(preview.obstructed.clone()).into())
        };
        let sessions = place.service.store().sessions(&target.worktree_id)?.into_iter();
        let running = sessions.filter(|session| preview.agents_running.contains(&session.id));
        let agents = running.map(|session| session.name).collect();
        Ok(Self { preview, refused, agents })
    }

    /// Describes the plan for people.
    pub(super) fn describe(&self, label: &str) -> String {
        let plan = &self.preview;
        let mut out = format!("restore {}", plan.checkpoint_id);
        if !label.is_empty() {
            let _ = write!(out, " ({})", text::plain(label));
        }
        out.push('\n');
        out + &self.details()
    }

    /// Describes the plan without the name of the target.
    pub(crate) fn details(&self) -> String {
        let plan = &self.preview;
        let mut out = String::new();
        let files = [&plan.files_to_write, &plan.files_to_delete, &plan.obstructed];
        if files.iter().all(|paths| paths.is_empty()) {
            out += "no file differs\n";
        }
        for session in &self.agents {
            let _ = writeln!(out, "an agent is working here: {}", text::plain(session));
        }
        out += &text::paths("write", plan.files_to_write.iter());
        out += &text::paths("delete", plan.files_to_delete.iter());
        out += &text::paths("keep, because the checkpoint did not cover them", plan.kept.iter());
        out += &text::paths("in the way and in no checkpoint", plan.obstructed.iter());
        out += &text::paths("restore without the setuid, setgid or sticky bit", plan.bits_dropped.iter());
        out += &text::gone(&plan.gone);
        out += &text::uncovered(&plan.uncovered);
        if let Some(kept) = plan.index_kept.filter(|kept| *kept != IndexKept::NotRequested) {
            let _ = writeln!(out, "leave the index alone: {}", text::index_kept(kept, plan.index_left));
        }
        if plan.messages_to_trim > 0 {
            let _ = writeln!(out, "trim {} of the session", text::count(plan.messages_to_trim, "message"));
        }
        if !plan.checkpoints_to_hide.is_empty() {
            let hidden = text::count(plan.checkpoints_to_hide.len() as u64, "later checkpoint");
            let _ = writeln!(out, "hide {hidden} until this restore is undone; --files-only does not");
        }
        if let Some(branch) = &plan.of_branch {
            let _ = writeln!(out, "{}", text::of_branch(branch, plan.head));
        }
        if plan.commits_since > 0 {
            let commits = plan.commits_since;
            let _ = match plan.head {
                HeadMode::Restore => writeln!(out, "reset the branch; commits made since: {commits}"),
                HeadMode::Keep => {
                    writeln!(out, "commits made since, which remain on the branch without --head restore: {commits}")
                }
            };
        }
        out
    }
}
