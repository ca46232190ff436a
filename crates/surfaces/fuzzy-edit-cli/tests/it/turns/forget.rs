//! `turns forget` and retention: nothing of a prompt and of a file's content is left in the state directory.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::scene::{Scene, event};
use crate::checkpoint::terminal::type_to;
use crate::place::run;

/// A word of a prompt, and a word of a file.
const SAID: &str = "quetzalcoatl";
const WRITTEN: &str = "ixtlilxochitl";

/// Returns the files below a directory.
pub(crate) fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.path().is_dir() { files.extend(self::files(&entry.path())) } else { files.push(entry.path()) }
    }
    files
}

/// Returns the files and the git objects of the state directory that contain one of the words.
pub(crate) fn with_words(scene: &Scene, words: &[&str]) -> Vec<String> {
    let has_word =
        |bytes: &[u8]| words.iter().any(|word| bytes.windows(word.len()).any(|part| part == word.as_bytes()));
    let all = files(&scene.state()).into_iter();
    let mut found: Vec<String> = all
        .filter(|path| fs::read(path).is_ok_and(|bytes| has_word(&bytes)))
        .map(|path| path.display().to_string())
        .collect();
    for store in fs::read_dir(scene.state().join("store")).into_iter().flatten().flatten() {
        let mut git = fuzzy_testkit::programs::git(&scene.place.dir);
        git.env("GIT_DIR", store.path()).args(["cat-file", "--batch-all-objects", "--batch"]);
        let objects = git.output().unwrap();
        assert!(objects.status.success(), "{objects:?}");
        if has_word(&objects.stdout) {
            found.push(format!("an object of {}", store.path().display()));
        }
    }
    found
}

/// Plays a turn with both words, and some more that leave them in every place that there is.
fn told() -> Scene {
    let scene = Scene::new();
    scene.place.write("old.txt", format!("{WRITTEN}\n"));
    scene.turn("s1", &format!("{SAID} one"), &format!("echo {WRITTEN} > new.txt; echo omega > old.txt"));
    // A batch keeps the replaced text for its undo.
    scene.place.write("c.txt", format!("{WRITTEN} c\n"));
    let applied = ["apply", "c.txt", "--old", WRITTEN, "--new", "gamma"];
    assert_eq!(run(&mut scene.command(&applied)).code, 0);
    scene.turn("s1", &format!("{SAID} two"), "echo 2 > two.txt");
    // Enough prompts that the database moves rows to other pages.
    for number in 0..30 {
        scene.begin("s2", &format!("{SAID} {number} {}", "padding ".repeat(40)));
        scene.end("s2");
    }
    assert_eq!(scene.turns(&["revert", "--yes"]).code, 0);
    // An event that cannot be read.
    scene.hook("turn-begin", &format!("{SAID}, no event"));
    fs::remove_file(scene.place.path("new.txt")).ok();
    scene
}

#[test]
fn nothing_is_left_of_forgotten_turns() {
    let scene = told();
    let before = with_words(&scene, &[SAID, WRITTEN]);
    for place in ["state.db", "done/", "turns-failed/", "an object"] {
        assert!(before.iter().any(|found| found.contains(place)), "{place}: {before:?}");
    }
    assert_eq!(scene.json(&["keep", "1"])["turn"]["kept"], json!(true));
    let project = scene.place.files();
    let report = scene.json(&["forget", "--all", "--yes"]);
    assert_eq!((&report["status"], &report["batches"]), (&json!("forgotten"), &json!(1)), "{report}");
    assert_eq!(report["turns"].as_array().unwrap().len(), 32);
    assert_eq!(with_words(&scene, &[SAID, WRITTEN]), [""; 0]);
    assert_eq!((scene.list().len(), scene.place.files()), (0, project));
    // It can be repeated, and the next turn has the next number.
    assert_eq!(scene.json(&["forget", "--all", "--yes"])["pruned"], json!([]));
    scene.turn("s1", "Next.", "echo 3 > three.txt");
    assert_eq!(scene.column("number"), json!([33]));
    assert_eq!(scene.turns(&["revert", "33", "--yes"]).code, 0);
    assert!(!scene.place.path("three.txt").exists());
}

#[test]
fn one_turn_is_forgotten_and_the_others_stay() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    scene.turn("s1", &format!("{SAID} two"), &format!("echo {WRITTEN} > two.txt; rm two.txt; echo 2 > kept.txt"));
    scene.turn("s1", "Three.", &format!("echo {WRITTEN} > three.txt"));
    scene.turn("s1", "Four.", "echo 4 > three.txt");
    let report = scene.json(&["forget", "2", "--yes"]);
    assert_eq!((&report["turns"], &report["still_held"]), (&json!([2]), &json!(["kept.txt"])), "{report}");
    assert_eq!(with_words(&scene, &[SAID]), [""; 0]);
    assert_eq!(scene.column("number"), json!([1, 3, 4]));
    // Its work is still credited to it.
    let blamed = scene.json(&["blame", "kept.txt"]);
    assert_eq!(blamed["lines"][0]["origin"], json!({"by": "turn", "turns": [2]}), "{blamed}");
    // The content of the third turn is in its end and in the beginning of the next one.
    let report = scene.json(&["forget", "3", "--yes"]);
    assert_eq!(report["still_held"], json!(["three.txt"]), "{report}");
    let report = scene.json(&["forget", "4", "--yes"]);
    assert_eq!((with_words(&scene, &[WRITTEN]), &report["turns"]), (Vec::new(), &json!([4])));
    assert_eq!(scene.turns(&["revert", "1..", "--yes"]).code, 0, "the forgotten ones are left out");
    assert_eq!((scene.place.path("one.txt").exists(), scene.place.read("kept.txt")), (false, b"2\n".to_vec()));
}

#[test]
fn a_running_turn_an_unknown_one_and_a_missing_answer_are_refused() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    scene.begin("s2", "Two.");
    let before = scene.list();
    for words in [&["forget", "2", "--yes", "--json"][..], &["forget", "--all", "--yes", "--json"]] {
        let report = scene.turns(words).fails(1, "agent_running");
        assert!(report["next_step"].as_str().unwrap().contains("turns end"), "{report}");
    }
    scene.turns(&["forget", "7", "--yes", "--json"]).fails(1, "not_in_session");
    scene.turns(&["forget", "1", "--json"]).fails(2, "bad_input");
    assert_eq!(scene.list(), before);
    scene.json(&["forget", "1", "--yes"]);
    assert_eq!(scene.column("number"), json!([2]));
    // The checkpoints of the running turn are kept at any age.
    let pruned = run(&mut scene.command(&["checkpoint", "prune", "--days", "0", "--json"])).json();
    assert_eq!((&pruned["pruned"], scene.column("prompt")), (&json!([]), json!(["Two."])), "{pruned}");
    scene.shell("echo 2 > two.txt");
    scene.end("s2");
    assert_eq!(scene.turns(&["revert", "2", "--yes"]).code, 0);
    assert!(!scene.place.path("two.txt").exists());
}

#[test]
fn it_asks_at_a_terminal() {
    let scene = Scene::new();
    scene.turn("s1", &format!("{SAID} one"), "echo 1 > one.txt");
    let (code, screen) = type_to(scene.command(&["turns", "forget", "1"]), "n\n");
    assert!(code == 1 && screen.contains("turn 1 are deleted; this cannot be undone\nforget? [y/N] "), "{screen}");
    assert_eq!(scene.list().len(), 1);
    let (code, screen) = type_to(scene.command(&["turns", "forget", "1"]), "y\n");
    assert!(code == 0 && screen.contains("forgotten: turn 1; 2 checkpoints deleted"), "{screen}");
    assert_eq!(with_words(&scene, &[SAID]), [""; 0]);
}

#[test]
fn pruning_deletes_texts_except_those_of_kept_turns() {
    let scene = told();
    assert_eq!(scene.json(&["keep", "2"])["turn"]["kept"], json!(true));
    let pruned =
        run(&mut scene.command(&["checkpoint", "prune", "--days", "0", "--safety-days", "0", "--json"])).json();
    assert_eq!(pruned["texts"], json!(31), "{pruned}");
    assert_eq!(scene.column("number"), json!([2]));
    let left: Value = scene.column("prompt");
    assert_eq!(left, json!([format!("{SAID} two")]));
    // Only this prompt is left in the database.
    let database = fs::read(scene.state().join("state.db")).unwrap();
    let count = database.windows(SAID.len()).filter(|part| *part == SAID.as_bytes()).count();
    assert_eq!(count, 1, "{left}");
    assert!(fs::metadata(scene.state().join("state.db-wal")).map_or(true, |log| log.len() == 0));
}

#[test]
fn events_of_another_project_stay() {
    let scene = told();
    let other = scene.place.dir.join("other");
    fs::create_dir(&other).unwrap();
    scene.place.git_in(&other, &["init", "-q", "."]);
    let begin = event(&other, "s3", "coatlicue");
    scene.hook("turn-begin", &begin);
    scene.json(&["forget", "--all", "--yes"]);
    let listed = run(scene.place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &other).args(["turns", "--json"])).json();
    assert_eq!(listed["turns"][0]["prompt"], "coatlicue", "{listed}");
}

#[test]
fn the_views_of_a_forgotten_session_are_deleted() {
    let scene = Scene::new();
    for session in ["s1", "s2"] {
        scene.turn(session, "Work.", &format!("echo 1 > {session}.txt"));
        let read = json!({ "content": "alpha\n", "startLine": 1 });
        let event = json!({ "session_id": session, "cwd": scene.place.root(), "tool_name": "Read",
            "tool_input": { "file_path": scene.place.path("a.txt") }, "tool_response": { "file": read } });
        scene.hook("tool-after", &event.to_string());
    }
    assert_eq!(files(&scene.state().join("views")).len(), 2);
    scene.json(&["forget", "1", "--yes"]);
    assert_eq!(files(&scene.state().join("views")).len(), 1);
}
