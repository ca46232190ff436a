//! Scenes by the hooks that `init` writes: take-backs beside working agents, and edits by hand after an interruption.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::scene::Scene;
use crate::checkpoint::terminal::type_to;
use crate::clock;
use crate::place::run;

/// A project whose agent is Gemini CLI.
struct Agent {
    scene: Scene,
    /// The command lines of the hooks, by the host's events.
    hooks: BTreeMap<String, Vec<String>>,
    /// The clock of the hooks, such as `-1h`.
    shift: Option<(PathBuf, &'static str)>,
}

impl Agent {
    fn new() -> Self {
        let scene = Scene::new();
        let home = scene.place.dir.join("home/.gemini");
        fs::create_dir(&home).unwrap();
        let done = run(&mut scene.command(&["init", "gemini", "--yes"]));
        assert_eq!(done.code, 0, "{}", done.err);
        let settings: Value = serde_json::from_slice(&fs::read(home.join("settings.json")).unwrap()).unwrap();
        let command = |group: &Value| group["hooks"][0]["command"].as_str().unwrap().to_owned();
        let commands = |value: &Value| value.as_array().unwrap().iter().map(command).collect();
        let hooks = settings["hooks"].as_object().unwrap().iter();
        let hooks = hooks.map(|(event, value)| (event.clone(), commands(value))).collect();
        Self { scene, hooks, shift: None }
    }

    /// Sends an event of a session through its hooks.
    fn send(&self, session: &str, event: &str, more: &Value) {
        let mut payload = json!({ "session_id": session, "cwd": self.scene.place.root(), "hook_event_name": event });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        for hook in &self.hooks[event] {
            let mut command = self.scene.place.clean("sh", &self.scene.place.root());
            command.args(["-c", hook]);
            if let Some((library, shift)) = &self.shift {
                clock::at(&mut command, library, shift);
            }
            Scene::send(command, &payload.to_string());
        }
        self.scene.idle();
    }

    fn prompt(&self, session: &str, prompt: &str) {
        self.send(session, "BeforeAgent", &json!({ "prompt": prompt }));
    }

    fn answers(&self, session: &str) {
        self.send(session, "AfterAgent", &json!({ "prompt_response": "Done." }));
    }

    /// Runs a shell command as the tool of a session.
    fn shell(&self, session: &str, line: &str) {
        let call = json!({ "tool_name": "run_shell_command", "tool_input": { "command": line } });
        self.send(session, "BeforeTool", &call);
        self.scene.shell(line);
        self.send(session, "AfterTool", &call);
    }

    /// Writes a file as the tool of a session.
    fn write(&self, session: &str, path: &str, text: &str) {
        let path = self.scene.place.path(path);
        let call = json!({ "tool_name": "write_file", "tool_input": { "file_path": path, "content": text } });
        self.send(session, "BeforeTool", &call);
        fs::write(path, text).unwrap();
        self.send(session, "AfterTool", &call);
    }

    /// Changes files by hand, a moment after the last action.
    fn by_hand(&self, line: &str) {
        thread::sleep(Duration::from_millis(30));
        self.scene.shell(line);
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.scene.place.path(name)).ok()
    }

    /// Plays a turn that is interrupted, then changes by hand, then the next prompt.
    fn interrupted(&self) {
        self.prompt("s1", "One.");
        self.shell("s1", "echo agent > shell.txt; rm dir/b.txt");
        self.write("s1", "named.txt", "agent\n");
        // Esc: no event comes. The user goes on in a file that a tool named, and in others.
        self.by_hand("echo by hand >> named.txt; echo by hand > mine.txt; rm a.txt");
        self.prompt("s1", "Two.");
        self.answers("s1");
    }
}

#[test]
fn a_take_back_beside_a_running_turn_leaves_it() {
    for other in ["s1", "s2"] {
        let agent = Agent::new();
        agent.prompt("s1", "One.");
        agent.write("s1", "one.txt", "1\n");
        agent.answers("s1");
        agent.prompt(other, "Two.");
        agent.write(other, "two.txt", "2\n");
        agent.scene.json(&["revert", "1", "--yes", "--force"]);
        agent.write(other, "three.txt", "3\n");
        let nothing = agent.scene.turns(&["revert", "7", "--yes", "--force"]);
        assert!(nothing.err.contains("there is no turn 7"), "{}", nothing.err);
        agent.answers(other);
        assert_eq!(agent.scene.column("state"), json!(["done", "done"]), "{other}");
        assert_eq!(agent.scene.column("files"), json!([1, 2]), "{other}");
        let blamed = agent.scene.json(&["blame", "three.txt"]);
        assert_eq!(blamed["lines"][0]["origin"], json!({ "by": "turn", "turns": [2] }), "not outside any turn");
        agent.scene.json(&["revert", "2..", "--yes"]);
        assert_eq!(["one.txt", "two.txt", "three.txt"].map(|name| agent.read(name)), [None, None, None]);
    }
}

#[test]
fn an_undo_with_nothing_to_undo_leaves_a_running_turn() {
    let agent = Agent::new();
    agent.prompt("s1", "One.");
    agent.write("s1", "one.txt", "1\n");
    let nothing = agent.scene.undo(&["--yes"]);
    assert!(nothing.code != 0 && nothing.err.contains("there is no batch to undo here"), "{}", nothing.err);
    assert_eq!(agent.scene.column("state"), json!(["running"]));
    agent.write("s1", "two.txt", "2\n");
    agent.answers("s1");
    assert_eq!(agent.scene.column("files"), json!([2]));
}

#[test]
fn a_turn_that_was_taken_back_while_it_ran_is_continued() {
    let agent = Agent::new();
    agent.prompt("s1", "One.");
    agent.write("s1", "one.txt", "1\n");
    agent.scene.json(&["revert", "1", "--yes", "--force"]);
    agent.write("s1", "two.txt", "2\n");
    agent.answers("s1");
    let listed = agent.scene.turns(&[]).text();
    assert!(listed.contains("(partly taken back, continued)"), "{listed}");
    let again = agent.scene.json(&["revert", "1", "--yes"]);
    assert_eq!((agent.read("one.txt"), agent.read("two.txt")), (None, None), "{again}");
    assert!(agent.scene.turns(&[]).text().contains("(taken back)"));
}

#[test]
fn changes_by_hand_after_an_interruption_need_a_decision() {
    let agent = Agent::new();
    agent.interrupted();
    let listed = agent.scene.turns(&[]).text();
    assert!(listed.contains("(interrupted, 2 files changed after its last action)"), "{listed}");
    let files = agent.scene.place.files();
    for arguments in [&["revert", "1", "--yes"][..], &["revert", "1..", "--yes"], &["revert", "1", "--dry-run"]] {
        let refused = agent.scene.turns(arguments);
        assert!(
            refused.code == 1 && refused.err.contains("turn 1 was interrupted; 2 files changed"),
            "{}",
            refused.err
        );
        assert!(refused.err.contains("--keep-late"), "{}", refused.err);
        assert_eq!(agent.scene.place.files(), files, "nothing is written");
    }
    let refused = agent.scene.turns(&["revert", "1", "--yes", "--json"]).json();
    let late = |answer: &Value| -> Vec<(String, bool)> {
        let named = answer["late"].as_array().unwrap().iter();
        named.map(|file| (file["path"].as_str().unwrap().to_owned(), file["gone"] == true)).collect()
    };
    assert_eq!(late(&refused), [("a.txt".to_owned(), true), ("mine.txt".to_owned(), false)]);
    assert_eq!(refused["code"], "late_changes");

    agent.scene.json(&["revert", "1", "--yes", "--keep-late"]);
    assert_eq!([agent.read("shell.txt"), agent.read("named.txt"), agent.read("a.txt")], [None, None, None]);
    assert_eq!(agent.read("mine.txt").as_deref(), Some("by hand\n"));
    assert!(agent.scene.place.path("dir/b.txt").exists());
    agent.scene.undo_json(&["--yes"]);
    assert_eq!(agent.scene.place.files(), files);
    let blamed = agent.scene.json(&["blame", "mine.txt"]);
    assert_eq!(blamed["lines"][0]["origin"], json!({ "by": "you" }));
    // The decision is asked for once.
    agent.scene.json(&["revert", "1", "--yes"]);
    assert_eq!(agent.read("mine.txt").as_deref(), Some("by hand\n"));

    let other = Agent::new();
    let before = other.scene.place.files();
    other.interrupted();
    other.scene.json(&["revert", "1", "--yes", "--late"]);
    assert_eq!(other.scene.place.files(), before);
}

#[test]
fn a_person_is_asked_once_whose_the_late_changes_are() {
    for (answers, mine) in [("n\ny\n", Some("by hand\n")), ("y\ny\n", None)] {
        let agent = Agent::new();
        agent.interrupted();
        let (code, screen) = type_to(agent.scene.command(&["turns", "revert", "1"]), answers);
        assert_eq!((code, agent.read("mine.txt").as_deref(), agent.read("shell.txt")), (0, mine, None), "{screen}");
        let heading = "turn 1 was interrupted: One.\n2 files changed after its last action:\n";
        assert!(screen.contains(heading), "{screen}");
        assert!(screen.contains("  a.txt (deleted ") && screen.contains("  mine.txt (changed "), "{screen}");
        assert!(screen.contains("also undo these changes? [y/N] "), "{screen}");
        agent.scene.undo_json(&["--yes"]);
        let (code, screen) = type_to(agent.scene.command(&["turns", "revert", "1"]), "y\n");
        assert_eq!((code, agent.read("mine.txt").as_deref()), (0, mine), "{screen}");
        assert!(!screen.contains("interrupted"), "{screen}");
    }
}

#[test]
fn without_events_of_tools_all_files_of_an_interrupted_turn_are_asked_for() {
    let agent = Agent::new();
    agent.prompt("s1", "One.");
    agent.by_hand("echo agent > one.txt; echo agent > two.txt");
    agent.send("s1", "SessionEnd", &json!({}));
    let refused = agent.scene.turns(&["revert", "1", "--yes"]);
    assert!(refused.code == 1 && refused.err.contains("2 files changed after its last action"), "{}", refused.err);
    // A turn that ends by itself is not asked for.
    agent.prompt("s2", "Two.");
    agent.by_hand("echo agent > three.txt");
    agent.answers("s2");
    agent.scene.json(&["revert", "2", "--yes"]);
    assert_eq!(agent.read("three.txt"), None);
}

#[test]
fn a_wrong_clock_makes_no_change_old() {
    let Some(library) = clock::library() else { return };
    let mut agent = Agent::new();
    // The clock of the machine is a day ahead during the last action, then right again.
    agent.prompt("s1", "One.");
    agent.shift = Some((library.clone(), "+1d"));
    agent.shell("s1", "echo agent > shell.txt");
    agent.shift = Some((library.clone(), "-1d"));
    agent.by_hand("echo by hand > mine.txt");
    agent.prompt("s1", "Two.");
    agent.answers("s1");
    let mut revert: Command = agent.scene.command(&["turns", "revert", "1", "--yes", "--json"]);
    let refused = run(clock::at(&mut revert, &library, "-2d")).json();
    assert_eq!(refused["late"].as_array().unwrap().len(), 1, "{refused}");
    assert_eq!(refused["late"][0]["path"], "mine.txt");
    agent.scene.json(&["revert", "1", "--yes", "--keep-late"]);
    assert_eq!((agent.read("shell.txt"), agent.read("mine.txt").as_deref()), (None, Some("by hand\n")));
}
