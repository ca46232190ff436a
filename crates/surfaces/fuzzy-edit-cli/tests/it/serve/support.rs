//! A server for a test, and a client that validates its answers against the schema.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus};
use std::sync::LazyLock;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use ureq::http::Request;
use ureq::{Agent, RequestExt as _};

use crate::place::{Place, run};

/// The server as a child process, killed at the end of the test.
pub(crate) struct Server {
    child: Child,
    /// Its address and port.
    pub(crate) address: String,
    agent: Agent,
}

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: ureq::http::HeaderMap,
    pub(crate) body: String,
    route: String,
}

/// The file in a place with the name of its database, if it is not the default one.
pub(crate) const DATABASE: &str = "database";

/// Returns the command of a server for a place; shell scripts stop and reset its agent.
pub(crate) fn command(place: &Place, arguments: &[&str]) -> Command {
    let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.dir);
    command.args(["serve", "--addr", "127.0.0.1:0"]).args(arguments);
    if let Ok(database) = fs::read_to_string(place.dir.join(DATABASE)) {
        command.env("FUZZY_EDIT_DATABASE", database);
    }
    command
}

impl Server {
    pub(crate) fn start(place: &Place, arguments: &[&str]) -> Self {
        Self::run(command(place, arguments))
    }

    /// Starts it with an agent that appends each reset to the file `resets`, a generation per line.
    pub(crate) fn with_agent(place: &Place) -> Self {
        Self::start(place, &["--reset", &reset(place)])
    }

    /// Starts it and waits until it prints its address.
    pub(crate) fn run(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening at http://").and_then(|line| line.strip_suffix("/\n"));
        let Some(address) = address.map(str::to_owned) else {
            panic!("{line}{:?}", child.wait_with_output());
        };
        let config = Agent::config_builder().http_status_as_error(false).timeout_global(Some(Duration::from_mins(1)));
        Self { child, address, agent: config.build().into() }
    }

    pub(crate) fn get(&self, route: &str) -> Answer {
        self.request("GET", route, &[], None).unwrap()
    }

    /// Posts JSON; `null` for an empty body.
    pub(crate) fn post(&self, route: &str, body: &Value) -> Answer {
        let body = (!body.is_null()).then(|| body.to_string());
        self.request("POST", route, &[], body.as_deref()).unwrap()
    }

    /// Posts a restore with a key.
    pub(crate) fn post_by(&self, route: &str, key: &str, body: &Value) -> Answer {
        self.request("POST", route, &[("Idempotency-Key", key)], Some(&body.to_string())).unwrap()
    }

    /// Undoes a restore and returns the outcome.
    pub(crate) fn undo(&self, restore: &str) -> Value {
        self.post(&self.undoing(restore), &json!({"verb": "undo", "restore": restore})).ok()["restore"].clone()
    }

    /// Returns the route that undoes a restore.
    pub(crate) fn undoing(&self, restore: &str) -> String {
        let worktree = self.get(&format!("/api/restores/{restore}")).text("worktree_id");
        format!("/api/worktrees/{worktree}/turns/take-back")
    }

    /// Sends a request, as JSON unless the headers have another type.
    pub(crate) fn request(
        &self,
        method: &str,
        route: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Result<Answer, ureq::Error> {
        let mut request = Request::builder().method(method).uri(format!("http://{}{route}", self.address));
        if body.is_some() && headers.iter().all(|(name, _)| *name != "Content-Type") {
            request = request.header("Content-Type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = match body {
            Some(body) => request.body(body.to_owned()).unwrap().with_agent(&self.agent).run()?,
            None => request.body(()).unwrap().with_agent(&self.agent).run()?,
        };
        let mut body = String::new();
        response.body_mut().as_reader().read_to_string(&mut body)?;
        let route = format!("{method} {}", route.split('?').next().unwrap());
        Ok(Answer { status: response.status().as_u16(), headers: response.headers().clone(), body, route })
    }

    /// Creates a session in the repository of the place.
    pub(crate) fn session(&self, place: &Place) -> String {
        self.post("/api/sessions", &json!({"worktree": place.root(), "title": "a session"})).text("id")
    }

    /// Plays a turn: the prompt, the changes by `work`, an answer, the end. Returns the turn and its checkpoint.
    pub(crate) fn turn(&self, session: &str, prompt: &str, work: impl FnOnce()) -> (String, String) {
        let begun = self.post(&format!("/api/sessions/{session}/turns"), &json!({"message": prompt})).ok();
        let (turn, checkpoint) = (begun["id"].as_str().unwrap(), begun["checkpoint_id"].as_str().unwrap());
        work();
        let text = json!({"turn": turn, "role": "assistant", "body": format!("did {prompt}")});
        self.post(&format!("/api/sessions/{session}/messages"), &text).ok();
        self.post(&format!("/api/sessions/{session}/turns/{turn}/end"), &json!({"status": "complete"})).ok();
        (turn.to_owned(), checkpoint.to_owned())
    }

    /// Returns the texts of the transcript.
    pub(crate) fn transcript(&self, session: &str) -> Vec<String> {
        let messages = self.get(&format!("/api/sessions/{session}/messages")).ok();
        messages["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["body"].as_str().map_or_else(|| it["body"].to_string(), str::to_owned))
            .collect()
    }

    /// Sends the server the signal to stop.
    pub(crate) fn terminate(&self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
    }

    /// Waits for the server to exit; returns its status and its standard error.
    pub(crate) fn wait(mut self) -> (ExitStatus, String) {
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (self.child.wait().unwrap(), text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a command that appends each reset to a file.
pub(crate) fn reset(place: &Place) -> String {
    let script = format!("echo $FUZZY_EDIT_SESSION $FUZZY_EDIT_GENERATION >> {}", place.dir.join("resets").display());
    format!("sh -c '{script}'")
}

/// Returns the generations that a session's agent was reset to.
pub(crate) fn resets(place: &Place, session: &str) -> Vec<String> {
    let lines = fs::read_to_string(place.dir.join("resets")).unwrap_or_default();
    lines.lines().filter_map(|line| Some(line.strip_prefix(session)?.trim().to_owned())).collect()
}

impl Answer {
    /// Returns the object of a success.
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// Returns a text of a success.
    pub(crate) fn text(&self, key: &str) -> String {
        self.ok()[key].as_str().unwrap_or_else(|| panic!("{key}: {self:?}")).to_owned()
    }

    /// Returns the object of a refusal with this status and code.
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        assert_eq!((self.status, body["code"].as_str()), (status, Some(code)), "{self:?}");
        assert!(!body["message"].as_str().unwrap().is_empty() && !body["next_step"].as_str().unwrap().is_empty());
        body
    }

    /// Returns the object after validation against the schema of its route, or of failures.
    fn json(&self) -> Value {
        assert_eq!(self.headers["content-type"], "application/json", "{self:?}");
        let value = serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        let part = if self.status == 200 { &SCHEMA["routes"][pattern(&self.route)] } else { &SCHEMA["refusal"] };
        assert!(part.is_object(), "`fuzzy-edit schema api` has no {}", self.route);
        let schema = json!({"$ref": part["$ref"], "$defs": SCHEMA["$defs"]});
        let error = jsonschema::validator_for(&schema).unwrap().validate(&value).err().map(|error| error.to_string());
        assert_eq!(error, None, "{self:?}");
        value
    }
}

/// The schema of the API, as the command prints it.
pub(crate) static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let printed = run(Command::new(env!("CARGO_BIN_EXE_fuzzy-edit")).args(["schema", "api"])).text();
    serde_json::from_str(&printed).unwrap()
});

/// Replaces the ids in a route by their names.
fn pattern(route: &str) -> String {
    let mut words: Vec<String> = route.split('/').map(str::to_owned).collect();
    for at in 1..words.len() {
        let is_number = words[at - 1] == "turns" && words[at].parse::<i64>().is_ok();
        if is_number {
            "{number}".clone_into(&mut words[at]);
        } else if words[at].len() == 26 || words[at].len() == 16 && words[at - 1] == "worktrees" {
            words[at] = format!("{{{}}}", words[at - 1].trim_end_matches('s'));
        }
    }
    words.join("/")
}
