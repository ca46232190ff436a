//! `prune` and `doctor`.

use std::fs;

use fuzzy_testkit::assert_snapshot;
use serde_json::json;

use crate::place::{Place, Redactor, run};

#[test]
fn prune_deletes_checkpoints_that_no_rule_keeps() {
    let place = Place::new();
    let first = place.create();
    place.write("a.txt", "changed\n");
    place.create();
    let kept = place.json(&["prune"]);
    assert_eq!((&kept["pruned"], place.pins().len()), (&json!([]), 2));
    place.restore(&first);
    assert_snapshot!("prune_text", Redactor::default().text(&place, &place.run(&["prune"]).text()));
    let pruned = place.json(&["prune", "--days", "0", "--safety-days", "0"]);
    assert_eq!((pruned["pruned"].as_array().map(Vec::len), place.pins().len()), (Some(3), 0));
    assert_snapshot!("prune_json", Redactor::default().json(&place, &pruned));
    place.run(&["restore", &first, "--yes", "--json"]).fails(1, "not_in_session");
    place.git(&["gc", "-q", "--prune=now"]);
    let again = place.create();
    place.write("a.txt", "changed\n");
    place.restore(&again);
    place.git(&["fsck", "--no-dangling"]);
}

#[test]
fn prune_covers_removed_worktrees() {
    let place = Place::new();
    let other = place.dir.join("other");
    place.git(&["worktree", "add", "-q", "-b", "second", other.to_str().unwrap()]);
    run(&mut place.command(&other, &["create"]));
    place.create();
    place.git(&["worktree", "remove", "--force", other.to_str().unwrap()]);
    place.json(&["prune", "--days", "0"]);
    assert_eq!(place.pins().len(), 1, "one worktree alone");
    let mut anywhere = place.command(&place.dir, &["prune", "--all", "--days", "0", "--json"]);
    assert_eq!(run(&mut anywhere).json()["pruned"].as_array().map(Vec::len), Some(1));
    assert!(place.pins().is_empty());
}

#[test]
fn prune_by_size_keeps_the_newest() {
    let place = Place::new();
    for number in 0..4 {
        place.write("large", vec![number; 50_000]);
        place.create();
    }
    place.json(&["prune", "--max-bytes", "0"]);
    assert_eq!(place.pins().len(), 1);
    place.write("large", "other");
    let left = place.json(&["list"]);
    place.restore(left["checkpoints"][0]["id"].as_str().unwrap());
    assert_eq!(place.read("large"), vec![3; 50_000]);
}

#[test]
fn doctor_and_init_warn_about_checkpoints_in_memory() {
    let place = Place::new();
    let Ok(memory) = tempfile::tempdir_in("/dev/shm") else {
        println!("left out: this system has no directory in memory");
        return;
    };
    let is_warned = |text: &str| text.contains(&format!("in {} are in memory", memory.path().display()));
    let doctor = place.json(&["doctor", "--store", memory.path().to_str().unwrap()]);
    assert!(is_warned(doctor["storage"].as_str().unwrap()) && doctor["healthy"] == json!(true), "{doctor}");
    place.json(&["create", "--store", memory.path().to_str().unwrap()]);
    assert!(memory.path().join("store").is_dir(), "the checkpoints are there");
    let mut init = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.root());
    init.args(["init", "gemini", "--turns", "--yes", "--json"]).env("FUZZY_EDIT_STORE", memory.path());
    let notes = run(&mut init).json()["notes"].to_string();
    assert!(is_warned(&notes), "{notes}");
}

#[test]
fn doctor_finds_damage_and_recover_repairs_it() {
    let place = Place::new();
    let mut redact = Redactor::default();
    assert_eq!(place.json(&["doctor"])["healthy"], json!(true), "before there is anything");
    let (first, second) = (place.create(), place.create());
    let mut healthy = place.json(&["doctor"]);
    // It depends on the disk of the tests.
    healthy["storage"].take();
    assert_snapshot!("doctor_healthy_json", redact.json(&place, &healthy).replace(&git_version(&place), "[git]"));
    let pins = place.pins();
    place.kept_git(&["update-ref", "-d", &pins[0]]);
    let strange = pins[1].replace(&second, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
    place.kept_git(&["update-ref", &strange, &pins[1]]);
    let private = fs::read_dir(place.dir.join("state/fuzzy-edit/wt")).unwrap().next().unwrap().unwrap().path();
    fs::create_dir_all(private.join("tmp/999-0")).unwrap();
    place.write(".env", "KEY=1\n");
    let before = (place.files(), place.pins());
    let ill = place.run(&["doctor"]);
    assert_eq!(ill.code, 1);
    let text = ill.text();
    let lines = text.split_inclusive('\n').filter(|line| !line.starts_with("warning: the checkpoints in "));
    let text: String = lines.collect();
    assert_snapshot!("doctor_ill_text", redact.text(&place, &text).replace(&git_version(&place), "[git]"));
    let report = place.run(&["doctor", "--json"]);
    assert_eq!((report.code, &report.json()["healthy"]), (1, &json!(false)));
    assert_eq!((place.files(), place.pins()), before, "it mends nothing");
    assert!(private.join("tmp/999-0").exists());
    place.json(&["recover"]);
    place.kept_git(&["update-ref", "-d", &strange]);
    assert_eq!(place.json(&["doctor"])["healthy"], json!(true));
    place.restore(&first);
    place.restore(&second);
    // Moves the worktree.
    fs::rename(place.root(), place.dir.join("moved")).unwrap();
    let gone = run(&mut place.command(&place.dir, &["doctor"]));
    assert_eq!(gone.code, 1);
    assert!(gone.text().contains("problem: "), "{}", gone.text());
}

#[test]
fn doctor_finds_checkpoints_whose_database_is_lost() {
    let place = Place::new();
    place.write(".env", "KEY=1\n");
    let id = place.create();
    for name in ["state.db", "state.db-wal", "state.db-shm"] {
        let _ = fs::remove_file(place.dir.join("state/fuzzy-edit").join(name));
    }
    let ill = place.run(&["doctor", "--json"]);
    assert_eq!((ill.code, &ill.json()["worktrees"][0]["secrets"]), (1, &json!([".env"])));
    assert!(ill.text().contains(&id), "{}", ill.text());
    assert_eq!(place.json(&["list"])["checkpoints"], json!([]));
}

fn git_version(place: &Place) -> String {
    place.git(&["version"]).trim().to_owned()
}
