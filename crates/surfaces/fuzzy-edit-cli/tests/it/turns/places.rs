//! Turns whose folder was replaced, removed, or has become a part of a repository: they are found by their records.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::scene::{Scene, event};
use crate::place::{Answer, run};

/// Runs a command in a directory.
fn command(scene: &Scene, dir: &Path, words: &[&str]) -> Answer {
    run(scene.place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), dir).args(words))
}

fn good(scene: &Scene, dir: &Path, words: &[&str]) -> Value {
    let answer = command(scene, dir, &[words, &["--json"]].concat());
    assert_eq!(answer.code, 0, "{words:?}: {}{}", answer.text(), answer.err);
    answer.json()
}

/// Returns the one other place that `turns` lists, what happened to it, and the numbers of its turns.
fn other(scene: &Scene, dir: &Path) -> (String, String, Value) {
    let listed = good(scene, dir, &["turns"]);
    let [place] = listed["other_places"].as_array().expect("other places").as_slice() else { panic!("{listed}") };
    let numbers = place["turns"].as_array().unwrap().iter().map(|turn| turn["number"].clone()).collect();
    let text = command(scene, dir, &["turns"]).text();
    assert!(!text.contains("no turns yet") && text.contains(place["id"].as_str().unwrap()), "{text}");
    (place["id"].as_str().unwrap().to_owned(), place["happened"].as_str().unwrap().to_owned(), numbers)
}

/// A project with uncommitted work and two turns; the second one, or what follows it, replaces the folder.
fn replaced(then: &str, ends_after: bool) -> Scene {
    let scene = Scene::new();
    scene.place.unchecked();
    scene.place.write("work.txt", "not committed\n");
    scene.turn("s", "first", "echo 1 > a.txt");
    scene.begin("s", "second");
    if !ends_after {
        scene.end("s");
    }
    scene.shell(&format!("cd ..; rm -rf repo; {then}"));
    if ends_after {
        scene.end("s");
    }
    scene
}

const COMMIT: &str = "git -c user.name=t -c user.email=t@localhost commit -q -m first";

#[test]
fn turns_of_a_replaced_folder_are_listed_and_taken_back_into_the_new_one() {
    let same = format!(
        "mkdir -p repo/dir; cd repo; git init -q -b main .; echo alpha > a.txt; printf 'beta\\r\\n' > dir/b.txt; \
         echo '*.ignored' > .gitignore; git add -A; {COMMIT}"
    );
    let cloned = format!("git init -q o; cd o; echo other > o.txt; git add -A; {COMMIT}; cd ..; git clone -q o repo");
    for then in ["mkdir repo", "mkdir repo; cd repo; git init -q", &same, &cloned] {
        for ends_after in [false, true] {
            let scene = replaced(then, ends_after);
            let root = scene.place.root();
            let (id, happened, numbers) = other(&scene, &root);
            assert_eq!((happened.as_str(), numbers), ("replaced", json!([1, 2])), "{then}");
            assert!(command(&scene, &root, &["turns"]).text().contains(" was replaced "));
            let before = scene.place.files();
            for (words, code) in [
                (&["turns", "restore", "2"][..], "declined"),
                (&["turns", "restore", "2", "--dry-run"], "declined"),
                (&["turns", "show", "1"], "declined"),
            ] {
                let report = command(&scene, &root, &[words, &["--json"]].concat()).fails(1, code);
                assert!(report["message"].as_str().unwrap().contains("was replaced"), "{report}");
            }
            assert_eq!((scene.place.files(), other(&scene, &root).0), (before.clone(), id.clone()), "{then}");
            let done = good(&scene, &root, &["turns", "restore", "2", "--yes"]);
            assert_eq!(scene.place.read("work.txt"), b"not committed\n", "{then}");
            assert_eq!(scene.place.read("a.txt"), b"1\n", "{then}");
            assert_eq!(scene.column("number"), json!([1, 2]), "{then}: they are this folder's now");
            let undo: Vec<&str> = done["undo_with"].as_str().unwrap().split(' ').skip(1).collect();
            good(&scene, &root, &undo);
            assert_eq!(scene.place.files(), before, "{then}");
            // The next turn is one of the same place.
            scene.turn("s", "third", "echo 3 > c.txt");
            assert_eq!(scene.column("number"), json!([1, 2, 3]), "{then}");
        }
    }
}

#[test]
fn a_new_session_in_the_new_folder_does_not_hide_them() {
    let scene = replaced("mkdir repo; cd repo; git init -q", true);
    let root = scene.place.root();
    scene.turn("new", "another", "echo 4 > d.txt");
    let (id, happened, numbers) = other(&scene, &root);
    assert_eq!((happened.as_str(), numbers), ("replaced", json!([1, 2])));
    assert_eq!(scene.column("prompt"), json!(["another"]));
    let declined = command(&scene, &root, &["turns", "restore", "2", "--place", &id[..4], "--json"]);
    declined.fails(1, "declined");
    good(&scene, &root, &["turns", "restore", "2", "--place", &id[..4], "--yes"]);
    assert_eq!(scene.place.read("work.txt"), b"not committed\n");
    // Now the turns of the other session are those of another place.
    assert_eq!(other(&scene, &root).2, json!([1]));
}

#[test]
fn turns_are_adopted_without_git_and_without_common_commits() {
    for git in [false, true] {
        let scene = replaced("true", false);
        let elsewhere = scene.place.dir.join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        if git {
            scene.place.git_in(&elsewhere, &["init", "-q"]);
        }
        fs::write(elsewhere.join("mine.txt"), "mine\n").unwrap();
        let store = fs::read_dir(scene.state().join("wt")).unwrap().flatten().next().unwrap();
        let id = store.file_name().into_string().unwrap();
        command(&scene, &elsewhere, &["checkpoint", "doctor", "--adopt", &id]);
        let listed = good(&scene, &elsewhere, &["turns"]);
        assert_eq!(listed["turns"].as_array().unwrap().len(), 2, "{listed}");
        good(&scene, &elsewhere, &["turns", "restore", "2", "--yes"]);
        assert_eq!(fs::read_to_string(elsewhere.join("work.txt")).unwrap(), "not committed\n");
    }
}

#[test]
fn turns_of_a_folder_are_listed_after_git_init() {
    let scene = Scene::without_git();
    scene.place.unchecked();
    let root = scene.place.root();
    scene.turn("s", "first", "echo 1 > a.txt");
    scene.shell("git init -q");
    let (id, happened, numbers) = other(&scene, &root);
    assert_eq!((happened.as_str(), numbers), ("repository", json!([1])));
    assert_eq!(good(&scene, &root, &["turns", "show", "1"])["turn"]["prompt"], "first");
    // The repository has its own numbers.
    scene.turn("s", "second", "echo 2 > b.txt");
    assert_eq!((scene.column("prompt"), other(&scene, &root).2), (json!(["second"]), json!([1])));
    good(&scene, &root, &["turns", "revert", "1", "--yes", "--place", &id]);
    assert_eq!((scene.place.read("a.txt"), scene.place.read("b.txt")), (b"alpha\n".to_vec(), b"2\n".to_vec()));
    command(&scene, &root, &["turns", "show", "1", "--place", "0000", "--json"]).fails(1, "not_in_session");
}

#[test]
fn turns_of_a_directory_are_listed_when_it_is_no_longer_ignored() {
    let scene = Scene::new();
    let root = scene.place.root();
    let project = scene.place.path("made.ignored");
    fs::create_dir(&project).unwrap();
    fs::write(project.join("x.txt"), "before\n").unwrap();
    let hook = |verb| scene.hook(verb, &event(&project, "inner", "inside"));
    hook("turn-begin");
    fs::write(project.join("x.txt"), "after\n").unwrap();
    hook("turn-end");
    // While it is ignored, it has turns of its own.
    assert_eq!(good(&scene, &project, &["turns"])["turns"][0]["prompt"], "inside");
    let text = command(&scene, &root, &["turns"]).text();
    assert!(text.contains("has turns of its own") && !text.contains("no turns yet"), "{text}");
    scene.place.write(".gitignore", "");
    for dir in [&root, &project] {
        let (id, happened, numbers) = other(&scene, dir);
        assert_eq!((happened.as_str(), numbers), ("repository", json!([1])));
        assert_eq!(good(&scene, dir, &["turns", "show", "1", "--place", &id])["turn"]["prompt"], "inside");
    }
    good(&scene, &project, &["turns", "revert", "1", "--yes"]);
    assert_eq!(fs::read_to_string(project.join("x.txt")).unwrap(), "before\n");
}

#[test]
fn turns_of_a_removed_worktree_are_listed_in_the_main_one() {
    let scene = Scene::new();
    let (root, side) = (scene.place.root(), scene.place.dir.join("side"));
    let named = side.to_str().unwrap();
    scene.turn("main", "in the main one", "echo 1 > a.txt");
    scene.place.git(&["worktree", "add", "-q", named]);
    let hook = |verb| scene.hook(verb, &event(&side, "side", "at the side"));
    fs::write(side.join("work.txt"), "not committed\n").unwrap();
    hook("turn-begin");
    fs::write(side.join("a.txt"), "side\n").unwrap();
    hook("turn-end");
    scene.place.git(&["worktree", "remove", "--force", named]);
    let (id, happened, numbers) = other(&scene, &root);
    assert_eq!((happened.as_str(), numbers), ("removed", json!([1])));
    let refused = command(&scene, &root, &["turns", "restore", "1", "--yes", "--place", &id, "--json"]);
    assert!(refused.fails(1, "declined")["next_step"].as_str().unwrap().contains("--adopt"));
    assert_eq!(scene.place.read("a.txt"), b"1\n");
    scene.place.git(&["worktree", "add", "-q", "-f", named, "side"]);
    assert_eq!(other(&scene, &side).1, "replaced");
    good(&scene, &side, &["turns", "restore", "1", "--yes"]);
    assert_eq!(fs::read_to_string(side.join("work.txt")).unwrap(), "not committed\n");
}

#[test]
fn a_folder_above_or_below_with_turns_is_named() {
    let scene = Scene::new();
    scene.turn("s", "above", "echo 1 > a.txt");
    let nested = scene.place.path("nested");
    fs::create_dir(&nested).unwrap();
    scene.place.git_in(&nested, &["init", "-q"]);
    let (_, happened, numbers) = other(&scene, &nested);
    assert_eq!((happened.as_str(), numbers), ("elsewhere", json!([1])));
    // Where there are turns, other folders list their own.
    assert_eq!(scene.json(&[])["other_places"], Value::Null);
}

#[test]
fn first_contact_is_a_sentence() {
    let scene = Scene::new();
    for words in [
        &["turns", "show", "1"][..],
        &["turns", "diff"],
        &["turns", "revert", "1", "--yes"],
        &["turns", "revert", "--yes"],
        &["turns", "revert", "--dry-run"],
        &["turns", "restore", "1", "--yes"],
        &["undo", "--yes"],
        &["turns", "blame", "a.txt"],
        &["turns", "log", "a.txt"],
        &["turns", "keep", "1"],
        &["checkpoint", "show", "latest"],
        &["checkpoint", "restore", "latest", "--yes"],
        &["undo"],
    ] {
        let answer = command(&scene, &scene.place.root(), words);
        let says = format!("{}{}", answer.text(), answer.err);
        assert!(!says.contains("no such") && !says.contains("store:"), "{words:?}: {says}");
        assert!(answer.code <= 2, "{words:?}: {says}");
    }
}

/// Returns all paths of the state directory below a folder.
fn paths(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        found.push(entry.path());
        if entry.path().is_dir() {
            found.extend(paths(&entry.path()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_store_whose_objects_are_away_for_one_command_is_whole_afterwards() {
    for with_git in [true, false] {
        let scene = if with_git { Scene::new() } else { Scene::without_git() };
        scene.place.unchecked();
        scene.turn("s", "first", "echo 1 > a.txt");
        let folder = scene.state().join(if with_git { "store" } else { "sidecar" });
        let store = fs::read_dir(folder).unwrap().flatten().next().unwrap().path();
        let (objects, away) = (store.join("objects"), scene.place.dir.join("away"));
        let sidecar: &[&str] = if with_git { &[] } else { &["--sidecar"] };
        for words in [
            &["turns"][..],
            &["turns", "show", "1"],
            &["turns", "restore", "1", "--yes"],
            &["checkpoint", "create"],
            &["checkpoint", "recover"],
            &["checkpoint", "prune"],
            &["checkpoint", "doctor", "--read-data"],
        ] {
            let words = if words[0] == "turns" { words.to_vec() } else { [words, sidecar].concat() };
            let before = (paths(&store), scene.place.files(), scene.json(&[]));
            fs::rename(&objects, &away).unwrap();
            let answer = command(&scene, &scene.place.root(), &words);
            assert!(!objects.exists(), "{words:?} made it again");
            fs::rename(&away, &objects).unwrap();
            let says = format!("{}{}", answer.text(), answer.err);
            assert!([1, 2].contains(&answer.code) && says.contains("cannot be read"), "{words:?}: {says}");
            assert_eq!((paths(&store), scene.place.files(), scene.json(&[])), before, "{words:?}");
        }
        good(&scene, &scene.place.root(), &["turns", "restore", "1", "--yes"]);
        assert_eq!(scene.place.read("a.txt"), b"alpha\n");
    }
}

#[test]
fn a_store_that_lost_its_record_keeps_its_id() {
    let scene = Scene::new();
    scene.turn("s", "first", "echo 1 > a.txt");
    let record = scene.place.store().unwrap().join("record.json");
    let id = |text: &str| serde_json::from_str::<Value>(text).unwrap()["id"].clone();
    let before = id(&fs::read_to_string(&record).unwrap());
    fs::remove_file(&record).unwrap();
    assert_eq!(scene.column("number"), json!([1]));
    scene.turn("s", "second", "echo 2 > a.txt");
    assert_eq!(id(&fs::read_to_string(&record).unwrap()), before);
    assert_eq!(scene.column("number"), json!([1, 2]));
}
