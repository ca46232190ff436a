//! Random texts and inexact edits: the host's plain replacement writes the text of the engine.

use fuzzy_hosts::Host;
use fuzzy_pipeline::{Document, Edit, Pipeline, ladder};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Project, edit_in, gemini};

/// Lines of a small vocabulary, so that texts have equal lines.
fn line() -> impl Strategy<Value = String> {
    let words = prop_oneof!["a = 1", "call(a)", "if a:", "return a", "", "x  =  a", "\"quoted\"", "ünï(a)"];
    (0..3_usize, words).prop_map(|(depth, words)| format!("{}{words}\n", "\t".repeat(depth)))
}

fn slip() -> impl Strategy<Value = fn(&str) -> String> {
    let blanks: fn(&str) -> String = |text| text.replace('\t', "    ");
    let one: fn(&str) -> String = |text| text.replace("  ", " ");
    let quotes: fn(&str) -> String = |text| text.replace('"', "\u{201c}");
    let ends: fn(&str) -> String = |text| text.replace('\n', " \n");
    let none: fn(&str) -> String = str::to_owned;
    prop_oneof![Just(blanks), Just(one), Just(quotes), Just(ends), Just(none)]
}

/// Applies an edit as the engine does, and as the host does after a repair, and compares the results.
fn check(text: &str, old: &str, new: &str, all: bool) -> Result<(), TestCaseError> {
    let project = Project::with(text.as_bytes());
    let host = Host::named("gemini").expect("a host");
    let answer = host.repair(&gemini(&project, old, new, &json!({ "allow_multiple": all })));
    let (pipeline, document) = (Pipeline::new(ladder::adaptive()), Document::new(text));
    let attempt = Edit::new(old, new).with_replace_all(all).attempt(&pipeline, &document);
    match (edit_in(&answer.output), attempt.apply()) {
        (Some((old, new)), Ok(applied)) => {
            prop_assert_eq!(text.match_indices(&old).count(), 1, "one place");
            prop_assert_eq!(text.replace(&old, &new), applied.output);
        }
        (Some((old, new)), Err(failure)) => prop_assert!(false, "{old:?} {new:?}, but {failure}"),
        (None, Ok(applied)) if applied.output != text => {
            prop_assert_eq!(text.replacen(old, new, if all { usize::MAX } else { 1 }), applied.output);
        }
        (None, _) => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(fuzzy_testkit::texts::config())]

    #[test]
    fn the_host_writes_the_text_of_the_engine(
        lines in prop::collection::vec(line(), 1..14),
        (start, length) in (0..12_usize, 1..5_usize),
        slip in slip(),
        added in line(),
        all in prop::bool::weighted(0.2),
    ) {
        let text = lines.concat();
        let start = start % lines.len();
        let old = lines[start..(start + length).min(lines.len())].concat();
        let new = format!("{old}{added}");
        prop_assume!(!old.is_empty());
        check(&text, &slip(&old), &slip(&new), all)?;
    }
}
