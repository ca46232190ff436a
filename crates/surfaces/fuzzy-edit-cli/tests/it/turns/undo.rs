//! Turns are listed, compared and undone.

use std::fmt::Write as _;
use std::fs;

use serde_json::json;

use super::scene::{Scene, event};
use crate::checkpoint::terminal::type_to;
use crate::place::{run, text};

const SHELL: &str = "echo changed > a.txt; echo new > new.txt; rm dir/b.txt";

#[test]
fn a_turn_whose_shell_changed_created_and_deleted_files_is_undone() {
    let scene = Scene::new();
    let before = scene.place.files();
    let status = scene.place.status();
    scene.turn("s1", "Spoil\n everything.", SHELL);
    let after = scene.place.files();
    assert_ne!(before, after);

    let list = scene.list();
    assert_eq!(list.len(), 1, "{list:?}");
    let turn = &list[0];
    assert_eq!(
        (&turn["number"], text(turn, "host"), text(turn, "prompt")),
        (&json!(1), "claude-code".into(), "Spoil\n everything.".into())
    );
    assert_eq!(
        [&turn["state"], &turn["files"], &turn["insertions"], &turn["deletions"]],
        [&json!("done"), &json!(3), &json!(2), &json!(2)]
    );
    let table = scene.turns(&[]).text();
    assert!(table.starts_with("N  WHEN") && table.ends_with("3      +2/-2  Spoil everything.\n"), "{table}");

    let diff = scene.json(&["diff", "1"]);
    assert_eq!(diff["files"].as_array().unwrap().len(), 3, "{diff}");
    let names = scene.turns(&["diff", "--names"]).text();
    assert_eq!(names, "M a.txt\nD dir/b.txt\nA new.txt\n");
    assert!(scene.turns(&["diff", "1", "--paths", "a.txt"]).text().ends_with("-alpha\n+changed\n"));

    let listed = scene.place.json(&["list", "--session", "claude-code s1"]);
    let kinds: Vec<String> = listed["checkpoints"].as_array().unwrap().iter().map(|row| text(row, "kind")).collect();
    assert_eq!(kinds, ["turn", "end"], "the store is that of the other verbs");

    let wrong: [(&[&str], i32, &str); 7] = [
        (&["revert"], 2, "no terminal for the question"),
        (&["revert", "99"], 1, "there is no turn 99"),
        (&["restore", "99"], 1, "there is no turn 99"),
        (&["revert", "1", "--paths", "nofile"], 2, "turn 1 did not change nofile"),
        (&["log", "nofile", "new.txt/x"], 0, "no turn changed `nofile` or `new.txt/x`"),
        (&["log"], 0, ""),
        (&["show"], 0, ""),
    ];
    for (arguments, code, says) in wrong {
        let answer = scene.turns(arguments);
        assert!(answer.code == code && answer.err.contains(says), "{arguments:?}: {}", answer.err);
        assert!(!says.is_empty() || answer.err.is_empty(), "{arguments:?}: {}", answer.err);
    }
    assert_eq!(scene.turns(&["--path", "nofile"]).text(), "no turn changed `nofile`\n");
    let hunks = scene.turns(&["diff", "1", "--paths", "a.txt"]).text();
    assert!(hunks.contains(" @@ hunk 1\n"), "{hunks}");
    let plan = scene.json(&["revert", "--dry-run"]);
    assert_eq!((&plan["turns"], &plan["files_to_delete"]), (&json!([1]), &json!(["new.txt"])), "{plan}");
    assert_eq!(scene.place.files(), after);

    let undone = scene.turns(&["revert", "--yes"]);
    assert_eq!((undone.code, scene.place.files(), scene.place.status()), (0, before.clone(), status), "{}", undone.err);
    let printed = undone.text();
    assert!(printed.contains("\nreverted: turn 1: 2 files written, 1 deleted\n"), "{printed}");
    assert_eq!(scene.column("taken_back"), json!([true]));
    assert!(scene.turns(&[]).text().contains("(taken back)"));
    let nothing = scene.turns(&["revert", "--yes"]);
    assert!(nothing.code == 1 && nothing.err.contains("there is no turn"), "{}", nothing.err);

    let command = printed.trim_end().rsplit_once("to undo this: fuzzy-edit ").unwrap().1;
    let again = run(&mut scene.command(&command.split(' ').collect::<Vec<_>>()));
    assert_eq!((again.code, scene.place.files()), (0, after), "{}", again.err);
    assert_eq!(scene.column("taken_back"), json!([false]));
    assert_eq!(scene.json(&["revert", "--yes"])["turns"], json!([1]));
    assert_eq!(scene.place.files(), before);
}

#[test]
fn undo_works_turn_by_turn_or_to_before_a_turn_of_any_session() {
    let scene = Scene::new();
    let mut states = vec![scene.place.files()];
    for (session, number) in [("s1", 1), ("s2", 2), ("s1", 3)] {
        scene.turn(
            session,
            &format!("Turn {number}."),
            &format!("echo {number} >> a.txt; echo {number} > {number}.txt"),
        );
        states.push(scene.place.files());
    }
    assert_eq!(scene.column("number"), json!([1, 2, 3]));
    assert_eq!(scene.json(&["revert", "--yes"])["turns"], json!([3]));
    assert_eq!(scene.place.files(), states[2]);
    assert_eq!(scene.json(&["revert", "--yes"])["turns"], json!([2]));
    assert_eq!(scene.place.files(), states[1]);
    scene.turn("s1", "Turn 4.", "echo 4 > 4.txt");
    assert_eq!(scene.column("taken_back"), json!([false, true, true, false]));
    let undone = scene.json(&["revert", "1..", "--yes"]);
    assert_eq!((&undone["turns"], scene.place.files()), (&json!([1, 4]), states[0].clone()));
    assert_eq!(scene.column("taken_back"), json!([true, true, true, true]));
}

#[test]
fn an_interrupted_turn_ends_with_the_next_prompt_and_can_be_undone_before() {
    let scene = Scene::new();
    let before = scene.place.files();
    scene.begin("s1", "One.");
    scene.shell(SHELL);
    assert_eq!(scene.column("state"), json!(["running"]));
    let refused = scene.turns(&["revert", "--yes"]);
    assert!(refused.code == 1 && refused.err.contains("agent_running"), "{}", refused.err);
    scene.json(&["revert", "--yes", "--force"]);
    assert_eq!(scene.place.files(), before);
    assert_eq!((scene.column("state"), scene.column("continued")), (json!(["running"]), json!([true])));

    scene.begin("s1", "Two.");
    scene.shell("echo 2 > two.txt");
    scene.begin("s1", "Three.");
    scene.shell("echo 3 > three.txt");
    scene.end("s1");
    assert_eq!(scene.column("state"), json!(["interrupted", "interrupted", "done"]));
    assert_eq!(scene.column("files"), json!([0, 1, 1]), "nothing is left of the first");
    assert_eq!(scene.column("taken_back"), json!([true, false, false]));
    // An end without a begin is ignored.
    scene.end("s1");
    scene.end_session("s1");
    assert_eq!(scene.list().len(), 3);
}

#[test]
fn undo_shows_its_plan_and_asks() {
    let scene = Scene::new();
    let before = scene.place.files();
    scene.begin("s1", "One.");
    scene.shell(SHELL);
    let spoiled = scene.place.files();
    let (code, screen) = type_to(scene.command(&["turns", "revert"]), "n\n");
    assert!(code == 1 && screen.contains("declined: nothing was changed"), "{screen}");
    assert!(screen.contains("take back turn 1, which has not ended: One.\n"), "{screen}");
    assert!(screen.contains("write:\n  a.txt      +1/-1  turn 1\n  dir/b.txt  +1/-0  turn 1\n"), "{screen}");
    assert!(screen.contains("delete:\n  new.txt  +0/-1  turn 1\nrevert? [y/N/d for the diff] "), "{screen}");
    assert_eq!(scene.place.files(), spoiled);
    let (code, screen) = type_to(scene.command(&["turns", "revert"]), "y\n");
    assert_eq!((code, scene.place.files()), (0, before), "{screen}");
    assert!(screen.contains("to undo this: fuzzy-edit undo"), "{screen}");
}

#[test]
fn a_folder_without_git_is_kept_in_a_sidecar() {
    let scene = Scene::without_git();
    let before = scene.place.files();
    scene.turn("s1", "Spoil.", SHELL);
    let list = scene.list();
    assert_eq!((&list[0]["files"], &list[0]["no_checkpoint"]), (&json!(3), &json!(null)), "{list:?}");
    let undone = scene.json(&["revert", "--yes"]);
    assert_eq!(scene.place.files(), before);
    let command = text(&undone, "undo_with");
    assert_eq!(command, "fuzzy-edit undo", "it is found as the turns are");
    let again = run(&mut scene.command(&command.split(' ').skip(1).collect::<Vec<_>>()));
    assert_eq!((again.code, scene.place.path("new.txt").exists()), (0, true), "{}", again.err);
}

#[test]
fn a_large_folder_without_git_has_turns_without_checkpoints() {
    let scene = Scene::without_git();
    let large = fs::File::create(scene.place.path("large")).unwrap();
    large.set_len((1 << 30) + 1).unwrap();
    scene.turn("s1", "Spoil.", SHELL);
    let list = scene.list();
    let why = text(&list[0], "no_checkpoint");
    assert!(why.contains("large") && why.contains("git init"), "{why}");
    assert!(scene.turns(&[]).text().contains("no checkpoint: the folder is large"));
    let refused = scene.turns(&["revert", "--yes"]);
    assert!(refused.code == 1 && refused.err.contains("turn 1 are unknown: it has no checkpoint"), "{}", refused.err);
}

#[test]
fn other_directories_of_a_project_have_its_turns() {
    let scene = Scene::new();
    let below = scene.place.path("dir");
    scene.hook("turn-begin", &event(&below, "s1", "One."));
    fs::write(below.join("c.txt"), "c\n").unwrap();
    scene.hook("turn-end", &event(&below, "s1", ""));
    assert_eq!(scene.column("files"), json!([1]));
    let elsewhere = run(scene.place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &below).args(["turns"]));
    assert!(elsewhere.text().contains("One."), "{}", elsewhere.text());
}

#[test]
fn the_readme_shows_a_turn_that_is_taken_back() {
    let readme = include_str!("../../../../../../README.md");
    let (_, shown) = readme.split_once("```console\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let scene = Scene::new();
    scene.place.write("cart.py", "a\nb\nc\n");
    scene.turn("s1", "Round the total.", "sed -i s/a/A/ cart.py");
    scene.turn("s1", "Add a discount.", "echo d >> cart.py");
    let mut printed = String::new();
    for command in shown.lines().filter_map(|line| line.strip_prefix("$ fuzzy-edit turns")) {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let _ = write!(printed, "$ fuzzy-edit turns{command}\n{}", scene.turns(&arguments).text());
    }
    // The ages differ, and the width of their column; a busy machine takes a checkpoint late.
    let without_ages = |text: &str| -> Vec<String> {
        let words = |line: &str| {
            line.split("  ")
                .filter(|cell| !cell.is_empty() && !cell.ends_with("ago") && *cell != "just now")
                .filter(|cell| !cell.starts_with("(checkpoint "))
                .collect::<Vec<_>>()
                .join("|")
        };
        text.lines().map(words).map(|line| line.replace("| ", "|")).collect()
    };
    assert_eq!(without_ages(&printed), without_ages(shown));
}
