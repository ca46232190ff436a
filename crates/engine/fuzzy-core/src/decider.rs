//! The deciding rule of a ladder, and the trace that it keeps for reports.

use std::fmt;

use crate::landing::{Landing, Splice};
use crate::outcome::{Failure, Match};
use crate::score::ScoreBreakdown;
use crate::side_by_side::SideBySide;
use crate::{Candidate, Query, Span, Strategy};

/// The most places or candidates that a report lists. Counts go on.
pub const REPORTED: usize = 100;

/// The most places that a report counts. Counting more would cost more than the search.
pub(crate) const MAX_COUNTED_PLACES: usize = 100_000;

/// The most bytes of counted places, which may overlap: about as many as ten passes over a large file.
const MAX_COUNTED_BYTES: usize = 1 << 28;

/// The input of a decider.
#[derive(Debug)]
pub struct Question<'q> {
    /// The searched text, and the old text.
    pub query: Query<'q>,
    /// The new text; none for a caller without one.
    pub new: Option<&'q str>,
    /// Whether the edit replaces every place rather than the only one.
    pub replace_all: bool,
    /// The line, counted from 1, near which the caller expects the place.
    pub line: Option<usize>,
    /// The text of the file when the edit was written, if the caller knows it.
    pub base: Option<&'q str>,
    /// The texts of the edit as the decider has restored them; the old text and the new text are these.
    pub restored: Option<&'q Restored>,
}

/// The texts of an edit as the file would have them, if they were copied from an output in another encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The old text.
    pub old: String,
    /// The new text.
    pub new: String,
    /// A word of the new text that cannot be restored.
    pub lost: Option<String>,
}

impl Question<'_> {
    /// Returns the place nearest to the caller's line, out of places that are otherwise equal.
    ///
    /// Returns none without a line, with `replace_all`, and where two places are equally near.
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
/// 1. The old text is not empty and differs from the new one.
/// 2. The same question gives the same answer. A passed deadline or a spent budget ends in [`Failure::Deadline`], never
///    in another place.
/// 3. Without a new text it returns the place where every edit that lands will land.
/// 4. It decides once. The [`Trace`] keeps the search's results, and computes reports on demand.
pub trait Decider: fmt::Debug + Sync {
    /// Returns the rule's name, as in the documents.
    fn name(&self) -> &'static str;

    /// Returns whether the decider fits line endings itself, together with everything else.
    fn fits_line_endings(&self) -> bool {
        false
    }

    /// Returns whether an empty old text has a place: all of an empty document. Else it is a [`Failure::EmptyOld`].
    fn fills_empty_documents(&self) -> bool {
        false
    }

    /// Restores the old text of a query and its new text. Returns none if they are as their author wrote them.
    fn restore(&self, _query: &Query<'_>, _new: &str) -> Option<Restored> {
        None
    }

    /// Returns how far from the only exact place of an old text the decision reads, as [`Ladder::reach`] says; none if
    /// that is not known.
    ///
    /// [`Ladder::reach`]: crate::Ladder::reach
    fn reach(&self, _new: &str, _has_carriage_return: bool) -> Option<usize> {
        None
    }

    /// Decides from the strategies' candidates.
    fn decide<'q>(&self, strategies: &'q [&'static dyn Strategy], question: &Question<'q>) -> Decided<'q>;
}

/// A decision and its trace.
pub struct Decided<'q> {
    /// One landing, or any [`Failure`] except [`Failure::Identical`] and [`Failure::EmptyOld`].
    pub result: Result<Landing, Failure>,
    /// The source of all reports.
    pub trace: Box<dyn Trace + 'q>,
}

impl fmt::Debug for Decided<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decided").field("result", &self.result).finish_non_exhaustive()
    }
}

/// The kept results of a search. A trace never decides anew; all spans are in the query's text.
///
/// It has no `Debug`: whatever calls a trace would be linked with the one of all that a search keeps.
pub trait Trace {
    /// Returns the names of the strategies without a result.
    fn tried(&self, question: &Question<'_>) -> Vec<&'static str>;

    /// Returns each strategy's candidates, its verdict and the reason.
    fn explain(&self, question: &Question<'_>) -> Vec<Explanation>;

    /// Returns the places of an ambiguous old text.
    fn places(&self, question: &Question<'_>) -> Places;

    /// Returns the best place, accepted or not, as whole lines.
    fn best_place(&self, _: &Question<'_>) -> Option<Candidate> {
        None
    }

    /// Returns a probable splice that lacks the evidence to land.
    fn proposal(&self, _: &Question<'_>) -> Option<&Splice> {
        None
    }

    /// Returns the name of the rule that refuses the edit, if the decider has named rules.
    fn rule(&self) -> Option<&'static str> {
        None
    }

    /// Returns that rule's reason, with the texts that it is about.
    fn reason(&self, _: &Question<'_>) -> Option<Reason<'_>> {
        None
    }

    /// Returns the score of the best place, if the rule scores places.
    fn score(&self) -> Option<ScoreBreakdown> {
        None
    }

    /// Returns whether the rule can show old text and file side by side.
    fn aligns(&self) -> bool {
        false
    }

    /// Shows the old text beside the lines around `at`, and the origin of every line of `lands`.
    fn side_by_side(&self, _: &Question<'_>, _at: Span, _lands: Option<&Splice>) -> Option<SideBySide> {
        None
    }
}

/// The reason of the rule that refuses an edit, and the texts that it is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reason<'t> {
    /// The reason in words: a clause without a full stop.
    pub why: &'static str,
    /// The file's part. All are empty for a rule about the whole edit.
    pub file: &'t str,
    /// The old text's part.
    pub old: &'t str,
    /// The new text's part; none for a rule about a place.
    pub new: Option<&'t str>,
    /// The part of the text to write that breaks a law; empty for other rules.
    pub merged: &'t str,
    /// Lines of the old text that are apart in the file: the number of each in the old text, and in the file.
    pub apart: &'t [(usize, usize)],
    /// Whether the rule judges other lines than those that resemble the old text most.
    pub is_elsewhere: bool,
}

/// The places of an ambiguous old text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Places {
    /// How many there are, overlapping ones included; counting stops at 100,000, or after 256 MiB of places.
    pub count: usize,
    /// The first places, at most [`REPORTED`].
    pub spans: Vec<Span>,
}

impl Places {
    /// Counts places, at most a fixed number of places and of bytes in them.
    #[must_use]
    pub fn of(spans: impl Iterator<Item = Span>) -> Self {
        let (mut count, mut bytes) = (0, 0);
        let is_counted = |span: &Span| {
            (count, bytes) = (count + 1, bytes + span.len());
            count <= 2 || bytes <= MAX_COUNTED_BYTES
        };
        spans.take(MAX_COUNTED_PLACES).take_while(is_counted).collect()
    }

    pub(crate) fn of_text(query: &Query<'_>, text: &str) -> Self {
        Self::of(query.occurrences(text).map(|start| Span::new(start, start + text.len())))
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

/// One strategy's result for a query; `C` is the type of a candidate.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(rename = "Explanation"))]
pub struct Explanation<C = Candidate> {
    /// The strategy's name.
    pub strategy: &'static str,
    /// Its first candidates, at most [`REPORTED`].
    pub candidates: Vec<C>,
    /// Whether it had more.
    pub more: bool,
    /// The decider's verdict on them; one word in JSON.
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub verdict: Verdict,
    /// The reason in words.
    pub why: String,
}

impl Explanation {
    /// Returns a strategy's candidates for a query, still without a verdict.
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

impl<C> Explanation<C> {
    /// Converts each candidate, such as to a place in a report.
    #[must_use]
    pub fn map<D>(self, converted: impl FnMut(C) -> D) -> Explanation<D> {
        let Self { strategy, candidates, more, verdict, why } = self;
        Explanation { strategy, candidates: candidates.into_iter().map(converted).collect(), more, verdict, why }
    }
}

/// The verdict on a strategy's candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There was no candidate.
    Nothing,
    /// One was accepted.
    Taken(Match),
    /// The search ended here without a match.
    Ended(Failure),
    /// None was unique, so the search went on.
    NotUnique,
    /// The new text did not suit the place; another strategy decided about it.
    PassedOver,
    /// The search had ended before.
    NotReached,
}

impl Verdict {
    /// Returns the word for reports, such as `not_unique`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Taken(_) => "taken",
            Self::Ended(_) => "ended",
            Self::NotUnique => "not_unique",
            Self::PassedOver => "passed_over",
            Self::NotReached => "not_reached",
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Verdict {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
