//! `playground` in a build that holds no engine, as these tests are built; the suite `playground` of `cargo xtask test` has
//! one that does, and a browser.

use crate::help::examples;
use crate::support::Place;

/// Whether this build was told to hold an engine after all.
const HOLDS_ENGINE: bool = option_env!("FUZZY_PLAYGROUND_ENGINE").is_some();

#[test]
fn every_example_of_the_help_is_understood_and_says_what_is_missing() {
    let examples = examples("playground");
    assert!(examples.len() > 1, "{examples:?}");
    for example in examples.iter().filter(|_| !HOLDS_ENGINE) {
        let arguments: Vec<&str> = example.split(' ').skip(1).collect();
        let answer = Place::new().run(&arguments);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{example}");
        assert!(answer.err.contains("bad_input: this build holds no engine for the page."), "{}", answer.err);
        assert!(answer.err.contains("cargo xtask playground --serve"), "{}", answer.err);
    }
}

#[test]
fn an_address_that_is_none_is_refused() {
    let answer = Place::new().run(&["playground", "--addr", "nowhere"]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("nowhere"), "{}", answer.err);
}
