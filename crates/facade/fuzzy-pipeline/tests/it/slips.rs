//! The ladder `adaptive` on generated edits with slips: a short form of what `cargo xtask fuzz` does.

use fuzzy_pipeline::{Conflict, Document, Edit, Failure, Judgement, Pipeline, Refusal, ladder};
use fuzzy_report::Verdict;
use fuzzy_testkit::slipped_edits::{self, Case};

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
    let pipeline = Pipeline::new(ladder::adaptive());
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

/// Returns whether the file has something of its own where the edit changes something.
fn is_in_conflict(case: &Case) -> bool {
    matches!(case.kind.as_str(), "conflict" | "conflict_deleted")
}

/// Panics unless a refusal tells three texts, the file's as it has it, and proposes nothing that does not land.
fn check_conflicts(judgement: &Judgement<'_>, conflicts: &[Conflict], pipeline: &Pipeline, case: &Case) {
    let content = case.content.as_str();
    assert!(!conflicts.is_empty(), "{case:#?}");
    for conflict in conflicts {
        let theirs = conflict.file.text(content);
        let are_three = theirs != conflict.old && theirs != conflict.new && conflict.old != conflict.new;
        assert!(are_three, "{conflict:#?}\n{case:#?}");
        assert!(conflict.lines.text(content).contains(theirs), "{conflict:#?}\n{case:#?}");
        assert_ne!(conflict.lines.text(content), conflict.taken, "{case:#?}");
    }
    if let Some(proposal) = judgement.proposal() {
        let document = Document::new(content);
        let landed = Edit::new(&proposal.old, &proposal.new).run(pipeline, &document);
        let expected = content.replacen(&proposal.old, &proposal.new, 1);
        assert_eq!(landed.map(|applied| applied.output), Ok(expected), "{case:#?}");
    }
}

#[test]
fn what_is_in_conflict_never_lands_and_is_told() {
    let pipeline = Pipeline::new(ladder::adaptive());
    let (mut judged, mut told) = (0, 0);
    for case in slipped_edits::cases(SEED).filter(is_in_conflict).take(60) {
        let document = Document::new(case.content.as_str());
        let attempt = Edit::new(&case.old, &case.new).attempt(&pipeline, &document);
        let judgement = attempt.decide();
        judged += 1;
        match judgement.found() {
            Err(Failure::Refused(Refusal::Conflict { conflicts })) => {
                check_conflicts(&judgement, &conflicts, &pipeline, &case);
                told += 1;
            }
            // Where the place itself is not clear, or more is in doubt.
            Err(
                Failure::Refused(Refusal::TooDifferent | Refusal::Uncertain)
                | Failure::Ambiguous { .. }
                | Failure::NotFound,
            ) => {}
            answer => panic!("{answer:?}\n{case:#?}"),
        }
    }
    assert!(told * 100 >= judged * 60, "{told} of {judged} are told");
}
