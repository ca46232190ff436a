//! The files beneath a directory, for the tools of an agent.

use std::path::Path;

use fuzzy_edit::{Editor, Encoding, Failure, ListReport, Root, Session, Tools, Undone, Workspace};
use fuzzy_report::{OfEdit, Status};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::answer::told;
use crate::error::bad_input;
use crate::files::FileResult;
use crate::record::{filled, record};
use crate::request::Settings;

record! {
    /// The result of edits of a workspace, all of which are written, or none. It is true if ``ok`` is.
    EditsResult {
        /// Whether the files have all edits now, or would have them without ``dry_run``.
        ok: "bool",
        /// ``applied``, ``already_applied``, ``dry_run``, or ``failed``.
        status: "str",
        /// The reason for the first failure in one word.
        code: "str | None",
        /// The rule that refused the first failed edit, if a rule did.
        rule: "str | None",
        /// The result of each edit, in order.
        edits: "tuple[FileResult, ...]",
        /// The error message.
        message: "str | None",
        /// The advice on the next step, if an edit failed.
        next_step: "str | None",
        /// The answer for a model: a line for each edit, or each failure with the lines that it needs to try again.
        for_model: "str",
    }
}

record! {
    /// The result of an undo. It is true if ``ok`` is.
    UndoResult {
        /// Whether the batch is undone, or would be without ``dry_run``.
        ok: "bool",
        /// ``undone``, ``redone`` if the batch was an undo, ``dry_run``, or ``failed``.
        status: "str",
        /// The id of the batch; the undo of it is a batch, too.
        batch: "str | None",
        /// The files and what happened to each: ``restored``, ``removed`` or ``recreated``.
        files: "tuple[tuple[str, str], ...]",
        /// The reason for a failure in one word: ``missing`` if there is no batch, ``stale`` if its files were changed since.
        code: "str | None",
        /// The error message.
        message: "str | None",
        /// The advice on the next step, if it failed.
        next_step: "str | None",
        /// The answer for a model.
        for_model: "str",
    }
}

/// Makes the tools of an agent for a directory.
pub(crate) fn tools(root: &Path, encoding: Option<&str>, settings: &Settings) -> Result<Tools, Box<Failure>> {
    let workspace = workspace(Some(root), encoding, settings)?;
    let editor = Editor::new(workspace, settings.pipeline.clone()).with_least_confidence(settings.least_confidence);
    Ok(Tools::new(editor, Session::default()))
}

/// Carries out edits, which are JSON.
pub(crate) fn edit(tools: &Tools, edits: &str, dry_run: bool) -> Result<ListReport, Box<Failure>> {
    let read = |error: serde_json::Error| bad_input(error.to_string(), "Give edits with path, old and new.");
    tools.edit(serde_json::from_str(edits).map_err(read)?, dry_run)
}

/// Returns the workspace beneath a root, or of all files, with an encoding by its name.
pub(crate) fn workspace(
    root: Option<&Path>,
    encoding: Option<&str>,
    settings: &Settings,
) -> Result<Workspace, Box<Failure>> {
    let encoding = Encoding::from_option(encoding.unwrap_or("auto")).map_err(|error| {
        bad_input(error.to_string(), "Name an encoding as web pages do, such as windows-1252, or auto.")
    })?;
    let workspace = Workspace::new(settings.limits()).with_encoding(encoding);
    let Some(root) = root else { return Ok(workspace) };
    let root =
        Root::open(root).map_err(|error| bad_input(format!("root: {error}"), "Name a directory that exists."))?;
    Ok(workspace.within(root))
}

impl EditsResult {
    /// Converts the reports of edits.
    pub(crate) fn of(py: Python<'_>, list: ListReport) -> PyResult<Self> {
        let for_model = list.for_model();
        let (status, failure, edits) = match list {
            ListReport::Success { status, edits } => (status, None, edits),
            ListReport::Failure { failure, edits } => (Status::Failed, Some(failure), edits),
        };
        let ok = failure.is_none();
        let (code, message, next_step, OfEdit { rule, .. }) = told(failure, None);
        let edits = edits.into_iter().map(|report| FileResult::of(py, report)).collect::<PyResult<Vec<_>>>()?;
        let edits = PyTuple::new(py, edits)?.into_any().unbind();
        Ok(filled!(py, EditsResult { ok, status, code, rule, edits, message, next_step, for_model }))
    }
}

impl UndoResult {
    /// Converts the result of an undo.
    pub(crate) fn of(py: Python<'_>, undone: Result<Undone, Box<Failure>>) -> PyResult<Self> {
        let for_model = undone.as_ref().map_or_else(|failure| failure.for_model(), Undone::for_model);
        let (status, batch, files, failure) = match undone {
            Ok(Undone { status, batch, files }) => (status, Some(batch), files, None),
            Err(failure) => ("failed", None, Vec::new(), Some(failure)),
        };
        let ok = failure.is_none();
        let files: Vec<_> = files.into_iter().map(|file| (file.file_path, file.action.as_str())).collect();
        let (code, message, next_step, _) = told(failure, None);
        Ok(filled!(py, UndoResult { ok, status, batch, files, code, message, next_step, for_model }))
    }
}
