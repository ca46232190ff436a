//! The tools: what they are called, what they take and what they give.

use std::sync::Arc;

use fuzzy_edit::{Batches, Failure, ListReport, Located, Success, Undone};
use fuzzy_report::OfCheckpoint;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use crate::arguments::{Locate, ManyEdits, OneEdit, OneOrMany, Patch, Undo};
use crate::checkpoints::{Checkpoints, Compare, Create, Created, Differing, List, Listed, Restore, Restored};
use crate::schema::{Output, input};

/// A tool of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Edit,
    MultiEdit,
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
        Self::PreviewEdit,
        Self::Locate,
        Self::ApplyPatch,
        Self::Undo,
        Self::CheckpointCreate,
        Self::CheckpointList,
        Self::CheckpointDiff,
        Self::CheckpointRestore,
    ];

    /// Finds the tool that is called so.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.as_str() == name)
    }

    /// Returns what it is called.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::MultiEdit => "multi_edit",
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
            Self::MultiEdit => "Edit files in one go",
            Self::PreviewEdit => "Show what an edit would change",
            Self::Locate => "Find where a text occurs",
            Self::ApplyPatch => "Apply a patch",
            Self::Undo => "Take edits back",
            Self::CheckpointCreate => "Remember the worktree",
            Self::CheckpointList => "List the checkpoints",
            Self::CheckpointDiff => "Compare with a checkpoint",
            Self::CheckpointRestore => "Go back to a checkpoint",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Edit => {
                "Replaces old_string by new_string in a text file. Copy old_string from the file with its indentation, \
                 and with enough lines around it that it occurs only once; small mistakes in blanks, quotes or \
                 indentation are seen through where it is clear which place is meant. Everything else in the file stays \
                 byte for byte. An empty old_string writes a file that does not exist or is empty. A failure says what to do \
                 next."
            }
            Self::MultiEdit => {
                "Carries out several edits, of one file (file_path beside edits) or of many (file_path in each edit): \
                 all of them, or none. Edits of one file apply in order, each to what the earlier ones made of it."
            }
            Self::PreviewEdit => {
                "Shows as a diff what edit or multi_edit would change, with the same arguments. Writes nothing."
            }
            Self::Locate => {
                "Says on which lines old_string is and how sure that is, or why no place can be named; with \
                 new_string it answers for that edit. Writes nothing."
            }
            Self::ApplyPatch => {
                "Carries out a patch, all of it or nothing: SEARCH/REPLACE blocks, a unified diff or *** Begin Patch. \
                 Line numbers and counts may be wrong; the old lines must be the file's. Files are created, deleted \
                 and moved, but never over others."
            }
            Self::Undo => {
                "Takes back the last batch of edits below the roots, or the one that is named: all of its files get their \
                 old text again, or none if one of them changed since. With list it names the batches that can be taken \
                 back; with dry_run it writes nothing."
            }
            Self::CheckpointCreate => {
                "Remembers every file of the git worktree that is not ignored, so that a person can go back to it. \
                 Changes no file."
            }
            Self::CheckpointList => "Lists the checkpoints of this session, oldest first.",
            Self::CheckpointDiff => "Shows what changed since a checkpoint, or between two. Changes no file.",
            Self::CheckpointRestore => {
                "Takes the files of the worktree back to a checkpoint; with dry_run, which is the default, it only says \
                 what it would do. What is there now is remembered first. Use it only when the user asks for it."
            }
        }
    }

    /// Says whether it leaves everything as it is.
    pub(crate) const fn is_read_only(self) -> bool {
        matches!(self, Self::PreviewEdit | Self::Locate | Self::CheckpointList | Self::CheckpointDiff)
    }

    /// Says whether it is about checkpoints.
    pub(crate) const fn is_of_checkpoints(self) -> bool {
        use Name::{CheckpointCreate, CheckpointDiff, CheckpointList, CheckpointRestore};

        matches!(self, CheckpointCreate | CheckpointList | CheckpointDiff | CheckpointRestore)
    }

    /// Says whether nothing is lost by it.
    const fn only_adds(self) -> bool {
        matches!(self, Self::CheckpointCreate)
    }

    /// Says whether a server has it.
    fn is_on(self, checkpoints: Option<&Checkpoints>) -> bool {
        match self {
            Self::Edit | Self::MultiEdit | Self::PreviewEdit | Self::Locate | Self::ApplyPatch | Self::Undo => true,
            Self::CheckpointCreate | Self::CheckpointList | Self::CheckpointDiff => checkpoints.is_some(),
            Self::CheckpointRestore => checkpoints.is_some_and(|checkpoints| checkpoints.restores),
        }
    }

    fn input(self) -> Arc<JsonObject> {
        match self {
            Self::Edit => input::<OneEdit>(),
            Self::MultiEdit => input::<ManyEdits>(),
            Self::PreviewEdit => input::<OneOrMany>(),
            Self::Locate => input::<Locate>(),
            Self::ApplyPatch => input::<Patch>(),
            Self::Undo => input::<Undo>(),
            Self::CheckpointCreate => input::<Create>(),
            Self::CheckpointList => input::<List>(),
            Self::CheckpointDiff => input::<Compare>(),
            Self::CheckpointRestore => input::<Restore>(),
        }
    }

    fn output(self) -> Arc<JsonObject> {
        // Every edit may come as a list, by the names that other tools have for it.
        let edit = Output::default().or::<Failure>();
        let checkpoint = Output::default().or::<Failure<OfCheckpoint>>();
        let output = match self {
            Self::Edit | Self::MultiEdit | Self::PreviewEdit => edit.or::<Success>().or::<ListReport>(),
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
            annotations.destructive(!self.only_adds()).idempotent(false)
        };
        Tool::new(self.as_str(), self.description(), self.input())
            .with_title(self.title())
            .with_raw_output_schema(self.output())
            .with_annotations(annotations)
    }
}

/// Describes every tool that a server with these checkpoints has.
pub(crate) fn all(checkpoints: Option<&Checkpoints>) -> Vec<Tool> {
    Name::ALL.iter().filter(|name| name.is_on(checkpoints)).map(|name| name.tool()).collect()
}
