//! `undo` and `redo` over batches of edits, take-backs and restores.

use std::fs;

use serde_json::{Value, json};

use super::scene::Scene;
use crate::checkpoint::terminal::type_to;
use crate::place::{Answer, run, text};

/// The same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A project with three turns, each of which changes lines and a file of its own.
fn project() -> Scene {
    let scene = Scene::new();
    let lines: Vec<String> = (1..=60).map(|line| format!("line {line}\n")).collect();
    scene.place.write("a.txt", lines.concat());
    for number in 1..=3 {
        let shell = format!("sed -i 's/^line {number}0$/turn {number}/' a.txt; echo {number} > t{number}.txt");
        scene.turn("s1", &format!("Turn {number}."), &shell);
    }
    scene
}

fn command(scene: &Scene, arguments: &[&str]) -> Answer {
    run(&mut scene.command(arguments))
}

/// Carries out a random operation; returns whether it wrote something.
fn operate(scene: &Scene, random: &mut Random, checkpoint: &str, round: usize) -> bool {
    let line = format!("line {}", 31 + random.below(29));
    let new = format!("batch {round}");
    let number = (1 + random.below(3)).to_string();
    let before = scene.place.files();
    let done = match random.below(5) {
        0 | 1 => command(scene, &["apply", "a.txt", "--old", &format!("{line}\n"), "--new", &format!("{new}\n")]),
        2 => command(scene, &["turns", "revert", &number, "--yes"]),
        3 => command(scene, &["turns", "restore", &number, "--yes"]),
        _ => command(scene, &["checkpoint", "restore", checkpoint, "--yes"]),
    };
    assert!([0, 1].contains(&done.code), "{} {}", done.err, done.text());
    scene.place.files() != before
}

/// Undoes and redoes 2 or `FUZZY_EDIT_UNDOS` random histories.
#[test]
fn undos_reach_the_oldest_operation_and_redos_the_newest() {
    let count = std::env::var("FUZZY_EDIT_UNDOS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    for seed in 0..count {
        let (scene, mut random) = (project(), Random(seed + 1));
        let checkpoint = text(&scene.place.json(&["create"]), "id");
        let mut states = vec![scene.place.files()];
        for round in 0..12 {
            if operate(&scene, &mut random, &checkpoint, round) {
                states.push(scene.place.files());
            }
        }
        assert!(states.len() > 5, "{seed}: {}", states.len());
        for verb in ["undo", "redo", "undo"] {
            let mut expected: Vec<_> = states.iter().skip(1).zip(&states).collect();
            if verb == "undo" {
                expected.reverse();
            }
            for (at, (after, before)) in expected.into_iter().enumerate() {
                let wanted = if verb == "undo" { before } else { after };
                // An operation without an effect on files may be among them.
                let mut answer = command(&scene, &[verb, "--yes"]);
                while answer.code == 0 && scene.place.files() == *(if verb == "undo" { after } else { before }) {
                    answer = command(&scene, &[verb, "--yes"]);
                }
                assert_eq!(answer.code, 0, "{seed} {verb} {at}: {}", answer.err);
                assert!(scene.place.files() == *wanted, "{seed} {verb} {at}: {}", answer.text());
            }
        }
        let rest = command(&scene, &["undo", "--yes", "--json"]);
        assert!(rest.code == 2 || scene.place.files() == states[0], "{seed}: {}", rest.err);
    }
}

#[test]
fn a_batch_before_a_turn_is_undone_only_after_a_question() {
    let scene = Scene::new();
    let apply = |old: &str, new: &str| {
        assert_eq!(command(&scene, &["apply", "a.txt", "--old", old, "--new", new]).code, 0);
    };
    apply("alpha", "mine");
    // Without a turn since then, nothing is asked.
    assert_eq!(command(&scene, &["undo"]).code, 0);
    assert_eq!(command(&scene, &["redo"]).code, 0);
    assert_eq!(scene.place.read("a.txt"), b"mine\n");
    scene.turn("s1", "One.", "echo 1 > one.txt");
    let refused = command(&scene, &["undo", "--json"]);
    assert_eq!((refused.code, &refused.json()["code"]), (1, &json!("declined")));
    let next = text(&refused.json(), "next_step");
    assert!(next.starts_with("fuzzy-edit turns revert 1  # turn 1, claude-code, "), "{next}");
    let id = next.rsplit_once("`fuzzy-edit undo ").unwrap().1.split('`').next().unwrap();
    assert_eq!(scene.place.read("a.txt"), b"mine\n");
    let (code, screen) = type_to(scene.command(&["undo"]), "n\n");
    assert!(code == 1 && screen.contains("turn 1 began after it\ninstead: fuzzy-edit turns revert 1"), "{screen}");
    assert_eq!(command(&scene, &["undo", id]).code, 0);
    assert_eq!((scene.place.read("a.txt"), scene.place.path("one.txt").exists()), (b"alpha\n".to_vec(), true));
    // Something was written since the undo, so a redo names it.
    assert_eq!(command(&scene, &["apply", "a.txt", "--old", "alpha", "--new", "later"]).code, 0);
    let refused = command(&scene, &["redo", "--json"]);
    assert_eq!((refused.code, &refused.json()["code"]), (1, &json!("declined")), "{}", refused.err);
    assert!(text(&refused.json(), "next_step").contains("redoes that undo"));
}

#[test]
fn an_agent_undoes_its_own_batch_and_no_other_session_does() {
    let scene = Scene::new();
    scene.begin("s1", "One.");
    assert_eq!(command(&scene, &["apply", "a.txt", "--old", "alpha", "--new", "agent"]).code, 0);
    assert_eq!(command(&scene, &["undo"]).code, 0, "its turn is running");
    assert_eq!(command(&scene, &["redo"]).code, 0);
    scene.end("s1");
    let refused = command(&scene, &["undo", "--json"]);
    assert_eq!(refused.code, 1);
    assert!(text(&refused.json(), "message").contains("may be the work of another session"), "{}", refused.err);
    assert_eq!(scene.place.read("a.txt"), b"agent\n");
    assert_eq!(command(&scene, &["undo", "--yes"]).code, 0);
    assert_eq!(scene.place.read("a.txt"), b"alpha\n");
}

#[test]
fn changes_since_a_batch_stay_and_a_conflict_names_it() {
    let scene = Scene::new();
    scene.place.write("a.txt", "1\n2\n3\n4\n5\n");
    assert_eq!(command(&scene, &["apply", "a.txt", "--old", "1", "--new", "one"]).code, 0);
    assert_eq!(command(&scene, &["apply", "a.txt", "--old", "5", "--new", "five"]).code, 0);
    scene.place.write("a.txt", "one\n2\nmine\n4\nfive\n");
    let undone = command(&scene, &["undo", "--json"]).json();
    assert_eq!((&undone["status"], scene.place.read("a.txt")), (&json!("undone"), b"one\n2\nmine\n4\n5\n".to_vec()));
    scene.place.write("a.txt", "one and mine\n2\nmine\n4\n5\n");
    let refused = command(&scene, &["undo", "--json"]);
    assert_eq!((refused.code, &refused.json()["code"]), (1, &json!("stale")), "{}", refused.err);
    assert_eq!(scene.place.read("a.txt"), b"one and mine\n2\nmine\n4\n5\n");
    let listed: Value = command(&scene, &["undo", "--list", "--json"]).json();
    assert_eq!(listed["batches"].as_array().unwrap().len(), 1);
}

#[test]
fn a_server_for_agents_does_not_see_the_batches_of_a_command() {
    let scene = Scene::new();
    assert_eq!(command(&scene, &["apply", "a.txt", "--old", "alpha", "--new", "mine"]).code, 0);
    let calls = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "undo", "arguments": {}}}),
    ];
    let input = calls.map(|call| call.to_string()).join("\n") + "\n";
    let mut mcp = scene.command(&["mcp"]);
    fs::write(scene.place.dir.join("input"), input).unwrap();
    mcp.stdin(fs::File::open(scene.place.dir.join("input")).unwrap());
    let answer = run(&mut mcp);
    assert!(answer.text().contains("there is no batch to undo here"), "{} {}", answer.text(), answer.err);
    assert_eq!(scene.place.read("a.txt"), b"mine\n");
}
