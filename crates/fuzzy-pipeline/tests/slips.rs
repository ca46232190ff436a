//! The ladder `adaptive` on generated edits with slips: a short form of what `cargo xtask fuzz` does.

#![cfg(feature = "adaptive")]

use fuzzy_pipeline::Pipeline;
use fuzzy_testkit::slipped_edits::{self, Case};
use fuzzy_testkit::verdict::Verdict;

const SEED: u64 = 7;
/// Three edits of each kind or so.
const EDITS: usize = 320;

/// Returns whether no edit of the case's kind may go wrong: none has a slip in the old text alone, nor is one about a
/// name or a block that is easily mistaken for another.
fn must_not_go_wrong(case: &Case) -> bool {
    let kind = case.kind.as_str();
    matches!(kind, "control" | "again" | "gone") || kind.starts_with("shared:") || kind.starts_with("whole:")
}

#[test]
fn a_slip_that_both_texts_share_never_makes_a_third_text() {
    let pipeline = Pipeline::default();
    let (mut judged, mut right) = (0, 0);
    for case in slipped_edits::cases(SEED).take(EDITS).filter(must_not_go_wrong) {
        let answer = case.apply(&pipeline);
        let verdict = case.verdict(&answer);
        let Case { id, kind, content, old, new, expected } = &case;
        assert_ne!(
            verdict,
            Verdict::Wrong,
            "{id}, {kind}\n--- file\n{content}\n--- old\n{old}\n--- new\n{new}\n--- expected\n{}\n--- answer\n{answer:?}",
            expected.as_deref().unwrap_or("a refusal")
        );
        judged += 1;
        right += usize::from(verdict == Verdict::Right);
    }
    assert!(judged > EDITS / 4 && right * 100 >= judged * 97, "{right} of {judged} are right");
}
