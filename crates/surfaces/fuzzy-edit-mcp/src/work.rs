//! Runs calls, apart from the thread that handles the protocol.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fuzzy_edit::{
    Batches, Code, Editor, Failure, FileEdit, Log, Lookup, Operation, PastBatch, Patience, Report, Root, Session,
    Workspace,
};
use fuzzy_report::{Edits, read_arguments, read_edits};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};

use crate::answer::{self, Detail};
use crate::arguments::{MoveLines, Patch, Undo};
use crate::checkpoints::{Call, Checkpoints, List, Service};
use crate::progress::Steps;
use crate::roots::Roots;
use crate::tools::Name;
use crate::turns::Files;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Searches and writes.
    pub editor: Editor,
    /// The directories where files may be read and written.
    pub roots: Roots,
    /// The number of failures of the same edit in a session before the answers change.
    pub patience: Patience,
    /// The log of every edit of every session, if there is one.
    pub log: Option<Logging>,
    /// The settings of checkpoints, if the server has them.
    pub checkpoints: Option<Checkpoints>,
    /// Whether successful answers have data and tools declare its schemas. Without it, they have only a text, because
    /// hosts show a model the data instead of the text. Failures always have both.
    pub structured: bool,
}

/// The memory of one session between its calls; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    session: Session,
    /// The roots that have a checkpoint from before the first write.
    captured: Arc<Mutex<HashSet<PathBuf>>>,
    /// The answers of cancelled calls that wrote files.
    undelivered: Arc<Mutex<Vec<String>>>,
}

impl Memory {
    /// Keeps an answer that will not be sent, for the next one.
    pub(crate) fn keep(&self, answer: &CallToolResult) {
        if answer.is_error != Some(true)
            && let Some(ContentBlock::Text(text)) = answer.content.first()
        {
            locked(&self.undelivered).push(text.text.clone());
        }
    }

    /// Adds the kept answers to an answer.
    pub(crate) fn with_undelivered(&self, answer: CallToolResult) -> CallToolResult {
        locked(&self.undelivered).drain(..).fold(answer, |answer, text| {
            answer::with_line(answer, &format!("A cancelled request had already finished: {text}"))
        })
    }
}

/// Locks memory. A panic elsewhere cannot leave it inconsistent, because every change is a single call.
fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The log of edits.
#[derive(Clone, Debug)]
pub struct Logging {
    /// The file, one line of JSON for every edit.
    pub path: PathBuf,
    /// Whether the texts of edits and files are logged, too.
    pub texts: bool,
}

impl Settings {
    /// Returns the empty memory of a new session.
    pub(crate) fn memory(&self) -> io::Result<Memory> {
        let session = Session::new(self.patience);
        let session = match &self.log {
            Some(Logging { path, texts }) => session.with_log(Log::open(path, *texts)?),
            None => session,
        };
        Ok(Memory { session, captured: Arc::default(), undelivered: Arc::default() })
    }
}

/// A call whose arguments are parsed.
#[derive(Debug)]
pub(crate) enum Job {
    Edit(Edits),
    Preview(Edits),
    Locate(Lookup),
    Patch(Patch),
    Undo(Undo),
    Checkpoint(Call),
}

impl Job {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    ///
    /// The reason, if they cannot be read.
    pub(crate) fn read(name: Name, arguments: JsonObject) -> Result<Self, String> {
        Ok(match name {
            // A list of edits is recognised by its shape, whatever the tool is called.
            Name::Edit | Name::MultiEdit => Self::Edit(read_edits(arguments)?),
            Name::MoveLines => {
                let edit = read_arguments::<MoveLines>(arguments)?.edit()?;
                Self::Edit(Edits { edits: vec![edit], is_list: false })
            }
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

    /// Returns the real paths of the files that it touches; `None` if it may touch any.
    pub(crate) fn files(&self, settings: &Settings) -> Files {
        match self {
            Self::Edit(Edits { edits, .. }) | Self::Preview(Edits { edits, .. }) => {
                Some(edits.iter().flat_map(FileEdit::paths).map(|path| settings.roots.real(path)).collect())
            }
            Self::Locate(request) => Some([settings.roots.real(&request.file_path)].into()),
            Self::Patch(patch) => {
                let root = settings.roots.of([]).ok()?.clone();
                let workspace = settings.editor.workspace().clone().within(root);
                // A patch that cannot be read touches no file.
                let operations = workspace.read_patch(&patch.patch, patch.file_path.as_deref()).unwrap_or_default();
                Some(operations.iter().flat_map(Operation::paths).map(|path| settings.roots.real(path)).collect())
            }
            Self::Undo(_) | Self::Checkpoint(_) => None,
        }
    }

    /// Runs the call. Edits that are not yet written when `cancelled` is set are dropped. `steps` receives the
    /// progress.
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
            Some(steps) => editor.with_progress(move |done, all| steps.report(done, all)),
            None => editor,
        };
        let write = Mode::Write(checkpoints.filter(|service| service.settings().before_first_write));
        let done = match self {
            Self::Edit(edits) => edit(&editor, &settings.roots, memory, edits, write),
            Self::Preview(edits) => edit(&editor, &settings.roots, memory, edits, Mode::Show),
            Self::Patch(patch) => apply(&editor, &settings.roots, memory, &patch, write),
            Self::Locate(request) => locate(&editor, &settings.roots, memory, &request),
            Self::Undo(request) => undo(&editor, &settings.roots, &request),
            // The tools are listed only if there is a service.
            Self::Checkpoint(call) => match checkpoints {
                Some(service) => Ok(service.call(call)),
                None => Err(Box::new(Failure::bad_input(
                    "this server takes no checkpoints",
                    "Continue without checkpoints.",
                ))),
            },
        };
        done.unwrap_or_else(|failure| answer::failure(&failure))
    }
}

fn locate(editor: &Editor, roots: &Roots, memory: &Memory, request: &Lookup) -> Result<CallToolResult, Box<Failure>> {
    let editor = within(editor, roots.of([&*request.file_path])?);
    let located = editor.locate(request)?;
    // The agent knows the lines that it quoted or was shown, and no more.
    let known = located.text.as_deref().unwrap_or(&request.old_string);
    if let Ok(file) = editor.workspace().read(&request.file_path)
        && known.lines().eq(file.text().lines())
    {
        memory.session.remember(&request.file_path, file.text());
    }
    Ok(answer::located(&located))
}

fn undo(editor: &Editor, roots: &Roots, request: &Undo) -> Result<CallToolResult, Box<Failure>> {
    let workspaces: Vec<_> =
        roots.iter().map(|root| editor.workspace().clone().within(root.clone()).strict()).collect();
    let (listed, unreadable): (Vec<_>, Vec<_>) =
        workspaces.iter().map(Workspace::batches).map(|all| (all.batches, all.unreadable)).unzip();
    let unreadable: BTreeSet<String> = unreadable.into_iter().flatten().collect();
    if request.list {
        let mut batches: Vec<PastBatch> = listed.into_iter().flatten().collect();
        batches.sort_by(|a, b| b.batch.cmp(&a.batch));
        batches.dedup_by(|a, b| a.batch == b.batch);
        let unreadable = unreadable.into_iter().collect();
        return Ok(answer::batches(&Batches { status: "listed", batches, unreadable }));
    }
    // Each root has its own batches; by default the newest batch of all is undone.
    let chosen = match &request.batch {
        Some(batch) => Some(batch.clone()),
        None => listed.into_iter().flatten().map(|past| past.batch).max(),
    };
    // A newer journal that cannot be read may be that of the last batch, so the undo of the last batch is refused.
    let is_newer = |journal: &String| Path::new(journal).file_name() > chosen.as_deref().map(OsStr::new);
    let named = if request.batch.is_none() && unreadable.iter().any(is_newer) { None } else { chosen.as_deref() };
    let known = workspaces
        .iter()
        .filter(|_| workspaces.len() > 1)
        .find(|workspace| workspace.batches().batches.iter().any(|past| Some(&past.batch) == chosen.as_ref()));
    let workspace = known.unwrap_or(&workspaces[0]);
    let mut undone = workspace.undo_batch(named, request.dry_run).map_err(|mut failure| {
        if failure.code == Code::Stale {
            "Call undo with list for the other batches.".clone_into(&mut failure.next_step);
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

/// Whether edits are written, and the service that takes a checkpoint first.
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
    // Relative paths start from the first root.
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
    let mut reports = editor.carry_out(session, operations, !is_write);
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

/// Takes the checkpoint before the first write of a session to a root, if these operations will write; returns a note
/// about it.
fn capture(
    editor: &Editor,
    service: &Service,
    memory: &Memory,
    root: &Path,
    operations: &[Operation],
) -> Option<String> {
    // Calls on other files wait for this lock, so that they write after the checkpoint, too.
    let mut captured = locked(&memory.captured);
    if captured.contains(root) {
        return None;
    }
    let editor = editor.clone().with_progress(|_, _| ());
    let plan = editor.plan(&memory.session, operations);
    if !(plan.is_sound() && plan.successes().any(|success| success.changed)) {
        return None;
    }
    // Without a checkpoint the edit is applied, and the next one tries again.
    let taken = service.before_write(root);
    if taken.is_ok() {
        captured.insert(root.to_owned());
    }
    Some(taken.unwrap_or_else(|reason| reason))
}
