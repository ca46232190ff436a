//! The checkpoint tools, and the checkpoint before the first write of a session.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use fuzzy_checkpoint::{Detail, DiffOptions, Engine, IndexLeft, RepoPath};
use fuzzy_checkpoint_service::text::gone_path;
use fuzzy_checkpoint_service::{Checkpointer, CreateOptions, Error, NoBackend, OfCheckpoint, Settings, Side};
use fuzzy_checkpoint_store::{Checkpoint, CheckpointId, ListFilter, RestoreOptions, SessionId, Trim, ulid_ms};
use fuzzy_edit::{State, Workspace};
use fuzzy_report::{Code, Failure, Surface};
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer;

/// The settings of checkpoints.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// A directory in the worktree.
    pub directory: PathBuf,
    /// The session that owns the checkpoints: its id or title. A new title creates a session.
    pub session: String,
    /// Whether there is a tool that restores checkpoints. It is optional, because a model should not discard work
    /// unless the user asks for it.
    pub restores: bool,
    /// Whether a checkpoint is taken before the first write of a session to each root.
    pub before_first_write: bool,
}

impl Checkpoints {
    /// Checks that a session given by its id belongs to the worktree around the directory.
    ///
    /// # Errors
    ///
    /// The session is unknown, belongs to another worktree, or cannot be read.
    pub fn check(&self) -> Result<(), Box<Failure>> {
        // Text that is no id is a title.
        if ulid_ms(&self.session).is_none() {
            return Ok(());
        }
        let service = Service::new(self.clone());
        let known = service
            .open()
            .and_then(|service| service.store().session(&SessionId(self.session.clone())).map_err(failed));
        let worktree = worktree(&self.directory);
        let why = match (known, worktree) {
            (Ok(Some(known)), Ok(worktree)) if known.worktree_id == worktree => return Ok(()),
            (Ok(Some(_)), Ok(_)) => format!("`{}` is a session of another worktree", self.session),
            (Ok(None), _) => format!("there is no session `{}`", self.session),
            (Err(failure), _) | (_, Err(failure)) => format!("{}: {}", failure.code, failure.message),
        };
        let next_step = "Name a session of this worktree, or omit --session; a new title creates a session.";
        Err(Box::new(Failure::bad_input(format!("--session: {why}"), next_step)))
    }
}

/// A label for a checkpoint.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Create {
    /// A short description.
    #[serde(default)]
    label: String,
}

/// No arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {}

/// Two states of the worktree.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compare {
    /// The id of the checkpoint to compare from.
    from: String,
    /// The id of the checkpoint to compare with; by default the files on disk.
    to: Option<String>,
    /// Only these files, and files in these directories; relative to the top of the worktree.
    #[serde(default)]
    paths: Vec<String>,
}

/// A checkpoint to restore.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Restore {
    /// The id of the checkpoint.
    checkpoint: String,
    /// Whether to change nothing and only return the plan; true by default.
    #[serde(default = "yes")]
    dry_run: bool,
    /// Only these files, and files in these directories; relative to the top of the worktree.
    #[serde(default)]
    paths: Vec<String>,
}

const fn yes() -> bool {
    true
}

/// A call of one of the tools.
#[derive(Debug)]
pub(crate) enum Call {
    Create(Create),
    List,
    Diff(Compare),
    Restore(Restore),
}

/// A checkpoint.
#[derive(Debug, Serialize, JsonSchema)]
struct Taken {
    /// The id of the checkpoint.
    id: String,
    /// `turn`, `end`, `manual` or `safety`.
    kind: &'static str,
    label: String,
    /// The time of the checkpoint, in milliseconds since 1970.
    created_at: i64,
    /// The files that it does not contain; a directory includes everything below it.
    uncovered: Vec<String>,
    /// The reason, if it cannot restore the index.
    #[serde(skip_serializing_if = "Option::is_none")]
    index_left: Option<&'static str>,
}

/// A new checkpoint.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Created {
    status: &'static str,
    checkpoint: Taken,
    /// Files captured for the first time whose names suggest secrets.
    secrets: Vec<String>,
}

/// The checkpoints of the session, oldest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listed {
    status: &'static str,
    checkpoints: Vec<Taken>,
}

/// The changes between two states.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Differing {
    status: &'static str,
    files: Vec<Changed>,
    /// The changes as a unified diff; bytes that are not UTF-8 are replaced by U+FFFD.
    patch: String,
}

/// The change of a file.
#[derive(Debug, Serialize, JsonSchema)]
struct Changed {
    path: String,
    /// `added`, `changed`, `deleted` or `renamed`.
    change: &'static str,
    /// The earlier path of a renamed file.
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed_from: Option<String>,
}

/// The plan or the result of a restore.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Restored {
    /// `dry_run` or `restored`.
    status: &'static str,
    checkpoint: String,
    /// The id of the restore, which `fuzzy-edit undo` accepts.
    restore_id: Option<String>,
    files_to_write: Vec<String>,
    files_to_delete: Vec<String>,
    /// Files that are kept because the checkpoint did not cover them.
    kept: Vec<String>,
    /// Paths that are in the way and in no checkpoint; a restore is refused if there are any.
    obstructed: Vec<String>,
    /// Files that are restored without their setuid, setgid or sticky bit.
    bits_dropped: Vec<String>,
    /// Paths of the checkpoint that it did not capture and that are not there; they cannot be brought back.
    gone: Vec<String>,
}

/// Returns the failure that the tools report for an error.
fn failed(error: impl Into<Error>) -> Failure<OfCheckpoint> {
    error.into().failure(Surface::Tools)
}

/// The checkpoints of a server.
pub(crate) struct Service {
    settings: Checkpoints,
    /// Opened on first use and then kept, because it counts failed captures and waits longer after each.
    opened: Mutex<Option<Arc<Checkpointer>>>,
}

impl Service {
    pub(crate) const fn new(settings: Checkpoints) -> Self {
        Self { settings, opened: Mutex::new(None) }
    }

    pub(crate) const fn settings(&self) -> &Checkpoints {
        &self.settings
    }

    /// Carries out a call.
    pub(crate) fn call(&self, call: Call) -> CallToolResult {
        self.answer(call).unwrap_or_else(|failure| answer::refusal(&failure, failure.to_string()))
    }

    /// Takes a checkpoint of a root before the first write of a session to it; returns a note for the edit.
    pub(crate) fn before_write(&self, root: &Path) -> Result<String, String> {
        let label = "before the first edit of a session";
        let created = self.session_of(root).and_then(|(service, session)| create(&service, &session, label));
        match created {
            Ok(created) => Ok(format!("checkpoint {} was taken before this edit", created.checkpoint.id)),
            Err(failure) => Err(format!("no checkpoint: {}: {}", failure.code, failure.message)),
        }
    }

    fn answer(&self, call: Call) -> Result<CallToolResult, Failure<OfCheckpoint>> {
        Ok(match call {
            Call::Create(Create { label }) => {
                let (service, session) = self.session()?;
                let created = create(&service, &session, &label)?;
                let mut text = format!("checkpoint {}", created.checkpoint.id);
                paths(&mut text, "not covered", &created.checkpoint.uncovered);
                if let Some(left) = created.checkpoint.index_left {
                    text.push_str("\nthe index cannot be restored: ");
                    text.push_str(left);
                }
                paths(&mut text, "captured, and probably secret", &created.secrets);
                answer::success(&created, text)
            }
            Call::List => {
                let listed = self.list()?;
                let lines =
                    listed.checkpoints.iter().map(|taken| format!("{} {} {}", taken.id, taken.kind, taken.label));
                let lines: Vec<String> = lines.collect();
                let text = if lines.is_empty() { "no checkpoints yet".to_owned() } else { lines.join("\n") };
                answer::success(&listed, text)
            }
            Call::Diff(compare) => {
                let differing = self.diff(&compare)?;
                let text =
                    if differing.files.is_empty() { "no difference".to_owned() } else { differing.patch.clone() };
                answer::success(&differing, text)
            }
            Call::Restore(restore) => {
                let restored = self.restore(&restore)?;
                let mut text = match &restored.restore_id {
                    Some(id) => format!("restored: checkpoint {}; restore {id}", restored.checkpoint),
                    None => format!("would restore: checkpoint {}", restored.checkpoint),
                };
                paths(&mut text, "write", &restored.files_to_write);
                paths(&mut text, "delete", &restored.files_to_delete);
                paths(&mut text, "keep", &restored.kept);
                paths(&mut text, "in the way", &restored.obstructed);
                paths(&mut text, "without its setuid, setgid or sticky bit", &restored.bits_dropped);
                paths(&mut text, "gone, and in no checkpoint", &restored.gone);
                answer::success(&restored, text)
            }
        })
    }

    fn list(&self) -> Result<Listed, Failure<OfCheckpoint>> {
        let (service, session) = self.session()?;
        let rows = service.list(&session, ListFilter::default()).map_err(failed)?;
        Ok(Listed { status: "listed", checkpoints: rows.iter().map(taken).collect() })
    }

    fn diff(&self, compare: &Compare) -> Result<Differing, Failure<OfCheckpoint>> {
        let (service, session) = self.session()?;
        let from = Side::Checkpoint(CheckpointId(compare.from.clone()));
        let to = compare.to.clone().map_or(Side::Worktree, |id| Side::Checkpoint(CheckpointId(id)));
        let options = DiffOptions { paths: repo_paths(&compare.paths), detail: Detail::Patch, renames: true };
        let diff = service.diff(&session, &from, &to, &options).map_err(failed)?;
        let files = diff.files.iter().map(|file| Changed {
            path: file.path.to_string(),
            change: file.change.as_str(),
            renamed_from: file.renamed_from.as_ref().map(ToString::to_string),
        });
        let patch = String::from_utf8_lossy(&diff.patch).into_owned();
        Ok(Differing { status: "compared", files: files.collect(), patch })
    }

    /// Restores only files: transcript, branch and agent do not belong to this server.
    fn restore(&self, restore: &Restore) -> Result<Restored, Failure<OfCheckpoint>> {
        let (service, session) = self.session()?;
        let id = CheckpointId(restore.checkpoint.clone());
        let options =
            RestoreOptions { trim: Trim::None, paths: repo_paths(&restore.paths), ..RestoreOptions::default() };
        let plan = service.plan(&session, &id, &options).map_err(failed)?;
        let restore_id = if restore.dry_run {
            None
        } else {
            Some(service.restore(&session, &id, options, None).map_err(failed)?.restore_id)
        };
        Ok(Restored {
            status: if restore.dry_run { "dry_run" } else { "restored" },
            checkpoint: id.0,
            restore_id,
            files_to_write: names(&plan.writes),
            files_to_delete: names(&plan.deletes),
            kept: names(&plan.kept),
            obstructed: names(&plan.obstructed),
            bits_dropped: names(&plan.bits_dropped),
            gone: plan.gone.iter().map(gone_path).collect(),
        })
    }

    fn session(&self) -> Result<(Arc<Checkpointer>, SessionId), Failure<OfCheckpoint>> {
        self.session_of(&self.settings.directory)
    }

    /// Returns the session that owns checkpoints of the worktree around `directory`.
    fn session_of(&self, directory: &Path) -> Result<(Arc<Checkpointer>, SessionId), Failure<OfCheckpoint>> {
        let service = self.open()?;
        let named = SessionId(self.settings.session.clone());
        let known = service.store().session(&named).map_err(failed)?;
        let id = match known {
            Some(known) if known.worktree_id == worktree(directory)? => known.id,
            // A session has one worktree; other worktrees have sessions of the same title.
            Some(known) => service.session_titled(directory, &known.title).map_err(failed)?,
            None => service.session_titled(directory, &named.0).map_err(failed)?,
        };
        Ok((service, id))
    }

    fn open(&self) -> Result<Arc<Checkpointer>, Failure<OfCheckpoint>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(service) = &*opened {
            return Ok(Arc::clone(service));
        }
        let newest_batch = || Workspace::default().newest_batch();
        let settings = Settings { store: stores(), newest_batch, ..Settings::default() };
        let service = Checkpointer::open(&state()?, None, Arc::new(NoBackend), settings).map_err(failed)?;
        let service = Arc::new(service.copying_borrowed());
        *opened = Some(Arc::clone(&service));
        Ok(service)
    }
}

fn state() -> Result<PathBuf, Failure<OfCheckpoint>> {
    let next_step = "Ask the user to set HOME or XDG_STATE_HOME for the server.";
    State::lasting().ok_or_else(|| {
        let message = "there is no directory for checkpoints";
        Failure::of(Code::Io, message, next_step)
    })
}

/// Returns the directory of the checkpoints, if it is not the state directory.
fn stores() -> Option<PathBuf> {
    std::env::var_os("FUZZY_EDIT_STORE").filter(|dir| !dir.is_empty()).map(PathBuf::from)
}

/// Returns the id of the worktree around a directory.
fn worktree(directory: &Path) -> Result<String, Failure<OfCheckpoint>> {
    let stores = stores().map_or_else(state, Ok)?;
    let worktree = Engine::new(stores).open(directory).map_err(failed)?;
    Ok(worktree.id().to_owned())
}

fn create(service: &Checkpointer, session: &SessionId, label: &str) -> Result<Created, Failure<OfCheckpoint>> {
    let created = service
        .create(session, &CreateOptions { label: label.to_owned(), ..CreateOptions::default() })
        .map_err(failed)?;
    Ok(Created { status: "created", checkpoint: taken(&created.checkpoint), secrets: names(&created.secrets) })
}

fn taken(row: &Checkpoint) -> Taken {
    Taken {
        id: row.id.0.clone(),
        kind: row.kind.as_str(),
        label: row.label.clone(),
        created_at: row.created_at,
        uncovered: row.uncovered.iter().map(|uncovered| uncovered.path.to_string()).collect(),
        index_left: row.index_left.map(IndexLeft::as_str),
    }
}

fn repo_paths(paths: &[String]) -> Vec<RepoPath> {
    paths.iter().map(|path| RepoPath::from(path.trim_end_matches('/'))).collect()
}

fn names(paths: &[RepoPath]) -> Vec<String> {
    paths.iter().map(RepoPath::to_string).collect()
}

fn paths(text: &mut String, what: &str, paths: &[String]) {
    for path in paths {
        let _ = write!(text, "\n{what}: {path}");
    }
}
