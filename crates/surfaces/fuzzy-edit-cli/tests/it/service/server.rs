//! `fuzzy-edit serve` as a child process, and requests to it.

use std::fmt::Debug;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use serde_json::Value;

use crate::place::Place;

/// The longest wait. It only ends tests that have failed.
const PATIENCE: Duration = Duration::from_mins(2);

/// Waits until `look` returns a value.
pub(crate) fn until<T>(what: impl Debug, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "it never came: {what:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Returns the command `fuzzy-edit serve` on a free port, whose stop and reset commands append to `notes`.
pub(crate) fn serve(place: &Place, database: &str) -> Command {
    let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.dir);
    command.args(["serve", "--addr", "127.0.0.1:0", "--database", database]);
    // The file `deaf` makes the reset command fail.
    let dir = place.dir.display();
    let note = |word: &str| format!("sh -c 'test ! -e {dir}/deaf && echo {word} >>{dir}/notes'");
    command.arg("--stop-command").arg(note("stop $FUZZY_EDIT_SESSION"));
    command.arg("--reset-command").arg(note("reset $FUZZY_EDIT_SESSION $FUZZY_EDIT_GENERATION"));
    command
}

/// A server that listens. It is killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Server {
    /// Starts it and waits until it listens; a long recovery may still be running.
    #[track_caller]
    pub(crate) fn start(command: Command) -> Self {
        Self::begin(command).expect("it listens")
    }

    /// Starts it; returns its exit status if it ends before it listens.
    pub(crate) fn begin(mut command: Command) -> Result<Self, ExitStatus> {
        let mut child = command.stderr(Stdio::inherit()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("read");
        match line.trim().strip_prefix("listening at http://").and_then(|url| url.strip_suffix('/')) {
            Some(address) => Ok(Self { address: address.to_owned(), child }),
            None => Err(child.wait().expect("it ends")),
        }
    }

    /// Sends a body; returns an error if there is no answer.
    pub(crate) fn request(&self, path: &str, key: Option<&str>, body: &Value) -> Result<Reply, ureq::Error> {
        request(&self.address, path, key, Some(body))
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.request(path, None, body).expect("an answer")
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        request(&self.address, path, None, None).expect("an answer").good()
    }

    /// Kills it without its child processes.
    pub(crate) fn kill(&self) {
        rustix::process::kill_process(Pid::from_child(&self.child), Signal::KILL).expect("sent");
    }

    /// Waits until it exits.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        until("the end of the server", || self.child.try_wait().expect("asked"))
    }

    /// Returns whether it has exited.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("asked").is_some()
    }

    /// Sends the signal to stop, as a service manager does.
    pub(crate) fn terminate(&self) {
        rustix::process::kill_process(Pid::from_child(&self.child), Signal::TERM).expect("sent");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request on a connection of its own: GET, or POST with a body.
fn request(address: &str, path: &str, key: Option<&str>, body: Option<&Value>) -> Result<Reply, ureq::Error> {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(PATIENCE))
        .max_idle_connections(0)
        .build()
        .new_agent();
    let url = format!("http://{address}{path}");
    let mut answer = match (body, key) {
        (None, _) => agent.get(&url).call(),
        (Some(body), key) => {
            let post = agent.post(&url).content_type("application/json");
            let post = if let Some(key) = key { post.header("Idempotency-Key", key) } else { post };
            post.send(body.to_string())
        }
    }?;
    let status = answer.status().as_u16();
    let body = serde_json::from_reader(answer.body_mut().as_reader()).map_err(io::Error::from)?;
    Ok(Reply { status, body })
}

impl Reply {
    /// Expects success.
    #[track_caller]
    pub(crate) fn good(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body
    }

    /// Expects a refusal with a next step.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.body["code"].as_str()), (status, Some(code)), "{}", self.body);
        assert!(self.body["next_step"].as_str().is_some_and(|step| step.ends_with('.')), "{}", self.body);
    }
}

/// Blocks a restore just before it writes the files.
pub(crate) struct Gate<'a>(&'a Place);

impl<'a> Gate<'a> {
    /// Installs it for a server.
    pub(crate) fn before(place: &'a Place, command: &mut Command) -> Self {
        let dir = place.dir.join("gate");
        fs::create_dir_all(&dir).unwrap();
        command.env("FUZZY_FAILPOINT_WAIT", "before files").env("FUZZY_FAILPOINT_DIR", dir);
        Self(place)
    }

    /// Waits until a restore is blocked by it.
    pub(crate) fn reached(&self) {
        until("a restore at the gate", || self.0.dir.join("gate/here").exists().then_some(()));
    }

    pub(crate) fn open(&self) {
        fs::write(self.0.dir.join("gate/go"), "").unwrap();
    }
}
