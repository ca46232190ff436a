//! A build without the feature `full`: its missing verbs are in the help, and name the feature that they need.
//!
//! Tests of a build without default features, which has no checkpoints, are compiled only in that build.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::Place;

/// Adds a feature and all that it contains.
fn add(features: &toml::Table, name: &str, all: &mut BTreeSet<String>) {
    let parts = features.get(name).and_then(toml::Value::as_array).into_iter().flatten();
    for part in parts.filter_map(toml::Value::as_str).chain([name]) {
        if all.insert(part.to_owned()) {
            add(features, part, all);
        }
    }
}

#[test]
fn the_commands_that_the_messages_name_install_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let package = "crates/surfaces/fuzzy-edit-cli";
    let manifest: toml::Table = read(&format!("{package}/Cargo.toml")).parse().unwrap();
    let mut full = BTreeSet::new();
    add(manifest["features"].as_table().unwrap(), "full", &mut full);
    let (verbs, input) =
        (read(&format!("{package}/src/verbs/mod.rs")), read(&format!("{package}/src/verbs/unlinked.rs")));
    let of_verbs = verbs.split("verb!(").skip(1).map(|rest| rest.split('"').nth(1).unwrap());
    let named: Vec<&str> = of_verbs.chain(["parquet"]).collect();
    assert!(named.len() >= 6, "{named:?}");
    for feature in named {
        assert_eq!(full.contains(feature), feature != "playground", "{feature}");
    }
    assert!(input.contains(&format!("--path {package} --features full")));
    // `cargo xtask playground --serve ADDRESS` is a command of the workspace.
    assert!(
        read("xtask/src/playground.rs").contains("serve: Option<SocketAddr>")
            && input.contains("cargo xtask playground --serve ")
    );
}

/// The verbs of features; each is named like its feature.
const UNLINKED: [&str; 3] = ["mcp", "serve", "playground"];

#[test]
#[cfg_attr(feature = "mcp", ignore = "needs the command without features: `cargo xtask test default-features`")]
fn help_lists_every_verb_and_names_the_features_of_unlinked_ones() {
    let help = Place::new().run(&["--help"]).out;
    for verb in UNLINKED {
        let line = help.lines().find(|line| line.trim_start().starts_with(verb)).expect("the verb in the help");
        assert!(line.ends_with(&format!("(not in this build: feature `{verb}`)")), "{line}");
        let page = Place::new().run(&[verb, "--help"]);
        assert_eq!(page.code, 0);
        assert!(page.out.contains("--features full"), "{}", page.out);
    }
}

#[test]
#[cfg_attr(feature = "mcp", ignore = "needs the command without features: `cargo xtask test default-features`")]
fn a_verb_that_is_not_linked_takes_any_arguments_and_names_its_feature() {
    for verb in UNLINKED {
        for arguments in [&[][..], &["create", "--label", "one"], &["--no-such-option"], &["--", "-x"]] {
            let answer = Place::new().run(&[&[verb], arguments].concat());
            assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{verb} {arguments:?}");
            let expected = format!("bad_input: `{verb}` is not in this build; it needs the cargo feature `{verb}`.");
            assert!(answer.err.contains(&expected), "{}", answer.err);
        }
        let answer = Place::new().run(&[verb, "create", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
        assert_eq!((answer.code, &report["code"]), (2, &"bad_input".into()));
        let command = if verb == "playground" { "cargo xtask playground --serve " } else { "--features full" };
        assert!(report["next_step"].as_str().unwrap().contains(command), "{report}");
    }
}

#[test]
#[cfg(not(feature = "checkpoint"))]
fn an_edit_with_checkpoint_is_refused_without_the_feature() {
    let place = Place::with("one\n");
    place.write("patch", "--- a/file.txt\n+++ b/file.txt\n@@ -1 +1 @@\n-one\n+two\n");
    for arguments in [&["apply", "file.txt", "--old", "one", "--new", "two"][..], &["patch", "patch"]] {
        let answer = place.run(&[arguments, &["--checkpoint", "--json"]].concat());
        assert_eq!(answer.code, 2, "{}", answer.err);
        assert_eq!(answer.json()["code"], "bad_input");
        assert!(answer.err.contains("`--checkpoint` is not in this build"), "{}", answer.err);
        assert_eq!(place.text("file.txt"), "one\n");
    }
}

#[test]
#[cfg_attr(feature = "mcp", ignore = "needs the command without features: `cargo xtask test default-features`")]
fn every_strategy_is_registered_in_an_ordinary_build() {
    // The linker silently drops a strategy crate that no code names.
    let answer = Place::with("one\n").run(&["explain", "file.txt", "--old", "two", "--ladder", "registered"]);
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../strategies")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(answer.out.contains(&format!(" {name}")), "{name}: {}", answer.out);
    }
}

#[test]
#[cfg_attr(feature = "mcp", ignore = "needs the command without features: `cargo xtask test default-features`")]
fn a_table_that_cannot_be_read_names_the_feature_that_reads_it() {
    let place = Place::new();
    place.write("edits.parquet", "PAR1");
    let answer = place.run(&["replay", "edits.parquet"]);
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("it needs the cargo feature `parquet`"), "{}", answer.err);
}

#[test]
#[cfg(not(feature = "checkpoint"))]
fn the_schema_of_a_verb_that_is_not_linked_names_its_feature() {
    let answer = Place::new().run(&["schema", "checkpoint-list"]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("the schema `checkpoint-list` is not in this build"), "{}", answer.err);
}

#[test]
#[cfg(not(feature = "checkpoint"))]
fn turns_are_named_with_their_feature_and_not_configured() {
    let place = Place::new();
    let answer = place.run(&["turns", "revert"]);
    assert_eq!(answer.code, 2);
    assert!(
        answer.err.contains("`turns` is not in this build; it needs the cargo feature `checkpoint`"),
        "{}",
        answer.err
    );
    let answer = place.run(&["init", "--turns", "--yes"]);
    assert!(answer.code == 2 && answer.err.contains("`--turns` is not in this build"), "{}", answer.err);
    let answer = place.run_with(&["hook", "gemini", "turn-begin"], br#"{"session_id":"s","prompt":"One."}"#);
    assert_eq!((answer.code, answer.out.as_str(), answer.err.as_str()), (0, "", ""));
}
