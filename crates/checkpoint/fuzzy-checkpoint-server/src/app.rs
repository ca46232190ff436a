//! What every handler shares.

use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fuzzy_checkpoint::{Place, in_place};
use fuzzy_checkpoint_service::Checkpointer;
use fuzzy_checkpoint_store::{ListedSession, RestoreId, Session, SessionId};
use fuzzy_gate::{Hosts, Token};
use fuzzy_report::Code;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::rejection::Rejection;

/// How many captures, restores and comparisons run at once. Each starts processes; more of them are not done sooner.
const GIT_WORK: usize = 8;
/// How many questions to the database wait for their answer at once.
const LOOKS: usize = 32;
/// How many clients may listen to what goes on at once: each keeps its connection.
const LISTENERS: usize = 64;
/// How long a request waits for its turn.
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

/// The turn of a piece of work. While that waits for its worktree, others have theirs.
struct Turn {
    turns: Arc<Semaphore>,
    taken: RefCell<Option<OwnedSemaphorePermit>>,
    runtime: Handle,
}

impl Place for Turn {
    fn leave(&self) {
        self.taken.take();
    }

    fn take(&self) {
        // Nobody closes them.
        let turn = self.runtime.block_on(Arc::clone(&self.turns).acquire_owned());
        self.taken.replace(turn.ok());
    }
}

impl App {
    /// `roots` are canonical directories.
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

    /// Returns the place of one more client that listens to what goes on, if there is one.
    pub(crate) fn listen(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.listeners).try_acquire_owned().ok()
    }

    /// Has those who listen go: an answer that has no end would keep the server from its own.
    pub(crate) fn close(&self) {
        self.0.closed.send_replace(true);
    }

    /// Waits until the server ends.
    pub(crate) async fn closed(&self) {
        // The sender lives as long as we do.
        let _ = self.0.closed.subscribe().wait_for(|closed| *closed).await;
    }

    pub(crate) fn hosts(&self) -> &Hosts {
        &self.0.hosts
    }

    pub(crate) fn token(&self) -> Option<&Token> {
        self.0.token.as_ref()
    }

    /// Returns what a form must carry to be one of this server's own; another one after every start.
    pub(crate) fn csrf(&self) -> &Token {
        &self.0.csrf
    }

    /// Runs what captures, compares or restores on a thread of its own, a few at once.
    pub(crate) async fn git<T, F>(&self, work: F) -> Result<T, Rejection>
    where
        T: Send + 'static,
        F: FnOnce(&App) -> Result<T, Rejection> + Send + 'static,
    {
        self.blocking(Arc::clone(&self.0.git), work).await
    }

    /// Runs what only asks or writes the database on a thread of its own: it does not wait for captures.
    pub(crate) async fn look<T, F>(&self, work: F) -> Result<T, Rejection>
    where
        T: Send + 'static,
        F: FnOnce(&App) -> Result<T, Rejection> + Send + 'static,
    {
        self.blocking(Arc::clone(&self.0.looks), work).await
    }

    /// The work goes on when the client has gone: what was begun is finished.
    async fn blocking<T, F>(&self, turns: Arc<Semaphore>, work: F) -> Result<T, Rejection>
    where
        T: Send + 'static,
        F: FnOnce(&App) -> Result<T, Rejection> + Send + 'static,
    {
        let own = Arc::clone(&turns);
        let Ok(Ok(turn)) = timeout(QUEUE, turns.acquire_owned()).await else {
            return Err(Rejection::busy());
        };
        let app = self.clone();
        let done = spawn_blocking(move || {
            let turn = Turn { turns: own, taken: RefCell::new(Some(turn)), runtime: Handle::current() };
            in_place(Box::new(turn), || work(&app))
        });
        done.await.unwrap_or_else(|error| Err(Rejection::internal(&error.to_string())))
    }

    /// Returns a session of a worktree beneath one of the roots. Any other is as unknown as one that never was.
    pub(crate) fn session(&self, id: &SessionId) -> Result<Session, Rejection> {
        let session = self.service().store().session(id)?.ok_or_else(Rejection::not_in_session)?;
        if self.serves(&session.worktree_id)? { Ok(session) } else { Err(Rejection::not_in_session()) }
    }

    /// Returns the restore of the session's worktree that is not finished.
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

    /// Returns the root of the worktree around a directory that a client named, if it lies beneath one of the roots.
    pub(crate) fn allowed(&self, dir: &Path) -> Result<PathBuf, Rejection> {
        // What lies elsewhere is not looked at, so nobody learns whether it is there.
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
    let next_step = "Name a directory beneath what `fuzzy-edit serve --root` names, by its absolute path.";
    Rejection::new(Code::OutsideRoot, message, next_step)
}
