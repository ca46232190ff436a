//! Edits of files, in memory and on the disk.

use std::path::{Path, PathBuf};

use fuzzy_edit::{Editor, Session};
use fuzzy_plan::{Limits, Options, Texts};
use fuzzy_report::{Code, Failure, FileEdit, OfEdit, Operation, PatchOptions, Report, Status};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::answer::told;
use crate::error::too_large;
use crate::record::{filled, record};
use crate::request::{Settings, Text};
use crate::workspace::workspace;

record! {
    /// The result of one edit of a file. It is true if ``ok`` is.
    FileResult {
        /// Whether the file has the edit now, or would have it without ``dry_run``.
        ok: "bool",
        /// ``applied``, ``already_applied``, ``dry_run``, ``not_written`` if another edit failed, or ``failed``.
        status: "str",
        /// The path of the file, as the caller gave it.
        path: "str",
        /// The reason for a failure in one word, or ``already_applied``; None if the edit was applied.
        code: "str | None",
        /// The rule that refused the edit, such as ``different-value``, if a rule did.
        rule: "str | None",
        /// The strategy that found the match.
        strategy: "str | None",
        /// The similarity of the old text and the match, by that strategy's measure, 0 to 1.
        similarity: "float | None",
        /// The confidence that the match is the intended place, 0 to 1.
        confidence: "float | None",
        /// The number of places that are replaced.
        occurrences: "int",
        /// Whether the edit changes the file.
        changed: "bool",
        /// The first and the last replaced line before the edit, counted from 1.
        lines_before: "tuple[int, int] | None",
        /// The same lines after the edit.
        lines_after: "tuple[int, int] | None",
        /// The replaced lines in the source of a cell, if the edit is one of a cell of a notebook.
        cell: "CellLines | None",
        /// The change as a unified diff.
        diff: "str | None",
        /// The lines most similar to the old text, if the edit was refused.
        nearest: "Nearest | None",
        /// The places where the file and the new text both differ from the old text, if the code is ``conflict``.
        conflicts: "tuple[Conflict, ...]",
        /// The lines of each match of an ambiguous old text, counted from 1; at most the first hundred matches.
        ambiguous_at: "tuple[tuple[int, int], ...]",
        /// The number of matches of an ambiguous old text.
        count: "int",
        /// The lines that would be lost, if the code is ``placeholder``: the new text has a placeholder in their place.
        lost: "str | None",
        /// The strategies that did not find the old text, if the edit was refused.
        tried: "tuple[str, ...]",
        /// The edit that was probably intended, if there is a likely one.
        proposal: "Proposal | None",
        /// The error message, or a note about an old text that did not match exactly.
        message: "str | None",
        /// The advice on the next step, if the edit failed.
        next_step: "str | None",
        /// The SHA-256 of the current file on the disk.
        file_hash: "str | None",
        /// The encoding of the file, if it was read.
        encoding: "str | None",
        /// Whether the encoding is a guess: none was given, and the file is not valid UTF-8.
        encoding_detected: "bool",
    }
}

record! {
    /// Lines of the source of a cell of a notebook.
    CellLines = fuzzy_report::CellLines {
        /// The number of the cell, from 1.
        number: "int",
        /// The id of the cell, if the notebook has ids.
        id: "str | None",
        /// The first and the last line, counted from the first one of the source.
        lines: "tuple[int, int]",
    }
}

record! {
    /// The result of a patch. It is true if ``ok`` is.
    PatchResult {
        /// Whether the whole patch was applied.
        ok: "bool",
        /// The text of every file after the patch, by path; None if the patch was refused.
        files: "dict[str, str] | None",
        /// The new text of every changed file, by path; None for a deleted file.
        changes: "dict[str, str | None]",
        /// The reason for the first failure in one word.
        code: "str | None",
        /// The rule that refused the first failed edit, if a rule did.
        rule: "str | None",
        /// The result of each edit, in order.
        edits: "tuple[FileResult, ...]",
        /// The error message.
        message: "str | None",
        /// The advice on the next step, if the patch was refused.
        next_step: "str | None",
    }
}

/// Files in memory and the patch to apply to them.
pub(crate) struct Patching {
    pub(crate) files: Vec<(Text, Text)>,
    pub(crate) patch: Text,
    /// The file for blocks and hunks that name none.
    pub(crate) file: Option<Text>,
    pub(crate) reverse: bool,
    pub(crate) strip: Option<usize>,
}

/// The reports of a patch, and the changed files.
pub(crate) struct Patched {
    reports: Vec<Report>,
    changes: Vec<(String, Option<String>)>,
}

impl Patching {
    /// Plans the patch in memory.
    pub(crate) fn carry_out(&self, settings: &Settings) -> Result<Patched, Box<Failure>> {
        let longest = self.files.iter().map(|(_, text)| text.len()).chain([self.patch.len()]).max();
        if longest.unwrap_or_default() as u64 > settings.max_bytes {
            return Err(too_large(settings.max_bytes));
        }
        let mut texts = self.files.iter().fold(Texts::default(), |texts, (path, text)| texts.with(&**path, &**text));
        let options = PatchOptions { target: self.file.as_deref(), reverse: self.reverse, strip: self.strip };
        let patch = options.read(&self.patch, &|name| texts.has(Path::new(name)))?;
        let reports = texts.apply(&settings.options(), &patch.operations());
        let changes =
            texts.changes().map(|(path, text)| (path.to_string_lossy().into_owned(), text.map(str::to_owned)));
        Ok(Patched { reports, changes: changes.collect() })
    }
}

/// One edit of a file on the disk.
pub(crate) struct Editing {
    pub(crate) edit: FileEdit,
    pub(crate) root: Option<PathBuf>,
    pub(crate) encoding: Option<String>,
    pub(crate) dry_run: bool,
}

impl Editing {
    /// Edits the file, or reports the edit without writing it for a dry run.
    pub(crate) fn carry_out(self, settings: &Settings) -> Result<Vec<Report>, Box<Failure>> {
        let workspace = workspace(self.root.as_deref(), self.encoding.as_deref(), settings)?;
        let editor = Editor::new(workspace, settings.pipeline.clone()).with_least_confidence(settings.least_confidence);
        Ok(editor.carry_out(&mut Session::default(), &[Operation::Edit(self.edit)], self.dry_run))
    }
}

impl Settings {
    pub(crate) fn limits(&self) -> Limits {
        Limits { max_bytes: self.max_bytes, timeout: self.timeout.unwrap_or(std::time::Duration::MAX) }
    }

    fn options(&self) -> Options<'static> {
        let least_confidence = self.least_confidence;
        Options { least_confidence, ..Options::new(self.pipeline, self.limits()) }
    }
}

impl PatchResult {
    /// Converts the result of a patch of these files.
    pub(crate) fn of(py: Python<'_>, patching: &Patching, patched: Patched) -> PyResult<Self> {
        let Patched { reports, changes } = patched;
        let failure = reports.iter().find_map(|report| match report {
            Report::Failure(failure) => Some(failure.clone()),
            Report::Success(_) => None,
        });
        let ok = failure.is_none();
        let (code, message, next_step, OfEdit { rule, .. }) = told(failure, None);
        let (files, new_texts) = (PyDict::new(py), PyDict::new(py));
        for (path, text) in &patching.files {
            files.set_item(path.to_object(py), text.to_object(py))?;
        }
        for (path, text) in changes {
            match &text {
                Some(text) => files.set_item(&path, text)?,
                None => files.del_item(&path)?,
            }
            new_texts.set_item(path, text)?;
        }
        let edits = reports.into_iter().map(|report| FileResult::of(py, report)).collect::<PyResult<Vec<_>>>()?;
        let edits = PyTuple::new(py, edits)?.into_py_any(py)?;
        let files = ok.then(|| files.into_py_any(py)).transpose()?;
        let changes = new_texts.into_py_any(py)?;
        Ok(filled!(py, PatchResult { ok, files, changes, code, rule, edits, message, next_step }))
    }
}

impl FileResult {
    /// Converts the report of an edit.
    pub(crate) fn of(py: Python<'_>, report: Report) -> PyResult<Self> {
        let (success, failure) = match report {
            Report::Success(success) => (Some(success), None),
            Report::Failure(failure) => (None, Some(failure)),
        };
        let status = success.as_ref().map_or(Status::Failed, |success| success.status);
        let note = success.as_ref().and_then(|success| success.note.clone());
        let (code, message, next_step, details) = told(failure, note);
        let file_path = details.file_path.clone();
        let is_there = status == Status::AlreadyApplied;
        let of = success.as_ref();
        Ok(filled!(
            py,
            details,
            FileResult {
                ok: !matches!(status, Status::NotWritten | Status::Failed),
                status,
                path: of.map(|success| success.file_path.clone()).or(file_path),
                code: if is_there { Some(Code::AlreadyApplied) } else { code },
                strategy: of.and_then(|success| success.strategy),
                similarity: of.map(|success| success.similarity),
                confidence: of.map(|success| success.confidence),
                occurrences: of.map_or(0, |success| success.occurrences),
                changed: of.is_some_and(|success| success.changed),
                lines_before: of.map(|success| success.lines_before),
                lines_after: of.map(|success| success.lines_after),
                cell: of.and_then(|success| success.cell.as_deref().cloned()),
                diff: of.map(|success| success.diff.clone()),
                message,
                next_step,
                file_hash: of.and_then(|success| success.file_hash.clone()),
                encoding: of.and_then(|success| success.encoding),
                encoding_detected: of.is_some_and(|success| success.encoding_detected),
            }
        ))
    }
}
