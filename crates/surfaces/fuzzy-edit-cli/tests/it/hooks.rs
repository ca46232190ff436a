//! `hook` and `init`: hooks never block a host, and removing them restores the settings byte for byte.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Answer, Place};

/// An edit with spaces where the file has tabs.
pub(crate) fn event(place: &Place, file: &str) -> String {
    let input =
        json!({ "file_path": file, "old_string": "    b = 1\n    c = 2", "new_string": "    b = 3\n    c = 2" });
    json!({ "cwd": place.path(""), "tool_name": "replace", "tool_input": input }).to_string()
}

pub(crate) fn run(place: &Place, arguments: &[&str], input: &str) -> Answer {
    let (home, state) = (place.path("home"), place.path("state"));
    let environment: [(&str, &PathBuf); 2] = [("HOME", &home), ("XDG_STATE_HOME", &state)];
    place.run_in(arguments, input.as_bytes(), &environment)
}

pub(crate) fn place() -> Place {
    let place = Place::with("def a():\n\tb = 1\n\tc = 2\n");
    fs::create_dir(place.path("home")).unwrap();
    place
}

#[test]
fn a_wrong_edit_is_answered_and_counted() {
    let place = place();
    let answer = run(&place, &["hook", "gemini", "repair"], &event(&place, "file.txt"));
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let input = &serde_json::from_str::<Value>(&answer.out).unwrap()["hookSpecificOutput"]["tool_input"];
    assert_eq!((&input["old_string"], &input["new_string"]), (&json!("\tb = 1\n\tc = 2"), &json!("\tb = 3\n\tc = 2")));
    let counts = &run(&place, &["hook", "--stats", "--json"], "").json()["counts"];
    assert_eq!(*counts, json!([{ "host": "gemini", "model": "", "exact": 0, "repaired": 1, "refused": 0 }]));
    let table = run(&place, &["hook", "--stats"], "").out;
    assert_eq!(table, "host    model  exact  repaired  refused\ngemini  -          0         1        0\n");
}

#[test]
fn init_names_an_unknown_host_before_it_asks() {
    let place = place();
    for (host, says) in [("claud", "Did you mean `claude-code`?"), ("nosuch", "Choose one of these: claude-code, ")] {
        let answer = run(&place, &["init", host], "");
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains(&format!("there is no host `{host}`. {says}")), "{}", answer.err);
    }
}

#[test]
fn hooks_never_fail() {
    let place = place();
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    place.write("state", "no directory");
    let lines = [
        (&["hook", "gemini", "repair"][..], event(&place, "pipe")),
        (&["hook", "gemini", "repair"], event(&place, "missing.txt")),
        (&["hook", "gemini", "repair"], "no JSON".to_owned()),
        (&["hook", "gemini", "repair"], String::new()),
        (&["hook", "gemini", "turn-begin"], "{}".to_owned()),
        (&["hook", "gemini", "turn-begin"], json!({ "session_id": "s", "prompt": "One." }).to_string()),
        (&["hook", "gemini", "turn-end"], json!({ "session_id": "s" }).to_string()),
        (&["hook", "crush", "session-end"], json!({ "session_id": "s" }).to_string()),
        (&["hook", "--record", "../.."], String::new()),
        (&["hook", "gemini", "later"], event(&place, "file.txt")),
        (&["hook", "later", "repair"], event(&place, "file.txt")),
        (&["hook", "gemini", "repair", "--later"], event(&place, "file.txt")),
        (&["hook"], String::new()),
    ];
    for (arguments, input) in lines {
        let answer = run(&place, arguments, &input);
        assert_eq!((answer.code, answer.out.as_str()), (0, ""), "{arguments:?}: {}", answer.err);
    }
    // Without a directory for the counts, the edit is still repaired.
    let answer = run(&place, &["hook", "gemini", "repair"], &event(&place, "file.txt"));
    assert!(answer.code == 0 && answer.out.contains("tool_input"), "{answer:?}");
}

#[test]
fn a_hundred_hooks_at_once_are_counted_as_they_are_answered() {
    let place = place();
    let hook = || run(&place, &["hook", "gemini", "repair"], &event(&place, "file.txt"));
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let hooks: Vec<_> = (0..100).map(|_| scope.spawn(hook)).collect();
        hooks.into_iter().map(|hook| hook.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| answer.code == 0 && answer.err.is_empty()), "{answers:?}");
    // On a busy machine, some hooks reach their deadline without an answer.
    let answered = answers.iter().filter(|answer| answer.out.contains("tool_input")).count();
    assert_eq!(run(&place, &["hook", "--stats", "--json"], "").json()["counts"][0]["repaired"], answered);
}

#[test]
fn a_log_has_the_outcome_of_every_edit() {
    let place = place();
    let event = |old: &str| {
        let input = json!({ "file_path": "file.txt", "old_string": old, "new_string": "\tb = 3" });
        json!({ "cwd": place.path(""), "model": "m-1", "tool_name": "replace", "tool_input": input }).to_string()
    };
    let [exact, wrong, refused] = [event("\tb = 1"), event("    b = 1"), event("\tz = other()")];
    let hook = ["hook", "gemini", "repair", "--log", "edits.jsonl"];
    for event in [&exact, &wrong, &refused] {
        run(&place, &hook, event);
    }
    let first: Value = serde_json::from_str(place.text("edits.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!(crate::support::schema_error("log", &first), None);
    assert_eq!((&first["outcome"], &first["old_bytes"], &first["content"]), (&json!("exact"), &json!(6), &Value::Null));
    run(&place, &[&hook[..], &["--log-text"]].concat(), &wrong);
    let report = run(&place, &["replay", "--json", "edits.jsonl"], "").json();
    let all = json!([{ "host": "gemini", "model": "m-1", "exact": 1, "repaired": 2, "refused": 1 }]);
    assert_eq!((&report["hosts"], &report["edits"], &report["without_texts"]), (&all, &json!(1), &json!(3)));
    assert_eq!(report["ladders"][0]["matched"], 1);
    let table = "host    model  exact  repaired  refused\ngemini  m-1        1         2        1\n";
    let printed = run(&place, &["replay", "edits.jsonl"], "").out;
    assert!(printed.contains(table), "{printed}");
    // A log that cannot be written does not fail the hook.
    let answer = run(&place, &["hook", "gemini", "repair", "--log", "missing/edits.jsonl"], &wrong);
    assert!(answer.code == 0 && answer.out.contains("tool_input"), "{answer:?}");
}

#[test]
fn remove_restores_settings_byte_for_byte() {
    let place = place();
    fs::create_dir(place.path("home/.gemini")).unwrap();
    place.write("home/.gemini/settings.json", "{ // mine\n}\n");
    let refused = run(&place, &["init", "gemini"], "");
    assert!(refused.code == 2 && refused.err.contains("Add --yes"), "{refused:?}");
    let printed = run(&place, &["init", "gemini", "--dry-run", "--json"], "").json();
    assert_eq!(
        (&printed["status"], place.text("home/.gemini/settings.json")),
        (&json!("dry_run"), "{ // mine\n}\n".into())
    );

    let report = run(&place, &["init", "gemini", "--yes", "--json"], "").json();
    assert_eq!(report["status"], "applied");
    let copy = fs::read_to_string(report["files"][0]["copy"].as_str().unwrap()).unwrap();
    assert_eq!(copy, "{ // mine\n}\n");
    let again = run(&place, &["init", "gemini", "--yes", "--json"], "").json();
    assert_eq!((&again["status"], &again["files"]), (&json!("unchanged"), &json!([])));
    let checked = run(&place, &["init", "--check", "--json"], "").json();
    assert_eq!(checked["hosts"], json!([{ "host": "gemini", "state": "works", "on_path": false }]));

    let sound = place.text("home/.gemini/settings.json");
    let program = env!("CARGO_BIN_EXE_fuzzy-edit");
    place.write("home/.gemini/settings.json", sound.replace(program, "/removed/fuzzy-edit"));
    let checked = run(&place, &["init", "--check"], "");
    assert!(checked.code == 1 && checked.out.starts_with("gemini: broken: "), "{checked:?}");
    place.write("home/.gemini/settings.json", sound);

    assert_eq!(run(&place, &["init", "--remove", "--yes", "--json"], "").json()["status"], "applied");
    assert_eq!(place.text("home/.gemini/settings.json"), "{ // mine\n}\n");
}

#[test]
fn a_host_that_is_unknown_is_refused_with_those_that_are_known() {
    let place = place();
    let unknown = run(&place, &["init", "later", "--yes"], "");
    assert!(unknown.code == 2 && unknown.err.contains("claude-code, cline"), "{unknown:?}");
}

#[test]
fn an_entry_by_hand_is_kept_and_named() {
    let place = place();
    fs::create_dir(place.path("home/.gemini")).unwrap();
    let theirs = json!({ "mcpServers": { "fuzzy-edit": { "command": "npx", "args": ["-y", "fuzzy-edit", "mcp"] } } });
    place.write("home/.gemini/settings.json", theirs.to_string());
    let none = run(&place, &["init", "gemini", "--remove", "--yes"], "");
    assert!(none.out.contains("settings.json` still contains `fuzzy-edit`"), "{none:?}");
    assert_eq!(run(&place, &["init", "gemini", "--repair", "--mcp", "--yes", "--json"], "").code, 0);
    let with: Value = serde_json::from_str(&place.text("home/.gemini/settings.json")).unwrap();
    assert_eq!(with["mcpServers"], theirs["mcpServers"]);
    // Another program formats the file.
    place.write("home/.gemini/settings.json", format!("{with:#}"));
    let removed = run(&place, &["init", "gemini", "--remove", "--yes"], "");
    assert!(removed.out.contains("as it was before: `"), "{removed:?}");
    let left: Value = serde_json::from_str(&place.text("home/.gemini/settings.json")).unwrap();
    assert_eq!(left, theirs);
}

#[test]
fn twelve_processes_configure_a_host_at_once() {
    let place = place();
    fs::create_dir(place.path("home/.gemini")).unwrap();
    place.write("home/.gemini/settings.json", "\u{feff}{ // mine\n}\n");
    std::thread::scope(|scope| {
        for number in 0..12 {
            let place = &place;
            scope.spawn(move || {
                let part = ["--repair", "--turns", "--mcp"][number % 3];
                let done = run(place, &["init", "gemini", part, "--yes"], "");
                assert_eq!(done.code, 0, "{done:?}");
            });
        }
    });
    let text = place.text("home/.gemini/settings.json");
    for (own, count) in [("BeforeTool", 1), (" tool-before", 1), (" turn-begin", 1), ("\"mcp\"", 1)] {
        assert_eq!(text.matches(own).count(), count, "{own}: {text}");
    }
    run(&place, &["init", "gemini", "--remove", "--yes"], "");
    assert_eq!(place.text("home/.gemini/settings.json"), "\u{feff}{ // mine\n}\n");
}

#[cfg(feature = "full")]
#[test]
fn init_asks_with_a_summary_and_shows_the_changes_on_request() {
    use crate::checkpoint::terminal::type_to;

    let place = place();
    fs::create_dir(place.path("home/.gemini")).unwrap();
    let ask = |answer: &str| {
        let mut command = place.command(&["init", "gemini"]);
        command.env("HOME", place.path("home")).env("XDG_STATE_HOME", place.path("state"));
        type_to(command, answer)
    };
    let (code, screen) = ask("n\n");
    assert!(code == 1 && screen.contains("Gemini CLI: 1 new file\n  new: `"), "{screen}");
    assert!(screen.contains("write? [y/N/d for the diff] ") && !screen.contains("turn-begin"), "{screen}");
    let (code, screen) = ask("d\ny\n");
    assert!(code == 0 && screen.contains("turn-begin") && screen.matches("write? [").count() == 2, "{screen}");
    assert!(place.path("home/.gemini/settings.json").exists());
    let checked = run(&place, &["init", "--check"], "");
    let expected = "gemini: the hook answers; Gemini CLI not found on the PATH\n";
    assert_eq!((checked.code, checked.out.as_str()), (0, expected), "{checked:?}");
    // With a program of the host, its absence is not mentioned.
    fs::create_dir(place.path("bin")).unwrap();
    std::os::unix::fs::symlink("/bin/true", place.path("bin/gemini")).unwrap();
    let mut command = place.command(&["init", "--check"]);
    let path = format!("{}:{}", place.path("bin").display(), std::env::var("PATH").unwrap());
    command.env("HOME", place.path("home")).env("XDG_STATE_HOME", place.path("state")).env("PATH", path);
    let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert_eq!(said, "gemini: the hook answers\n");
}
