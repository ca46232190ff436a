//! Texts of few kinds of lines: the work grows with the text, and a cancelled query ends.

use std::sync::atomic::AtomicBool;

use fuzzy_core::{Document, Failure, Query};
use proptest::prelude::*;

use crate::support::pipeline;

/// Steps for a byte of the text that an edit and its reports may take.
const STEPS_PER_BYTE: u64 = 400;

/// Returns the steps of an edit and all its reports, and what became of the edit.
fn judged(text: &str, needle: &str, new: &str, cancelled: Option<&AtomicBool>) -> (u64, Option<Failure>) {
    let pipeline = pipeline();
    let document = Document::new(text);
    let query = Query::new(&document, needle).cancelled_by(cancelled);
    let judgement = pipeline.decide(query, Some(new), false);
    let _ = (judgement.nearest(), judgement.places(), judgement.proposal());
    (judgement.spent(), judgement.found().err())
}

/// Returns a text of so many lines of these kinds, in an order that a multiplication makes.
fn lines(count: usize, kinds: &[&str]) -> String {
    let mut seed = 7_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % kinds.len()
    };
    (0..count).map(|_| kinds[next()]).collect()
}

const KINDS: [&str; 5] = ["    }\n", "    same line of text\n", "another line of it\n", "  x = 1\n", "{\n"];

#[test]
fn the_work_grows_with_the_text() {
    for kinds in [1, 2, 5] {
        for needle in [1, 50, 501] {
            let steps = [2_000, 20_000].map(|count| {
                let text = lines(count, &KINDS[..kinds]);
                let same = lines(needle - 1, &KINDS[..kinds]);
                let (steps, _) = judged(&text, &format!("{same}other words"), &format!("{same}third words"), None);
                steps / text.len() as u64
            });
            assert!(steps[1] <= 2 * steps[0].max(STEPS_PER_BYTE), "{kinds} kinds, {needle} lines: {steps:?}");
        }
    }
}

proptest! {
    #![proptest_config(fuzzy_testkit::texts::config_of(64))]

    #[test]
    fn a_cancelled_edit_ends_at_once(kinds in 1..=5_usize, count in 1..600_usize, all in 1_000..30_000_usize) {
        let (text, needle) = (lines(all, &KINDS[..kinds]), lines(count, &KINDS[..kinds]) + "other words");
        let (steps, failure) = judged(&text, &needle, "new words", Some(&AtomicBool::new(true)));
        // A few looks at the flag, each after 64 KiB or before an alignment that is not made.
        prop_assert!(steps <= 1 << 23, "{steps} steps: {failure:?}");
    }
}
