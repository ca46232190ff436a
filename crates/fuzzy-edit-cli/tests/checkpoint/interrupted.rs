//! A restore that is killed half-way: refused meanwhile, then finished or given up, and never half done.

use std::fs;
use std::os::unix::process::ExitStatusExt;

use serde_json::json;

use crate::support::{Place, Redactor, text};

/// Restores in a process that is killed, as `kill -9` does, when it has come to a place: `begun`, `safe`, `files`, …
fn restore_until(place: &Place, id: &str, stop: &str) {
    let log = place.dir.join("log");
    // Which of the places it is, counted in a restore that is whole and taken back.
    let mut whole = place.command(&place.root(), &["restore", id, "--yes", "--json"]);
    let whole = crate::support::run(whole.env("FUZZY_FAILPOINT_LOG", &log));
    assert_eq!(whole.code, 0, "{}", whole.err);
    place.json(&["undo", &text(&whole.json(), "restore_id")]);
    let log = fs::read_to_string(log).unwrap();
    let number = log.lines().position(|line| line == stop).unwrap_or_else(|| panic!("no {stop} in {log}")) + 1;
    let mut killed = place.command(&place.root(), &["restore", id, "--yes", "--json"]);
    let status = killed.env("FUZZY_FAILPOINT_KILL", number.to_string()).status().unwrap();
    assert_eq!(status.signal(), Some(9), "{status}");
}

#[test]
fn recover_finishes_it() {
    let place = Place::new();
    let then = place.files();
    let id = place.create();
    place.write("a.txt", "changed\n");
    place.write("new.txt", "new\n");
    let now = place.files();
    restore_until(&place, &id, "safe");
    let report = place.run(&["create", "--json"]).fails(1, "restore_in_progress");
    let restore = text(&report, "restore_id");
    assert!(text(&report, "next_step").contains(&format!("--abort {restore}")), "{report}");
    place.run(&["restore", &id, "--dry-run", "--json"]).fails(1, "restore_in_progress");
    let ill = place.run(&["doctor"]);
    assert!(ill.code == 1 && ill.text().contains(&format!("restore {restore} is not finished")), "{}", ill.text());
    let recovered = place.json(&["recover"]);
    assert_eq!(recovered["recovered"][0]["restore_id"], json!(restore));
    insta::assert_snapshot!("recover_json", Redactor::default().json(&place, &recovered));
    assert_eq!(place.files(), then);
    assert_eq!(place.json(&["recover"]), json!({"recovered": []}), "a second time does nothing");
    place.json(&["undo", &restore]);
    assert_eq!(place.files(), now);
}

#[test]
fn abort_gives_it_up() {
    let place = Place::new();
    let id = place.create();
    place.write("a.txt", "changed\n");
    place.write("new.txt", "new\n");
    let now = place.files();
    restore_until(&place, &id, "files");
    assert_ne!(place.files(), now, "the files had been written");
    let open = place.run(&["doctor", "--json"]).json();
    let restore = open["open_restores"][0].as_str().unwrap();
    let given_up = place.json(&["restore", "--abort", restore]);
    assert_eq!(given_up["phase"], json!("rolled_back"));
    assert_eq!(place.files(), now);
    place.restore(&id);
}
