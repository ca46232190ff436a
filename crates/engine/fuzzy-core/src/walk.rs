//! Walks a ladder's strategies and decides by a policy.

use std::ops::ControlFlow;

use crate::decider::{Decided, Decider, Question};
use crate::landing::Landing;
use crate::outcome::{EXACT, Failure, Match, Refusal};
use crate::policy::is_same_place;
use crate::trace::Walk;
use crate::{Candidate, Found, Policy, Query, Span, Strategy, blank, distance};

/// The result of a walk, and the rung that ended it.
struct End {
    result: Result<Match, Failure>,
    /// Index of the accepted strategy, or of the one that ended the search.
    ended_by: Option<usize>,
}

impl Decider for Policy {
    fn name(&self) -> &'static str {
        self.title()
    }

    fn reach(&self, _new: &str, _has_carriage_return: bool) -> Option<usize> {
        // The old text occurs once as it is: nothing around it counts.
        Some(0)
    }

    fn decide<'q>(&self, strategies: &'q [&'static dyn Strategy], question: &Question<'q>) -> Decided<'q> {
        let (query, replace_all) = (&question.query, question.replace_all);
        let End { mut result, ended_by } = match self {
            Self::UniqueText | Self::UniqueTextGuarded => self.by_text(strategies, query, replace_all),
            Self::UniquePerStrategy | Self::Refuse if replace_all => all_exact(query),
            Self::UniquePerStrategy | Self::Refuse => self.by_place(strategies, query),
        };
        // A filter that was cut short reports "absent" or "unique", so its result does not count.
        if let Some(stop) = query.stopped() {
            result = Err(stop.into());
        }
        let mut walk = Walk { policy: *self, strategies, result, ended_by, line: None };
        if let Some((index, found)) = walk.nearest_to_line(question) {
            walk.result = query.stopped().map_or(Ok(found), |stop| Err(stop.into()));
            (walk.ended_by, walk.line) = (Some(index), question.line);
        }
        let result = walk.result.clone().map(|found| Landing { found, splices: None });
        Decided { result, trace: Box::new(walk) }
    }
}

impl Policy {
    /// Accepts the first candidate whose text occurs once, or the first of all with `replace_all`.
    fn by_text(self, strategies: &[&'static dyn Strategy], query: &Query<'_>, replace_all: bool) -> End {
        let haystack = query.text();
        // The last text that occurred more than once. Rungs tend to propose the same text again.
        let mut repeated: Option<&str> = None;
        let mut ambiguous = None;
        for (index, strategy) in strategies.iter().enumerate() {
            let mut result = None;
            let _ = strategy.candidates(
                query,
                &mut Found::new(&mut |candidate: Candidate| {
                    let text = candidate.span.text(haystack);
                    if repeated == Some(text) {
                        return query.spend(text.len());
                    }
                    if matches!(self, Self::UniqueTextGuarded)
                        && let Some(refusal) = much_larger(query, text)
                    {
                        result = Some(Err(Failure::Refused(refusal)));
                        return ControlFlow::Break(());
                    }
                    if replace_all || occurs_once(query, candidate.span) {
                        result = Some(Ok(Match::new(strategy.name(), candidate)));
                        return ControlFlow::Break(());
                    }
                    repeated = Some(text);
                    ambiguous
                        .get_or_insert_with(|| Failure::Ambiguous { strategy: strategy.name(), span: candidate.span });
                    ControlFlow::Continue(())
                }),
            );
            if query.stopped().is_some() {
                return End { result: Err(Failure::NotFound), ended_by: Some(index) };
            }
            if let Some(result) = result {
                return End { result, ended_by: Some(index) };
            }
        }
        End { result: Err(ambiguous.unwrap_or(Failure::NotFound)), ended_by: None }
    }

    /// Accepts the place of the first strategy that proposes only one.
    fn by_place(self, strategies: &[&'static dyn Strategy], query: &Query<'_>) -> End {
        let mut ambiguous = None;
        for (index, strategy) in strategies.iter().enumerate() {
            let mut first: Option<Candidate> = None;
            let mut is_one_place = true;
            let _ = strategy.candidates(
                query,
                &mut Found::new(&mut |candidate: Candidate| match first {
                    None => {
                        first = Some(candidate);
                        ControlFlow::Continue(())
                    }
                    Some(known) if is_same_place(query.text(), known.span, candidate.span) => ControlFlow::Continue(()),
                    Some(_) => {
                        is_one_place = false;
                        ControlFlow::Break(())
                    }
                }),
            );
            if query.stopped().is_some() {
                return End { result: Err(Failure::NotFound), ended_by: Some(index) };
            }
            let Some(first) = first else { continue };
            if is_one_place {
                return End { result: Ok(Match::new(strategy.name(), first)), ended_by: Some(index) };
            }
            let failure = Failure::Ambiguous { strategy: strategy.name(), span: first.span };
            if !matches!(self, Self::UniquePerStrategy) {
                return End { result: Err(failure), ended_by: Some(index) };
            }
            // Reports count the exact places, else the loosest rung's.
            if !matches!(ambiguous, Some(Failure::Ambiguous { strategy: EXACT, .. })) {
                ambiguous = Some(failure);
            }
        }
        End { result: Err(ambiguous.unwrap_or(Failure::NotFound)), ended_by: None }
    }
}

/// Returns the first exact place, whatever the strategies are: these policies replace only exact places everywhere.
fn all_exact(query: &Query<'_>) -> End {
    let result = query.first_exact().ok_or(Failure::NotFound).map(|start| {
        let span = Span::new(start, start + query.old().len());
        Match::new(EXACT, Candidate::new(span, crate::Similarity::ONE))
    });
    End { result, ended_by: None }
}

/// Returns whether the text under `span` occurs nowhere else in the text; overlapping places count.
fn occurs_once(query: &Query<'_>, span: Span) -> bool {
    let text = span.text(query.text());
    if text.is_empty() {
        // An empty text is at every boundary.
        return query.text().is_empty();
    }
    if text == query.old() {
        return query.second_exact().is_none();
    }
    let mut places = query.occurrences(text);
    places.next() == Some(span.start()) && places.next().is_none() && query.stopped().is_none()
}

/// Returns the refusal of a candidate that is too large for the old text, if it is. The bounds allow for some omitted
/// lines or a remark, but for no block with its neighbours.
fn much_larger(query: &Query<'_>, text: &str) -> Option<Refusal> {
    let needle_lines = query.old_lines().len();
    let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    if lines >= (needle_lines + 3).max(2 * needle_lines) {
        return Some(Refusal::ManyMoreLines { lines, old_lines: needle_lines });
    }
    let needle_length = distance::utf16_len(blank::trim(query.old()));
    let length = distance::utf16_len(blank::trim(text));
    if needle_lines > 1 && length > (needle_length + 500).max(4 * needle_length) {
        return Some(Refusal::MuchLonger { length, old_length: needle_length });
    }
    None
}
