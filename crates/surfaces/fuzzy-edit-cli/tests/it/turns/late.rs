//! Checkpoints that end after the prompt: what the agent wrote meanwhile is named, and large worktrees are read earlier.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::{Value, json};

use super::scene::{Scene, event};
use crate::checkpoint::terminal::type_to;

impl Scene {
    /// Runs something while another process holds the worktree.
    fn while_held(&self, run: impl FnOnce()) {
        let mut held = self.command(&["checkpoint", "create"]);
        let mut held =
            held.env("FUZZY_FAILPOINT_WAIT", "captured").env("FUZZY_FAILPOINT_DIR", &self.place.dir).spawn().unwrap();
        while !self.place.dir.join("here").exists() {
            thread::sleep(Duration::from_millis(5));
        }
        run();
        fs::write(self.place.dir.join("go"), "").unwrap();
        assert!(held.wait().unwrap().success());
        for name in ["here", "go"] {
            fs::remove_file(self.place.dir.join(name)).unwrap();
        }
    }

    fn is_warm(&self) -> bool {
        let worktrees = fs::read_dir(self.state().join("wt")).into_iter().flatten().flatten();
        worktrees.into_iter().any(|worktree| worktree.path().join("warm.index").is_file())
    }

    /// Waits until a process in the background has read the worktree.
    fn until_warm(&self) {
        while !self.is_warm() {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn names(value: &Value) -> BTreeSet<String> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn changes_before_a_late_checkpoint_are_named() {
    let scene = Scene::new();
    fs::write(scene.place.path("untracked.txt"), "mine\n").unwrap();
    fs::create_dir(scene.place.path("one")).unwrap();
    fs::write(scene.place.path("one/only.txt"), "mine\n").unwrap();
    thread::sleep(Duration::from_millis(150));
    scene.while_held(|| {
        // The host does not wait longer.
        Scene::send(scene.command(&["hook", "claude-code", "turn-begin"]), &event(&scene.place.root(), "s1", "One."));
        scene.shell("echo agent > untracked.txt; rm one/only.txt; echo agent > dir/new.txt; touch -d @1 a.txt");
    });
    scene.idle();
    scene.shell("echo later > later.txt");
    scene.end("s1");
    let turn = scene.list().remove(0);
    let expected = ["a.txt", "dir/", "dir/new.txt", "one/", "untracked.txt"].map(str::to_owned);
    assert_eq!(names(&turn["suspect"]), expected.into(), "{turn}");
    assert!(turn["captured_after_ms"].as_i64().unwrap() >= 1_000, "{turn}");
    let listed = scene.turns(&[]).text();
    assert!(listed.contains("changes before the checkpoint may be missing: a.txt dir/ dir/new.txt …)"), "{listed}");
    let (code, screen) = type_to(scene.command(&["turns", "revert"]), "n\n");
    assert!(code == 1 && screen.contains("its checkpoint was taken 1."), "{screen}");
    assert!(screen.contains("before the checkpoint had them:\n  a.txt\n  dir/\n"), "{screen}");
    let plan = scene.json(&["revert", "--dry-run"]);
    let suspects = |report: &Value| {
        let uncovered = report["uncovered"].as_array().unwrap().iter();
        uncovered
            .filter(|left| left["reason"] == "suspect")
            .map(|left| left["path"].as_str().unwrap().to_owned())
            .collect()
    };
    let in_plan: BTreeSet<String> = suspects(&plan);
    assert_eq!(in_plan, names(&turn["suspect"]));
    let undone = scene.json(&["revert", "--yes"]);
    let in_result: BTreeSet<String> = suspects(&undone);
    assert_eq!(in_result, in_plan);
    assert!(!scene.place.path("later.txt").exists());
}

#[test]
fn a_turn_of_which_every_change_came_before_its_checkpoint_is_named() {
    let scene = Scene::new();
    scene.turn("s1", "One.", "echo 1 > one.txt");
    thread::sleep(Duration::from_millis(150));
    scene.while_held(|| {
        Scene::send(scene.command(&["hook", "claude-code", "turn-begin"]), &event(&scene.place.root(), "s1", "Two."));
        scene.shell("echo agent > a.txt");
    });
    scene.idle();
    scene.end("s1");
    let undone = scene.json(&["revert", "--yes"]);
    assert_eq!((&undone["turns"], &undone["files_written"]), (&json!([2]), &json!(null)), "{undone}");
    assert_eq!(undone["uncovered"], json!([{ "path": "a.txt", "reason": "suspect" }]));
    assert!(scene.place.path("one.txt").exists(), "no other turn is undone instead");
    let said = scene.turns(&["revert", "--yes"]).text();
    assert!(said.contains("no file differs") && said.contains("  a.txt"), "{said}");
}

#[test]
fn a_checkpoint_in_time_has_no_suspect_files() {
    let scene = Scene::new();
    thread::sleep(Duration::from_millis(150));
    scene.turn("s1", "One.", "echo 1 > a.txt");
    let turn = scene.list().remove(0);
    assert_eq!(turn["suspect"], json!(null), "{turn}");
}

#[test]
fn a_worktree_is_read_before_its_first_turn() {
    let scene = Scene::new();
    assert!(!scene.is_warm());
    scene.hook("session-begin", &event(&scene.place.root(), "s1", ""));
    scene.until_warm();
    assert_eq!(scene.list().len(), 0, "a session is no turn");

    let scene = Scene::new();
    fs::create_dir_all(scene.place.dir.join("home/.claude")).unwrap();
    let done = scene.command(&["init", "claude-code", "--yes"]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    scene.until_warm();
}

#[test]
fn the_hook_waits_for_the_first_checkpoint() {
    let scene = Scene::new();
    let mut hook = scene.command(&["hook", "claude-code", "turn-begin"]);
    hook.env("FUZZY_FAILPOINT_WAIT", "captured").env("FUZZY_FAILPOINT_DIR", &scene.place.dir);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !scene.place.dir.join("here").exists() {
                thread::sleep(Duration::from_millis(5));
            }
            // Longer than the hook of a worktree that was read before waits.
            thread::sleep(Duration::from_millis(1_500));
            fs::write(scene.place.dir.join("go"), "").unwrap();
        });
        Scene::send(hook, &event(&scene.place.root(), "s1", "One."));
        assert!(scene.place.dir.join("go").exists(), "the hook ended before the capture");
    });
    assert!(scene.list()[0]["checkpoint"].is_string());
}

/// The first turn of a large repository with writes up to three seconds after the prompt: after its undo, each file that
/// is not as before was named. `FUZZY_LATE_FILES` and `FUZZY_LATE_ROUNDS` make it larger.
#[test]
fn nothing_is_lost_unnamed_in_the_first_turn_of_a_large_repository() {
    let number = |name: &str, usual| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (files, rounds): (usize, u64) = (number("FUZZY_LATE_FILES", 2_000), number("FUZZY_LATE_ROUNDS", 1) as u64);
    for seed in 0..rounds {
        let random = &mut Rng::with_seed(seed);
        let scene = Scene::new();
        // It would still run at the end.
        scene.place.git(&["config", "gc.auto", "0"]);
        let path = |index: usize| scene.place.path(format!("d{}/f{index}.txt", index % (files / 50).max(1)));
        for index in 0..files {
            fs::create_dir_all(path(index).parent().unwrap()).unwrap();
            fs::write(path(index), format!("{index} {}\n", "text ".repeat(50))).unwrap();
        }
        if random.bool() {
            scene.place.git(&["add", "-A"]);
            scene.place.git(&["commit", "-q", "-m", "all"]);
        }
        thread::sleep(Duration::from_millis(150));
        let before = scene.place.files();
        let writes: Vec<(Duration, usize, usize)> = {
            let mut writes: Vec<_> = (0..30)
                .map(|_| (Duration::from_millis(random.u64(..3_000)), random.usize(..files), random.usize(..3)))
                .collect();
            writes.sort();
            writes
        };
        thread::scope(|scope| {
            let begun = Instant::now();
            let (scene, writes, path) = (&scene, &writes, &path);
            scope.spawn(move || {
                for (at, index, kind) in writes {
                    thread::sleep(at.saturating_sub(begun.elapsed()));
                    match kind {
                        0 => fs::write(path(*index), "agent\n").unwrap(),
                        1 => _ = fs::remove_file(path(*index)),
                        _ => fs::write(path(*index).with_extension("new"), "agent\n").unwrap(),
                    }
                }
            });
            scene.begin("s1", "One.");
        });
        scene.end("s1");
        let undone = scene.json(&["revert", "--yes"]);
        let named: Vec<PathBuf> = undone["uncovered"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|left| left["reason"] == "suspect")
            .map(|left| PathBuf::from(left["path"].as_str().unwrap()))
            .collect();
        let after = scene.place.files();
        let differing = before.iter().filter(|(path, file)| after.get(*path) != Some(file)).map(|(path, _)| path);
        let created = after.keys().filter(|path| !before.contains_key(*path));
        for path in differing.chain(created) {
            let path = path.strip_prefix(scene.place.root()).unwrap_or(path);
            let is_named = named
                .iter()
                .any(|name| name == path || !after.contains_key(path) && Some(name.as_path()) == path.parent());
            assert!(is_named, "{seed}: {path:?} is not as before, and not named: {named:?}");
        }
    }
}
