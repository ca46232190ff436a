//! What a call does, off the thread that speaks the protocol.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fuzzy_edit::{Batches, Code, Editor, Failure, Log, Lookup, Operation, PastBatch, Patience, Report, Root, Session};
use fuzzy_report::{Edits, read_arguments, read_edits};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};

use crate::answer::{self, Detail};
use crate::arguments::{Locate, Patch, Undo};
use crate::checkpoints::{Call, Checkpoints, List, Service};
use crate::progress::Steps;
use crate::roots::Roots;
use crate::tools::Name;
use crate::turns::Files;

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
    /// Whether and where checkpoints are taken.
    pub checkpoints: Option<Checkpoints>,
}

/// What is remembered between the calls of one session; clones are the same memory.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    session: Session,
    /// The roots of which there is a checkpoint from before the first write.
    captured: Arc<Mutex<HashSet<PathBuf>>>,
    /// What was written by calls whose answer no one waited for.
    unheard: Arc<Mutex<Vec<String>>>,
}

impl Memory {
    /// Remembers an answer that will not be heard, for the next one to tell.
    pub(crate) fn keep(&self, answer: &CallToolResult) {
        if answer.is_error != Some(true)
            && let Some(ContentBlock::Text(text)) = answer.content.first()
        {
            locked(&self.unheard).push(text.text.clone());
        }
    }

    /// Adds to an answer what was kept for it.
    pub(crate) fn told_with(&self, answer: CallToolResult) -> CallToolResult {
        locked(&self.unheard).drain(..).fold(answer, |answer, text| {
            answer::with_line(answer, &format!("A request that was cancelled had been carried out by then: {text}"))
        })
    }
}

/// What is kept is whole between any two of its changes.
fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
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
    pub(crate) fn memory(&self) -> io::Result<Memory> {
        let session = Session::new(self.patience);
        let session = match &self.log {
            Some(Logging { path, texts }) => session.with_log(Log::open(path, *texts)?),
            None => session,
        };
        Ok(Memory { session, captured: Arc::default(), unheard: Arc::default() })
    }
}

/// A call whose arguments are understood.
#[derive(Debug)]
pub(crate) enum Job {
    Edit(Edits),
    Preview(Edits),
    Locate(Locate),
    Patch(Patch),
    Undo(Undo),
    Checkpoint(Call),
}

impl Job {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    ///
    /// Says what cannot be read.
    pub(crate) fn read(name: Name, arguments: JsonObject) -> Result<Self, String> {
        Ok(match name {
            // A client that means a list says so by sending one.
            Name::Edit | Name::MultiEdit => Self::Edit(read_edits(arguments)?),
            Name::PreviewEdit => Self::Preview(read_edits(arguments)?),
            Name::Locate => Self::Locate(read_arguments(arguments)?),
            Name::ApplyPatch => Self::Patch(read_arguments(arguments)?),
            Name::Undo => Self::Undo(read_arguments(arguments)?),
            Name::CheckpointCreate => Self::Checkpoint(Call::Create(read_arguments(arguments)?)),
            Name::CheckpointList => {
                read_arguments::<List>(arguments)?;
                Self::Checkpoint(Call::List)
            }
            Name::CheckpointDiff => Self::Checkpoint(Call::Diff(read_arguments(arguments)?)),
            Name::CheckpointRestore => Self::Checkpoint(Call::Restore(read_arguments(arguments)?)),
        })
    }

    /// Returns the files that it is about, by their real paths; none if it may be about any.
    pub(crate) fn files(&self, settings: &Settings) -> Files {
        match self {
            Self::Edit(Edits { edits, .. }) | Self::Preview(Edits { edits, .. }) => {
                Some(edits.iter().map(|edit| settings.roots.real(&edit.file_path)).collect())
            }
            Self::Locate(asked) => Some([settings.roots.real(Path::new(&asked.file_path))].into()),
            Self::Patch(patch) => {
                let root = settings.roots.of([]).ok()?.clone();
                let workspace = settings.editor.workspace().clone().within(root);
                // What cannot be read touches nothing.
                let operations = workspace.read_patch(&patch.patch, patch.file_path.as_deref()).unwrap_or_default();
                Some(operations.iter().flat_map(Operation::paths).map(|path| settings.roots.real(path)).collect())
            }
            Self::Undo(_) | Self::Checkpoint(_) => None,
        }
    }

    /// Does what is asked; what is not written by the time that `cancelled` is set stays unwritten. `steps` is told of
    /// every operation that is begun, if anyone listens.
    pub(crate) fn run(
        self,
        settings: &Settings,
        checkpoints: Option<&Service>,
        memory: &mut Memory,
        cancelled: Arc<AtomicBool>,
        steps: Option<Steps>,
    ) -> CallToolResult {
        let editor = settings.editor.clone();
        let workspace = editor.workspace().clone().cancelled_by(cancelled);
        let editor = editor.with_workspace(workspace);
        let editor = match steps {
            Some(steps) => editor.with_progress(move |done, all| steps.tell(done, all)),
            None => editor,
        };
        let write = Mode::Write(checkpoints.filter(|service| service.settings().before_first_write));
        let done = match self {
            Self::Edit(edits) => edit(&editor, &settings.roots, memory, edits, write),
            Self::Preview(edits) => edit(&editor, &settings.roots, memory, edits, Mode::Show),
            Self::Patch(patch) => apply(&editor, &settings.roots, memory, &patch, write),
            Self::Locate(asked) => locate(&editor, &settings.roots, asked),
            Self::Undo(asked) => undo(&editor, &settings.roots, &asked),
            // The tools are listed only where there is a service.
            Self::Checkpoint(call) => match checkpoints {
                Some(service) => Ok(service.call(call)),
                None => Err(Box::new(Failure::bad_input("this server takes no checkpoints", "Go on without."))),
            },
        };
        done.unwrap_or_else(|failure| answer::failure(&failure))
    }
}

fn locate(editor: &Editor, roots: &Roots, asked: Locate) -> Result<CallToolResult, Box<Failure>> {
    let Locate { file_path, old_string, new_string, replace_all, line } = asked;
    let editor = within(editor, roots.of([Path::new(&file_path)])?);
    let located = editor.locate(Path::new(&file_path), &Lookup { old_string, new_string, replace_all, line })?;
    Ok(answer::located(&located))
}

fn undo(editor: &Editor, roots: &Roots, asked: &Undo) -> Result<CallToolResult, Box<Failure>> {
    let workspaces: Vec<_> =
        roots.iter().map(|root| editor.workspace().clone().within(root.clone()).strict()).collect();
    let listed = workspaces.iter().map(|workspace| workspace.batches().batches);
    if asked.list {
        let mut batches: Vec<PastBatch> = listed.flatten().collect();
        batches.sort_by(|a, b| b.batch.cmp(&a.batch));
        batches.dedup_by(|a, b| a.batch == b.batch);
        return Ok(answer::batches(&Batches { status: "listed", batches }));
    }
    // Each root knows its own; of several the newest batch is meant.
    let meant = match &asked.batch {
        Some(batch) => Some(batch.clone()),
        None => listed.flatten().map(|past| past.batch).max(),
    };
    let known = workspaces
        .iter()
        .filter(|_| workspaces.len() > 1)
        .find(|workspace| workspace.batches().batches.iter().any(|past| Some(&past.batch) == meant.as_ref()));
    let workspace = known.unwrap_or(&workspaces[0]);
    let mut undone = workspace.undo_batch(meant.as_deref(), asked.dry_run).map_err(|mut failure| {
        if failure.code == Code::Stale {
            "Call undo with list to see which other batches can be taken back.".clone_into(&mut failure.next_step);
        }
        failure
    })?;
    undone.files.sort_by(|a, b| a.file_path.cmp(&b.file_path));
    Ok(answer::undone(&undone))
}

/// Returns the editor for the files beneath a root.
fn within(editor: &Editor, root: &Root) -> Editor {
    editor.clone().with_workspace(editor.workspace().clone().within(root.clone()))
}

/// Whether edits are written; if they are, after a checkpoint where there is a service for it.
#[derive(Clone, Copy)]
enum Mode<'a> {
    Write(Option<&'a Service>),
    Show,
}

fn edit(
    editor: &Editor,
    roots: &Roots,
    memory: &mut Memory,
    edits: Edits,
    mode: Mode<'_>,
) -> Result<CallToolResult, Box<Failure>> {
    let Edits { edits, is_list } = edits;
    let operations: Vec<Operation> = edits.into_iter().map(Operation::Edit).collect();
    carry_out(editor, roots, memory, &operations, mode, is_list)
}

fn apply(
    editor: &Editor,
    roots: &Roots,
    memory: &mut Memory,
    patch: &Patch,
    mode: Mode<'_>,
) -> Result<CallToolResult, Box<Failure>> {
    // Names without a directory of their own are those of the first root.
    let workspace = editor.workspace().clone().within(roots.of([])?.clone());
    let operations = workspace.read_patch(&patch.patch, patch.file_path.as_deref())?;
    carry_out(editor, roots, memory, &operations, mode, true)
}

fn carry_out(
    editor: &Editor,
    roots: &Roots,
    memory: &mut Memory,
    operations: &[Operation],
    mode: Mode<'_>,
    is_list: bool,
) -> Result<CallToolResult, Box<Failure>> {
    let root = roots.of(operations.iter().flat_map(Operation::paths))?;
    let editor = within(editor, root);
    let note = match mode {
        Mode::Write(Some(service)) => capture(&editor, service, memory, root.path(), operations),
        _ => None,
    };
    let is_write = matches!(mode, Mode::Write(_));
    let session = &mut memory.session;
    let mut reports =
        if is_write { editor.apply(session, operations) } else { editor.plan(session, operations).dry_run(session) };
    if let (Some(note), Some(Report::Success(first))) = (note, reports.first_mut()) {
        first.note = Some(first.note.take().map_or_else(|| note.clone(), |old| format!("{old}\n{note}")));
    }
    let detail = if is_write { Detail::Short } else { Detail::Diff };
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

/// Takes the checkpoint before the first write of a session to a root, if these operations will write; returns what to
/// note of it.
fn capture(
    editor: &Editor,
    service: &Service,
    memory: &Memory,
    root: &Path,
    operations: &[Operation],
) -> Option<String> {
    // Calls on other files wait: what they write comes after the checkpoint, too.
    let mut captured = locked(&memory.captured);
    if captured.contains(root) {
        return None;
    }
    let editor = editor.clone().with_progress(|_, _| ());
    let plan = editor.plan(&memory.session, operations);
    if !(plan.is_sound() && plan.successes().any(|success| success.changed)) {
        return None;
    }
    // Without a checkpoint the edit goes on, and the next one tries again.
    let taken = service.before_write(root);
    if taken.is_ok() {
        captured.insert(root.to_owned());
    }
    Some(taken.unwrap_or_else(|reason| reason))
}
