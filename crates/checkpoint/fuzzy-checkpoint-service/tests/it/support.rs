//! A repository, a service and a backend for tests.

use std::any::Any;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use fuzzy_checkpoint::{Detail, DiffOptions, Engine, Limits};
use fuzzy_checkpoint_service::{Backend, Checkpointer, Result, Settings, Stopped, Turn};
use fuzzy_checkpoint_store::{MessageStatus, SessionId, open};
use fuzzy_safe_write::{Fault, inject, meanwhile};
use fuzzy_testkit::{programs, users_repository};

/// A backend that logs its calls in a file, which outlives the process.
pub(crate) struct Noted {
    pub(crate) file: PathBuf,
    pub(crate) stops: Stopped,
}

impl Noted {
    fn note(&self, line: &str) {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&self.file).expect("opened");
        writeln!(file, "{line}").expect("written");
    }
}

impl Backend for Noted {
    fn stop(&self, _: &SessionId, _: Duration) -> Result<Stopped> {
        self.note("stop");
        Ok(self.stops)
    }

    fn reset(&self, _: &SessionId, generation: u64) -> Result<()> {
        self.note(&format!("reset {generation}"));
        Ok(())
    }
}

const SETTINGS: Settings = Settings {
    lease: Duration::from_millis(300),
    stop_wait: Duration::from_secs(1),
    sidecar: false,
    store: None,
    newest_batch: || None,
};

/// Options for a full patch.
pub(crate) const WHOLE: DiffOptions = DiffOptions { paths: Vec::new(), detail: Detail::Patch, renames: true };

/// A test's directory with `repo`, `state`, `notes` and the database's name, the owner of that database, and whether the
/// repository must be whole in the end.
pub(crate) struct Place(
    pub(crate) PathBuf,
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "it is only kept"))]
    Option<Box<dyn Any + Send + Sync>>,
    bool,
);

impl Drop for Place {
    fn drop(&mut self) {
        if self.2 && !thread::panicking() {
            users_repository::assert_whole(&self.root());
        }
    }
}

impl Place {
    pub(crate) fn new(dir: &Path) -> Self {
        let dir = dir.canonicalize().expect("a real path");
        let place = Self(dir, None, true);
        fs::create_dir(place.root()).expect("created");
        place.git(&["init", "-q", "-b", "main", "."]);
        place.write("a.txt", "alpha\n");
        place.write("dir/b.txt", "beta\r\n");
        place.write(".gitignore", "*.ignored\n");
        place.write("x.ignored", "ignored\n");
        place.git(&["add", "-A"]);
        place.git(&["commit", "-q", "-m", "first"]);
        place
    }

    /// Uses the database at this URL, which exists as long as its owner.
    #[cfg(feature = "postgres")]
    pub(crate) fn with_database(mut self, url: &str, owner: impl Any + Send + Sync) -> Self {
        fs::write(self.0.join("database"), url).expect("written");
        self.1 = Some(Box::new(owner));
        self
    }

    /// Opens the place of another process.
    pub(crate) fn made(dir: PathBuf) -> Self {
        Self(dir, None, false)
    }

    /// Returns the name of the database.
    pub(crate) fn database(&self) -> String {
        let file = || self.0.join("state.db").to_str().expect("UTF-8").to_owned();
        fs::read_to_string(self.0.join("database")).unwrap_or_else(|_| file())
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.0.join("repo")
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        programs::read(programs::git(&self.root()).args(args))
    }

    /// Runs git on the store of the checkpoints, which also reads the objects of the repository.
    pub(crate) fn kept_git(&self, args: &[&str]) -> String {
        let stores = fs::read_dir(self.0.join("state/store")).expect("stores").flatten();
        let store = stores.map(|entry| entry.path()).next().expect("one store");
        let lends = self.root().join(".git/objects");
        let mut command = programs::git(&self.0);
        command.env("GIT_DIR", store).env("GIT_ALTERNATE_OBJECT_DIRECTORIES", lends);
        programs::read(command.args(args))
    }

    /// Replaces the git directory by a file that git refuses.
    pub(crate) fn spoil_git(&self) {
        fs::rename(self.root().join(".git"), self.root().join("away")).expect("moved");
        fs::write(self.root().join(".git"), "spoilt\n").expect("written");
    }

    /// Brings the git directory back.
    pub(crate) fn mend_git(&self) {
        fs::remove_file(self.root().join(".git")).expect("removed");
        fs::rename(self.root().join("away"), self.root().join(".git")).expect("moved back");
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("created");
        fs::write(path, content).expect("written");
    }

    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.root(), &mut files);
        files
    }

    pub(crate) fn service(&self) -> Checkpointer {
        self.service_with(Stopped::Yes)
    }

    pub(crate) fn service_with(&self, stops: Stopped) -> Checkpointer {
        self.service_on(&self.database(), stops)
    }

    /// Opens a service with this backend.
    pub(crate) fn service_of(&self, backend: Arc<dyn Backend>) -> Checkpointer {
        Checkpointer::new(self.engine(), open(&self.database()).expect("opened"), backend, SETTINGS)
    }

    /// Opens a service on a database with another name.
    pub(crate) fn service_on(&self, database: &str, stops: Stopped) -> Checkpointer {
        self.opened(database, self.engine(), stops)
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::new(self.0.join("state")).with_limits(Limits { min_free_bytes: 1, ..Limits::default() })
    }

    fn opened(&self, database: &str, engine: Engine, stops: Stopped) -> Checkpointer {
        let store = open(database).expect("opened");
        let backend = Noted { file: self.0.join("notes"), stops };
        Checkpointer::new(engine, store, Arc::new(backend), SETTINGS)
    }

    /// Opens a service whose git first runs `script`, with the arguments in `$*`.
    pub(crate) fn service_that(&self, script: &str) -> Checkpointer {
        let program = self.0.join("wrapped-git");
        programs::git_that(&program, script);
        self.opened(&self.database(), self.engine().with_git(program), Stopped::Yes)
    }

    /// Runs `work` on a disk that fails as soon as the file at `path` has changed.
    pub(crate) fn halfway<T>(&self, path: &str, work: impl FnOnce() -> T) -> T {
        let disk = self.root().join(path);
        let before = fs::read(&disk).ok();
        meanwhile(Some(Box::new(move |step| {
            if fs::read(&disk).ok() != before {
                inject(Fault::FailAt(step), true);
            }
        })));
        let done = work();
        meanwhile(None);
        inject(Fault::None, true);
        done
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.join("notes")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

fn collect(dir: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(dir).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != ".git") {
            collect(&path, files);
        } else if path.is_file() {
            files.insert(path.clone(), fs::read(&path).expect("readable"));
        }
    }
}

/// Runs a whole turn: prompt, checkpoint, a change of files, a reply.
pub(crate) fn turn(service: &Checkpointer, session: &SessionId, prompt: &str, change: impl FnOnce()) -> Turn {
    let turn = service.begin_turn(session, prompt).expect("begun");
    change();
    service.append_message(session, &turn.id, "assistant", "done").expect("stored");
    service.end_turn(session, &turn.id, MessageStatus::Complete).expect("ended");
    turn
}

pub(crate) fn bodies(service: &Checkpointer, session: &SessionId) -> Vec<String> {
    service.store().messages(session).expect("listed").into_iter().map(|message| message.body.to_string()).collect()
}
