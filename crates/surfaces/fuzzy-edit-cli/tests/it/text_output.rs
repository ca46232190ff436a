//! Output for people: the list of batches, and refusals with texts.

use std::fmt::Write as _;

use fuzzy_testkit::assert_snapshot;

use crate::support::Place;

const LIMIT: &str = "\
fn check(order: &Order) {
    let limit = 30;
    run(order, limit);
}
";

/// Replaces data that differ from run to run: the folder, the names of batches in order of appearance, and their ages.
fn steady(text: &str, place: &Place) -> String {
    let mut batches: Vec<&str> = Vec::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        let Some((batch, rest)) = line.split_once("  ").filter(|(batch, _)| batch.len() == 8) else {
            lines.push(line.to_owned());
            continue;
        };
        batches.push(batch);
        let rest = rest.split_once(" ago").map_or(rest, |(_, rest)| rest);
        lines.push(format!("<batch {}>  <a while> ago{rest}", batches.len()));
    }
    lines.join("\n").replace(place.path("").to_str().unwrap(), "<folder>/")
}

#[test]
fn batches_that_can_be_undone() {
    let (place, state) = (Place::new(), Place::new());
    let journals = state.path("state");
    let run = |arguments: &[&str], input: &[u8]| place.run_in(arguments, input, &[("XDG_STATE_HOME", &journals)]);
    assert_snapshot!("no_batch", run(&["undo", "--list"], b"").out);
    place.write("gone.txt", "one\n");
    place.write("kept.txt", "one\n");
    let patch = b"--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n--- a/kept.txt\n+++ b/kept.txt\n@@ -1 +1 @@\n-one\n+two\n";
    assert_eq!(run(&["patch"], patch).code, 0);
    place.write("changed.txt", "one\n");
    assert_eq!(run(&["apply", "changed.txt", "--old", "one", "--new", "two"], b"").code, 0);
    place.write("changed.txt", "theirs\n");
    assert_snapshot!("batches", steady(&run(&["undo", "--list"], b"").out, &place));
    assert_snapshot!("stale", steady(&run(&["undo"], b"").err, &place));
}

#[test]
fn refusals_with_texts() {
    let place = Place::with(LIMIT);
    let refused = |old: &str, new: &str| place.run(&["apply", "file.txt", "--old", old, "--new", new]).err;
    let changed = refused("    let limit = 10;\n    run(order, limit);", "    let limit = 20;\n    run(order, limit);");
    assert_snapshot!("conflict", changed);
    let near = refused("    let limit = Limit::of(order)?;\n    run(limit);", "    run(order, 20);");
    assert_snapshot!("near", near);
    place.write("file.txt", LIMIT.repeat(2));
    assert_snapshot!("ambiguous", refused("    let limit = 30;", "    let limit = 20;"));
}

#[test]
fn a_missing_path_has_suggestions() {
    let place = Place::new();
    for name in ["src/Cart.py", "src/cart.pyi", "src/carts/empty.txt", "README"] {
        std::fs::create_dir_all(place.path(name).parent().unwrap()).unwrap();
        place.write(name, "one\n");
    }
    let mut answers = String::new();
    for path in ["src/cart.py", "src/carts", "shop/src/Cart.py", "REDME.md", "src/basket.py", "lib/cart.py"] {
        let next = |verb| {
            let failure = place.run(&[verb, path, "--old", "one", "--new", "two", "--json"]).json();
            failure["next_step"].as_str().unwrap().to_owned()
        };
        let (applied, located) = (next("apply"), next("locate"));
        assert_eq!(applied, located, "{path}");
        writeln!(answers, "{path}: {applied}").unwrap();
    }
    assert_snapshot!("near_names", answers);
}

#[test]
fn refused_patches() {
    let place = Place::with("one\n");
    let refused = |patch: &str| place.run_with(&["patch"], patch.as_bytes()).err;
    assert_snapshot!("mode", refused("diff --git a/file.txt b/file.txt\nold mode 100644\nnew mode 120000\n"));
    assert_snapshot!("no_such_file", refused("--- a/fil.txt\n+++ b/fil.txt\n@@ -1 +1 @@\n-one\n+two\n"));
}
