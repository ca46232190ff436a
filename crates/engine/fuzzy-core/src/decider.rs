//! What decides, and what it keeps of its search for those who ask afterwards.

use std::fmt;

use crate::landing::{Landing, Splice};
use crate::outcome::{Failure, Match};
use crate::{Candidate, Conflict, Query, ScoreBreakdown, SideBySide, Span, Strategy};

/// Places and candidates that a report lists at the most, as many as anyone will read; a count goes on.
pub const REPORTED: usize = 100;

/// Places that a report counts at the most. Counting more would cost more than the search did.
pub(crate) const MAX_COUNTED_PLACES: usize = 100_000;

/// What a decider is asked.
#[derive(Debug)]
pub struct Question<'q> {
    /// The text that is searched, and what is looked for.
    pub query: Query<'q>,
    /// What to put there; nothing for a caller who has no new text yet or does not say.
    pub replacement: Option<&'q str>,
    /// Whether every place is meant rather than the only one.
    pub replace_all: bool,
    /// The line, counted from 1, near which the caller believes the place to be.
    pub line: Option<usize>,
}

impl Question<'_> {
    /// Returns the one of several places that nothing else tells apart which is the nearest to the line that the caller
    /// named; none if no line was named, every place is meant, or two are as near.
    #[must_use]
    pub fn nearest_to_line(&self, places: impl IntoIterator<Item = Span>) -> Option<Span> {
        let line = self.line.filter(|_| !self.replace_all)?;
        let lines = self.query.document().lines();
        let mut nearest: Option<(usize, Span)> = None;
        let mut is_only = true;
        for place in places {
            let first = lines.index_of(place.start()) + 1;
            let last = lines.index_of(place.end().max(place.start() + 1) - 1) + 1;
            let away = first.saturating_sub(line).max(line.saturating_sub(last));
            match nearest {
                Some((known, _)) if known < away => {}
                Some((known, _)) if known == away => is_only = false,
                _ => (nearest, is_only) = (Some((away, place)), true),
            }
        }
        nearest.filter(|_| is_only).map(|(_, place)| place)
    }
}

/// Decides where an edit lands and what it writes there.
///
/// # Contract
///
/// 1. The needle is not empty and differs from the replacement.
/// 2. The same question gives the same answer. A deadline that passes or a budget that is spent ends it as
///    [`Failure::Deadline`], never with another place.
/// 3. Without a replacement the place is one that no replacement moves: an edit that lands, lands there.
/// 4. It is asked once. What reports need of its search it keeps in the [`Trace`], and computes there when asked.
pub trait Decider: fmt::Debug + Sync {
    /// Returns the rule's name as the documents have it.
    fn name(&self) -> &'static str;

    /// Returns whether the decider fits line endings itself, together with everything else.
    fn fits_line_endings(&self) -> bool {
        false
    }

    /// Decides, by what the strategies propose.
    fn decide<'q>(&self, strategies: &'q [&'static dyn Strategy], question: &Question<'q>) -> Decided<'q>;
}

/// What was decided, and what is kept of the way there.
#[derive(Debug)]
pub struct Decided<'q> {
    /// One landing, or why there is none. Any [`Failure`] but [`Failure::Identical`] and [`Failure::EmptyNeedle`].
    pub result: Result<Landing, Failure>,
    /// What reports read.
    pub trace: Box<dyn Trace + 'q>,
}

/// What a decider has kept of its search. Nothing here decides anew; all spans are in the query's text.
pub trait Trace: fmt::Debug {
    /// Returns the strategies that looked for the needle in vain.
    fn tried(&self, question: &Question<'_>) -> Vec<&'static str>;

    /// Returns what every strategy proposes, and why that was or was not taken.
    fn explain(&self, question: &Question<'_>) -> Vec<Explanation>;

    /// Returns the places that an ambiguous failure is about.
    fn places(&self, question: &Question<'_>) -> Places;

    /// Returns the place that was judged, accepted or not: whole lines.
    fn best_place(&self, _: &Question<'_>) -> Option<Candidate> {
        None
    }

    /// Returns what was probably meant to land, if there is a good idea but not enough evidence to carry it out.
    fn proposal(&self, _: &Question<'_>) -> Option<&Splice> {
        None
    }

    /// Returns where the place that was judged and the replacement are in conflict, if the edit is refused for that.
    fn conflicts(&self, _: &Question<'_>) -> Vec<Conflict> {
        Vec::new()
    }

    /// Returns what would land at the place that was judged, and how likely that place is, under a rule that weighs it.
    fn score(&self) -> Option<ScoreBreakdown> {
        None
    }

    /// Returns whether needle and file can be laid side by side.
    fn aligns(&self) -> bool {
        false
    }

    /// Lays the needle beside the lines around `at`, and gives the origin of every line of `lands`.
    fn side_by_side(&self, _: &Question<'_>, _at: Span, _lands: Option<&Splice>) -> Option<SideBySide> {
        None
    }
}

/// The places of an ambiguous needle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Places {
    /// How many there are, overlapping ones included; counting stops at 100,000.
    pub count: usize,
    /// The first of them, [`REPORTED`] at the most.
    pub spans: Vec<Span>,
}

impl Places {
    /// Counts every place of the query's needle, overlapping ones included.
    #[must_use]
    pub fn of_needle(query: &Query<'_>) -> Self {
        Self::of_text(query, query.needle())
    }

    pub(crate) fn of_text(query: &Query<'_>, text: &str) -> Self {
        query.occurrences(text).take(MAX_COUNTED_PLACES).map(|start| Span::new(start, start + text.len())).collect()
    }

    /// Adds a place.
    pub fn add(&mut self, span: Span) {
        self.count += 1;
        if self.spans.len() < REPORTED {
            self.spans.push(span);
        }
    }
}

impl FromIterator<Span> for Places {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> Self {
        let mut places = Self::default();
        spans.into_iter().for_each(|span| places.add(span));
        places
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
    /// What the decider made of them.
    pub verdict: Verdict,
    /// Why, in words.
    pub why: String,
}

impl Explanation {
    /// Returns what a strategy proposes to a query; the verdict is still to be given.
    #[must_use]
    pub fn proposed(strategy: &dyn Strategy, query: &Query<'_>) -> Self {
        use std::ops::ControlFlow;

        let mut candidates = Vec::new();
        let mut more = false;
        let _ = strategy.candidates(
            query,
            &mut crate::Found::new(&mut |candidate| {
                more = candidates.len() == REPORTED;
                if more {
                    return ControlFlow::Break(());
                }
                candidates.push(candidate);
                ControlFlow::Continue(())
            }),
        );
        Self { strategy: strategy.name(), candidates, more, verdict: Verdict::Nothing, why: String::new() }
    }
}

/// What was made of a strategy's candidates.
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
