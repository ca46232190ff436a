//! A restore that is killed half-way is finished or aborted.

use std::os::unix::process::ExitStatusExt;

use fuzzy_testkit::assert_snapshot;
use serde_json::json;

use crate::place::{Place, Redactor};

/// Starts a restore in a process that kills itself, as `kill -9` would, at the point `stop`: `begun`, `safe`, `files`,
/// …
fn restore_until(place: &Place, id: &str, stop: &str) {
    let mut killed = place.command(&place.root(), &["restore", id, "--yes", "--json"]);
    let status = killed.env("FUZZY_FAILPOINT_KILL", stop).status().unwrap();
    assert_eq!(status.signal(), Some(9), "{status}");
}

/// Returns the unfinished restore, which `doctor` reports and leaves unchanged.
fn open_restore(place: &Place) -> String {
    let ill = place.run(&["doctor", "--json"]);
    assert_eq!(ill.code, 1);
    ill.json()["open_restores"][0].as_str().expect("one that is not finished").to_owned()
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
    let restore = open_restore(&place);
    let recovered = place.json(&["recover"]);
    assert_eq!(recovered["recovered"][0]["restore_id"], json!(restore));
    assert_snapshot!("recover_json", Redactor::default().json(&place, &recovered));
    assert_eq!(place.files(), then);
    assert_eq!(place.json(&["recover"]), json!({"recovered": []}), "a second time does nothing");
    place.json(&["undo", &restore]);
    assert_eq!(place.files(), now);
}

#[test]
fn abort_rolls_it_back() {
    let place = Place::new();
    let id = place.create();
    place.write("a.txt", "changed\n");
    place.write("new.txt", "new\n");
    let now = place.files();
    restore_until(&place, &id, "files");
    assert_ne!(place.files(), now, "the files had been written");
    let restore = &open_restore(&place);
    let given_up = place.json(&["restore", "--abort", restore]);
    assert_eq!(given_up["phase"], json!("rolled_back"));
    assert_eq!(place.files(), now);
    place.restore(&id);
}
