//! What each policy makes of the candidates that strategies propose.
//!
//! The strategies here propose fixed spans, so that each rule is seen alone.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use fuzzy_core::report::Verdict;
use fuzzy_core::{
    Candidate, Decider, Document, Edit, Failure, Found, Ladder, Match, Pipeline, Policy, Query, Refusal, Similarity,
    Span, Strategy,
};
use fuzzy_report::Code;

/// Proposes fixed spans.
#[derive(Debug)]
struct Fixed(&'static str, &'static [(usize, usize)]);

impl Strategy for Fixed {
    fn name(&self) -> &'static str {
        self.0
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        for (start, end) in self.1 {
            query.spend(1 << 20)?;
            found.propose(Candidate::new(Span::new(*start, *end), Similarity::new(0.5)))?;
        }
        ControlFlow::Continue(())
    }
}

/// Gives up at once.
#[derive(Debug)]
struct Costly;

impl Strategy for Costly {
    fn name(&self) -> &'static str {
        "costly"
    }

    fn candidates(&self, query: &Query<'_>, _: &mut Found<'_>) -> ControlFlow<()> {
        query.too_costly()
    }
}

fn pipeline(policy: &'static dyn Decider, strategies: &[&'static dyn Strategy]) -> Pipeline {
    Pipeline::new(Ladder::new("test", policy, strategies.to_vec()))
}

fn located(
    policy: &'static dyn Decider,
    strategies: &[&'static dyn Strategy],
    haystack: &str,
    needle: &str,
) -> Result<Match, Failure> {
    let document = Document::new(haystack);
    pipeline(policy, strategies).decide(Query::new(&document, needle), None, false).found()
}

fn place(found: Result<Match, Failure>) -> Result<(&'static str, usize, usize), &'static str> {
    found
        .map(|found| (found.strategy, found.span.start(), found.span.end()))
        .map_err(|failure| Code::from(&failure).as_str())
}

#[test]
fn an_empty_needle_is_never_looked_for() {
    for policy in [&Policy::UniqueText, &Policy::UniqueTextGuarded, &Policy::UniquePerStrategy, &Policy::Refuse] {
        assert_eq!(located(policy, &[&Fixed("a", &[(0, 1)])], "x", ""), Err(Failure::EmptyOld));
    }
}

#[test]
fn unique_text_goes_on_to_the_next_candidate_and_strategy() {
    let ladder: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 1), (2, 3)]), &Fixed("b", &[(0, 1), (4, 5)])];
    assert_eq!(place(located(&Policy::UniqueText, ladder, "x x y", "n")), Ok(("b", 4, 5)));
}

#[test]
fn unique_text_counts_overlapping_places() {
    let ladder: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 2)])];
    assert_eq!(place(located(&Policy::UniqueText, ladder, "aaa", "n")), Err("ambiguous"));
}

#[test]
fn unique_text_takes_an_empty_candidate_only_in_an_empty_file() {
    let ladder: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 0)])];
    assert_eq!(place(located(&Policy::UniqueText, ladder, "", " ")), Ok(("a", 0, 0)));
    assert_eq!(place(located(&Policy::UniqueText, ladder, "x", " ")), Err("ambiguous"));
}

#[test]
fn the_guard_ends_the_search_before_uniqueness_is_asked() {
    let ladder: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 7)]), &Fixed("b", &[(8, 9)])];
    let found = located(&Policy::UniqueTextGuarded, ladder, "a\nb\nc\nd\ne", "n");
    assert_eq!(found, Err(Failure::Refused(Refusal::ManyMoreLines { lines: 4, old_lines: 1 })));
    assert_eq!(place(located(&Policy::UniqueText, ladder, "a\nb\nc\nd\ne", "n")), Ok(("a", 0, 7)));
}

#[test]
fn the_guard_measures_the_length_of_needles_of_several_lines() {
    let haystack = format!("a{}\nb", " y".repeat(260));
    let ladder: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 523)])];
    let found = located(&Policy::UniqueTextGuarded, ladder, &haystack, "a\nb");
    assert_eq!(found, Err(Failure::Refused(Refusal::MuchLonger { length: 523, old_length: 3 })));
    let one_line: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 521)])];
    assert_eq!(place(located(&Policy::UniqueTextGuarded, one_line, &haystack, "a")), Ok(("a", 0, 521)));
}

#[test]
fn unique_per_strategy_skips_a_strategy_with_several_places() {
    let ladder: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 1), (2, 3)]), &Fixed("b", &[(4, 5)])];
    assert_eq!(place(located(&Policy::UniquePerStrategy, ladder, "x y z", "n")), Ok(("b", 4, 5)));
}

#[test]
fn refuse_stops_at_a_strategy_with_several_places() {
    let ladder: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 1), (2, 3)]), &Fixed("b", &[(4, 5)])];
    assert_eq!(place(located(&Policy::Refuse, ladder, "x y z", "n")), Err("ambiguous"));
}

#[test]
fn spans_that_differ_in_blanks_at_their_ends_are_one_place() {
    let ladder: &[&'static dyn Strategy] = &[&Fixed("a", &[(1, 3), (0, 4), (2, 3)])];
    assert_eq!(place(located(&Policy::Refuse, ladder, "  x ", "n")), Ok(("a", 1, 3)));
}

#[test]
fn blank_places_are_told_apart_by_their_ends() {
    let ladder: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 1), (2, 3)])];
    assert_eq!(place(located(&Policy::Refuse, ladder, " \n ", "n")), Err("ambiguous"));
}

#[test]
fn an_ambiguous_walk_counts_the_exact_places_else_those_of_the_loosest_strategy() {
    let document = Document::new("x x x");
    let ladders: [(&[&'static dyn Strategy], &str, usize); 2] = [
        (&[&Fixed("exact", &[(0, 1), (2, 3), (4, 5)]), &Fixed("b", &[(0, 1), (2, 3)])], "exact", 3),
        (&[&Fixed("a", &[(0, 1), (2, 3), (4, 5)]), &Fixed("b", &[(0, 1), (2, 3)])], "b", 2),
    ];
    for (strategies, counted, count) in ladders {
        let pipeline = pipeline(&Policy::UniquePerStrategy, strategies);
        let judgement = pipeline.decide(Query::new(&document, "x"), None, false);
        assert!(matches!(judgement.found(), Err(Failure::Ambiguous { strategy, .. }) if strategy == counted));
        assert_eq!(judgement.places().count, count);
    }
}

#[test]
fn replace_all_is_exact_only_but_under_unique_text() {
    let document = Document::new("x y x");
    let strategies: &[&'static dyn Strategy] = &[&Fixed("a", &[(0, 1)])];
    let all =
        |policy: &'static Policy| pipeline(policy, strategies).decide(Query::new(&document, "n"), None, true).found();
    for policy in [&Policy::UniquePerStrategy, &Policy::Refuse] {
        assert_eq!(all(policy), Err(Failure::NotFound));
    }
    assert_eq!(place(all(&Policy::UniqueText)), Ok(("a", 0, 1)));
}

#[test]
fn a_rung_that_gives_up_ends_the_walk_with_a_refusal() {
    for policy in [&Policy::UniqueText, &Policy::UniquePerStrategy, &Policy::Refuse] {
        let found = located(policy, &[&Costly, &Fixed("a", &[(0, 1)])], "x", "n");
        assert_eq!(found, Err(Failure::Refused(Refusal::TooCostly)));
    }
}

#[test]
fn a_deadline_that_has_passed_ends_the_walk() {
    let document = Document::new("x y");
    let past = Instant::now().checked_sub(Duration::from_secs(1));
    let query = Query::new(&document, "n").with_deadline(past);
    let pipeline = pipeline(&Policy::UniqueText, &[&Fixed("a", &[(0, 1)])]);
    assert_eq!(pipeline.decide(query, None, false).found(), Err(Failure::Deadline));
}

#[test]
fn explain_says_why_each_strategy_was_or_was_not_taken() {
    let document = Document::new("x x y z");
    let query = Query::new(&document, "n");
    let strategies: &[&'static dyn Strategy] =
        &[&Fixed("a", &[]), &Fixed("b", &[(0, 1)]), &Fixed("c", &[(4, 5)]), &Fixed("d", &[(6, 7)])];
    let pipeline = pipeline(&Policy::UniqueText, strategies);
    let explained = pipeline.decide(query, None, false).explain();
    let verdicts: Vec<_> = explained.iter().map(|explanation| explanation.verdict.clone()).collect();
    let taken = Match::new("c", Candidate::new(Span::new(4, 5), Similarity::new(0.5)));
    assert_eq!(verdicts, [Verdict::Nothing, Verdict::NotUnique, Verdict::Taken(taken), Verdict::NotReached]);
}

#[test]
fn a_policy_promises_no_confidence_and_is_limited_by_the_similarity() {
    let (pipeline, document) = (pipeline(&Policy::Refuse, &[&Fixed("alike", &[(0, 1)])]), Document::new("ab"));
    let found = |least: f64| {
        let attempt = Edit::new("x", "y").attempt(&pipeline, &document);
        attempt.with_least_confidence(Similarity::new(least)).decide().found()
    };
    assert_eq!(found(0.5).map(|found| (found.confidence, found.confidence_or_similarity().get())), Ok((None, 0.5)));
    let (confidence, least) = (Similarity::new(0.5), Similarity::new(0.6));
    assert_eq!(found(0.6), Err(Failure::Refused(Refusal::LowConfidence { confidence, least })));
}
