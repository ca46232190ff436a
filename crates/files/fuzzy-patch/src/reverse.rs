//! The way back: what a patch does is undone by another one.

use crate::{Action, Edit, Mark, Operation, Patch};

/// The patch cannot be turned round: it removes a file and does not show what was in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the patch removes `{file}` without showing what is in it, so there is no way back")]
pub struct NoWayBack {
    /// The file, as the patch names it.
    pub file: String,
}

impl Patch {
    /// Returns the patch that takes this one back.
    ///
    /// # Errors
    ///
    /// [`NoWayBack`] if it removes a file and does not show what was in it.
    pub fn reversed(self) -> Result<Self, NoWayBack> {
        let operations = self.operations.into_iter().rev().map(Operation::reversed);
        Ok(Self { operations: operations.collect::<Result<_, _>>()? })
    }
}

impl Operation {
    fn reversed(self) -> Result<Self, NoWayBack> {
        let Self { file, line, action, executable } = self;
        let (file, action) = match action {
            Action::Create { text } => (file, Action::Delete { text: Some(text) }),
            Action::Delete { text: Some(text) } => (file, Action::Create { text }),
            Action::Delete { text: None } => return Err(NoWayBack { file }),
            Action::Update { edits, to, .. } => {
                let edits = reversed(edits);
                let (file, to) = match to {
                    // Its edits are those of the file that it became.
                    Some(to) => (to, Some(file)),
                    None => (file, None),
                };
                let action = Action::Update { edits, to, blob: None };
                return Ok(Self { file, line, action, executable: executable.map(|executable| !executable) });
            }
        };
        Ok(Self { file, line, action, executable })
    }
}

/// Turns edits round. Where one is then is where the earlier ones have moved it.
fn reversed(edits: Vec<Edit>) -> Vec<Edit> {
    let (mut added, mut removed) = (0, 0);
    let count = |text: &str| text.split_inclusive('\n').count();
    let turn = |Edit { old, new, mut marks, mut hint, line }: Edit| {
        for mark in &mut marks {
            *mark = match mark {
                Mark::Keep => Mark::Keep,
                Mark::Remove => Mark::Add,
                Mark::Add => Mark::Remove,
            };
        }
        hint.line = hint.line.and_then(|line| (line + added).checked_sub(removed));
        hint.old_lines = None;
        added += count(&new);
        removed += count(&old);
        Edit { old: new, new: old, marks, hint, line }
    };
    edits.into_iter().map(turn).collect()
}
