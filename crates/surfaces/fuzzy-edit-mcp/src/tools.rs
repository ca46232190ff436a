//! The tools: names, descriptions, arguments and results.

use std::sync::Arc;

use fuzzy_checkpoint_service::OfCheckpoint;
use fuzzy_edit::{Batches, Failure, ListReport, Located, Success, Undone};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use crate::arguments::{MoveLines, Patch, Undo, lookup, many_edits, one_edit, one_or_many_edits};
use crate::checkpoints::{Checkpoints, Compare, Create, Created, Differing, List, Listed, Restore, Restored};
use crate::schema::{Output, input};

/// A tool of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Edit,
    MultiEdit,
    MoveLines,
    PreviewEdit,
    Locate,
    ApplyPatch,
    Undo,
    CheckpointCreate,
    CheckpointList,
    CheckpointDiff,
    CheckpointRestore,
}

impl Name {
    const ALL: &[Self] = &[
        Self::Edit,
        Self::MultiEdit,
        Self::MoveLines,
        Self::PreviewEdit,
        Self::Locate,
        Self::ApplyPatch,
        Self::Undo,
        Self::CheckpointCreate,
        Self::CheckpointList,
        Self::CheckpointDiff,
        Self::CheckpointRestore,
    ];

    /// Returns the tool with a name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.as_str() == name)
    }

    /// Returns the name of the tool.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::MultiEdit => "multi_edit",
            Self::MoveLines => "move_lines",
            Self::PreviewEdit => "preview_edit",
            Self::Locate => "locate",
            Self::ApplyPatch => "apply_patch",
            Self::Undo => "undo",
            Self::CheckpointCreate => "checkpoint_create",
            Self::CheckpointList => "checkpoint_list",
            Self::CheckpointDiff => "checkpoint_diff",
            Self::CheckpointRestore => "checkpoint_restore",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Edit => "Edit a file",
            Self::MultiEdit => "Edit several places or files",
            Self::MoveLines => "Move or copy lines",
            Self::PreviewEdit => "Preview an edit",
            Self::Locate => "Find the place of a text",
            Self::ApplyPatch => "Apply a patch",
            Self::Undo => "Undo edits",
            Self::CheckpointCreate => "Take a checkpoint",
            Self::CheckpointList => "List checkpoints",
            Self::CheckpointDiff => "Compare with a checkpoint",
            Self::CheckpointRestore => "Restore a checkpoint",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Edit => {
                "Replaces old_string with new_string in a text file. Copy old_string from the file with its indentation, \
                 and with enough lines around it that it occurs only once; small mistakes in blanks, quotes or \
                 indentation are tolerated if the place is clear. All other bytes of the file are kept. An empty \
                 old_string creates a file, or fills an empty one. To rewrite four lines or more, quote only their first \
                 and last line (first, last) instead of old_string: cheaper unless most lines stay as they are. To \
                 insert lines, quote the line beside them (after or before). A failure says what to do next."
            }
            Self::MultiEdit => {
                "Applies several edits, of one file (file_path next to edits) or of many (file_path in each edit): all \
                 of them, or none. Edits of one file apply in order, each to the result of the earlier ones."
            }
            Self::MoveLines => {
                "Moves or copies whole lines within a file or to another one, without retyping them: quote their first and \
                 last line (first, last), and the line beside the new place (after or before). The lines get the \
                 indentation of the new place."
            }
            Self::PreviewEdit => {
                "Returns the changes of edit or multi_edit, with the same arguments, as a diff. Writes nothing."
            }
            Self::Locate => {
                "Returns the lines of old_string and a confidence, or the reason why no place is certain; with \
                 new_string, the answer is that of the edit. Writes nothing."
            }
            Self::ApplyPatch => {
                "Applies a patch, all of it or nothing: SEARCH/REPLACE blocks, a unified diff or *** Begin Patch. Line \
                 numbers and counts may be wrong; the old lines must be those of the file. Created and moved files \
                 never overwrite others."
            }
            Self::Undo => {
                "Undoes the last batch of edits that this server made, or the given one: restores the old text of all \
                 its files and keeps later changes, or changes none if the same lines changed since. With list it returns \
                 the batches that can be undone; with dry_run it writes nothing."
            }
            Self::CheckpointCreate => {
                "Saves the state of every file of the git worktree that is not ignored, so that the user can restore \
                 it. Changes no file."
            }
            Self::CheckpointList => "Lists the checkpoints of this session, oldest first.",
            Self::CheckpointDiff => "Returns the changes since a checkpoint, or between two. Changes no file.",
            Self::CheckpointRestore => {
                "Restores the files of the worktree from a checkpoint. With dry_run, which is the default, it only \
                 returns the plan. The current state is saved first. Use it only when the user asks for it."
            }
        }
    }

    /// Returns whether the tool changes nothing.
    pub(crate) const fn is_read_only(self) -> bool {
        matches!(self, Self::PreviewEdit | Self::Locate | Self::CheckpointList | Self::CheckpointDiff)
    }

    /// Returns whether the tool belongs to checkpoints.
    pub(crate) const fn is_of_checkpoints(self) -> bool {
        use Name::{CheckpointCreate, CheckpointDiff, CheckpointList, CheckpointRestore};

        matches!(self, CheckpointCreate | CheckpointList | CheckpointDiff | CheckpointRestore)
    }

    /// Returns whether a server has the tool.
    fn is_on(self, checkpoints: Option<&Checkpoints>) -> bool {
        match self {
            Self::CheckpointRestore => checkpoints.is_some_and(|checkpoints| checkpoints.restores),
            _ => checkpoints.is_some() || !self.is_of_checkpoints(),
        }
    }

    fn input(self) -> Arc<JsonObject> {
        match self {
            Self::Edit => one_edit(),
            Self::MultiEdit => many_edits(),
            Self::MoveLines => input::<MoveLines>(),
            Self::PreviewEdit => one_or_many_edits(),
            Self::Locate => lookup(),
            Self::ApplyPatch => input::<Patch>(),
            Self::Undo => input::<Undo>(),
            Self::CheckpointCreate => input::<Create>(),
            Self::CheckpointList => input::<List>(),
            Self::CheckpointDiff => input::<Compare>(),
            Self::CheckpointRestore => input::<Restore>(),
        }
    }

    fn output(self) -> Arc<JsonObject> {
        // Every edit may be a list, in the formats of other tools.
        let edit = Output::default().or::<Failure>();
        let checkpoint = Output::default().or::<Failure<OfCheckpoint>>();
        let output = match self {
            Self::Edit | Self::MultiEdit | Self::MoveLines | Self::PreviewEdit => {
                edit.or::<Success>().or::<ListReport>()
            }
            Self::Locate => edit.or::<Located>(),
            Self::ApplyPatch => edit.or::<ListReport>(),
            Self::Undo => edit.or::<Undone>().or::<Batches>(),
            Self::CheckpointCreate => checkpoint.or::<Created>(),
            Self::CheckpointList => checkpoint.or::<Listed>(),
            Self::CheckpointDiff => checkpoint.or::<Differing>(),
            Self::CheckpointRestore => checkpoint.or::<Restored>(),
        };
        output.schema()
    }

    fn tool(self) -> Tool {
        let annotations = ToolAnnotations::with_title(self.title()).read_only(self.is_read_only()).open_world(false);
        let annotations = if self.is_read_only() {
            annotations
        } else {
            // It alone neither deletes nor overwrites anything.
            annotations.destructive(self != Self::CheckpointCreate).idempotent(false)
        };
        Tool::new(self.as_str(), self.description(), self.input())
            .with_title(self.title())
            .with_annotations(annotations)
    }
}

/// Returns the descriptions of all tools of a server with these checkpoints, with the schemas of their data if they are
/// `structured`.
pub(crate) fn all(checkpoints: Option<&Checkpoints>, structured: bool) -> Vec<Tool> {
    let names = Name::ALL.iter().filter(|name| name.is_on(checkpoints));
    // The protocol demands data from a tool with an output schema.
    let tools =
        names.map(|name| if structured { name.tool().with_raw_output_schema(name.output()) } else { name.tool() });
    tools.collect()
}
