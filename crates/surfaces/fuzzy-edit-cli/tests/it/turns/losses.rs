//! What a take-back cannot bring back is named; the rest is brought back, staged changes included.

use std::fs;

use serde_json::{Value, json};

use super::scene::Scene;

#[test]
fn a_revert_names_each_path_that_no_checkpoint_has() {
    let scene = Scene::new();
    let place = &scene.place;
    place.write(".gitignore", ".env\n/out/\n/cache/\n");
    place.write("f", "f\n");
    place.git(&["add", "."]);
    place.git(&["commit", "-q", "-m", "first"]);
    for (path, text) in [("u", "u\n"), (".env", "KEY=1\n"), ("out/a", "a\n"), ("cache/x", "x\n"), ("cache/y", "y\n")] {
        place.write(path, text);
    }
    fs::File::create(place.path("big.bin")).unwrap().set_len(11 << 20).unwrap();
    scene.shell("mkfifo pipe; git init -q vendor");
    // A file in an ignored directory that stays is not watched.
    scene.turn("s1", "Clean up.", "rm -rf f u .env out/ big.bin pipe vendor cache/x");
    let gone = json!([
        { "path": ".env", "why": "ignored", "bytes": 6 },
        { "path": "big.bin", "why": "too_large", "bytes": 11 << 20 },
        { "path": "out/", "why": "ignored" },
        { "path": "pipe", "why": "special" },
        { "path": "vendor", "why": "nested_repo" },
    ]);
    let lines = "gone, and in no checkpoint:\n  .env (ignored, 6 bytes)\n  big.bin (too large, 11.5 MB)\n  out/ (ignored)\n  \
                 pipe (a socket, pipe or device)\n  vendor (a repository of its own)\n";
    for show in [&["show", "1", "--stat"][..], &["revert", "1", "--dry-run"], &["restore", "1", "--dry-run"]] {
        assert_eq!(scene.json(show)["gone"], gone, "{show:?}");
        assert!(scene.turns(show).text().contains(lines), "{}", scene.turns(show).text());
    }
    assert_eq!(scene.json(&["revert", "1", "--dry-run", "--paths", "out", "u"])["gone"], json!([gone[2]]));
    let text = scene.turns(&["revert", "1", "--yes"]).text();
    assert!(text.contains(lines), "{text}");
    assert_eq!(["f", "u"].map(|path| fs::read_to_string(place.path(path)).unwrap()), ["f\n", "u\n"]);
    scene.undo_json(&["--yes"]);
    assert_eq!(scene.json(&["revert", "1", "--yes"])["gone"], gone);
    // A path that is there again is not gone, and a later deletion by the user is none of the turn.
    place.write(".env", "KEY=2\n");
    fs::remove_file(place.path("cache/y")).unwrap();
    assert_eq!(scene.json(&["show", "1", "--stat"])["gone"].as_array().unwrap().len(), 4);
    scene.turn("s1", "Another.", "echo 2 > f");
    assert_eq!(scene.json(&["show", "2", "--stat"])["gone"], Value::Null);
}

#[test]
fn staged_changes_come_back_if_they_are_those_of_the_turn() {
    let scene = Scene::new();
    let place = &scene.place;
    let staged = || place.git(&["diff", "--cached", "--name-status"]);
    for path in ["f", "g"] {
        place.write(path, "1\n");
    }
    place.git(&["add", "."]);
    place.git(&["commit", "-q", "-m", "first"]);
    place.write("g", "2\n");
    place.git(&["add", "g"]);
    let before = staged();
    scene.turn("s1", "Stage.", "echo 2 > f; echo new > new; git add -A; git rm -q --cached g");
    let after = staged();
    assert_eq!(scene.json(&["revert", "1", "--yes"])["index"], "restored");
    assert_eq!((staged(), before.as_str()), (before.clone(), "M\tg\n"));
    assert_eq!(scene.undo_json(&["--yes"])["index"], "restored");
    assert_eq!(staged(), after);
    // What the user stages afterwards stays, and is named.
    place.write("h", "h\n");
    place.git(&["add", "h"]);
    let mixed = staged();
    assert_eq!(scene.json(&["revert", "1", "--dry-run"])["index_kept"], "changed");
    let answer = scene.turns(&["revert", "1", "--yes"]);
    assert!(answer.text().contains("the index was not changed: they are not those at the end"), "{}", answer.text());
    assert_eq!(staged(), mixed);
}

#[test]
fn git_applies_the_diff_of_a_turn() {
    let scene = Scene::new();
    let place = &scene.place;
    scene.shell(
        "head -c 3000 /dev/urandom > bin; head -c 3000 /dev/urandom > moved.bin; seq 30 > long; ln -s bin link; \
         printf 'no end' > end; seq 9 > type; mkdir -p 'a b'; seq 5 > 'a b/\"q\"'; : > empty; seq 4 > 'ex\u{e9}'",
    );
    place.git(&["add", "."]);
    place.git(&["commit", "-q", "-m", "first"]);
    let copy = |name: &str| scene.shell(&format!("cp -a . ../{name} && rm -rf ../{name}/.git"));
    copy("before");
    scene.turn(
        "s1",
        "Change all.",
        "head -c 2000 /dev/urandom >> bin; mv moved.bin to.bin; chmod +x long; ln -sfn long link; echo x >> end; rm type; \
         ln -s end type; mv 'a b/\"q\"' 'q\tt'; rm -r empty; mkdir empty; head -c 99 /dev/zero > empty/z; seq 3 > 'ex\u{e9}'; \
         printf '\\377\\n' > latin",
    );
    copy("after");
    let patch = place.dir.join("patch");
    let printed = scene.turns(&["diff", "1"]).out;
    fs::write(&patch, &printed).unwrap();
    let after = place.dir.join("after");
    place.git_in(&after, &["init", "-q"]);
    place.git_in(&after, &["apply", "-R", patch.to_str().unwrap()]);
    scene.shell("rm -rf ../after/.git; diff -r --no-dereference ../before ../after && test ! -x ../after/long");
    // JSON has the same patch; it is not UTF-8.
    assert_eq!(scene.json(&["diff", "1"])["patch"], json!(printed));
}
