//! `run`: a turn around any program.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::scene::Scene;
use crate::checkpoint::terminal::terminal;
use crate::place::run;

/// The longest wait for another process.
const PATIENCE: Duration = Duration::from_mins(1);

impl Scene {
    /// Returns the command that runs a line of a shell as a turn.
    fn around(&self, line: &str) -> Command {
        self.command(&["run", "--", "sh", "-c", line])
    }

    fn all_turns(&self) -> Vec<Value> {
        self.json(&[])["turns"].as_array().unwrap().clone()
    }

    fn wait_until(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < PATIENCE, "{what}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn the_exit_code_is_the_programs_and_its_changes_are_taken_back() {
    let scene = Scene::new();
    fs::write(scene.place.path("plain"), "no program\n").unwrap();
    scene.shell("printf '#!/no/interpreter\n' > odd; chmod +x odd");
    for (words, code, said) in [
        (&["sh", "-c", "echo more >> a.txt; cat; echo said >&2; exit 7"][..], 7, "said\n"),
        (&["sh", "-c", "kill -TERM $$"], 143, ""),
        (&["sh", "-c", "kill -9 $$"], 137, ""),
        (&["no-such-program"], 127, "fuzzy-edit: `no-such-program` cannot be started: "),
        (&["./plain"], 126, "fuzzy-edit: `./plain` cannot be started: "),
        (&["./odd"], 127, "fuzzy-edit: `./odd` cannot be started: "),
    ] {
        let answer = run(&mut scene.command(&[&["run", "--"], words].concat()));
        assert_eq!(answer.code, code, "{words:?}: {}", answer.err);
        assert!(
            answer.err.starts_with(said) && (said.is_empty() == answer.err.is_empty()),
            "{words:?}: {}",
            answer.err
        );
    }
    let turns = scene.all_turns();
    let files: Vec<i64> = turns.iter().map(|turn| turn["files"].as_i64().unwrap()).collect();
    assert_eq!(files, [1, 0, 0], "a program that was not started leaves no turn: {turns:?}");
    assert_eq!(scene.place.pins().len(), 6, "and no checkpoint");
    assert!(turns.iter().all(|turn| turn["host"] == "run" && turn["state"] == "done"), "{turns:?}");
    assert!(turns.iter().all(|turn| turn["suspect"].is_null()), "what was saved before is no program's: {turns:?}");
    assert_eq!(turns[0]["prompt"], "sh -c 'echo more >> a.txt; cat; echo said >&2; exit 7'");
    let log = scene.turns(&["log", "a.txt"]).text();
    assert!(log.starts_with("turn 1"), "{log}");
    assert_eq!(scene.turns(&["revert", "1", "--yes"]).code, 0);
    assert_eq!(scene.place.read("a.txt"), b"alpha\n");
    // Nothing is captured of a home, so the program does not start.
    let mut home = scene.around("touch made");
    let home_dir = scene.place.dir.join("home");
    let refused = run(home.current_dir(&home_dir));
    assert!(refused.code == 125 && refused.err.contains("protected_dir"), "{}: {}", refused.code, refused.err);
    assert!(!home_dir.join("made").exists());
}

#[test]
fn two_at_once_are_two_turns_and_a_program_of_an_agent_is_a_step() {
    let scene = Scene::new();
    let mut first = scene.around("echo one > one; read line; echo more >> one").stdin(Stdio::piped()).spawn().unwrap();
    scene.wait_until("the first one starts", |scene| scene.place.path("one").exists());
    assert_eq!(run(&mut scene.around("echo two > two")).code, 0);
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    let states: Vec<Value> = scene.all_turns().into_iter().map(|turn| turn["state"].clone()).collect();
    assert_eq!(states, ["done", "done"]);

    scene.begin("s1", "Work.");
    let of_session = |line: &str, session: &str| {
        let mut command = scene.around(line);
        assert_eq!(run(command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", session)).code, 0);
    };
    scene.shell("echo agent > u");
    of_session("rm u", "s1");
    of_session("rm two", "another");
    // A host that does not name the session.
    assert_eq!(run(scene.around("rm one").env("CLAUDECODE", "1")).code, 0);
    scene.end("s1");
    let turns = scene.all_turns();
    let hosts: Vec<&str> = turns.iter().map(|turn| turn["host"].as_str().unwrap()).collect();
    assert_eq!(hosts, ["run", "run", "claude-code", "run"], "{turns:?}");
    let steps = scene.json(&["show", "3", "--stat"])["steps"].clone();
    let commands: Vec<&str> = steps.as_array().unwrap().iter().map(|step| step["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["sh -c 'rm u'", "sh -c 'rm one'"]);
    assert_eq!(scene.turns(&["restore", "3.1", "--yes"]).code, 0);
    assert_eq!(scene.place.read("u"), b"agent\n");
}

#[test]
fn a_signal_to_end_is_passed_on_and_the_end_is_captured_even_without_run() {
    let scene = Scene::new();
    let endless = "trap 'echo caught > caught; exit 9' TERM; echo ready; while :; do sleep 0.05; done";
    let mut running = scene.around(endless).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(running.stdout.take().unwrap()).read_line(&mut line).unwrap();
    scene.shell(&format!("kill -TERM {}", running.id()));
    assert_eq!((running.wait().unwrap().code(), scene.place.read("caught")), (Some(9), b"caught\n".to_vec()));

    let slow = "echo one > one; until [ -e go ]; do sleep 0.05; done; echo two > two";
    let mut killed = scene.around(slow).spawn().unwrap();
    scene.wait_until("it starts", |scene| scene.place.path("one").exists());
    // `run` has then told the other process which program it started.
    let state = format!("/proc/{}/stat", killed.id());
    scene.wait_until("`run` waits", |_| fs::read_to_string(&state).unwrap().contains(") S "));
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(scene.all_turns()[1]["state"], "running", "its program runs");
    scene.shell("touch go");
    scene.wait_until("the turn ends", |scene| scene.all_turns()[1]["state"] == "done");
    assert_eq!(scene.turns(&["revert", "2", "--yes"]).code, 0);
    assert!(!scene.place.path("one").exists() && !scene.place.path("two").exists());
}

/// A shell with job control at a terminal of its own.
struct Shell {
    child: Child,
    keys: fs::File,
    parts: Receiver<Vec<u8>>,
    screen: String,
}

impl Shell {
    fn open(scene: &Scene) -> Self {
        let (keys, slave) = terminal();
        let end = || Stdio::from(slave.try_clone().unwrap());
        let mut shell = scene.place.clean("setsid", &scene.place.root());
        // In the background of a script, the tests begin with SIGINT ignored.
        shell
            .args(["-c", "env", "--default-signal=INT,QUIT", "bash", "--norc", "--noprofile", "-i"])
            .env("PS1", "$ ")
            .env("TERM", "dumb");
        let program = Path::new(env!("CARGO_BIN_EXE_fuzzy-edit"));
        shell.env("PATH", format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap()));
        let child = shell.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let (sender, parts) = channel();
        let mut output = keys.try_clone().unwrap();
        thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut part) {
                if sender.send(part[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, keys, parts, screen: String::new() }
    }

    /// Types keys, and waits for a text on the screen after them.
    fn types(&mut self, keys: &str, text: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        let end = loop {
            if let Some(at) = self.screen.find(text) {
                break at + text.len();
            }
            let part = self.parts.recv_timeout(PATIENCE);
            self.screen += &String::from_utf8_lossy(&part.unwrap_or_else(|_| panic!("no {text:?}: {}", self.screen)));
        };
        self.screen.drain(..end);
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_keys_of_the_terminal_reach_the_program() {
    let scene = Scene::new();
    let mut shell = Shell::open(&scene);
    shell.types(
        "fuzzy-edit run -- sh -c 'trap \"exit 5\" INT; echo rea\\dy; while :; do sleep 0.05; done'; echo code=$?\n",
        "ready",
    );
    shell.types("\u{3}", "code=5");
    // Dash may lose a signal between two commands.
    shell.types("fuzzy-edit run -- bash -c 'echo rea\\dy; sleep 600'; echo code=$?\n", "ready");
    shell.types("\u{3}", "code=130");
    // The program stops with the command, and reads from the terminal when it goes on.
    shell.types("fuzzy-edit run -- bash -c 'read -p rea\"\"dy word; echo \"$word\" > word; exit 4'\n", "ready");
    shell.types("\u{1a}", "Stopped");
    shell.types("", "\n$ ");
    shell.types("fg\n", "exit 4");
    shell.types("hello\n", "\n$ ");
    shell.types("echo code=$?\n", "code=4");
    assert_eq!(scene.place.read("word"), b"hello\n");
    let files: Vec<i64> = scene.all_turns().iter().map(|turn| turn["files"].as_i64().unwrap()).collect();
    assert_eq!(files, [0, 0, 1]);
}
