//! `playground` in a build without an engine, as for these tests. The suite `playground` of `cargo xtask test` has an
//! engine and a browser.

use crate::help::examples;
use crate::support::Place;

#[test]
fn every_example_of_the_help_fails_without_an_engine() {
    let examples = examples("playground");
    assert!(examples.len() > 1, "{examples:?}");
    for example in &examples {
        let arguments: Vec<&str> = example.split(' ').skip(1).collect();
        let answer = Place::new().run(&arguments);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{example}");
        assert!(answer.err.contains("bad_input: this build contains no engine for the page."), "{}", answer.err);
        assert!(answer.err.contains("cargo xtask playground --serve"), "{}", answer.err);
    }
}

#[test]
fn an_engine_that_cannot_be_served_is_refused() {
    let place = Place::with("no module\n");
    for (file, code) in [("file.txt", "bad_input"), ("absent.wasm", "io")] {
        let answer = place.run(&["playground", "--addr", "127.0.0.1:0", "--engine", file]);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{file}");
        assert!(answer.err.starts_with(&format!("fuzzy-edit: {code}: ")), "{}", answer.err);
        assert!(answer.err.contains(file) && answer.err.contains("cargo xtask playground"), "{}", answer.err);
    }
}

#[test]
fn a_malformed_address_is_refused() {
    let answer = Place::new().run(&["playground", "--addr", "nowhere"]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("nowhere"), "{}", answer.err);
}
