//! Each verb in its usual form.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use fuzzy_testkit::assert_snapshot;
use serde_json::json;

use crate::place::{Place, Redactor, text};

#[test]
fn create_list_and_show() {
    let place = Place::new();
    let mut redact = Redactor::default();
    place.write("note.txt", "a note\n");
    let before = (place.files(), place.status());
    let first = place.json(&["create", "--label", "the \"first\""]);
    assert_eq!((place.files(), place.status()), before, "taking one changes nothing that can be seen");
    assert_snapshot!("create_json", redact.json(&place, &first));
    fs::create_dir(place.path("inner")).unwrap();
    place.git_in(&place.path("inner"), &["init", "-q"]);
    place.write("dir/.env", "KEY=1\n");
    fs::write(place.path("large.bin"), vec![0; (10 << 20) + 1]).unwrap();
    let second = place.run(&["create"]);
    assert_eq!(second.code, 0, "{}", second.err);
    assert_snapshot!("create_text_with_warnings", redact.text(&place, &second.text()));
    assert_snapshot!("list_text", redact.text(&place, &place.run(&["list"]).text()));
    assert_snapshot!("list_json", redact.json(&place, &place.json(&["list"])));
    let id = text(&first, "id");
    assert_snapshot!("show_json", redact.json(&place, &place.json(&["show", &id])));
    let printed = place.run(&["show", &id.to_lowercase()]).text();
    for part in [id.as_str(), "can be restored", "the \"first\"", "main", "UTC", "captured"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

#[test]
fn restore_and_undo_are_exact() {
    let place = Place::new();
    place.write("run.sh", "#!/bin/sh\n");
    fs::set_permissions(place.path("run.sh"), Permissions::from_mode(0o755)).unwrap();
    symlink("a.txt", place.path("link")).unwrap();
    place.write("staged.txt", "staged\n");
    place.git(&["add", "staged.txt"]);
    place.write("kept.ignored", "never touched\n");
    let (then, status) = (place.files(), place.status());
    let id = place.create();
    place.write("a.txt", b"changed\r\n\0\xff");
    fs::remove_dir_all(place.path("dir")).unwrap();
    place.write("dir", "a file where a directory was\n");
    fs::set_permissions(place.path("run.sh"), Permissions::from_mode(0o644)).unwrap();
    fs::remove_file(place.path("link")).unwrap();
    place.write("new/deep/file.txt", "new\n");
    place.git(&["add", "-A"]);
    let (now, now_status) = (place.files(), place.status());
    let outcome = place.json(&["restore", &id, "--yes"]);
    assert_eq!((place.files(), place.status()), (then, status));
    assert_snapshot!("restore_json", Redactor::default().json(&place, &outcome));
    let undone = place.json(&["undo", &text(&outcome, "restore_id")]);
    assert_eq!((place.files(), place.status()), (now, now_status));
    assert_snapshot!("undo_json", Redactor::default().json(&place, &undone));
}

#[test]
fn the_last_restore_is_undone_and_redone_without_its_id() {
    let place = Place::new();
    let ids = ["1", "2"].map(|text| {
        place.write("a.txt", text);
        place.create()
    });
    place.write("a.txt", "3");
    place.restore(&ids[1]);
    place.restore(&ids[0]);
    for (verb, expected, now) in [
        ("undo", "undone: 1 file", "2"),
        ("undo", "undone: 1 file", "3"),
        ("redo", "redone: 1 file", "2"),
        ("redo", "redone: 1 file", "1"),
        ("undo", "undone: 1 file", "2"),
    ] {
        let done = place.run(&[verb]).text();
        assert!(done.contains(&format!("\n{expected}")), "{verb}: {done}");
        assert_eq!(place.read("a.txt"), now.as_bytes(), "{verb}");
    }
    place.restore(&ids[1]);
    let refused = place.run(&["redo", "--json"]).fails(1, "declined");
    assert!(text(&refused, "next_step").contains("`fuzzy-edit undo "), "{refused}");
    let printed = place.run(&["list"]).text();
    assert!(ids.iter().all(|id| printed.contains(&id[..8])), "what is taken by hand is not hidden: {printed}");
}

#[test]
fn ids_need_not_be_typed() {
    let place = Place::new();
    let ids = ["1", "2", "3"].map(|number| {
        place.write("a.txt", number);
        let taken = place.run(&["create", "--quiet", "--session", "new one"]);
        assert_eq!((taken.code, taken.err.as_str()), (0, ""));
        taken.text().trim_end().to_owned()
    });
    let back = |id: &str| place.run(&["restore", id, "--yes", "--quiet", "--session", "new one"]);
    for (id, text) in [("~1", "2"), ("latest", "3"), ("~2", "1"), ("latest~1", ""), ("~3", "")] {
        let done = back(id);
        if text.is_empty() {
            assert_ne!(done.code, 0, "{id}");
        } else {
            assert_eq!(
                (done.code, done.text().as_str(), place.read("a.txt")),
                (0, "", text.as_bytes().to_vec()),
                "{id}"
            );
        }
    }
    assert_eq!(text(&place.json(&["show", "~2", "--session", "new one"]), "id"), ids[0]);
    place.json(&["undo", "--yes"]);
    assert_eq!(place.read("a.txt"), b"3");
    assert!(place.dir.join("state/fuzzy-edit/pruned").read_dir().unwrap().count() == 1, "it prunes once a day");
}

#[test]
fn restore_prints_a_summary() {
    let place = Place::new();
    let mut redact = Redactor::default();
    let id = place.create();
    place.write("a.txt", "changed\n");
    place.git(&["commit", "-qam", "second"]);
    place.write("b.txt", "new\n");
    let restored = place.run(&["restore", &id, "--yes"]).text();
    assert_snapshot!("restore_text", redact.text(&place, &restored));
    assert_snapshot!("undo_text", redact.text(&place, &place.run(&["undo"]).text()));
    place.restore(&id);
    assert_snapshot!("list_all_text", redact.text(&place, &place.run(&["list", "--all"]).text()));
}

#[test]
fn a_dry_run_changes_nothing() {
    let place = Place::new();
    let mut redact = Redactor::default();
    let id = place.create();
    place.create();
    place.write("a.txt", "changed\n");
    fs::remove_file(place.path("dir/b.txt")).unwrap();
    place.write("new.txt", "new\n");
    let modified = || fs::metadata(place.path("a.txt")).unwrap().modified().unwrap();
    let state = || (place.files(), place.status(), place.pins(), modified(), place.json(&["list", "--all"]));
    let before = state();
    let plan = place.json(&["restore", &id, "--dry-run"]);
    assert_snapshot!("dry_run_json", redact.json(&place, &plan));
    let plan = place.run(&["restore", &id, "--dry-run"]);
    assert_snapshot!("dry_run_text", redact.text(&place, &plan.text()));
    assert_eq!(state(), before);
}

#[test]
fn only_some_paths_or_only_files() {
    let place = Place::new();
    let id = place.create();
    let later = place.create();
    place.write("a.txt", "changed\n");
    place.write("dir/b.txt", "changed\n");
    let outcome = place.json(&["restore", &id, "--yes", "--paths", "dir"]);
    assert_eq!((&outcome["files_written"], &outcome["backend_reset"]), (&json!(1), &json!(false)));
    assert_eq!((place.read("a.txt"), place.read("dir/b.txt")), (b"changed\n".to_vec(), b"beta\r\n".to_vec()));
    let outcome = place.json(&["restore", &id, "--yes", "--files-only"]);
    assert_eq!((&outcome["files_written"], &outcome["backend_reset"]), (&json!(1), &json!(false)));
    place.write("a.txt", "changed\n");
    let outcome = place.json(&["restore", &id, "--yes", "--paths", "."]);
    assert_eq!(outcome["backend_reset"], json!(false), "all paths are still only paths");
    assert!(place.run(&["list"]).text().contains(&later[..8]), "nothing was hidden");
    place.write("dir/b.txt", "changed\n");
    for (verb, expected) in [(&["restore", "--yes"][..], 2), (&["restore", "--dry-run"], 2), (&["diff"], 2)] {
        let mistyped = place.run(&[verb, &[&id, "--paths", "dir", "dri"]].concat());
        assert!(
            mistyped.code == expected && mistyped.err.contains("missing: ") && mistyped.err.contains("\"dri\""),
            "{mistyped:?}"
        );
    }
    assert_eq!(place.read("dir/b.txt"), b"changed\n");
}

#[test]
fn head_restore_moves_the_branch_back() {
    let place = Place::new();
    let before = place.status();
    let id = place.create();
    place.write("a.txt", "changed\n");
    place.git(&["commit", "-qam", "second"]);
    let after = place.status();
    let outcome = place.json(&["restore", &id, "--yes", "--head", "restore"]);
    assert_eq!((outcome["head"].as_str(), place.status()), (Some("restored"), before));
    place.json(&["undo", &text(&outcome, "restore_id")]);
    assert_eq!(place.status(), after);
}

#[test]
fn a_merge_is_left_alone_and_reported() {
    let place = Place::new();
    place.git(&["checkout", "-q", "-b", "other"]);
    place.write("a.txt", "theirs\n");
    place.git(&["commit", "-qam", "theirs"]);
    place.git(&["checkout", "-q", "main"]);
    place.write("a.txt", "ours\n");
    place.git(&["commit", "-qam", "ours"]);
    let merge = place
        .clean("git", &place.root())
        .args(["-c", "user.name=t", "-c", "user.email=t@localhost", "merge", "-q", "other"])
        .status()
        .unwrap();
    assert!(!merge.success(), "it conflicts");
    let (then, status) = (place.files(), place.status());
    let report = place.json(&["create"]);
    assert!(
        report["warnings"][0].as_str().unwrap().starts_with("this checkpoint cannot restore the index"),
        "{report}"
    );
    place.write("a.txt", "half merged\n");
    place.restore(&text(&report, "id"));
    assert_eq!((place.files(), place.status()), (then, status));
    assert!(place.path(".git/MERGE_HEAD").exists());
}

#[test]
fn diff_prints_the_changes() {
    let place = Place::new();
    let first = place.create();
    let same = place.run(&["diff", &first]);
    assert_eq!((same.code, same.text().as_str(), same.err.as_str()), (0, "", "fuzzy-edit: no difference\n"));
    place.write("a.txt", "changed\n");
    place.write("latin.txt", b"caf\xe9\n");
    fs::remove_file(place.path("dir/b.txt")).unwrap();
    let second = place.create();
    place.write("later.txt", "later\n");
    let names = place.run(&["diff", &first, &second, "--names"]).text();
    assert_eq!(names, "M a.txt\nD dir/b.txt\nA latin.txt\n");
    let names = place.run(&["diff", &second, "--names"]).text();
    assert_eq!(names, "A later.txt\n");
    let patch = place.run(&["diff", &first]).out;
    assert!(patch.windows(6).any(|bytes| bytes == b"+caf\xe9\n"), "bytes are not changed");
    assert!(!patch.contains(&0x1b), "no colours without a terminal");
    let patch = place.run(&["diff", &first, "--paths", "a.txt"]).text();
    assert!(patch.ends_with("-alpha\n+changed\n") && !patch.contains("latin"), "{patch}");
    let report = place.json(&["diff", &first, &second, "--paths", "a.txt", "dir"]);
    assert_snapshot!("diff_json", Redactor::default().json(&place, &report));
    let bytes = &place.json(&["diff", &first, "--paths", "latin.txt"])["patch"];
    assert!(bytes.as_array().is_some_and(|bytes| bytes.contains(&json!(0xe9))), "{bytes}");
    // git can apply the printed patch.
    place.restore(&first);
    fs::write(place.dir.join("patch"), &patch).unwrap();
    place.git(&["apply", place.dir.join("patch").to_str().unwrap()]);
    assert_eq!(place.read("a.txt"), b"changed\n");
}
