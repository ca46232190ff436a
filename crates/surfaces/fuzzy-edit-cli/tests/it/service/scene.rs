//! A session with three turns, played over HTTP by an agent that changes files.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::database::{Database, Fresh};
use super::server::{Reply, Server, serve, until};
use crate::place::{Place, text};

/// The contents of the worktree: kind, executable bit and bytes of every file, and git's report of index and head.
type Worktree = (BTreeMap<PathBuf, (bool, Vec<u8>)>, String);

/// A place whose session has three turns, and the expected state after a restore of the first.
pub(crate) struct Scene {
    pub(crate) place: Place,
    pub(crate) database: Fresh,
    pub(crate) session: String,
    pub(crate) target: String,
    then: Worktree,
    now: Worktree,
}

/// The state of a session at a moment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Talk {
    pub(crate) messages: Vec<Value>,
    checkpoints: Vec<String>,
    generation: i64,
    state: String,
    pub(crate) notes: Vec<String>,
}

impl Scene {
    pub(crate) fn new(database: Database) -> Self {
        Self::within(Place::new(), database)
    }

    /// Plays the turns with a server that is killed afterwards.
    pub(crate) fn within(place: Place, database: Database) -> Self {
        place.write("staged.txt", "staged\n");
        place.git(&["add", "staged.txt"]);
        place.write("a.txt", "unstaged\n");
        place.write("loose.txt", "untracked\n");
        place.write("x.ignored", "left alone\n");
        let database = database.fresh(&place);
        let server = Server::start(serve(&place, &database.target));
        let made = server.post("/api/sessions", &json!({"worktree": place.root(), "title": "t"})).good();
        let then = (place.files(), place.status());
        let mut scene =
            Self { session: text(&made, "id"), target: String::new(), now: then.clone(), then, database, place };
        let first = scene.begin(&server, "one");
        scene.target = text(&first, "checkpoint_id");
        scene.change_one();
        scene.end(&server, &first);
        scene.two_more(&server);
        scene.now = scene.worktree();
        assert_ne!(scene.now, scene.then);
        scene
    }

    pub(crate) fn worktree(&self) -> Worktree {
        (self.place.files(), self.place.status())
    }

    pub(crate) fn at(&self, rest: &str) -> String {
        format!("/api/sessions/{}{rest}", self.session)
    }

    pub(crate) fn start(&self) -> Server {
        Server::start(serve(&self.place, &self.database.target))
    }

    /// Begins a turn.
    pub(crate) fn begin(&self, server: &Server, prompt: &str) -> Value {
        let turn = server.post(&self.at("/turns"), &json!({"message": prompt})).good();
        assert!(turn["checkpoint_id"].is_string(), "{turn}");
        turn
    }

    pub(crate) fn add_message(&self, server: &Server, turn: &str, body: &str) -> Reply {
        server.post(&self.at("/messages"), &json!({"turn": turn, "role": "assistant", "body": body}))
    }

    /// Adds two messages and ends the turn.
    pub(crate) fn end(&self, server: &Server, turn: &Value) {
        let turn = text(turn, "id");
        for body in ["working", "done"] {
            self.add_message(server, &turn, body).good();
        }
        server.post(&self.at(&format!("/turns/{turn}/end")), &json!({"status": "complete"})).good();
    }

    fn change_one(&self) {
        self.place.write("a.txt", "agent\n");
        fs::remove_dir_all(self.place.path("dir")).unwrap();
        self.place.write("dir", "a file now\n");
        self.place.write("new/x", "new\n");
        self.place.git(&["add", "-A"]);
    }

    fn two_more(&self, server: &Server) {
        let second = self.begin(server, "two");
        self.place.write("new/y", "new\n");
        fs::remove_file(self.place.path("staged.txt")).unwrap();
        self.end(server, &second);
        let third = self.begin(server, "three");
        fs::remove_file(self.place.path("new/x")).unwrap();
        self.place.write("new/x/z", "a directory now\n");
        self.place.write("a.txt", "agent again\n");
        self.end(server, &third);
    }

    /// Plays three turns with the same result as the first three.
    pub(crate) fn again(&self, server: &Server) {
        let first = self.begin(server, "one more");
        self.change_one();
        self.end(server, &first);
        self.two_more(server);
        assert_eq!(self.worktree(), self.now);
    }

    /// Begins a turn that is not ended, and changes files in it.
    pub(crate) fn busy(&self, server: &Server) -> String {
        let turn = self.begin(server, "still at it");
        self.place.write("late.txt", "written by a turn that runs\n");
        text(&turn, "id")
    }

    pub(crate) fn restore_path(&self) -> String {
        self.at(&format!("/checkpoints/{}/restore", self.target))
    }

    pub(crate) fn restore(&self, server: &Server, key: &str, body: &Value) -> Result<Reply, ureq::Error> {
        server.request(&self.restore_path(), Some(key), body)
    }

    /// Requests the whole state of the session.
    pub(crate) fn talk(&self, server: &Server) -> Talk {
        let session = server.get(&self.at(""));
        let messages = server.get(&self.at("/messages"))["messages"].as_array().expect("messages").clone();
        let listed = server.get(&self.at("/checkpoints"));
        let listed = listed["checkpoints"].as_array().expect("checkpoints").iter();
        let turns = listed.filter(|checkpoint| checkpoint["kind"] == "turn");
        let checkpoints = turns.map(|checkpoint| text(checkpoint, "id")).collect();
        let generation = session["generation"].as_i64().expect("a generation");
        Talk { messages, checkpoints, generation, state: text(&session, "state"), notes: self.notes() }
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        let text = fs::read_to_string(self.place.dir.join("notes")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Checks an answer and its effects: files, index, transcript and backend are those of the first turn, once.
    #[track_caller]
    pub(crate) fn check_restored(&self, server: &Server, before: &Talk, done: &Value, name: &str) {
        let trimmed = before.messages.len() - 1;
        assert_eq!(done["checkpoint_id"], json!(self.target), "{name}: {done}");
        assert_eq!(done["messages_deleted"], json!(trimmed), "{name}: {done}");
        assert_eq!((&done["worktree_reset"], &done["backend_reset"]), (&json!(true), &json!(true)), "{name}: {done}");
        assert_eq!(self.worktree(), self.then, "{name}");
        let after = self.talk(server);
        let mut prompt = before.messages[0].clone();
        let why = &after.messages[0]["uncompared"];
        assert!(why.as_str().is_some_and(|why| why.ends_with("took it back")), "{name}: {why}");
        (prompt["changes"], prompt["uncompared"]) = (Value::Null, why.clone());
        assert_eq!(after.messages, [prompt], "{name}: trimmed after the first prompt");
        assert_eq!(after.checkpoints, std::slice::from_ref(&self.target), "{name}: the later ones are hidden");
        self.check_told(before, &after, name);
    }

    /// Checks the state after an undo.
    #[track_caller]
    pub(crate) fn check_undone(&self, server: &Server, before: &Talk, restored: &Talk, done: &Value, name: &str) {
        assert_eq!(done["messages_deleted"], json!(before.messages.len() - 1), "{name}: {done}");
        assert_eq!((&done["worktree_reset"], &done["backend_reset"]), (&json!(true), &json!(true)), "{name}: {done}");
        assert_eq!(self.worktree(), self.now, "{name}");
        let after = self.talk(server);
        assert_eq!(after.messages, before.messages, "{name}: all of it is back");
        assert_eq!(after.checkpoints, before.checkpoints, "{name}: all of them are back");
        self.check_told(restored, &after, name);
    }

    /// Checks that one new generation has begun, that the backend was reset to it, and that the record has this.
    #[track_caller]
    fn check_told(&self, before: &Talk, after: &Talk, name: &str) {
        assert_eq!(after.generation, before.generation + 1, "{name}: one new generation");
        assert_eq!(after.state, "idle", "{name}");
        let (old, new) = after.notes.split_at(before.notes.len());
        assert_eq!(old, before.notes, "{name}");
        let expected = format!("reset {} {}", self.session, after.generation);
        let resets: Vec<&String> = new.iter().filter(|note| !note.starts_with("stop ")).collect();
        assert!(!resets.is_empty() && resets.iter().all(|note| **note == expected), "{name}: {new:?}");
        self.check_nothing_open(name);
        assert!(!self.place.path(".git/index.lock").exists(), "{name}: our lock is gone");
    }

    /// Checks that no restore is unfinished, and that every backend is reset to its generation.
    #[track_caller]
    pub(crate) fn check_nothing_open(&self, name: &str) {
        let store = self.database.store();
        // A server listens before a slow recovery is done.
        until(name, || store.open_restores().expect("listed").is_empty().then_some(()));
        until(name, || store.undelivered_resets().expect("listed").is_empty().then_some(()));
    }

    /// Checks that a new turn works in the new generation, and that messages of an old one are dropped.
    #[track_caller]
    pub(crate) fn check_goes_on(&self, server: &Server, before: &Talk, name: &str) {
        let generation = self.talk(server).generation;
        let old = before.messages.iter().rfind(|message| message["role"] == "user").expect("a prompt");
        self.add_message(server, &text(old, "id"), "late").refused(409, "turn_over");
        let turn = self.begin(server, "on we go");
        assert_eq!(turn["generation"], json!(generation), "{name}");
        self.add_message(server, &text(old, "id"), "later").refused(409, "turn_over");
        self.end(server, &turn);
    }
}

/// Undoes a restore.
pub(crate) fn undo(server: &Server, restore: &str, key: &str) -> Result<Reply, ureq::Error> {
    let worktree = text(&server.get(&format!("/api/restores/{restore}")), "worktree_id");
    let route = format!("/api/worktrees/{worktree}/turns/take-back");
    server.request(&route, Some(key), &json!({"verb": "undo", "restore": restore}))
}
