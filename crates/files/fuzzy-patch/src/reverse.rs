//! Reverses patches.

use crate::{Change, Edit, FilePatch, Mark, Patch};

/// The patch cannot be reversed: it removes a file without its content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the patch removes `{file}` without its content, so the patch cannot be reversed")]
pub struct Irreversible {
    /// The file, as the patch names it.
    pub file: String,
}

impl Patch {
    /// Returns the patch that undoes this one.
    ///
    /// # Errors
    ///
    /// Returns [`Irreversible`] if the patch removes a file without its content.
    pub fn reversed(self) -> Result<Self, Irreversible> {
        let files = self.files.into_iter().rev().map(FilePatch::reversed);
        Ok(Self { files: files.collect::<Result<_, _>>()? })
    }
}

impl FilePatch {
    fn reversed(self) -> Result<Self, Irreversible> {
        let Self { file, line, change, executable } = self;
        let (file, change) = match change {
            Change::Create { text } => (file, Change::Delete { text: Some(text) }),
            Change::Delete { text: Some(text) } => (file, Change::Create { text }),
            Change::Delete { text: None } => return Err(Irreversible { file }),
            Change::Update { edits, to, .. } => {
                let edits = reversed(edits);
                let (file, to) = match to {
                    // Its edits apply to the renamed file.
                    Some(to) => (to, Some(file)),
                    None => (file, None),
                };
                let change = Change::Update { edits, to, blob: None };
                return Ok(Self { file, line, change, executable: executable.map(|executable| !executable) });
            }
        };
        Ok(Self { file, line, change, executable })
    }
}

/// Reverses edits, with line numbers after the earlier ones.
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
