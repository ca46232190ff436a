//! The worktree around the current directory, and its sessions, checkpoints and restores.

use std::env;
use std::path::{Component, Path, PathBuf};

use fuzzy_checkpoint::{RepoPath, Worktree};
use fuzzy_checkpoint_service::{Checkpointer, ProcessBackend};
use fuzzy_checkpoint_store::{Checkpoint, Restore, RestoreId, SessionId};
use fuzzy_report::Code;
use fuzzy_system as sys;

use super::options::{Database, Session, Shared};
use super::refused::Refused;
use super::text;
use crate::output;

/// The reasons why a directory has no records.
const WITHOUT_RECORDS: [Code; 3] = [Code::NotAWorktree, Code::DubiousOwnership, Code::ProtectedDir];

pub(crate) struct Place {
    pub(crate) service: Checkpointer,
    pub(crate) worktree: Worktree,
    /// The current directory, with links resolved.
    dir: PathBuf,
}

impl Place {
    /// Finds the worktree around the current directory, then opens the database, so that a wrong directory creates no
    /// database.
    pub(super) fn open(shared: &Shared, backend: ProcessBackend) -> Result<Self, Refused> {
        let (place, before) = Self::around(&current()?, shared, backend)?;
        if let Some(before) = before {
            let before = text::plain(&before.to_string_lossy());
            output::complain(&format!("the worktree was moved from {before}, and keeps its checkpoints"));
        }
        Ok(place)
    }

    /// Opens the worktree around the directory in which an agent works. It is a sidecar if the directory has no git, or
    /// if its repository ignores it: a capture of the repository would have no file of it.
    pub(crate) fn of_agent(dir: &Path, database: &Database) -> Result<Self, Refused> {
        Self::with_or_without_git(dir, database, true)?.followed()
    }

    /// Opens the same worktree for a person, who in an ignored directory without turns gets those of the repository.
    pub(crate) fn of_turns(dir: &Path, database: &Database) -> Result<Self, Refused> {
        Self::with_or_without_git(dir, database, false)?.followed()
    }

    /// Opens the same worktree only to read, if it may have turns: nothing is created, and a move is not recorded.
    pub(crate) fn to_read(dir: &Path, database: &Database) -> Option<Self> {
        let exists = Shared::state().is_ok_and(|state| database.exists(&state));
        exists.then(|| Self::with_or_without_git(dir, database, false))?.ok()
    }

    /// Opens the worktree around a directory with turns or checkpoints; `None` if there can be none, and nothing is created.
    pub(crate) fn with_records(dir: &Path, shared: &Shared, backend: ProcessBackend) -> Result<Option<Self>, Refused> {
        let Ok(state) = Shared::state() else { return Ok(None) };
        if !shared.database.exists(&state) {
            return Ok(None);
        }
        let dir = existing(dir)?;
        let opened =
            if shared.sidecar { shared.engine(&state).open(&dir) } else { shared.engine(&state).open_any(&dir, false) };
        let worktree = match opened.map_err(Refused::from) {
            Err(refused) if WITHOUT_RECORDS.contains(&refused.code()) => return Ok(None),
            opened => opened?,
        };
        let shared = Shared { sidecar: worktree.is_sidecar(), ..shared.clone() };
        let service = shared.service(&state, backend)?;
        if service.store().worktree(worktree.id())?.is_none() {
            return Ok(None);
        }
        Self { service, worktree, dir }.followed().map(Some)
    }

    fn with_or_without_git(dir: &Path, database: &Database, is_agent: bool) -> Result<Self, Refused> {
        let shared = Shared { database: database.clone(), ..Shared::default() };
        let (state, dir) = (Shared::state()?, existing(dir)?);
        let worktree = shared.engine(&state).open_any(&dir, is_agent)?;
        let shared = Shared { sidecar: worktree.is_sidecar(), ..shared };
        Ok(Self { service: shared.service(&state, ProcessBackend::default())?, worktree, dir })
    }

    /// Records that the worktree was moved, if it was.
    fn followed(self) -> Result<Self, Refused> {
        self.service.follow(&self.worktree)?;
        Ok(self)
    }

    /// Returns the place, and the earlier root of the worktree if it was moved.
    fn around(dir: &Path, shared: &Shared, backend: ProcessBackend) -> Result<(Self, Option<PathBuf>), Refused> {
        let (state, dir) = (Shared::state()?, existing(dir)?);
        let worktree = shared.engine(&state).open(&dir)?;
        let place = Self { service: shared.service(&state, backend)?, worktree, dir };
        let before = place.service.follow(&place.worktree)?;
        Ok((place, before))
    }

    /// Returns the selected session, and creates one with this title if none exists.
    pub(super) fn session_or_new(&self, wanted: &Session) -> Result<SessionId, Refused> {
        let all = self.service.store().sessions(self.worktree.id())?;
        let id = wanted.name.to_ascii_uppercase();
        if wanted.name.trim().is_empty() {
            return Err(Refused::bad_input("--session: the title is empty", "Name a session."));
        }
        if all.iter().any(|session| session.title == wanted.name || session.id.as_str().starts_with(&id))
            && let Some(session) = self.session(wanted)?
        {
            return Ok(session);
        }
        Ok(self.service.session_titled(self.worktree.root(), &wanted.name)?)
    }

    /// Finds the newest checkpoint that can be restored, or the Nth before it: `latest`, `~1`, `~2` and so on.
    fn counted(&self, session: Option<&SessionId>, id: &str) -> Result<Option<Checkpoint>, Refused> {
        let back = match id.strip_prefix('~') {
            Some(number) => number.parse::<usize>().ok(),
            None => (id == "latest").then_some(0),
        };
        let Some(back) = back else { return Ok(None) };
        let mut rows = self.service.store().checkpoints_of(self.worktree.id())?;
        rows.retain(|row| Some(&row.session_id) == session && row.retired_by.is_none() && !row.kind.is_of_restore());
        rows.reverse();
        let nothing = || {
            let message = format!("the session has only {}", text::count(rows.len() as u64, "checkpoint"));
            Refused::unknown(message, "`fuzzy-edit checkpoint list` lists them.")
        };
        rows.get(back).cloned().map(Some).ok_or_else(nothing)
    }

    /// Finds a checkpoint of the session by its id or a prefix of it, including hidden ones.
    pub(super) fn checkpoint(&self, session: Option<&SessionId>, id: &str) -> Result<Checkpoint, Refused> {
        if let Some(row) = self.counted(session, id)? {
            return Ok(row);
        }
        let all = self.service.store().checkpoints_of(self.worktree.id())?;
        let (ours, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|row| Some(&row.session_id) == session);
        if let Some(row) = only(ours, |row| row.id.as_str(), id, "checkpoint")? {
            return Ok(row);
        }
        let name = text::plain(id);
        if let Some(row) = only(others, |row| row.id.as_str(), id, "checkpoint")? {
            let message = format!("checkpoint {} belongs to session {}", row.id, row.session_id);
            return Err(Refused::unknown(message, format!("Add --session {}.", row.session_id)));
        }
        if let Ok(Some(row)) = only(self.restores()?, |row| row.id.as_str(), id, "restore") {
            let next_step = format!("To undo it: `fuzzy-edit undo {}`.", row.id);
            return Err(Refused::unknown(format!("`{name}` is a restore, not a checkpoint"), next_step));
        }
        let next_step = "`fuzzy-edit checkpoint list --all` lists all checkpoints.";
        Err(Refused::unknown(format!("there is no checkpoint `{name}`"), next_step))
    }

    /// Finds a restore of this worktree by its id or a prefix of it; `last` is the newest.
    pub(super) fn restore(&self, id: &str) -> Result<Restore, Refused> {
        if id == "last"
            && let Some(row) = self.restores()?.pop()
        {
            return Ok(row);
        }
        if let Some(row) = only(self.restores()?, |row| row.id.as_str(), id, "restore")? {
            return Ok(row);
        }
        let all = self.service.store().checkpoints_of(self.worktree.id())?;
        let name = text::plain(id);
        if let Ok(Some(row)) = only(all, |row| row.id.as_str(), id, "checkpoint") {
            let next_step = format!("To restore it: `fuzzy-edit checkpoint restore {}`.", row.id);
            return Err(Refused::unknown(format!("`{name}` is a checkpoint, not a restore"), next_step));
        }
        let message = format!("there is no restore `{name}` of this worktree");
        Err(Refused::unknown(message, "`fuzzy-edit checkpoint restore` prints the id of each restore."))
    }

    fn restores(&self) -> Result<Vec<Restore>, Refused> {
        Ok(self.service.store().restores_of(self.worktree.id())?)
    }

    fn open_restore(&self) -> Option<RestoreId> {
        let open = self.service.store().open_restores().ok()?;
        open.into_iter().find(|row| row.worktree_id == self.worktree.id()).map(|row| row.id)
    }

    /// Adds the restore that has to be finished first to a failure, if there is one.
    pub(crate) fn explain(&self, refused: impl Into<Refused>) -> Refused {
        let refused = refused.into();
        match self.open_restore() {
            Some(restore) => {
                let is_under_way = self.service.is_under_way(&restore).unwrap_or(false);
                refused.unfinished(&restore, is_under_way)
            }
            None => refused,
        }
    }

    /// Returns paths in the worktree for paths of the command line, which are relative to the current directory; `None`
    /// if one of them is the whole worktree.
    pub(crate) fn paths(&self, given: &[PathBuf]) -> Result<Option<Vec<RepoPath>>, Refused> {
        let mut paths = Vec::new();
        for given in given {
            let path = self.path(given)?;
            if path.as_os_str().is_empty() {
                return Ok(None);
            }
            paths.push(RepoPath::new(sys::in_git(&path)));
        }
        Ok(Some(paths))
    }

    /// Returns the name of a path in the worktree for the command line: relative to the current directory.
    pub(crate) fn named(&self, path: &RepoPath) -> String {
        let disk = sys::on_disk(self.worktree.root(), path.as_bytes());
        disk.strip_prefix(&self.dir).unwrap_or(&disk).to_string_lossy().into_owned()
    }

    fn path(&self, given: &Path) -> Result<PathBuf, Refused> {
        let absolute = normal(&self.dir.join(given));
        let root = self.worktree.root();
        // An absolute path may lead to the worktree through a link.
        let resolved = absolute
            .parent()
            .zip(absolute.file_name())
            .and_then(|(dir, name)| Some(sys::canonical(dir).ok()?.join(name)));
        let inside = absolute.strip_prefix(root).ok().or_else(|| resolved.as_deref()?.strip_prefix(root).ok());
        inside.map(Path::to_owned).ok_or_else(|| {
            let message =
                format!("`{}` is outside the worktree {}", text::plain(&given.to_string_lossy()), root.display());
            Refused::bad_input(message, "Name paths inside it.")
        })
    }
}

/// Returns the current directory.
pub(crate) fn current() -> Result<PathBuf, Refused> {
    env::current_dir().map_err(|error| {
        Refused::new(Code::Io, format!("the current directory: {error}"), "Change to a directory that exists.")
    })
}

/// Returns a directory with links resolved.
fn existing(dir: &Path) -> Result<PathBuf, Refused> {
    sys::canonical(dir).map_err(|error| {
        Refused::new(Code::Io, format!("{}: {error}", dir.display()), "Change to a directory that exists.")
    })
}

/// Removes `.` and `..` without reading the disk, because the path may no longer exist.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// Returns the only row whose id begins with `id`.
fn only<T>(rows: Vec<T>, id_of: impl Fn(&T) -> &str, id: &str, what: &str) -> Result<Option<T>, Refused> {
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        let message = format!("`{}` is not the id of a {what}", text::plain(id));
        return Err(Refused::bad_input(
            message,
            "An id consists of letters and digits: see `fuzzy-edit checkpoint list`.",
        ));
    }
    let id = id.to_ascii_uppercase();
    let mut found: Vec<T> = rows.into_iter().filter(|row| id_of(row).starts_with(&id)).collect();
    if found.len() > 1 {
        let names: Vec<&str> = found.iter().take(5).map(&id_of).collect();
        let more = if found.len() > 5 { ", …" } else { "" };
        let message = format!("{} {what}s begin with `{id}`: {}{more}", found.len(), names.join(", "));
        return Err(Refused::bad_input(message, "Give more characters."));
    }
    Ok(found.pop())
}
