//! What a call does, off the thread that speaks the protocol.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fuzzy_edit::{Asked, Editor, Failure, FileEdit, Log, Operation, Patience, Session};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, JsonObject};

use crate::answer::{self, Detail};
use crate::arguments::{self, Edits, Locate, OneEdit};
use crate::roots::Roots;
use crate::tools::Name;

/// What the server works with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Searches and writes.
    pub editor: Editor,
    /// Where files may be read and written.
    pub roots: Roots,
    /// How often the same edit may fail in a session.
    pub patience: Patience,
    /// Where every edit of every session is logged, if it is.
    pub log: Option<Logging>,
}

/// Where edits are logged.
#[derive(Clone, Debug)]
pub struct Logging {
    /// The file, one line of JSON for every edit.
    pub path: PathBuf,
    /// Whether the texts of edits and files are logged, too.
    pub texts: bool,
}

impl Settings {
    /// Begins a session that remembers nothing.
    pub(crate) fn session(&self) -> io::Result<Session> {
        let session = Session::new(self.patience);
        Ok(match &self.log {
            Some(Logging { path, texts }) => session.with_log(Log::open(path, *texts)?),
            None => session,
        })
    }
}

/// A call whose arguments are understood.
#[derive(Debug)]
pub(crate) enum Job {
    Edit(Edits),
    Preview(Edits),
    Locate(Locate),
}

impl Job {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    ///
    /// Says what cannot be read.
    pub(crate) fn read(name: Name, arguments: JsonObject) -> Result<Self, ErrorData> {
        Ok(match name {
            // Whoever means a list says so by sending one.
            Name::Edit | Name::MultiEdit => Self::Edit(arguments::edits(arguments)?),
            Name::PreviewEdit => Self::Preview(arguments::edits(arguments)?),
            Name::Locate => Self::Locate(arguments::plain(arguments)?),
        })
    }

    /// Returns how many things are to be done.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Edit(edits) | Self::Preview(edits) => edits.edits.len(),
            Self::Locate(_) => 1,
        }
    }

    /// Does what is asked; what is not written by the time that `cancelled` is set stays unwritten.
    pub(crate) fn run(self, settings: &Settings, session: &mut Session, cancelled: Arc<AtomicBool>) -> CallToolResult {
        let editor = settings.editor.clone().cancelled_by(cancelled);
        let done = match self {
            Self::Edit(edits) => edit(&editor, &settings.roots, session, edits, Mode::Write),
            Self::Preview(edits) => edit(&editor, &settings.roots, session, edits, Mode::Show),
            Self::Locate(asked) => locate(&editor, &settings.roots, asked),
        };
        done.unwrap_or_else(|failure| answer::failure(&failure))
    }
}

fn locate(editor: &Editor, roots: &Roots, asked: Locate) -> Result<CallToolResult, Box<Failure>> {
    let Locate { file_path, old_string, new_string, replace_all } = asked;
    let editor = roots.editor(editor, [file_path.as_str()])?;
    let located = editor.locate(Path::new(&file_path), &Asked { old_string, new_string, replace_all })?;
    Ok(answer::located(&located))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Write,
    Show,
}

fn edit(
    editor: &Editor,
    roots: &Roots,
    session: &mut Session,
    edits: Edits,
    mode: Mode,
) -> Result<CallToolResult, Box<Failure>> {
    let Edits { edits, is_list } = edits;
    let editor = roots.editor(editor, edits.iter().map(|edit| edit.file_path.as_str()))?;
    let operations: Vec<Operation> = edits.into_iter().map(|edit| Operation::Edit(edit.into())).collect();
    let mut reports = editor.carry_out(session, &operations, mode == Mode::Write);
    let detail = if mode == Mode::Write { Detail::Short } else { Detail::Diff };
    let result = match reports.pop() {
        Some(report) if !is_list => answer::edit(&report, detail),
        last => {
            reports.extend(last);
            answer::edits(reports, detail)
        }
    };
    Ok(match session.take_log_error() {
        Some(error) => answer::with_line(result, &format!("The log could not be written: {error}")),
        None => result,
    })
}

impl From<OneEdit> for FileEdit {
    fn from(edit: OneEdit) -> Self {
        let OneEdit { file_path, old_string, new_string, replace_all, expected_hash } = edit;
        let edit = Self::new(Path::new(&file_path), old_string, new_string);
        Self { replace_all, expected_hash, ..edit }
    }
}
