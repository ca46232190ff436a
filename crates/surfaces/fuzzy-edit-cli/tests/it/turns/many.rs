//! Many hooks at once.

use std::fs;
use std::thread;

use serde_json::json;

use super::scene::Scene;

#[test]
fn two_sessions_at_once_have_a_turn_each() {
    let scene = Scene::new();
    scene.begin("s1", "One.");
    scene.begin("s2", "Two.");
    fs::write(scene.place.path("one.txt"), "1\n").unwrap();
    scene.end("s1");
    fs::write(scene.place.path("two.txt"), "2\n").unwrap();
    scene.end("s2");
    assert_eq!(scene.column("prompt"), json!(["One.", "Two."]));
    assert_eq!((scene.column("files"), scene.column("state")), (json!([1, 2]), json!(["done", "done"])));
    let undone = scene.json(&["revert", "2..", "--yes"]);
    assert_eq!((&undone["turns"], &undone["left"][0]["path"]), (&json!([2]), &json!("one.txt")));
    assert_eq!(undone["left"][0]["origins"], json!([{"by": "turn", "turns": [1, 2]}]), "both turns ran then");
    assert!(!scene.place.path("two.txt").exists() && scene.place.path("one.txt").exists());
    assert_eq!(scene.json(&["revert", "1..", "--yes"])["turns"], json!([1, 2]));
    assert!(!scene.place.path("one.txt").exists());
}

#[test]
fn forty_hooks_at_once_lose_nothing() {
    let scene = Scene::new();
    thread::scope(|scope| {
        for number in 0..20 {
            let scene = &scene;
            scope.spawn(move || {
                scene.begin(&format!("s{number}"), &format!("{number}"));
                scene.end(&format!("s{number}"));
            });
        }
    });
    let mut prompts: Vec<usize> =
        scene.list().iter().map(|turn| turn["prompt"].as_str().unwrap().parse().unwrap()).collect();
    prompts.sort_unstable();
    assert_eq!(prompts, (0..20).collect::<Vec<_>>());
    assert!(scene.list().iter().all(|turn| turn["state"] == "done"), "{:?}", scene.list());
}
