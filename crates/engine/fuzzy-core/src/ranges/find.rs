//! Finds the lines that a quote names: equal lines first, then lines with the same words and marks, then by the ladder.

use std::ops::Range;

use super::lines::{FileLines, Likeness, QuotedLines, has_word, tokens};
use crate::decider::{Explanation, Places, Question, Trace, Verdict};
use crate::outcome::{EXACT, Failure, Match};
use crate::{Candidate, Decided, Ladder, RangeRefusal, Refusal, Similarity, Span, blank};

/// The name of the search for lines with the same words and marks.
const TOKENS: &str = "same-words";

/// Lines that a quote names.
#[derive(Clone, Debug)]
pub(super) struct Located {
    pub(super) lines: Range<usize>,
    /// None if only the ladder found them.
    pub(super) likeness: Option<Likeness>,
    pub(super) found: Match,
}

/// The purpose of a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role<'e> {
    /// The first lines of a range, with its new text.
    First(Option<&'e str>),
    /// The last lines of a range.
    Last,
    /// The lines above an insertion, or below it.
    Beside,
}

impl Role<'_> {
    /// Returns whether a part of a line stands for all of it: the rest has no word, so that the part cannot be meant alone.
    /// The rest of a first line may also be a part of the new text's first line.
    fn is_line(self, [above, below]: [&str; 2]) -> bool {
        let is_known = |new: &str| {
            let first = new.lines().find(|line| !blank::is_blank_text(line)).unwrap_or_default();
            tokens(below).filter(|token| has_word(token)).all(|word| tokens(first).any(|other| other == word))
        };
        let is_rest = !has_word(below) || matches!(self, Self::First(Some(new)) if is_known(new));
        !has_word(above) && is_rest
    }
}

/// Finds the lines of the question's needle.
///
/// # Errors
///
/// Any [`Failure`] of an old text, or that the place is only a part of a line.
pub(super) fn locate<'q>(
    ladder: &'q Ladder,
    question: &Question<'q>,
    lines: &FileLines<'q>,
    quote: &QuotedLines<'_>,
    role: Role<'_>,
) -> (Result<Located, Failure>, Box<dyn Trace + 'q>) {
    let count = quote.lines.len();
    for (likeness, strategy) in [(Likeness::Equal, EXACT), (Likeness::Tokens, TOKENS)] {
        let starts: Vec<usize> = lines.places(&quote.lines, likeness, 0).collect();
        let Some(first) = starts.first() else { continue };
        let spans: Vec<Span> = starts.iter().map(|at| lines.span(&(*at..at + count))).collect();
        let chosen = if let [only] = &spans[..] {
            Some((*first, *only))
        } else {
            let nearest = question.nearest_to_line(spans.iter().copied());
            nearest.and_then(|span| Some((starts[spans.iter().position(|other| *other == span)?], span)))
        };
        let result = match chosen {
            Some((at, span)) => {
                let found = Match::new(strategy, Candidate::new(span, Similarity::ONE));
                Ok(Located { lines: at..at + count, likeness: Some(likeness), found })
            }
            None => Err(Failure::Ambiguous { strategy, span: spans[0] }),
        };
        let found = result.as_ref().map(|located| located.found).map_err(Clone::clone);
        return (result, Box::new(EqualLines { strategy, spans, found }));
    }
    let Decided { result, trace } = ladder.decider().decide(ladder.strategies(), question);
    let located = result.and_then(|landing| {
        let found = landing.found;
        let touched = lines.touched(found.span);
        let whole = lines.span(&touched);
        let outside =
            [whole.start()..found.span.start().max(whole.start()), found.span.end().min(whole.end())..whole.end()];
        let outside = outside.map(|part| &lines.text()[part]);
        let is_line = touched.len() == 1 && count == 1 && has_word(quote.lines[0]) && role.is_line(outside);
        if !is_line && !outside.iter().all(|part| blank::is_blank_text(part)) {
            return Err(Failure::Range(RangeRefusal::PartOfLine { lines: whole, is_last: role == Role::Last }));
        }
        let mut solid = touched.filter(|at| !lines.is_blank(*at));
        let Some(first) = solid.next() else { return Err(Failure::NotFound) };
        let last = solid.next_back().unwrap_or(first);
        let lines = first..last + 1;
        Ok(Located { lines, likeness: None, found })
    });
    (located, trace)
}

impl Located {
    /// Checks the confidence of the place.
    ///
    /// # Errors
    ///
    /// Refuses a confidence below `least`.
    pub(super) fn at_least(self, least: Similarity) -> Result<Self, Failure> {
        let confidence = self.found.confidence_or_similarity();
        if confidence < least {
            return Err(Failure::Refused(Refusal::LowConfidence { confidence, least }));
        }
        Ok(self)
    }
}

/// The trace of a search that compares whole lines.
struct EqualLines {
    strategy: &'static str,
    spans: Vec<Span>,
    found: Result<Match, Failure>,
}

impl Trace for EqualLines {
    fn tried(&self, _: &Question<'_>) -> Vec<&'static str> {
        Vec::new()
    }

    fn explain(&self, _: &Question<'_>) -> Vec<Explanation> {
        let more = self.spans.len() > crate::report::REPORTED;
        let spans = self.spans.iter().take(crate::report::REPORTED);
        let candidates = spans.map(|span| Candidate::new(*span, Similarity::ONE)).collect();
        let (verdict, why) = match &self.found {
            Ok(found) if self.spans.len() > 1 => (Verdict::Taken(*found), "these lines are nearest to the given line"),
            Ok(found) => (Verdict::Taken(*found), "no other lines are equal"),
            Err(failure) => (Verdict::Ended(failure.clone()), "several places have these lines"),
        };
        vec![Explanation { strategy: self.strategy, candidates, more, verdict, why: why.to_owned() }]
    }

    fn places(&self, _: &Question<'_>) -> Places {
        Places::of(self.spans.iter().copied())
    }

    fn best_place(&self, _: &Question<'_>) -> Option<Candidate> {
        self.spans.first().map(|span| Candidate::new(*span, Similarity::ONE))
    }
}
