//! Turns are taken back one by one, and the user's own changes stay.

use std::fs;

use serde_json::json;

use super::scene::Scene;
use crate::checkpoint::terminal::type_to;
use crate::place::{run, text};

/// Five turns: the second changes two files, the fourth a line beside one of the second.
fn five() -> Scene {
    let scene = Scene::new();
    let lines: Vec<String> = (1..=30).map(|line| format!("line {line}\n")).collect();
    scene.place.write("f.txt", lines.concat());
    scene.turn("s1", "One.", "echo 1 > one.txt");
    scene.turn("s1", "Two.", "sed -i 's/^line 5$/FIVE/; s/^line 25$/TWENTY-FIVE/' f.txt; echo 2 > two.txt");
    scene.place.write("mine.txt", "by hand\n");
    scene.turn("s2", "Three.", "echo 3 > three.txt");
    scene.turn("s1", "Four.", "sed -i 's/^line 6$/SIX/' f.txt");
    scene.turn("s2", "Five.", "echo 5 > five.txt");
    scene
}

/// Runs the commands that an output offers, and returns them.
fn offered(output: &str) -> Vec<String> {
    let lines = output.lines().map(str::trim).filter(|line| line.starts_with("fuzzy-edit "));
    lines.map(|line| line.split("    #").next().unwrap_or(line).to_owned()).collect()
}

#[test]
fn turn_two_of_five_alone_one_file_of_it_and_back() {
    let scene = Scene::new();
    for number in 1..=5 {
        scene.turn("s1", &format!("{number}."), &format!("echo {number} > {number}.txt; echo {number} > {number}.md"));
    }
    scene.place.write("mine.txt", "by hand\n");
    let all = scene.place.files();
    let reverted = scene.turns(&["revert", "2", "--yes"]);
    assert_eq!(reverted.code, 0, "{}", reverted.err);
    assert!(reverted.text().starts_with("take back turn 2: 2.\ndelete:\n"), "{}", reverted.text());
    assert!(!reverted.text().contains("index"), "it is not concerned: {}", reverted.text());
    assert!(!scene.place.path("2.txt").exists() && scene.place.path("3.txt").exists());
    assert_eq!(scene.column("taken_back"), json!([false, true, false, false, false]));
    // Every command is a process of its own, so this is another terminal.
    let redone = scene.undo(&["--yes"]);
    assert_eq!((redone.code, scene.place.files()), (0, all.clone()), "{}", redone.err);
    assert!(redone.text().contains("brought back: turn 2"), "{}", redone.text());
    scene.json(&["revert", "2", "--paths", "2.md", "--yes"]);
    assert!(!scene.place.path("2.md").exists() && scene.place.path("2.txt").exists());
    assert_eq!(scene.column("partly_taken_back"), json!([false, true, false, false, false]));
    assert!(scene.turns(&[]).text().contains("(partly taken back)"));
    let undo = run(&mut scene.command(&["undo"]));
    assert_eq!((undo.code, scene.place.files()), (0, all), "without a name it undoes the last one: {}", undo.err);
    assert_eq!(scene.column("partly_taken_back"), json!([false, false, false, false, false]));
}

#[test]
fn a_conflict_offers_commands_that_work() {
    let scene = five();
    let before = scene.place.files();
    let refused = scene.turns(&["revert", "2", "--yes"]);
    assert_eq!((refused.code, scene.place.files()), (1, before.clone()));
    assert!(refused.err.contains("  f.txt, line 6: changed by turn 4\n"), "{}", refused.err);
    let offers = offered(&refused.err);
    assert_eq!(
        offers,
        [
            "fuzzy-edit turns revert 2 --paths f.txt --propose",
            "fuzzy-edit turns revert 2 --hunks f.txt:2",
            "fuzzy-edit turns revert 2 4",
            "fuzzy-edit turns restore 2 --paths f.txt",
        ]
    );
    let report = scene.turns(&["revert", "2", "--yes", "--json"]).json();
    assert_eq!((&report["code"], &report["conflicts"][0]["lines"]), (&json!("conflict"), &json!([[6, 6]])), "{report}");
    let lines = |files: &[&str]| {
        let read = |name: &&str| fs::read_to_string(scene.place.path(name)).unwrap_or_default();
        files.iter().map(read).collect::<String>()
    };
    for (offer, is_there, is_gone) in [
        (&offers[0], "SIX", "FIVE"),
        (&offers[1], "FIVE", "TWENTY-FIVE"),
        (&offers[2], "line 6", "SIX"),
        (&offers[3], "line 5", "FIVE"),
    ] {
        let words: Vec<&str> = offer.split(' ').skip(1).chain(["--yes"]).collect();
        let done = run(&mut scene.command(&words));
        assert_eq!(done.code, 0, "{offer}: {}", done.err);
        let now = lines(&["f.txt"]);
        assert!(now.contains(is_there) && !now.lines().any(|line| line == is_gone), "{offer}: {now}");
        scene.undo_json(&["--yes"]);
        assert_eq!(scene.place.files(), before);
    }
    let partly = scene.turns(&["revert", "2", "--keep-going", "--yes", "--json"]);
    assert_eq!((partly.code, scene.place.path("two.txt").exists()), (1, false), "{}", partly.err);
    assert_eq!(partly.json()["conflicts"][0]["path"], "f.txt");
}

#[test]
fn lines_of_a_turn_are_reverted_alone() {
    let scene = Scene::new();
    let lines: Vec<String> = (1..=12).map(|line| format!("line {line}\n")).collect();
    scene.place.write("sub/f.txt", lines.concat());
    // One hunk has all three changes: the third deletes a line, and so do its lines in the file after the turn.
    scene.turn("s1", "One.", "sed -i 's/^line 3$/THREE/; s/^line 6$/SIX/; 9d' sub/f.txt");
    let changed = fs::read_to_string(scene.place.path("sub/f.txt")).expect("it is there");
    let file = || fs::read_to_string(scene.place.path("sub/f.txt")).expect("it is there");
    for (lines, expected) in [
        ("sub/f.txt:6", changed.replace("SIX", "line 6")),
        ("sub/f.txt:1-4", changed.replace("THREE", "line 3")),
        ("sub/f.txt:9", changed.replace("line 10", "line 9\nline 10")),
        ("sub/f.txt:3,5-7", changed.replace("THREE", "line 3").replace("SIX", "line 6")),
        ("sub/f.txt:1-12", lines.concat()),
    ] {
        let done = scene.turns(&["revert", "1", "--lines", lines, "--yes"]);
        assert_eq!((done.code, file()), (0, expected), "{lines}: {}", done.err);
        assert_eq!(scene.column("partly_taken_back"), json!([true]), "{lines}");
        scene.undo_json(&["--yes"]);
        assert_eq!(file(), changed, "{lines}");
    }
    // Without a number, the last turn is meant; with a dry run, nothing is written.
    let plan = scene.turns(&["revert", "--lines", "sub/f.txt:6", "--dry-run"]);
    assert!(plan.code == 0 && plan.text().contains("sub/f.txt  +1/-1"), "{}", plan.text());
    assert_eq!(file(), changed);
    // A later change of the line conflicts, and the other lines go.
    scene.turn("s2", "Two.", "sed -i 's/^SIX$/SEVEN/' sub/f.txt");
    let refused = scene.turns(&["revert", "1", "--lines", "sub/f.txt:6", "--yes"]);
    assert_eq!((refused.code, file()), (1, changed.replace("SIX", "SEVEN")), "{}", refused.err);
    scene.json(&["revert", "1", "--lines", "sub/f.txt:3", "--yes"]);
    assert_eq!(file(), changed.replace("THREE", "line 3").replace("SIX", "SEVEN"));
}

#[test]
fn undo_keeps_files_of_the_user_and_restore_names_them() {
    let scene = five();
    let undone = scene.turns(&["revert", "1..", "--yes"]);
    assert_eq!(undone.code, 0, "{}", undone.err);
    assert!(undone.text().contains("  mine.txt: changed by you or another program\n"), "{}", undone.text());
    assert!(scene.place.path("mine.txt").exists() && !scene.place.path("one.txt").exists());
    scene.undo_json(&["--yes"]);
    let plan = scene.turns(&["restore", "1", "--dry-run"]).text();
    assert!(plan.contains("  one.txt    +0/-1  turn 1\n"), "{plan}");
    assert!(plan.contains("changes outside these turns go, too:\n  mine.txt\n"), "{plan}");
    let restored = scene.turns(&["restore", "1", "--yes"]);
    assert!(restored.text().contains("restored to before turn 1: "), "{}", restored.text());
    assert!(!scene.place.path("mine.txt").exists() && scene.place.path("f.txt").exists());
    scene.undo_json(&["--yes"]);
    assert!(scene.place.path("mine.txt").exists());
}

#[test]
fn a_question_shows_the_diff_on_request() {
    let scene = five();
    let (code, screen) = type_to(scene.command(&["turns", "revert", "3"]), "d\ny\n");
    assert_eq!((code, scene.place.path("three.txt").exists()), (0, false), "{screen}");
    assert!(screen.contains("take back turn 3: Three.\n") && screen.contains("three.txt"), "{screen}");
    assert!(screen.contains("-3"), "the diff: {screen}");
    let (code, screen) = type_to(scene.command(&["undo"]), "");
    assert!(code == 0 && screen.contains("undone, brought back: turn 3"), "nothing is in doubt: {screen}");
}

#[test]
fn bad_numbers_and_options_are_refused_with_a_next_step() {
    let scene = five();
    for (words, code, says) in [
        (&["revert", "9", "--yes"][..], "not_in_session", "there is no turn 9"),
        (&["revert", "x", "--yes"], "bad_input", "`x` is not the number of a turn"),
        (&["revert", "1", "2", "--hunks", "f.txt:1", "--yes"], "bad_input", "several turns"),
        (&["revert", "2", "--hunks", "f.txt", "--yes"], "bad_input", "numbers of hunks"),
        (&["revert", "1", "2", "--lines", "f.txt:5", "--yes"], "bad_input", "--lines: several turns"),
        (&["revert", "2", "--lines", "f.txt", "--yes"], "bad_input", "`f.txt` is not a path with lines"),
        (&["revert", "2", "--lines", "f.txt:5-", "--yes"], "bad_input", "is not a path with lines"),
        (&["revert", "2", "--lines", "f.txt:0", "--yes"], "bad_input", "is not a path with lines"),
        (&["revert", "2", "--lines", "f.txt:6-5", "--yes"], "bad_input", "is not a path with lines"),
        (&["revert", "2", "--lines", "f.txt:7-9", "--yes"], "missing", "has no change in one of these"),
        (&["revert", "2", "--lines", "f.txt:5,7-9", "--yes"], "missing", "has no change in one of these"),
        (&["revert", "2", "--hunks", "f.txt:3", "--yes"], "missing", "has no change in one of these"),
        (&["revert", "2", "--lines", "none.txt:1", "--yes"], "missing", "has no change in one of these"),
        (&["revert", "2", "--hunks", "none.txt:1", "--yes"], "missing", "has no change in one of these"),
        (&["revert", "2", "--lines", "two.txt:1", "--yes"], "missing", "has no change in one of these"),
        (&["revert", "2"], "bad_input", "no terminal"),
    ] {
        let refused = scene.turns(&[words, &["--json"]].concat());
        let report = refused.json();
        assert!(refused.code > 0 && text(&report, "message").contains(says), "{words:?}: {report}");
        assert_eq!(report["code"], code, "{words:?}: {report}");
    }
}

#[test]
fn an_interrupted_turn_can_be_ended() {
    let scene = Scene::new();
    scene.begin("s1", "One.");
    scene.shell("echo 1 > one.txt");
    let ended = scene.json(&["end"]);
    assert_eq!((&ended["turn"]["state"], &ended["turn"]["files"]), (&json!("interrupted"), &json!(1)));
    for (words, code) in [(&["end"][..], 1), (&["end", "1"], 2), (&["end", "7"], 1)] {
        assert_eq!(scene.turns(words).code, code, "{words:?}");
    }
    scene.begin("s1", "Two.");
    scene.begin("s2", "Three.");
    let refused = scene.turns(&["end"]);
    assert!(refused.code == 2 && refused.err.contains("Name one: `fuzzy-edit turns end 2`"), "{}", refused.err);
    scene.json(&["end", "2"]);
    assert_eq!(scene.column("state"), json!(["interrupted", "interrupted", "running"]));
}
