//! Common usage: pipes, short options, reversed patches, patches from other directories, several jobs.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::support::Place;

const DIFF: &str = "--- a/sub/file.txt\n+++ b/sub/file.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";

fn tree() -> Place {
    let place = Place::new();
    fs::create_dir(place.path("sub")).unwrap();
    place.write("sub/file.txt", "one\ntwo\nthree\n");
    place
}

#[test]
fn texts_come_from_pipes() {
    let place = Place::with("one\n");
    assert_eq!(place.run_with(&["apply", "file.txt", "--old", "one", "--new", "-"], b"two").code, 0);
    assert_eq!(place.run_with(&["apply", "file.txt", "--old", "@-", "--new", "three"], b"two").code, 0);
    assert_eq!(place.text("file.txt"), "three\n");
    let answer = place.run_with(&["apply", "file.txt", "--old", "-", "--new", "-"], b"three");
    assert!(answer.code == 2 && answer.err.contains("named twice"), "{answer:?}");
    let command = env!("CARGO_BIN_EXE_fuzzy-edit");
    let line = format!("exec 7< <(echo -n three); '{command}' apply file.txt --old @/dev/fd/7 --new four");
    let done = Command::new("bash")
        .args(["-c", &line])
        .current_dir(place.path(""))
        .env("XDG_STATE_HOME", place.state())
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    assert_eq!(place.text("file.txt"), "four\n");
}

#[test]
fn two_signs_are_one() {
    let place = Place::with("@Override\nvoid run() {}\n");
    assert_eq!(place.run(&["apply", "file.txt", "--old", "@@Override", "--new", "@@Test", "-d"]).code, 0);
    assert_eq!(place.text("file.txt"), "@Test\nvoid run() {}\n");
    // A text of several lines names no file.
    assert_eq!(
        place.run(&["apply", "file.txt", "--old", "@Test\nvoid run()", "--new", "@Test\nvoid go()", "-d"]).code,
        0
    );
    assert_eq!(place.text("file.txt"), "@Test\nvoid go() {}\n");
}

#[test]
fn short_options_mean_the_long_ones() {
    let place = Place::with("one\n");
    let answer = place.run(&["apply", "file.txt", "--old", "one", "--new", "two", "-n", "-j"]);
    assert_eq!((answer.code, &answer.json()["status"]), (0, &json!("dry_run")));
    assert!(place.run(&["apply", "file.txt", "--old", "one", "--new", "two", "-nd"]).out.contains("+two"));
    assert_eq!(place.text("file.txt"), "one\n");
}

#[test]
fn a_patch_can_be_reversed() {
    let place = tree();
    assert_eq!(place.run_with(&["patch", "--check"], DIFF.as_bytes()).code, 0);
    assert_eq!(place.text("sub/file.txt"), "one\ntwo\nthree\n");
    assert_eq!(place.run_with(&["patch"], DIFF.as_bytes()).code, 0);
    assert_eq!(place.text("sub/file.txt"), "one\n2\nthree\n");
    assert_eq!(place.run_with(&["patch", "-R"], DIFF.as_bytes()).code, 0);
    assert_eq!(place.text("sub/file.txt"), "one\ntwo\nthree\n");
    let made = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n";
    assert_eq!(place.run_with(&["patch"], made.as_bytes()).code, 0);
    assert_eq!(place.run_with(&["patch", "--reverse"], made.as_bytes()).code, 0);
    assert!(!place.path("new.txt").exists());
    let moved = "diff --git a/sub/file.txt b/other.txt\nrename from sub/file.txt\nrename to other.txt\n";
    assert_eq!(place.run_with(&["patch"], moved.as_bytes()).code, 0);
    assert_eq!(place.run_with(&["patch", "-R"], moved.as_bytes()).code, 0);
    assert_eq!(place.text("sub/file.txt"), "one\ntwo\nthree\n");
}

#[test]
fn names_without_prefixes_are_not_stripped() {
    let place = tree();
    let made = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n";
    for zero in [["-p", "0"], ["--strip", "0"]] {
        let patch = [&["patch"][..], &zero].concat();
        assert_eq!(place.run_with(&patch, made.as_bytes()).code, 0);
        assert_eq!((place.text("b/new.txt").as_str(), place.path("new.txt").exists()), ("new\n", false));
        let gone = "--- b/new.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n";
        assert_eq!(place.run_with(&patch, gone.as_bytes()).code, 0);
        assert!(!place.path("b/new.txt").exists());
        // Different prefixes of the two names are recognised as prefixes.
        assert_eq!(place.run_with(&patch, DIFF.as_bytes()).code, 0);
        assert_eq!(place.run_with(&[&patch[..], &["-R"]].concat(), DIFF.as_bytes()).code, 0);
    }
    for patch in [&["patch"][..], &["patch", "-p", "1"]] {
        assert_eq!(place.run_with(patch, made.as_bytes()).code, 0);
        assert_eq!(place.text("new.txt"), "new\n");
        fs::remove_file(place.path("new.txt")).unwrap();
    }
}

#[test]
fn a_patch_from_elsewhere_lands_or_its_failure_names_the_root() {
    let place = tree();
    let sub = place.path("sub");
    // The patch runs in a directory below, with names from above.
    let root = ["patch", "--root", sub.to_str().unwrap()];
    let answer = place.run_with(&root, DIFF.as_bytes());
    assert_eq!((answer.code, place.text("sub/file.txt").as_str()), (0, "one\n2\nthree\n"), "{answer:?}");
    // The names have one component more than git writes.
    let deep = DIFF.replace("/sub/", "/x/sub/").replace("two", "TWO").replace("+2", "+two").replace("-TWO", "-2");
    assert_eq!(place.run_with(&["patch", "-p", "2"], deep.as_bytes()).code, 0);
    assert_eq!(place.text("sub/file.txt"), "one\ntwo\nthree\n");
    // The files are in a directory beside the root.
    fs::create_dir(place.path("beside")).unwrap();
    let beside = place.path("beside");
    let answer = place.run_with(&["patch", "--json", "--root", beside.to_str().unwrap()], DIFF.as_bytes());
    assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("outside_root")));
    let above = place.path("").canonicalize().unwrap();
    assert!(
        answer.err.contains(&format!("--root {}", above.display()).trim_end_matches('/').to_owned()),
        "{}",
        answer.err
    );
}

#[test]
fn refusals_name_the_option_that_permits_the_edit() {
    let place = Place::with("one");
    fs::hard_link(place.path("file.txt"), place.path("link")).unwrap();
    let edit = ["apply", "file.txt", "--old", "one", "--new", "two"];
    assert!(place.run(&edit).err.contains("--in-place"));
    assert!(place.run(&[&edit[..], &["--max-bytes", "2"]].concat()).err.contains("--max-bytes N"));
    let latin = Place::with(b"one caf\xe9\x01");
    let answer = latin.run(&[&edit[..], &["--json"]].concat());
    assert!(answer.json()["next_step"].as_str().unwrap().contains("--encoding NAME"), "{answer:?}");
}

#[test]
fn several_jobs_answer_in_the_order_of_the_lines() {
    let place = Place::new();
    let line = |at: usize| {
        let content = "some line of text\n".repeat(1 + at * 7919 % 300) + &format!("number {at}\n");
        json!({"id": at, "content": content, "old": format!("number  {at}"), "new": "x"}).to_string()
    };
    let mut lines: Vec<String> = (0..300).map(line).collect();
    lines.insert(150, "no json".to_owned());
    let input = lines.join("\n") + "\n";
    let alone = place.run_with(&["batch", "--jobs", "1"], input.as_bytes());
    assert_eq!(alone.out.lines().count(), 301);
    for jobs in ["2", "7"] {
        let answer = place.run_with(&["batch", "--jobs", jobs], input.as_bytes());
        assert_eq!((answer.code, answer.out == alone.out), (2, true), "{jobs}");
    }
    // The lines exceed the limit on pending bytes, so one is processed at a time.
    let answer = place.run_with(&["batch", "--jobs", "3", "--max-bytes", "1"], input.as_bytes());
    assert_eq!(answer.out.lines().count(), 301);
    assert_eq!(place.run_with(&["batch", "--jobs", "2", "--time"], b"").code, 2);
}
