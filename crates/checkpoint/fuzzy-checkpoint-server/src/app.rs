//! The state shared by all handlers.

use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fuzzy_checkpoint::{Permit, with_permit};
use fuzzy_checkpoint_service::Checkpointer;
use fuzzy_checkpoint_service::gate::{Hosts, Token};
use fuzzy_checkpoint_store::{ListedSession, RestoreId, Session, SessionId, WorktreeRow};
use fuzzy_report::Code;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::rejection::Rejection;

/// The number of captures, restores and comparisons that run at once. Each starts processes, so more of them would not
/// finish sooner.
const GIT_WORK: usize = 8;
/// The number of concurrent database operations.
const LOOKS: usize = 32;
/// The number of concurrent event streams; each keeps its connection.
const LISTENERS: usize = 64;
/// The longest time that a request waits for a permit.
const QUEUE: Duration = Duration::from_mins(1);

/// The state of the server.
#[derive(Clone)]
pub(crate) struct App(Arc<Inner>);

struct Inner {
    service: Arc<Checkpointer>,
    roots: Vec<PathBuf>,
    hosts: Hosts,
    token: Option<Token>,
    csrf: Token,
    git: Arc<Semaphore>,
    looks: Arc<Semaphore>,
    listeners: Arc<Semaphore>,
    closed: watch::Sender<bool>,
}

/// The permit of a piece of work, released for others while the work waits for its worktree.
struct WorkPermit {
    permits: Arc<Semaphore>,
    held: RefCell<Option<OwnedSemaphorePermit>>,
    runtime: Handle,
}

impl Permit for WorkPermit {
    fn release(&self) {
        self.held.take();
    }

    fn acquire(&self) {
        // The semaphore is never closed.
        let permit = self.runtime.block_on(Arc::clone(&self.permits).acquire_owned());
        self.held.replace(permit.ok());
    }
}

impl App {
    /// Creates the state; `roots` are canonical directories.
    pub(crate) fn new(
        service: Arc<Checkpointer>,
        roots: Vec<PathBuf>,
        hosts: Hosts,
        token: Option<Token>,
    ) -> std::io::Result<Self> {
        let [git, looks, listeners] = [GIT_WORK, LOOKS, LISTENERS].map(|places| Arc::new(Semaphore::new(places)));
        let (csrf, closed) = (Token::fresh()?, watch::Sender::new(false));
        Ok(Self(Arc::new(Inner { service, roots, hosts, token, csrf, git, looks, listeners, closed })))
    }

    pub(crate) fn service(&self) -> &Checkpointer {
        &self.0.service
    }

    /// Returns a permit for one more event stream, if one is free.
    pub(crate) fn listen(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.listeners).try_acquire_owned().ok()
    }

    /// Ends all event streams: a response without an end would prevent the server's shutdown.
    pub(crate) fn close(&self) {
        self.0.closed.send_replace(true);
    }

    /// Waits until [`close`](Self::close) is called.
    pub(crate) async fn closed(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.closed.subscribe().wait_for(|closed| *closed).await;
    }

    pub(crate) fn hosts(&self) -> &Hosts {
        &self.0.hosts
    }

    pub(crate) fn token(&self) -> Option<&Token> {
        self.0.token.as_ref()
    }

    /// Returns the token that this server's own forms must contain; it changes with every start.
    pub(crate) fn csrf(&self) -> &Token {
        &self.0.csrf
    }

    /// Runs work that captures, compares or restores on a blocking thread, a few at once.
    pub(crate) async fn git<T, F>(&self, work: F) -> Result<T, Rejection>
    where
        T: Send + 'static,
        F: FnOnce(&App) -> Result<T, Rejection> + Send + 'static,
    {
        self.blocking(Arc::clone(&self.0.git), work).await
    }

    /// Runs work that only uses the database on a blocking thread, without waiting for captures.
    pub(crate) async fn look<T, F>(&self, work: F) -> Result<T, Rejection>
    where
        T: Send + 'static,
        F: FnOnce(&App) -> Result<T, Rejection> + Send + 'static,
    {
        self.blocking(Arc::clone(&self.0.looks), work).await
    }

    /// The work is finished even if the client disconnects.
    async fn blocking<T, F>(&self, permits: Arc<Semaphore>, work: F) -> Result<T, Rejection>
    where
        T: Send + 'static,
        F: FnOnce(&App) -> Result<T, Rejection> + Send + 'static,
    {
        let own = Arc::clone(&permits);
        let Ok(Ok(permit)) = timeout(QUEUE, permits.acquire_owned()).await else {
            return Err(Rejection::busy());
        };
        let app = self.clone();
        let done = spawn_blocking(move || {
            let permit = WorkPermit { permits: own, held: RefCell::new(Some(permit)), runtime: Handle::current() };
            with_permit(Box::new(permit), || work(&app))
        });
        done.await.unwrap_or_else(|error| Err(Rejection::internal(&error.to_string())))
    }

    /// Returns a session of a worktree beneath one of the roots. Any other one gets the same error as an unknown
    /// session.
    pub(crate) fn session(&self, id: &SessionId) -> Result<Session, Rejection> {
        let session = self.service().store().session(id)?.ok_or_else(Rejection::not_in_session)?;
        if self.serves(&session.worktree_id)? { Ok(session) } else { Err(Rejection::not_in_session()) }
    }

    /// Returns the unfinished restore of the session's worktree.
    pub(crate) fn open_restore(&self, session: &SessionId) -> Option<RestoreId> {
        let session = self.session(session).ok()?;
        let open = self.service().store().open_restores().ok()?;
        open.into_iter().find(|row| row.worktree_id == session.worktree_id).map(|row| row.id)
    }

    /// Lists the sessions beneath the roots, the newest first.
    pub(crate) fn sessions(&self) -> Result<Vec<ListedSession>, Rejection> {
        let mut sessions = self.service().store().all_sessions()?;
        sessions.retain(|session| self.is_beneath_a_root(Path::new(&session.root)));
        Ok(sessions)
    }

    /// Returns the root of the worktree around a requested directory, if it lies beneath one of the roots.
    pub(crate) fn allowed(&self, dir: &Path) -> Result<PathBuf, Rejection> {
        // Directories elsewhere are not accessed, so the response does not reveal whether they exist.
        let near = dir.is_absolute() && !dir.components().any(|part| part == Component::ParentDir);
        let found = match fuzzy_system::canonical(dir) {
            Ok(found) if near && self.is_beneath_a_root(&found) => found,
            Err(error) if near && self.is_beneath_a_root(dir) => {
                let message = format!("there is no directory {}: {error}", dir.display());
                let next_step = "Name a directory inside a git worktree.";
                return Err(Rejection::new(Code::Missing, message, next_step));
            }
            _ => return Err(outside_roots()),
        };
        let worktree = self.service().worktree_around(&found)?;
        // A file `.git` may lead to the git directory of any worktree.
        let is_inside = [worktree.root(), worktree.home()].iter().all(|dir| self.is_beneath_a_root(dir));
        if is_inside { Ok(worktree.root().to_owned()) } else { Err(outside_roots()) }
    }

    /// Returns the worktrees beneath the roots.
    pub(crate) fn worktrees(&self) -> Result<Vec<WorktreeRow>, Rejection> {
        let mut rows = self.service().store().worktrees()?;
        rows.retain(|row| self.is_beneath_a_root(Path::new(&row.root)));
        Ok(rows)
    }

    /// Returns the id of a worktree beneath one of the roots. Any other one gets the same error as an unknown one.
    pub(crate) fn worktree(&self, id: &str) -> Result<String, Rejection> {
        if self.serves(id)? { Ok(id.to_owned()) } else { Err(Rejection::no_worktree()) }
    }

    fn serves(&self, worktree: &str) -> Result<bool, Rejection> {
        let row = self.service().store().worktree(worktree)?;
        Ok(row.is_some_and(|row| self.is_beneath_a_root(Path::new(&row.root))))
    }

    fn is_beneath_a_root(&self, path: &Path) -> bool {
        self.0.roots.iter().any(|root| path.starts_with(root))
    }
}

fn outside_roots() -> Rejection {
    let message = "the directory is not beneath one of the server's roots";
    let next_step = "Use the absolute path of a directory beneath a root of `fuzzy-edit serve --root`.";
    Rejection::new(Code::OutsideRoot, message, next_step)
}
