//! `hook` and `init` with huge files, pipes, homes that cannot be written, and settings of other programs.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;

use crate::hooks::{event, place, run};
use crate::support::Place;

/// The settings files of hosts, with our contents.
const SETTINGS: [(&str, &str); 6] = [
    ("claude-code", ".claude/skills/fuzzy-edit/hooks/hooks.json"),
    ("cline", ".cline/hooks/PreToolUse.sh"),
    ("codex", ".codex/hooks.json"),
    ("copilot", ".copilot/hooks/fuzzy-edit.json"),
    ("gemini", ".gemini/settings.json"),
    ("opencode", ".config/opencode/plugin/fuzzy-edit.js"),
];

fn make_pipe(place: &Place, name: &str) {
    let path = place.path(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

fn counted(place: &Place, name: &str) -> u64 {
    let counts = run(place, &["hook", "--stats", "--json"], "").json();
    counts["counts"].as_array().unwrap().iter().map(|count| count[name].as_u64().unwrap()).sum()
}

#[test]
fn a_huge_file_or_a_pipe_has_no_answer() {
    let place = place();
    place.write("huge.txt", "def a():\n\tb = 1\n\tc = 2\n".repeat(50 * (1 << 20) / 24));
    make_pipe(&place, "pipe");
    for file in ["huge.txt", "pipe"] {
        for event_of in ["repair", "failed"] {
            let answer = run(&place, &["hook", "gemini", event_of], &event(&place, file));
            assert_eq!((answer.code, answer.out.as_str(), answer.err.as_str()), (0, "", ""), "{file} {event_of}");
        }
    }
    let counts = run(&place, &["hook", "--stats", "--json"], "").json();
    assert_eq!(counts["counts"], json!([]));
}

#[test]
fn init_neither_waits_for_a_pipe_nor_replaces_it() {
    for (host, settings) in SETTINGS {
        let place = place();
        let settings = format!("home/{settings}");
        make_pipe(&place, &settings);
        let before = place.fingerprint(&settings);
        for arguments in [&["init", host, "--yes"][..], &["init", host, "--remove", "--yes"]] {
            let answer = run(&place, arguments, "");
            assert!(answer.code == 2 && answer.err.contains("not a regular file"), "{arguments:?}: {answer:?}");
        }
        assert_eq!(place.fingerprint(&settings), before, "{host}");
        let checked = run(&place, &["init", host, "--check"], "");
        assert!(checked.code == 1 && checked.out.starts_with(&format!("{host}: broken: ")), "{checked:?}");
    }
}

#[test]
fn edits_are_repaired_without_a_writable_home() {
    let place = place();
    // Not even root can create files there.
    let home = PathBuf::from("/proc/self");
    let environment = [("HOME", &home), ("XDG_STATE_HOME", &home)];
    let repaired = place.run_in(&["hook", "gemini", "repair"], event(&place, "file.txt").as_bytes(), &environment);
    assert!(repaired.code == 0 && repaired.out.contains("tool_input"), "{repaired:?}");
    for (host, _) in SETTINGS {
        let answer = place.run_in(&["init", host, "--yes"], b"", &environment);
        assert!(answer.code == 2 && answer.err.starts_with("fuzzy-edit: io: "), "{answer:?}");
    }
}

#[test]
fn a_killed_hook_does_not_affect_later_edits() {
    let place = place();
    for sent in [0, 40] {
        let mut command = place.command(&["hook", "gemini", "repair"]);
        command.env("XDG_STATE_HOME", place.path("state")).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(&event(&place, "file.txt").as_bytes()[..sent]).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let repair = || run(&place, &["hook", "gemini", "repair"], &event(&place, "file.txt")).out;
    assert!(repair().contains("tool_input"));
    // Simulates a hook that was killed while writing a line.
    let mut file = fs::OpenOptions::new().append(true).open(place.path("state/fuzzy-edit/hooks/counts.jsonl")).unwrap();
    file.write_all(b"\n{\"host\":\"gem").unwrap();
    assert!(repair().contains("tool_input"));
    assert_eq!(counted(&place, "repaired"), 2);
}

#[test]
fn an_event_without_an_end_has_no_answer() {
    let place = place();
    let mut command = place.command(&["hook", "gemini", "repair"]);
    command.stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"cwd\":").unwrap();
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn settings_of_another_shape_are_not_changed() {
    for settings in
        ["{ \"hooks\": ", "[]", "{\"hooks\": \"none\"}", "{\"hooks\": {\"BeforeTool\": {}}}", "{", "\u{feff}{", "7"]
    {
        let place = place();
        fs::create_dir(place.path("home/.gemini")).unwrap();
        place.write("home/.gemini/settings.json", settings);
        let answer = run(&place, &["init", "gemini", "--yes"], "");
        assert!(answer.code == 2 && answer.err.starts_with("fuzzy-edit: bad_input: "), "{settings}: {answer:?}");
        assert!(answer.err.contains("settings.json"), "{settings}: {answer:?}");
        assert_eq!(place.text("home/.gemini/settings.json"), settings);
    }
}

#[test]
fn a_file_of_the_user_with_the_name_of_ours_is_not_changed() {
    let place = place();
    fs::create_dir_all(place.path("home/.cline/hooks")).unwrap();
    place.write("home/.cline/hooks/PreToolUse.sh", "#!/bin/sh\nexec my-own-check\n");
    let answer = run(&place, &["init", "cline", "--yes"], "");
    assert!(answer.code == 2 && answer.err.starts_with("fuzzy-edit: exists: "), "{answer:?}");
    assert_eq!(place.text("home/.cline/hooks/PreToolUse.sh"), "#!/bin/sh\nexec my-own-check\n");
    assert!(!place.path("home/.cline/hooks/PostToolUse.sh").exists());
}

#[test]
fn hooks_of_another_path_of_ours_are_replaced_and_others_kept() {
    let place = place();
    fs::create_dir(place.path("home/.gemini")).unwrap();
    let hook = |command: &str| json!({ "matcher": "replace", "hooks": [{ "type": "command", "command": command, "timeout": 10_000 }] });
    let foreign = hook("lint --fix");
    let old = json!({ "hooks": { "BeforeTool": [foreign, hook("/old/bin/fuzzy-edit hook gemini repair")] } });
    place.write("home/.gemini/settings.json", old.to_string());
    assert_eq!(run(&place, &["init", "gemini", "--yes", "--json"], "").json()["status"], "applied");
    let checked = run(&place, &["init", "--check", "--json"], "").json();
    assert_eq!(checked["hosts"], json!([{ "host": "gemini", "state": "works", "on_path": false }]));
    let text = place.text("home/.gemini/settings.json");
    assert!(text.contains("lint --fix") && !text.contains("/old/bin"), "{text}");
    run(&place, &["init", "gemini", "--remove", "--yes"], "");
    let left: serde_json::Value = serde_json::from_str(&place.text("home/.gemini/settings.json")).unwrap();
    assert_eq!(left, json!({ "hooks": { "BeforeTool": [foreign] } }));
}
