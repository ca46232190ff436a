//! Undoing the last batch.

use std::fs;

use serde_json::json;

use crate::support::{Answer, Place};

/// Runs the command with journals of its own, because concurrent tests would displace old ones.
fn run(place: &Place, state: &Place, arguments: &[&str]) -> Answer {
    place.run_in(arguments, b"", &[("XDG_STATE_HOME", &state.path("state"))])
}

fn apply(place: &Place, state: &Place, old: &str, new: &str) {
    assert_eq!(run(place, state, &["apply", "file.txt", "--old", old, "--new", new]).code, 0);
}

#[test]
fn each_undo_undoes_one_batch() {
    let (place, state) = (Place::with("\u{feff}one\r\n"), Place::new());
    apply(&place, &state, "one", "two");
    apply(&place, &state, "two", "three");
    let answer = run(&place, &state, &["undo", "--json"]);
    assert_eq!(answer.json()["status"], "undone");
    assert_eq!(answer.json()["files"][0]["action"], "restored");
    assert_eq!(place.text("file.txt"), "\u{feff}two\r\n");
    let answer = run(&place, &state, &["undo"]);
    assert!(answer.out.contains("\nrestored: `") && answer.code == 0, "{answer:?}");
    assert_eq!(place.text("file.txt"), "\u{feff}one\r\n");
    let answer = run(&place, &state, &["undo", "--json"]);
    assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("missing")));
}

#[test]
fn a_file_that_changed_since_is_left_alone() {
    let (place, state) = (Place::with("one"), Place::new());
    let edits = r#"[{"file_path":"file.txt","old_string":"one","new_string":"two"},
                    {"file_path":"new.txt","old_string":"","new_string":"new"}]"#;
    let environment = [("XDG_STATE_HOME", &state.path("state"))];
    assert_eq!(place.run_in(&["apply", "--input", "-"], edits.as_bytes(), &environment).code, 0);
    place.write("file.txt", "two, and theirs");
    let answer = run(&place, &state, &["undo", "--json"]);
    assert_eq!((answer.code, &answer.json()["code"]), (1, &json!("stale")));
    assert_eq!((place.text("file.txt"), place.text("new.txt")), ("two, and theirs".to_owned(), "new".to_owned()));
    place.write("file.txt", "two");
    assert_eq!(run(&place, &state, &["undo"]).code, 0);
    assert_eq!(place.names(), ["file.txt"]);
}

#[test]
fn only_batches_of_this_directory_are_undone() {
    let (here, there, state) = (Place::with("one"), Place::with("one"), Place::new());
    apply(&here, &state, "one", "two");
    apply(&there, &state, "one", "three");
    assert_eq!(run(&here, &state, &["undo"]).code, 0);
    assert_eq!((here.text("file.txt"), there.text("file.txt")), ("one".to_owned(), "three".to_owned()));
    // A file in another directory that was named here counts as edited here.
    let elsewhere = there.path("file.txt");
    let arguments = ["apply", elsewhere.to_str().unwrap(), "--old", "three", "--new", "four"];
    assert_eq!(run(&here, &state, &arguments).code, 0);
    assert_eq!(run(&here, &state, &["undo"]).code, 0);
    assert_eq!(there.text("file.txt"), "three");
    let root = there.path("");
    assert_eq!(run(&here, &state, &["undo", "--root", root.to_str().unwrap()]).code, 0);
    assert_eq!(there.text("file.txt"), "one");
}

#[test]
fn the_state_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let (place, state) = (Place::with("one"), Place::new());
    apply(&place, &state, "one", "two");
    let mode = |path: &str| fs::metadata(state.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("state/fuzzy-edit"), 0o700);
    assert_eq!(mode("state/fuzzy-edit/done"), 0o700);
    for journal in fs::read_dir(state.path("state/fuzzy-edit/done")).unwrap() {
        assert_eq!(journal.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn without_a_home_the_state_is_in_the_temporary_directory() {
    let (place, temporary) = (Place::with("one"), Place::new());
    let mut command = place.command(&["apply", "file.txt", "--old", "one", "--new", "two"]);
    command.env_remove("HOME").env_remove("XDG_STATE_HOME").env("TMPDIR", temporary.path(""));
    assert!(command.output().unwrap().status.success());
    assert_eq!(temporary.names().len(), 1);
    assert!(temporary.names()[0].starts_with("fuzzy-edit-"));
}

#[test]
fn a_state_that_cannot_be_kept_is_reported() {
    let place = Place::with("one");
    place.write("state", "a file, not a directory");
    let arguments = ["apply", "file.txt", "--old", "one", "--new", "two", "--json"];
    let nowhere = place.path("state");
    let answer = place.run_in(&arguments, b"", &[("XDG_STATE_HOME", &nowhere), ("TMPDIR", &nowhere)]);
    assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("io")));
    assert!(answer.err.contains("XDG_STATE_HOME"), "{}", answer.err);
    assert_eq!(place.text("file.txt"), "one");
}

#[test]
fn a_stale_batch_does_not_block_the_older_ones() {
    let (place, state) = (Place::with("one"), Place::new());
    place.write("other.txt", "uno");
    assert_eq!(run(&place, &state, &["apply", "other.txt", "--old", "uno", "--new", "due"]).code, 0);
    apply(&place, &state, "one", "two");
    place.write("file.txt", "theirs");
    let answer = run(&place, &state, &["undo"]);
    assert_eq!(answer.code, 1);
    assert!(answer.err.contains("fuzzy-edit undo --list"), "{}", answer.err);
    let list = run(&place, &state, &["undo", "--list", "--json"]).json();
    let batches = list["batches"].as_array().unwrap();
    assert_eq!((&batches[0]["code"], &batches[1]["code"]), (&json!("stale"), &json!(null)));
    let older = batches[1]["batch"].as_str().unwrap();
    let listed = run(&place, &state, &["undo", "--list"]).out;
    assert!(listed.contains(&older[28..]) && listed.contains("other.txt") && listed.contains("stale"), "{listed}");
    let dry = run(&place, &state, &["undo", older, "--dry-run"]);
    assert!(dry.out.contains("\nwould be restored: `") && dry.code == 0, "{dry:?}");
    assert_eq!(place.text("other.txt"), "due");
    let undone = run(&place, &state, &["undo", older, "--json"]).json();
    assert_eq!((&undone["batch"], &undone["status"]), (&json!(older), &json!("undone")));
    assert_eq!((place.text("other.txt"), place.text("file.txt")), ("uno".to_owned(), "theirs".to_owned()));
    let gone = run(&place, &state, &["undo", older, "--json"]);
    assert_eq!((gone.code, &gone.json()["code"]), (2, &json!("missing")));
}

#[test]
fn undo_needs_the_permissions_of_apply() {
    let (place, state) = (Place::new(), Place::new());
    fs::create_dir(place.path(".git")).unwrap();
    place.write(".git/config", "one");
    let apply = ["apply", ".git/config", "--old", "one", "--new", "two", "--allow-git"];
    assert_eq!(run(&place, &state, &apply).code, 0);
    let answer = run(&place, &state, &["undo", "--json"]);
    assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("outside_root")));
    assert_eq!(place.text(".git/config"), "two");
    assert_eq!(run(&place, &state, &["undo", "--allow-git"]).code, 0);
    assert_eq!(place.text(".git/config"), "one");

    // With a root, no file outside it is changed, even if the edit named it.
    let elsewhere = Place::with("one");
    let file = elsewhere.path("file.txt");
    assert_eq!(run(&place, &state, &["apply", file.to_str().unwrap(), "--old", "one", "--new", "two"]).code, 0);
    let answer = run(&place, &state, &["undo", "--root", ".", "--json"]);
    assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("outside_root")));
    assert_eq!(elsewhere.text("file.txt"), "two");

    // Several hard links are written in place only on request.
    let linked = Place::with("one");
    fs::hard_link(linked.path("file.txt"), linked.path("link")).unwrap();
    assert_eq!(run(&linked, &state, &["apply", "file.txt", "--old", "one", "--new", "two", "--in-place"]).code, 0);
    assert_eq!(run(&linked, &state, &["undo", "--json"]).json()["code"], "refused");
    assert_eq!(run(&linked, &state, &["undo", "--in-place"]).code, 0);
    assert_eq!(linked.text("link"), "one");
}

#[test]
fn names_do_not_control_the_terminal() {
    let (place, state) = (Place::new(), Place::new());
    let name = "a\u{1b}[31m\nb.txt";
    place.write(name, "one");
    let answer = run(&place, &state, &["apply", name, "--old", "one", "--new", "two"]);
    assert_eq!(answer.code, 0);
    assert!(answer.out.starts_with("applied: `a\\u{1b}[31m\\nb.txt` line 1"), "{}", answer.out);
    let answer = run(&place, &state, &["apply", name, "--old", "nowhere at all", "--new", "two"]);
    assert!(
        !answer.err.contains('\u{1b}') && answer.err.lines().next().unwrap().contains("\\nb.txt"),
        "{}",
        answer.err
    );
    let list = run(&place, &state, &["undo", "--list"]).out;
    assert!(!list.contains('\u{1b}') && list.contains("a\\u{1b}[31m\\nb.txt"), "{list}");
    assert!(run(&place, &state, &["undo"]).out.contains("a\\u{1b}[31m\\nb.txt"));
}

#[test]
fn a_damaged_journal_of_an_interrupted_batch_is_named() {
    let (place, state) = (Place::with("one\n"), Place::new());
    apply(&place, &state, "one", "two");
    let pending = state.path("state/fuzzy-edit/pending");
    let journal = pending.join("00ffffffffffffffffff-1-1");
    fs::write(&journal, "{}\nnot its checksum\n").unwrap();
    let name = journal.to_str().unwrap();
    let refused = run(&place, &state, &["undo"]);
    assert!(refused.code == 2 && refused.err.matches(name).count() == 2, "{}", refused.err);
    assert!(run(&place, &state, &["undo", "--list"]).out.contains(&format!("unreadable journal: {name}")));
    let applied = run(&place, &state, &["apply", "file.txt", "--old", "two", "--new", "three"]);
    assert!(applied.code == 0 && applied.err.contains(name), "{}", applied.err);
    fs::remove_file(journal).unwrap();
    let undone = run(&place, &state, &["undo"]);
    assert_eq!((undone.code, undone.err.as_str()), (0, ""));
}

#[test]
fn batches_that_can_be_undone_in_turn_are_not_stale() {
    let (place, state) = (Place::with("one\n"), Place::new());
    place.write("other.txt", "uno\n");
    apply(&place, &state, "one", "two");
    let both = r#"[{"file_path":"file.txt","old_string":"two","new_string":"three"},
                   {"file_path":"other.txt","old_string":"uno","new_string":"due"}]"#;
    let environment = [("XDG_STATE_HOME", &state.path("state"))];
    assert_eq!(place.run_in(&["apply", "--input", "-"], both.as_bytes(), &environment).code, 0);
    apply(&place, &state, "three", "four");
    let listed = || {
        let list = run(&place, &state, &["undo", "--list", "--json"]).json();
        list["batches"].as_array().unwrap().clone()
    };
    let names = |batches: &[serde_json::Value]| batches.iter().map(|past| past["batch"].clone()).collect::<Vec<_>>();
    let batches = listed();
    let [third, second, first] = &names(&batches)[..] else { panic!("{batches:?}") };
    let waits: Vec<_> = batches.iter().map(|past| past.get("waits_for").cloned()).collect();
    assert_eq!(waits, [None, Some(third.clone()), Some(second.clone())], "{batches:?}");
    let short = |name: &serde_json::Value| name.as_str().unwrap()[28..].to_owned();
    let text = run(&place, &state, &["undo", "--list"]).out;
    assert!(text.contains(&format!("after {}", short(third))) && !text.contains("stale"), "{text}");
    assert!(text.lines().nth(1).unwrap().contains("`file.txt`, `other.txt`"), "{text}");
    let refused = run(&place, &state, &["undo", &short(first)]);
    assert!(refused.code == 1 && refused.err.contains(&format!("`fuzzy-edit undo {}`", short(second))), "{refused:?}");
    // A file of the second batch that somebody changed makes it and all before it stale.
    place.write("other.txt", "theirs\n");
    let codes = listed().iter().map(|past| (past["code"].clone(), past.get("waits_for").is_some())).collect::<Vec<_>>();
    assert_eq!(codes, [(json!(null), false), (json!("stale"), false), (json!("stale"), false)]);
    place.write("other.txt", "due\n");
    for (name, text) in [(third, "three\n"), (second, "two\n"), (first, "one\n")] {
        assert_eq!(run(&place, &state, &["undo", &short(name)]).code, 0);
        assert_eq!(place.text("file.txt"), text);
    }
    let missing = run(&place, &state, &["undo", "ffff", "--json"]);
    assert_eq!((missing.code, &missing.json()["code"]), (2, &json!("missing")));
}

#[test]
fn a_part_of_a_name_that_several_batches_have_is_refused() {
    let (place, state) = (Place::with("one\n"), Place::new());
    apply(&place, &state, "one", "two");
    apply(&place, &state, "two", "three");
    // All names begin with zeros.
    let answer = run(&place, &state, &["undo", "0000", "--json"]);
    assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("bad_input")), "{answer:?}");
    assert_eq!(place.text("file.txt"), "three\n");
}
