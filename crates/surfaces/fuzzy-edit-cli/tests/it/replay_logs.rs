//! `replay --from`: the logs of hosts. `integrations/tests/logs.mjs` made those of Claude Code, Cline, Codex, Copilot, Gemini
//! and opencode with the real programs, a session of aider with a model of our own made its history and repository, and the
//! database of Crush is as its source code writes it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::Place;

/// Returns the path of a log.
fn log(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs").join(name)
}

fn replay(place: &Place, host: &str, path: &str) -> Value {
    let arguments = ["replay", "--from", host, path, "--group-by", "kind,model,host", "--json"];
    let answer = place.run(&arguments);
    assert_eq!(answer.code, 0, "{answer:?}");
    answer.json()
}

/// Returns the numbers of edits by kind, and those that the ladder carries out.
fn kinds(report: &Value) -> Value {
    let groups = report["ladders"][0]["groups"]["kind"].as_object().unwrap();
    let count = |group: &Value| json!([group["edits"], group["matched"]]);
    groups.iter().map(|(kind, group)| (kind.clone(), count(group))).collect::<serde_json::Map<_, _>>().into()
}

const NO_TEXT: &str = "the log does not have the text of the file";

#[test]
fn the_sessions_of_claude_code_are_read() {
    let place = Place::new();
    fs::create_dir_all(place.path("projects/-home-user-project")).unwrap();
    fs::copy(log("claude-code/session.jsonl"), place.path("projects/-home-user-project/0b6c.jsonl")).unwrap();
    place.write("projects/other.txt", "no log");
    let report = replay(&place, "claude-code", "projects");
    // Two exact edits landed. Of those that failed, one is repaired and one is of a text that is not there; the file of the
    // last one was never read.
    assert_eq!(kinds(&report), json!({"landed": [2, 2], "failed": [2, 1]}), "{report}");
    assert_eq!((&report["edits"], &report["left_out"]), (&json!(4), &json!({NO_TEXT: 1})));
    assert_eq!(report["ladders"][0]["groups"]["model"]["claude-opus-5-5"]["edits"], 4);
    assert_eq!(report["ladders"][0]["groups"]["host"]["claude-code"]["edits"], 4);
}

#[test]
fn a_failed_edit_is_tried_on_the_text_after_the_edits_before_it() {
    let place = Place::new();
    let path = log("claude-code/session.jsonl");
    place.run(&["replay", "--from", "claude-code", path.to_str().unwrap(), "--failures", "failures.jsonl"]);
    let failures = place.text("failures.jsonl");
    let failure: Value = serde_json::from_str(failures.lines().next().unwrap()).unwrap();
    assert_eq!((&failure["old"], &failure["code"]), (&json!("self.stock.remove(article)"), &json!("not_found")));
    let text = failure["content"].as_str().unwrap();
    assert!(text.contains("\t\treturn len(self.items) + 1\n"), "{text}");
    assert_eq!(failures.lines().count(), 1);
}

#[test]
fn the_rollouts_of_codex_are_read() {
    let place = Place::new();
    let report = replay(&place, "codex", log("codex").to_str().unwrap());
    // The host carried out the patch with wrong indentation.
    assert_eq!(kinds(&report), json!({"landed": [3, 3], "failed": [1, 0]}), "{report}");
    assert_eq!(report["left_out"], json!({NO_TEXT: 1}));
    assert_eq!(report["ladders"][0]["groups"]["model"]["gpt-5.6-sol"]["edits"], 4);
}

#[test]
fn the_logs_of_other_hosts_are_read() {
    let place = Place::new();
    // Of those that failed, one is of a text that is not there. Cline and Crush refuse wrong indentation, too; the others
    // carry it out, also in the file that was not read: only Gemini logs its text.
    let hosts = [
        ("gemini", "gemini-2.5-flash", json!({"landed": [4, 4], "failed": [1, 0]}), json!({})),
        ("copilot", "claude-sonnet-4", json!({"landed": [3, 3], "failed": [1, 0]}), json!({NO_TEXT: 1})),
        ("cline", "m", json!({"landed": [2, 2], "failed": [2, 1]}), json!({NO_TEXT: 1})),
    ];
    for (host, model, counts, left_out) in hosts {
        let report = replay(&place, host, log(host).to_str().unwrap());
        assert_eq!((kinds(&report), &report["left_out"]), (counts, &left_out), "{host}: {report}");
        assert_eq!(report["ladders"][0]["groups"]["model"][model]["edits"], report["edits"], "{host}");
    }
}

#[cfg(feature = "checkpoint")]
#[test]
fn the_databases_of_hosts_are_read() {
    let place = Place::new();
    // Opencode carried out the edit with wrong indentation, too.
    let hosts = [
        ("opencode", "part", json!({"landed": [3, 3], "failed": [1, 0]}), json!({NO_TEXT: 1})),
        ("crush", "messages", json!({"landed": [3, 3], "failed": [2, 1]}), json!({"the host did not try the edit": 1})),
    ];
    for (host, table, counts, left_out) in hosts {
        fs::create_dir(place.path(host)).unwrap();
        let database = rusqlite::Connection::open(place.path(&format!("{host}/{host}.db"))).unwrap();
        database.execute_batch(&fs::read_to_string(log(&format!("{host}/{host}.sql"))).unwrap()).unwrap();
        let report = replay(&place, host, host);
        assert_eq!((kinds(&report), &report["left_out"]), (counts, &left_out), "{report}");
        // The file is as it was.
        let rows: i64 = database.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        assert!(rows > 7, "{rows}");
        let answer = place.run(&["replay", "--from", host, "missing.db", "--json"]);
        assert_eq!((answer.code, answer.json()["code"].as_str()), (2, Some("bad_input")), "{answer:?}");
        assert!(!place.path("missing.db").exists());
        place.write("broken.db", "no database");
        assert_eq!(place.run(&["replay", "--from", host, "broken.db"]).code, 2);
    }
}

#[test]
fn the_history_of_aider_is_read_with_the_texts_of_its_commits() {
    let place = Place::new();
    let shell = |line: &str| {
        let output = Command::new("sh").args(["-euc", line]).current_dir(place.path("")).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    let repository = log("aider/repository.fast-export");
    shell(&format!("git init -q .; git fast-import --quiet < '{}'", repository.display()));
    fs::copy(log("aider/chat.history.md"), place.path(".aider.chat.history.md")).unwrap();
    let report = replay(&place, "aider", ".");
    assert_eq!(kinds(&report), json!({"landed": [1, 1], "failed": [1, 0]}), "{report}");
    assert_eq!(report["ladders"][0]["groups"]["model"]["openai/m"]["edits"], 2);
    assert_eq!(report["left_out"], json!({}));
    // Without the repository, the texts are unknown.
    fs::remove_dir_all(place.path(".git")).unwrap();
    let answer = place.run(&["replay", "--from", "aider", ".", "--json"]);
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(answer.err.contains(&format!("nothing could be read: 2 edits left out, {NO_TEXT}")), "{}", answer.err);
}

#[test]
fn odd_logs_are_no_reason_to_stop() {
    let place = Place::new();
    let session = fs::read_to_string(log("claude-code/session.jsonl")).unwrap();
    // A session that is still written, with lines of other kinds.
    let cut = &session[..session.rfind("originalFile").unwrap()];
    place.write("session.jsonl", format!("\n[]\nno JSON\n{{\"message\":{{\"content\":7}}}}\n\u{feff}{cut}"));
    let answer = place.run(&["replay", "--from", "claude-code", "session.jsonl", "--json"]);
    assert_eq!((answer.code, &answer.json()["edits"]), (0, &json!(3)), "{answer:?}");
    let hosts = [("claude-code", "nothing"), ("codex", "."), ("aider", "session.jsonl"), ("cline", "session.jsonl")];
    for (host, path) in hosts {
        let answer = place.run(&["replay", "--from", host, path, "--json"]);
        assert_eq!((answer.code, answer.json()["code"].as_str()), (2, Some("bad_input")), "{host}: {answer:?}");
        assert!(answer.err.contains("Name a log of that host"), "{}", answer.err);
    }
    assert_eq!(place.run(&["replay", "--from", "vim", "."]).code, 2);
}
