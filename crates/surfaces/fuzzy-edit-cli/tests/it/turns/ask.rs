//! Which turn changed it?

use serde_json::json;

use super::scene::Scene;

fn scene() -> Scene {
    let scene = Scene::new();
    scene.place.write("f.txt", "one\ntwo\nthree\nfour\n");
    scene.turn("s1", "First.", "sed -i 's/^two$/TWO/' f.txt; echo 1 > other.txt");
    scene.turn("s1", "Second.", "echo 2 > other.txt");
    scene.turn("s1", "Third.", "sed -i 's/^four$/FOUR/' f.txt");
    scene.place.write("f.txt", "one\nTWO\nmine\nFOUR\n");
    scene
}

#[test]
fn turns_of_a_path_with_their_lines() {
    let scene = scene();
    let listed = scene.json(&["--path", "f.txt"]);
    let turns = listed["turns"].as_array().unwrap();
    let brief: Vec<_> = turns.iter().map(|turn| (&turn["number"], &turn["files"], &turn["insertions"])).collect();
    assert_eq!(brief, [(&json!(1), &json!(1), &json!(1)), (&json!(3), &json!(1), &json!(1))]);
    let missing = scene.json(&["--path", "none.txt"]);
    assert_eq!(missing["turns"], json!([]));
}

#[test]
fn a_turn_is_shown_and_logged() {
    let scene = scene();
    let shown = scene.turns(&["show", "1"]).text();
    assert!(shown.starts_with("turn 1\nsession: claude-code · First.\n"), "{shown}");
    assert!(shown.contains("prompt:\n  First.\n") && shown.contains("  f.txt      +1/-1\n"), "{shown}");
    assert!(shown.ends_with("+1\n"), "the diff: {shown}");
    assert!(!scene.turns(&["show", "1", "--stat"]).text().contains("@@"));
    let log = scene.turns(&["log", "-p", "f.txt"]).text();
    let places: Vec<_> = ["turn 3\n", "+FOUR", "turn 1\n", "+TWO"].map(|part| log.find(part)).into();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{log}");
    assert!(!log.contains("other.txt"), "{log}");
    let log = scene.json(&["log"]);
    let numbers: Vec<_> =
        log["turns"].as_array().unwrap().iter().map(|entry| entry["turn"]["number"].clone()).collect();
    assert_eq!(numbers, [3, 2, 1]);
}

#[test]
fn each_line_has_its_turn() {
    let scene = scene();
    let blamed = scene.turns(&["blame", "f.txt"]).text();
    let expected = "before                  1  one\nturn 1                  2  TWO\n\
                    you or another program  3  mine\nturn 3                  4  FOUR\nturn 1: claude-code, ";
    assert!(blamed.starts_with(expected) && blamed.contains(": First.\nturn 3: claude-code, "), "{blamed}");
    let report = scene.json(&["blame", "f.txt"]);
    assert_eq!(report["lines"][1], json!({"line": 2, "origin": {"by": "turn", "turns": [1]}, "text": "TWO"}));
    let refused = scene.turns(&["blame", "none.txt"]);
    assert!(refused.code == 2 && refused.err.contains("none.txt"), "{}", refused.err);
}
