//! Walks a ladder and decides; explains itself when asked.

use std::ops::ControlFlow;

use crate::outcome::{Failure, Match};
use crate::{Candidate, Found, Ladder, Query, Span};

/// Places and candidates that a report lists at the most; a count goes on.
pub const REPORTED: usize = 100;

/// Places that a report counts at the most. Counting more would cost more than the search did.
const COUNTED: usize = 100_000;

/// Walks a ladder and decides: one match, or a failure.
#[derive(Clone, Debug)]
pub struct Pipeline {
    ladder: Ladder,
}

impl Pipeline {
    /// Makes a pipeline that walks `ladder`.
    #[must_use]
    pub const fn new(ladder: Ladder) -> Self {
        Self { ladder }
    }

    /// Returns the ladder.
    #[must_use]
    pub const fn ladder(&self) -> &Ladder {
        &self.ladder
    }

    /// Finds the one place that the query's needle means. With `replace_all`, the place is the first of those that
    /// hold the text to replace.
    ///
    /// Nothing is computed that the decision does not need.
    ///
    /// # Errors
    ///
    /// Any [`Failure`] but [`Failure::Identical`], which only an [`Edit`](crate::Edit) can see.
    pub fn locate(&self, query: &Query<'_>, replace_all: bool) -> Result<Match, Failure> {
        if query.needle().is_empty() {
            return Err(Failure::EmptyNeedle);
        }
        self.ladder.policy().walk(self.ladder.strategies(), query, replace_all).result
    }

    /// Lists the places that an ambiguous failure is about.
    #[must_use]
    pub fn places(&self, query: &Query<'_>, failure: &Failure) -> Places {
        let mut places = Places::default();
        let Failure::Ambiguous { strategy, span } = failure else { return places };
        let haystack = query.haystack();
        if self.ladder.policy().counts_text() {
            for start in query.occurrences(span.text(haystack)).take(COUNTED) {
                places.add(Span::new(start, start + span.len()));
            }
        } else if let Some(strategy) = self.ladder.strategies().iter().find(|known| known.name() == *strategy) {
            let mut last: Option<Span> = None;
            let _ = strategy.candidates(
                query,
                &mut Found::new(&mut |candidate: Candidate| {
                    if last.is_none_or(|last| !crate::policy::is_same_place(haystack, last, candidate.span)) {
                        places.add(candidate.span);
                    }
                    last = Some(candidate.span);
                    if places.count < COUNTED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                }),
            );
        }
        places
    }

    /// Says of every strategy of the ladder what it proposes and why it was or was not taken.
    #[must_use]
    pub fn explain(&self, query: &Query<'_>, replace_all: bool) -> Vec<Explanation> {
        let walk = self.ladder.policy().walk(self.ladder.strategies(), query, replace_all);
        let strategies = self.ladder.strategies().iter().enumerate();
        let explain = |(index, strategy): (usize, &&'static dyn crate::Strategy)| {
            let mut candidates = Vec::new();
            let mut more = false;
            let _ = strategy.candidates(
                query,
                &mut Found::new(&mut |candidate| {
                    more = candidates.len() == REPORTED;
                    if more {
                        return ControlFlow::Break(());
                    }
                    candidates.push(candidate);
                    ControlFlow::Continue(())
                }),
            );
            let verdict = match (walk.ended_by, &walk.result) {
                _ if candidates.is_empty() => Verdict::Nothing,
                (Some(ended_by), _) if index > ended_by => Verdict::NotReached,
                (Some(ended_by), Ok(found)) if index == ended_by => Verdict::Taken(*found),
                (Some(ended_by), Err(failure)) if index == ended_by => Verdict::Ended(*failure),
                (None, Ok(found)) if strategy.name() == found.strategy => Verdict::Taken(*found),
                (None, Ok(_)) => Verdict::NotReached,
                _ => Verdict::NotUnique,
            };
            Explanation { strategy: strategy.name(), candidates, more, verdict }
        };
        strategies.map(explain).collect()
    }
}

/// The places of an ambiguous needle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// How many there are, overlapping ones included; counting stops at 100,000.
    pub count: usize,
    /// The first of them, [`REPORTED`] at the most.
    pub spans: Vec<Span>,
}

impl Places {
    fn add(&mut self, span: Span) {
        self.count += 1;
        if self.spans.len() < REPORTED {
            self.spans.push(span);
        }
    }
}

/// What one strategy of a ladder made of a query.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The strategy's name.
    pub strategy: &'static str,
    /// Its first candidates, [`REPORTED`] at the most.
    pub candidates: Vec<Candidate>,
    /// Whether it had more.
    pub more: bool,
    /// What the policy made of them.
    pub verdict: Verdict,
}

/// What a policy made of a strategy's candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There was no candidate.
    Nothing,
    /// One was accepted.
    Taken(Match),
    /// The search ended here without a match.
    Ended(Failure),
    /// None was unique, so the search went on.
    NotUnique,
    /// The replacement did not suit the place, which another strategy then judged.
    PassedOver,
    /// The search had ended before.
    NotReached,
}
