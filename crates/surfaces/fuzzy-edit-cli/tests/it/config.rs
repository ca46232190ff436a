//! `config`, and the files of settings: options win over the user's file, and a project's file only makes it stricter.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::{Value, json};

use crate::hooks::event;
use crate::support::{Answer, Place};

/// The old text of an edit of `file.txt` whose confidence is less than 1.
const OLD: &str = "    b = 1\n    c = 2";
const NEW: &str = "    b = 3\n    c = 2";
const BEFORE: &str = "def a():\n\tb = 1\n\tc = 2\n";
const AFTER: &str = "def a():\n\tb = 3\n\tc = 2\n";

fn place() -> Place {
    let place = Place::with(BEFORE);
    for folder in ["settings/fuzzy-edit", "src"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    place.write("src/file.txt", BEFORE);
    place
}

/// Writes the user's file.
fn set(place: &Place, text: &str) {
    place.write("settings/fuzzy-edit/config.toml", text);
}

fn apply(place: &Place, file: &str, options: &[&str]) -> Answer {
    place.run(&[&["apply", file, "--old", OLD, "--new", NEW][..], options].concat())
}

/// Returns the value of a setting and its origin.
fn setting(place: &Place, key: &str) -> (Value, String) {
    let report = place.run(&["config", "--json"]).json();
    let setting = report["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == key).unwrap();
    (setting["value"].clone(), setting["from"].as_str().unwrap().to_owned())
}

/// Runs a hook with an edit of a file.
fn hook(place: &Place, file: &str, options: &[&str]) -> Answer {
    place.run_with(&[&["hook", "gemini", "repair"][..], options].concat(), event(place, file).as_bytes())
}

#[test]
fn settings_of_the_user_are_in_force_and_options_win() {
    let place = place();
    assert_eq!(setting(&place, "ladder"), (json!("adaptive"), "default".to_owned()));
    set(&place, "ladder = \"opencode\"\nmin-confidence = 1\ntimeout-ms = 700\n");
    assert_eq!(setting(&place, "ladder"), (json!("opencode"), "user".to_owned()));
    assert_eq!(setting(&place, "min-confidence"), (json!(1.0), "user".to_owned()));
    assert_eq!(setting(&place, "timeout-ms"), (json!(700), "user".to_owned()));
    let explained = place.run(&["explain", "file.txt", "--old", OLD, "--json"]).json();
    assert_eq!(explained["ladder"], "opencode", "{explained}");
    set(&place, "min-confidence = 1\n");
    let answer = apply(&place, "file.txt", &["--json"]);
    assert_eq!((answer.code, &answer.json()["code"]), (1, &json!("refused")), "{}", answer.err);
    let answer = apply(&place, "file.txt", &["--min-confidence", "0"]);
    assert_eq!((answer.code, place.text("file.txt").as_str()), (0, AFTER), "{}", answer.err);
}

#[test]
fn the_log_and_the_encoding_of_the_user_are_used() {
    let place = place();
    let log = place.path("log.jsonl");
    set(&place, &format!("log = \"{}\"\nlog-text = true\nencoding = \"latin1\"\n", log.display()));
    place.write("file.txt", b"caf\xe9 = 1\n");
    let answer = place.run(&["apply", "file.txt", "--old", "café = 1", "--new", "café = 2", "--json"]);
    assert_eq!((answer.code, &answer.json()["encoding_detected"]), (0, &json!(false)), "{}", answer.err);
    assert!(place.text("log.jsonl").contains("\"old\":\"café = 1\""), "{}", place.text("log.jsonl"));
    fs::remove_file(&log).unwrap();
    assert!(hook(&place, "src/file.txt", &[]).out.contains("tool_input"));
    assert!(place.text("log.jsonl").contains("\"host\":\"gemini\""), "{}", place.text("log.jsonl"));
    assert!(!place.text("log.jsonl").contains("ignored"));
}

#[test]
fn either_file_turns_views_off() {
    let place = place();
    assert_eq!(setting(&place, "seen"), (json!("on"), "default".to_owned()));
    place.write("fuzzy-edit.toml", "seen = \"off\"\n");
    assert_eq!(setting(&place, "seen"), (json!("off"), "project".to_owned()));
    set(&place, "seen = \"off\"\n");
    place.write("fuzzy-edit.toml", "seen = \"on\"\n");
    assert_eq!(setting(&place, "seen"), (json!("off"), "user".to_owned()));
}

#[test]
fn a_project_makes_the_command_stricter_and_never_less_strict() {
    let place = place();
    place.write("fuzzy-edit.toml", "min-confidence = 1\ntimeout-ms = 100\n");
    assert_eq!(setting(&place, "min-confidence"), (json!(1.0), "project".to_owned()));
    assert_eq!(setting(&place, "timeout-ms"), (json!(100), "project".to_owned()));
    assert_eq!(apply(&place, "file.txt", &[]).code, 1);
    assert_eq!(hook(&place, "file.txt", &[]).out, "", "the hook refuses, too");
    set(&place, "min-confidence = 0.999\ntimeout-ms = 50\n");
    place.write("fuzzy-edit.toml", "min-confidence = 0\ntimeout-ms = 60000\n");
    assert_eq!(setting(&place, "min-confidence"), (json!(0.999), "user".to_owned()));
    assert_eq!(setting(&place, "timeout-ms"), (json!(50), "user".to_owned()));
    assert_eq!(apply(&place, "file.txt", &[]).code, 1);
    assert_eq!(hook(&place, "file.txt", &[]).out, "");
    // Without a file of the user, the usual timeout is the longest.
    set(&place, "");
    assert_eq!(setting(&place, "timeout-ms"), (json!(2000), "default".to_owned()));
    assert_eq!(setting(&place, "min-confidence"), (json!(0.0), "default".to_owned()));
    assert!(hook(&place, "file.txt", &[]).out.contains("tool_input"));
}

#[test]
fn a_root_restricts_edits_to_a_directory() {
    let place = place();
    place.write("fuzzy-edit.toml", "root = \"src\"\n");
    let outside = |answer: &Answer| {
        assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("outside_root")), "{}", answer.err);
    };
    outside(&apply(&place, "file.txt", &["--json"]));
    outside(&place.run(&["locate", "file.txt", "--old", OLD, "--json"]));
    // Relative paths still start from the current directory.
    let edit = |file: &str| json!({"file_path": file, "old_string": OLD, "new_string": NEW}).to_string();
    let list = |file: &str| place.run_with(&["apply", "--input", "-", "--json"], edit(file).as_bytes());
    outside(&list("file.txt"));
    outside(&list("src/../file.txt"));
    symlink(place.path("file.txt"), place.path("src/link.txt")).unwrap();
    outside(&list("src/link.txt"));
    assert_eq!(place.text("file.txt"), BEFORE);
    assert_eq!((list("src/file.txt").code, place.text("src/file.txt").as_str()), (0, AFTER));
    place.write("src/file.txt", BEFORE);
    assert_eq!(hook(&place, "file.txt", &[]).out, "");
    assert!(hook(&place, "src/file.txt", &[]).out.contains("tool_input"));
    // An option wins.
    assert_eq!(apply(&place, "file.txt", &["--root", "."]).code, 0);
    // Both roots restrict.
    fs::create_dir_all(place.path("lib")).unwrap();
    set(&place, &format!("root = \"{}\"\n", place.path("lib").display()));
    outside(&apply(&place, "src/file.txt", &["--json"]));
    assert_eq!(setting(&place, "root").1, "both");
}

#[test]
fn an_undo_stays_within_the_root() {
    let place = place();
    assert_eq!(apply(&place, "file.txt", &[]).code, 0);
    place.write("fuzzy-edit.toml", "root = \"src\"\n");
    let answer = place.run(&["undo", "--json"]);
    assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("outside_root")), "{}", answer.err);
    assert_eq!(place.text("file.txt"), AFTER);
}

/// The files of a hostile project, each with the text that its failure must contain.
fn hostile(place: &Place) -> Vec<(Vec<u8>, String)> {
    let log = place.path("stolen.jsonl").display().to_string();
    let all = [
        (format!("log = \"{log}\""), "cannot set `log`"),
        ("log-text = true".to_owned(), "cannot set `log-text`"),
        ("ladder = \"full\"".to_owned(), "cannot set `ladder`"),
        ("encoding = \"utf-16le\"".to_owned(), "cannot set `encoding`"),
        ("database = \"postgres://example.org/all\"".to_owned(), "cannot set `database`"),
        ("store = \"/tmp\"".to_owned(), "cannot set `store`"),
        (format!("log = \"{log}\"\nladder = \"full\"\nmin-confidence = 0.1"), "cannot set `ladder`, `log`"),
        ("root = \"/\"".to_owned(), "`root` is `/`, which is outside the project"),
        ("root = \"..\"".to_owned(), "which is outside the project"),
        ("root = \"out\"".to_owned(), "`root` is `/`, which is outside the project"),
        ("root = \"missing\"".to_owned(), "does not exist"),
        ("root = \"file.txt\"".to_owned(), "`root`"),
        ("allow-git = true".to_owned(), "unknown field `allow-git`"),
        ("[edit]\nladder = 1".to_owned(), "unknown field `edit`"),
        ("min-confidence = \"low\"".to_owned(), "line 1: invalid type"),
        ("min-confidence = nan".to_owned(), "`min-confidence` is not a number from 0 to 1"),
        ("min-confidence = -1".to_owned(), "`min-confidence` is not a number from 0 to 1"),
        ("timeout-ms = -1".to_owned(), "line 1: invalid value"),
        ("timeout-ms = 1e3".to_owned(), "line 1: invalid type"),
        ("root = [\"/\"]".to_owned(), "line 1: invalid type"),
        ("min-confidence = 0.9\nmin-confidence = 0".to_owned(), "line 2: duplicate key"),
        ("min-confidence".to_owned(), "line 1"),
        ("# \0".to_owned(), "NUL"),
        ("#".repeat(70_000), "65536"),
    ];
    let mut files: Vec<_> = all.into_iter().map(|(text, why)| (text.into_bytes(), why.to_owned())).collect();
    files.push((b"# \xff\xfe\xfd caf\xe9\nmin-confidence = 0\n".to_vec(), "UTF-8".to_owned()));
    files
}

#[test]
fn hostile_files_of_a_project_are_refused_by_commands_and_ignored_by_hooks() {
    let place = place();
    symlink("/", place.path("out")).unwrap();
    for (bytes, why) in hostile(&place) {
        place.write("fuzzy-edit.toml", &bytes);
        check_refused(&place, &why);
    }
    // Other kinds of files.
    let file = place.path("fuzzy-edit.toml");
    fs::remove_file(&file).unwrap();
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    check_refused(&place, "regular file");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    check_refused(&place, "regular file");
    fs::remove_dir(&file).unwrap();
    place.write("secret", "password = hunter2\n");
    symlink(place.path("secret"), &file).unwrap();
    let answer = check_refused(&place, "it is a symbolic link");
    assert!(!answer.err.contains("hunter2") && !answer.out.contains("hunter2"), "{answer:?}");
    fs::remove_file(&file).unwrap();
    symlink("nowhere", &file).unwrap();
    check_refused(&place, "it is a symbolic link");
}

/// Checks that commands fail with a reason, and that a hook goes on.
fn check_refused(place: &Place, why: &str) -> Answer {
    for verb in [&["apply", "file.txt", "--old", OLD, "--new", NEW][..], &["undo"], &["config"]] {
        let answer = place.run(&[verb, &["--json"]].concat());
        let failure = answer.json();
        assert_eq!((answer.code, &failure["code"]), (2, &json!("bad_input")), "{why}: {answer:?}");
        let message = failure["message"].as_str().unwrap();
        assert!(message.contains(why) && message.contains("fuzzy-edit.toml"), "{why}: {message}");
        assert!(message.len() < 600 && !failure["next_step"].as_str().unwrap().is_empty(), "{message}");
    }
    assert_eq!(place.text("file.txt"), BEFORE);
    let answer = hook(place, "file.txt", &["--log", "hook.jsonl"]);
    assert!(answer.out.contains("tool_input"), "{why}: {answer:?}");
    assert!(answer.err.contains(why), "{why}: {}", answer.err);
    let line = place.text("hook.jsonl");
    let record: Value = serde_json::from_str(line.lines().last().unwrap()).unwrap();
    assert!(record["ignored"].as_str().unwrap().contains(why), "{why}: {record}");
    assert!(!place.path("stolen.jsonl").exists(), "{why}");
    // Other verbs do not depend on it.
    let line = json!({"id": 1, "content": BEFORE, "old": OLD, "new": NEW}).to_string();
    assert!(place.run_with(&["batch"], line.as_bytes()).out.contains("\"ok\":true"));
    answer
}

#[test]
fn a_hook_uses_the_limits_of_a_file_with_refused_keys() {
    let place = place();
    place.write("fuzzy-edit.toml", "min-confidence = 1\nladder = \"full\"\n");
    let answer = hook(&place, "file.txt", &[]);
    assert!(answer.out.is_empty() && answer.err.contains("cannot set `ladder`"), "{answer:?}");
}

#[test]
fn a_hook_repairs_nothing_if_the_settings_of_the_user_cannot_be_read() {
    let place = place();
    for (text, why) in [
        ("min-confidence = 2", "`min-confidence` is not a number from 0 to 1"),
        ("ladder = \"rope\"", "`ladder`: "),
        ("encoding = \"morse\"", "`encoding`: "),
        ("log = \"edits.jsonl\"", "`log` is not absolute"),
        ("store = \"x\"", "`store` is not absolute"),
        ("root = \"src\"", "`root` is not absolute"),
        ("min-confidance = 1", "unknown field `min-confidance`"),
    ] {
        set(&place, text);
        let answer = hook(&place, "file.txt", &[]);
        assert_eq!((answer.code, answer.out.as_str()), (0, ""), "{text}");
        assert!(answer.err.contains(why), "{text}: {}", answer.err);
        let answer = apply(&place, "file.txt", &["--json"]);
        assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("bad_input")), "{text}");
        assert!(answer.err.contains(why) && answer.err.contains("config.toml"), "{text}: {}", answer.err);
    }
}

#[test]
fn the_nearest_file_up_to_the_top_of_the_repository_is_used() {
    let place = place();
    place.write("fuzzy-edit.toml", "min-confidence = 1\n");
    let run = |folder: &str| {
        let mut command = place.command(&["config"]);
        command.current_dir(place.path(folder)).env("XDG_CONFIG_HOME", place.path("settings"));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(run("src").contains("min-confidence  1.0 "), "{}", run("src"));
    place.write("src/fuzzy-edit.toml", "min-confidence = 0.5\n");
    assert!(run("src").contains("min-confidence  0.5 "), "{}", run("src"));
    fs::remove_file(place.path("src/fuzzy-edit.toml")).unwrap();
    fs::create_dir(place.path("src/.git")).unwrap();
    assert!(run("src").contains("project: no file\n"), "{}", run("src"));
}

#[cfg(feature = "mcp")]
#[test]
fn the_server_uses_the_settings() {
    use crate::mcp::Server;

    let place = place();
    place.write("fuzzy-edit.toml", "root = \"src\"\nmin-confidence = 1\n");
    let mut server = Server::start(place.command(&["mcp"]));
    let edit = |file: &str| json!({"file_path": file, "old_string": OLD, "new_string": NEW});
    let text = |answer: Value| answer["content"][0]["text"].as_str().unwrap().to_owned();
    let outside = text(server.call("edit", &edit("file.txt")));
    assert!(outside.contains("is outside the configured root"), "{outside}");
    let refused = text(server.call("edit", &edit("src/file.txt")));
    assert!(refused.contains("less than the required 1"), "{refused}");
    server.end();
    place.write("fuzzy-edit.toml", "log = \"/tmp/x\"\n");
    let answer = place.run(&["mcp"]);
    assert!(answer.code == 2 && answer.err.contains("cannot set `log`"), "{answer:?}");
}

#[cfg(feature = "checkpoint")]
#[test]
fn checkpoints_are_stored_where_the_user_says() {
    let place = place();
    assert!(Command::new("git").args(["init", "-q"]).current_dir(place.path("")).status().unwrap().success());
    let (store, database) = (place.path("store"), place.path("records.db"));
    set(&place, &format!("store = \"{}\"\ndatabase = \"{}\"\n", store.display(), database.display()));
    let answer = place.run(&["checkpoint", "create", "--sidecar"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(store.is_dir() && database.is_file(), "{:?}", place.names());
    set(&place, "store = 1\n");
    let answer = place.run(&["checkpoint", "list", "--json"]);
    assert!(answer.code == 2 && answer.err.contains("config.toml"), "{answer:?}");
}
