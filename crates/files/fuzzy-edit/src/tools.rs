//! The edit tools of an agent.

use std::path::Path;

use fuzzy_report::{Failure, ListReport, Operation, PatchOptions, Undone, read_edits};
use serde_json::{Map, Value};

use crate::{Editor, Session};

/// The edit tools of an agent: an editor, and the memory of one conversation. Several threads may use them.
///
/// # Examples
///
/// ```
/// use fuzzy_edit::{Editor, Limits, Root, Session, Tools, Workspace};
/// use fuzzy_pipeline::{Pipeline, ladder};
/// # use serde_json::json;
///
/// let directory = tempfile::tempdir()?;
/// std::fs::write(directory.path().join("a.txt"), "one\n")?;
/// let workspace = Workspace::new(Limits::default()).within(Root::open(directory.path())?);
/// # let workspace = workspace.with_state(fuzzy_edit::State::at(directory.path().join("state")));
/// let tools = Tools::new(Editor::new(workspace, Pipeline::new(ladder::conservative())), Session::default());
/// let edited = tools.edit(json!({"path": "a.txt", "old": "one", "new": "1"}), false)?;
/// assert_eq!(edited.for_model(), "applied a.txt 1");
/// assert_eq!(tools.read("a.txt".as_ref())?, "1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tools {
    editor: Editor,
    session: Session,
}

impl Tools {
    /// Makes tools.
    #[must_use]
    pub const fn new(editor: Editor, session: Session) -> Self {
        Self { editor, session }
    }

    /// Returns the text of a file. A later edit is placed by this text, if the file was changed since.
    ///
    /// # Errors
    ///
    /// The reason if it cannot be read, with the path.
    pub fn read(&self, path: &Path) -> Result<String, Box<Failure>> {
        let file = self.editor.workspace().read(path);
        let file = file.map_err(|error| <Box<Failure>>::from(error).about(path.to_string_lossy()))?;
        self.session.remember(path, file.text());
        Ok(file.text().to_owned())
    }

    /// Carries out one edit, an object, or a list of edits, all or none, in every shape that [`read_edits`] reads. A
    /// `dry_run` writes nothing.
    ///
    /// # Errors
    ///
    /// `bad_input` if these are no edits; a refused edit is a report.
    pub fn edit(&self, edits: Value, dry_run: bool) -> Result<ListReport, Box<Failure>> {
        let arguments = match edits {
            Value::Object(edit) => edit,
            edits => Map::from_iter([("edits".to_owned(), edits)]),
        };
        let bad = |error| Failure::bad_input(error, "Give edits with path, old and new.");
        let edits = read_edits(arguments).map_err(bad)?.edits;
        Ok(self.carry_out(&edits.into_iter().map(Operation::Edit).collect::<Vec<_>>(), dry_run))
    }

    /// Applies a patch, all of it or nothing. A `dry_run` writes nothing.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::read_patch_with`](crate::Workspace::read_patch_with); a refused hunk is a report.
    pub fn patch(&self, patch: &str, options: &PatchOptions<'_>, dry_run: bool) -> Result<ListReport, Box<Failure>> {
        Ok(self.carry_out(&self.editor.workspace().read_patch_with(patch, options)?, dry_run))
    }

    /// Undoes a batch, by default the newest one. A `dry_run` writes nothing.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::undo`](crate::Workspace::undo).
    pub fn undo(&self, batch: Option<&str>, dry_run: bool) -> Result<Undone, Box<Failure>> {
        self.editor.workspace().undo_batch(batch, dry_run)
    }

    fn carry_out(&self, operations: &[Operation], dry_run: bool) -> ListReport {
        self.editor.carry_out(&mut self.session.clone(), operations, dry_run).into()
    }
}
