//! A project in which an agent works.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::place::{Answer, Place, run};

/// A repository, and events in the format of Claude Code.
pub(crate) struct Scene {
    pub(crate) place: Place,
}

/// Returns an event of a session.
pub(crate) fn event(dir: &Path, session: &str, prompt: &str) -> String {
    json!({ "session_id": session, "cwd": dir, "prompt": prompt }).to_string()
}

impl Scene {
    pub(crate) fn new() -> Self {
        let scene = Self { place: Place::new() };
        // A user needs longer than this to write a file and then a prompt.
        thread::sleep(Duration::from_millis(100));
        scene
    }

    /// Makes one whose folder has no git.
    pub(crate) fn without_git() -> Self {
        let scene = Self::new();
        fs::remove_dir_all(scene.place.path(".git")).unwrap();
        scene
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &self.place.root());
        command.args(arguments);
        command
    }

    /// Sends an event to a hook, which never fails.
    pub(crate) fn hook(&self, verb: &str, event: &str) {
        drop(self.hook_of("claude-code", verb, event));
    }

    /// Sends an event to a hook of a host, and returns the text that its agent is told; other answers are empty.
    pub(crate) fn hook_of(&self, host: &str, verb: &str, event: &str) -> String {
        let answer = Self::answer(self.command(&["hook", host, verb]), event);
        self.idle();
        if answer.is_empty() {
            return answer;
        }
        assert_eq!(verb, "turn-begin", "{answer}");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let context = answer.get("context").unwrap_or(&answer["hookSpecificOutput"]["additionalContext"]);
        context.as_str().unwrap().to_owned()
    }

    /// Waits until every event is recorded: on a busy machine, the process that a hook started may still be running.
    pub(crate) fn idle(&self) {
        while self.is_recording() {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns whether any event is not yet recorded.
    fn is_recording(&self) -> bool {
        let queues = fs::read_dir(self.state().join("turns")).into_iter().flatten().flatten();
        let mut files = queues.flat_map(|queue| fs::read_dir(queue.path()).into_iter().flatten().flatten());
        files.any(|file| file.file_name() != "lock")
    }

    /// Runs a hook with an event; it prints nothing.
    pub(crate) fn send(command: Command, event: &str) {
        assert_eq!(Self::answer(command, event), "");
    }

    /// Runs a hook with an event, and returns its answer. It never fails or complains.
    pub(crate) fn answer(mut command: Command, event: &str) -> String {
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let [answer, said] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!((output.status.code(), said.as_str()), (Some(0), ""));
        answer
    }

    pub(crate) fn begin(&self, session: &str, prompt: &str) {
        self.hook("turn-begin", &event(&self.place.root(), session, prompt));
    }

    pub(crate) fn end(&self, session: &str) {
        self.hook("turn-end", &event(&self.place.root(), session, ""));
    }

    pub(crate) fn end_session(&self, session: &str) {
        self.hook("session-end", &event(&self.place.root(), session, ""));
    }

    /// Plays a turn in which an agent runs a shell command.
    pub(crate) fn turn(&self, session: &str, prompt: &str, shell: &str) {
        // Files that are written just before a prompt are suspect, and named.
        thread::sleep(Duration::from_millis(100));
        self.begin(session, prompt);
        self.shell(shell);
        self.end(session);
    }

    pub(crate) fn shell(&self, line: &str) {
        let status = self.place.clean("sh", &self.place.root()).args(["-eu", "-c", line]).status().unwrap();
        assert!(status.success(), "{line}");
    }

    pub(crate) fn turns(&self, arguments: &[&str]) -> Answer {
        run(&mut self.command(&[&["turns"], arguments].concat()))
    }

    /// Runs `undo`.
    pub(crate) fn undo(&self, arguments: &[&str]) -> Answer {
        run(&mut self.command(&[&["undo"], arguments].concat()))
    }

    /// Runs `undo` with `--json` and expects success.
    pub(crate) fn undo_json(&self, arguments: &[&str]) -> Value {
        let answer = self.undo(&[arguments, &["--json"]].concat());
        assert_eq!(answer.code, 0, "{arguments:?}: {} {}", answer.err, answer.text());
        answer.json()
    }

    /// Runs `turns` with `--json` and expects success.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let answer = self.turns(&[arguments, &["--json"]].concat());
        assert_eq!(answer.code, 0, "{arguments:?}: {} {}", answer.err, answer.text());
        answer.json()
    }

    /// Returns the listed turns.
    pub(crate) fn list(&self) -> Vec<Value> {
        self.json(&[])["turns"].as_array().unwrap().clone()
    }

    /// Returns one property of each listed turn.
    pub(crate) fn column(&self, name: &str) -> Value {
        self.list().iter().map(|turn| turn[name].clone()).collect()
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.place.dir.join("state/fuzzy-edit")
    }
}
