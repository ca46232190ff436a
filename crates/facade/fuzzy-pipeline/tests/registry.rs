//! What is linked is what the features ask for, in every build.
//!
//! Run with default features, without any, with each alone and with all, in dev and in release: a strategy crate that
//! nobody calls is dropped by the linker without a word. A binary of its own, so that no other test is built each time.

use std::fs;
use std::path::Path;

use fuzzy_pipeline::{ladder, registry};

/// Every strategy of this workspace with its family's feature, strict to loose.
const STRATEGIES: &[(bool, &str)] = &[
    (cfg!(feature = "exact"), "exact"),
    (cfg!(feature = "line-trimmed"), "line-trimmed/ends"),
    (cfg!(feature = "line-trimmed"), "line-trimmed"),
    (cfg!(feature = "line-trimmed"), "line-trimmed/unicode"),
    (cfg!(feature = "block-anchor"), "block-anchor/guarded"),
    (cfg!(feature = "block-anchor"), "block-anchor"),
    (cfg!(feature = "block-anchor"), "block-anchor/whole"),
    (cfg!(feature = "whitespace-normalized"), "whitespace-normalized/inline"),
    (cfg!(feature = "whitespace-normalized"), "whitespace-normalized"),
    (cfg!(feature = "whitespace-normalized"), "whitespace-normalized/collapsed"),
    (cfg!(feature = "indentation-flexible"), "indentation-flexible"),
    (cfg!(feature = "indentation-flexible"), "indentation-flexible/stripped"),
    (cfg!(feature = "escape-normalized"), "escape-normalized"),
    (cfg!(feature = "trimmed-boundary"), "trimmed-boundary"),
    (cfg!(feature = "trimmed-boundary"), "trimmed-boundary/text"),
    (cfg!(feature = "context-aware"), "context-aware"),
    (cfg!(feature = "multi-occurrence"), "multi-occurrence"),
    (cfg!(feature = "block-aligned"), "block-aligned"),
    (cfg!(feature = "levenshtein"), "levenshtein"),
    (cfg!(feature = "subsequence"), "subsequence"),
    (cfg!(feature = "alignment"), "alignment"),
    (cfg!(feature = "best-window"), "best-window"),
    (cfg!(feature = "best-window"), "best-window/boocode"),
];

/// Every ladder with its feature and its length, in the order in which they are shown.
const LADDERS: &[(bool, &str, usize)] = &[
    (cfg!(feature = "conservative"), "conservative", 4),
    (cfg!(feature = "opencode"), "opencode", 3),
    (cfg!(feature = "full"), "full", 9),
    (cfg!(feature = "full"), "full-guarded", 9),
    (cfg!(feature = "boocode"), "boocode", 4),
    (cfg!(feature = "reference"), "reference", 9),
    (cfg!(feature = "adaptive"), "adaptive", 2),
];

fn expected() -> Vec<&'static str> {
    STRATEGIES.iter().filter(|(linked, _)| *linked).map(|(_, name)| *name).collect()
}

#[test]
fn the_registry_holds_what_the_features_ask_for_in_order() {
    let linked: Vec<_> = registry().entries().iter().map(|entry| entry.strategy().name()).collect();
    assert_eq!(linked, expected());
}

#[test]
fn the_registered_ladder_lists_everything_linked() {
    let registered = ladder::registered().unwrap();
    let names: Vec<_> = registered.strategies().iter().map(|strategy| strategy.name()).collect();
    assert_eq!(names, expected());
}

#[test]
fn each_linked_ladder_can_be_made_whatever_else_is_linked() {
    let linked: Vec<_> = LADDERS.iter().filter(|(linked, ..)| *linked).collect();
    let names: Vec<_> = ladder::names().filter(|name| *name != "registered").collect();
    assert_eq!(names, linked.iter().map(|(_, name, _)| *name).collect::<Vec<_>>());
    for (_, name, rungs) in linked {
        let ladder = ladder::named(name).unwrap();
        assert_eq!((ladder.name(), ladder.strategies().len()), (*name, *rungs));
    }
}

#[test]
fn an_unknown_ladder_is_answered_with_the_known_ones() {
    let message = ladder::named("nine").unwrap_err().to_string();
    assert!(message.starts_with("no ladder named `nine` is linked; choose one of: "), "{message}");
    assert!(message.ends_with("registered"), "{message}");
}

#[test]
fn every_strategy_crate_is_called_by_the_link_anchor() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
    let anchors = fs::read_to_string(folder.join("src/link.rs")).unwrap();
    let optional = manifest["dependencies"].as_table().unwrap().iter().filter(|(_, it)| it.get("optional").is_some());
    let mut strategies = 0;
    for (name, _) in optional {
        // The others are no strategies: nothing of them is registered.
        if folder.join("../../strategies").join(name.trim_start_matches("fuzzy-")).is_dir() {
            let call = format!("    {}::link();\n", name.replace('-', "_"));
            assert!(anchors.contains(&call), "src/link.rs does not call {name}");
            strategies += 1;
        }
    }
    assert_eq!(strategies, fs::read_dir(folder.join("../../strategies")).unwrap().count());
}
