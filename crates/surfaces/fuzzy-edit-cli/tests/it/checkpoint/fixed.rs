//! Files that cannot be replaced: a restore refuses them before it writes anything.

use std::path::Path;
use std::process::Command;

use crate::place::Place;

/// Runs a program that only root can use, and reports if it cannot run here.
fn changes(program: &str, arguments: &[&str], path: &Path) -> bool {
    let output = Command::new(program).args(arguments).arg(path).output();
    let is_done = output.is_ok_and(|output| output.status.success());
    if !is_done {
        eprintln!("left out: `{program} {}` is not possible here", arguments.join(" "));
    }
    is_done
}

/// Refuses a restore of `a.txt` among others, because of `problem`, and then restores everything but it.
fn is_refused(place: &Place, id: &str, problem: &str) {
    let before = place.files();
    let refused = place.run(&["restore", id, "--yes", "--json"]);
    let report = refused.fails(2, "io");
    let message = report["message"].as_str().unwrap();
    assert!(message.contains("a.txt") && message.contains(problem), "{message}");
    assert_eq!(place.files(), before, "{problem}");
    let recovered = place.run(&["recover"]);
    assert_eq!((recovered.code, recovered.text().contains("is finished")), (0, false), "{}", recovered.text());
    let other = place.run(&["restore", id, "--yes", "--paths", "dir"]);
    assert_eq!((other.code, place.read("dir/b.txt")), (0, b"beta\r\n".to_vec()), "{}", other.err);
}

fn changed() -> (Place, String) {
    let place = Place::new();
    let id = place.create();
    place.write("a.txt", "changed\n");
    place.write("dir/b.txt", "changed\n");
    (place, id)
}

#[test]
fn a_mounted_file_is_named_before_anything_is_written() {
    let (place, id) = changed();
    let source = place.dir.join("outside");
    std::fs::write(&source, "outside\n").unwrap();
    let path = place.path("a.txt");
    if changes("mount", &["--bind", source.to_str().unwrap()], &path) {
        is_refused(&place, &id, "is a mount point");
        assert!(changes("umount", &[], &path));
        place.restore(&id);
        assert_eq!(place.read("a.txt"), b"alpha\n");
    }
}

#[test]
fn a_file_that_must_not_be_changed_is_named_before_anything_is_written() {
    for (flag, problem) in [("i", "chattr +i"), ("a", "chattr +a")] {
        let (place, id) = changed();
        let path = place.path("a.txt");
        if changes("chattr", &[&format!("+{flag}")], &path) {
            is_refused(&place, &id, problem);
            assert!(changes("chattr", &[&format!("-{flag}")], &path));
            place.restore(&id);
            assert_eq!(place.read("a.txt"), b"alpha\n");
        }
    }
}

/// Returns a command of the edit tool in the place.
fn edit(place: &Place, words: &[&str]) -> crate::place::Answer {
    crate::place::run(place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.root()).args(words))
}

#[test]
fn a_directory_to_which_names_can_only_be_added_is_refused_before_anything_is_written() {
    let (place, id) = changed();
    place.write("gone.txt", "gone\n");
    let with_gone = place.create();
    std::fs::remove_file(place.path("gone.txt")).unwrap();
    let root = place.root();
    if !changes("chattr", &["+a"], &root) {
        return;
    }
    let before = place.files();
    let names = || std::fs::read_dir(place.root()).unwrap().count();
    let count = names();
    for words in [
        &["apply", "a.txt", "--old", "changed", "--new", "x"][..],
        &["apply", "new.txt", "--old", "", "--new", "x"],
        &["apply", "new/dir/new.txt", "--old", "", "--new", "x"],
    ] {
        let refused = edit(&place, words);
        assert!(refused.code != 0 && refused.err.contains("chattr +a"), "{words:?}: {}", refused.err);
        assert_eq!((place.files(), names()), (before.clone(), count), "{words:?}");
    }
    for (id, path) in [(&id, "a.txt"), (&with_gone, "gone.txt")] {
        let report = place.run(&["restore", id, "--yes", "--json"]).fails(2, "io");
        let message = report["message"].as_str().unwrap();
        assert!(message.contains(path) && message.contains("chattr +a"), "{message}");
        assert_eq!((place.files(), names()), (before.clone(), count), "{path}");
    }
    // Other directories can be written.
    let other = place.run(&["restore", &id, "--yes", "--paths", "dir"]);
    assert_eq!((other.code, place.read("dir/b.txt")), (0, b"beta\r\n".to_vec()), "{}", other.err);
    assert!(changes("chattr", &["-a"], &root));
    place.restore(&id);
    assert_eq!(place.read("a.txt"), b"alpha\n");
}
