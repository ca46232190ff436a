//! The trace of a walk over a ladder's strategies, for reports.

use std::ops::ControlFlow;

use crate::decider::{Explanation, MAX_COUNTED_PLACES, Places, Question, Trace, Verdict};
use crate::outcome::{EXACT, Failure, Match};
use crate::policy;
use crate::{Candidate, Found, Policy, Span, Strategy};

/// A finished walk.
#[derive(Debug)]
pub(crate) struct Walk<'q> {
    pub(crate) policy: Policy,
    pub(crate) strategies: &'q [&'static dyn Strategy],
    pub(crate) result: Result<Match, Failure>,
    /// Index of the accepted strategy, or of the one that ended the search.
    pub(crate) ended_by: Option<usize>,
    /// The line number that chose between several places, if one did.
    pub(crate) line: Option<usize>,
}

impl Walk<'_> {
    /// Returns the match nearest to the caller's line and the index of its strategy, if the walk found several places.
    pub(crate) fn nearest_to_line(&self, question: &Question<'_>) -> Option<(usize, Match)> {
        let Err(Failure::Ambiguous { strategy, span }) = self.result else { return None };
        question.line?;
        let index = self.strategy(strategy)?;
        let (query, haystack) = (&question.query, question.query.text());
        let mut candidates: Vec<Candidate> = Vec::new();
        let text = span.text(haystack);
        let by_text = self.policy.counts_text();
        let _ = self.strategies[index].candidates(
            query,
            &mut Found::new(&mut |candidate: Candidate| {
                if !by_text || candidate.span.text(haystack) == text {
                    candidates.push(candidate);
                }
                // Places with one text all have one similarity.
                let is_enough = candidates.len() == MAX_COUNTED_PLACES || (by_text && !candidates.is_empty());
                if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }),
        );
        let similarity = candidates.first()?.similarity;
        if by_text {
            let places = query.occurrences(text).map(|start| Span::new(start, start + text.len()));
            let span = question.nearest_to_line(places)?;
            return Some((index, Match::new(self.strategies[index].name(), Candidate::new(span, similarity))));
        }
        candidates.dedup_by(|later, earlier| policy::is_same_place(haystack, earlier.span, later.span));
        let span = question.nearest_to_line(candidates.iter().map(|candidate| candidate.span))?;
        let found = candidates.into_iter().find(|candidate| candidate.span == span)?;
        Some((index, Match::new(self.strategies[index].name(), found)))
    }

    /// Returns the index of the strategy called `name`.
    fn strategy(&self, name: &str) -> Option<usize> {
        self.strategies.iter().position(|known| known.name() == name)
    }

    /// Returns the walk's verdict on the strategy `index`.
    fn verdict(&self, index: usize, explanation: &Explanation) -> Verdict {
        match (self.ended_by, &self.result) {
            _ if explanation.candidates.is_empty() => Verdict::Nothing,
            (Some(ended_by), _) if index > ended_by => Verdict::NotReached,
            (Some(ended_by), Ok(found)) if index == ended_by => Verdict::Taken(*found),
            (Some(ended_by), Err(failure)) if index == ended_by => Verdict::Ended(failure.clone()),
            (None, Ok(found)) if explanation.strategy == found.strategy => Verdict::Taken(*found),
            (None, Ok(_)) => Verdict::NotReached,
            _ => Verdict::NotUnique,
        }
    }

    /// Returns the reason for a verdict under the walk's policy.
    fn why(&self, verdict: &Verdict, replace_all: bool) -> String {
        let by_text = self.policy.counts_text();
        match verdict {
            Verdict::Taken(_) if replace_all => "its text is replaced everywhere".to_owned(),
            Verdict::Taken(_) => match self.line {
                Some(line) => format!("of its places this is the nearest to line {line}"),
                None if by_text => "its text occurs only once".to_owned(),
                None => verdict.why(),
            },
            Verdict::NotUnique if replace_all && !by_text => "only exact places are replaced everywhere".to_owned(),
            Verdict::NotUnique if by_text => "no text that it proposes occurs only once".to_owned(),
            verdict => verdict.why(),
        }
    }
}

impl Trace for Walk<'_> {
    fn tried(&self, question: &Question<'_>) -> Vec<&'static str> {
        let tried = match self.result {
            // These policies replace only exact places everywhere.
            Err(Failure::NotFound) if question.replace_all && !self.policy.counts_text() => return vec![EXACT],
            Err(Failure::Ambiguous { strategy, .. }) if matches!(self.policy, Policy::Refuse) => {
                self.strategy(strategy).map_or(0, |index| index + 1)
            }
            Err(Failure::NotFound | Failure::Ambiguous { .. }) => self.strategies.len(),
            _ => 0,
        };
        self.strategies[..tried].iter().map(|strategy| strategy.name()).collect()
    }

    fn explain(&self, question: &Question<'_>) -> Vec<Explanation> {
        let strategies = self.strategies.iter().enumerate();
        strategies
            .map(|(index, strategy)| {
                let proposed = Explanation::proposed(*strategy, &question.query);
                let verdict = self.verdict(index, &proposed);
                let why = self.why(&verdict, question.replace_all);
                Explanation { verdict, why, ..proposed }
            })
            .collect()
    }

    fn places(&self, question: &Question<'_>) -> Places {
        let Err(Failure::Ambiguous { strategy, span }) = self.result else { return Places::default() };
        let (query, haystack) = (&question.query, question.query.text());
        if self.policy.counts_text() {
            return Places::of_text(query, span.text(haystack));
        }
        let mut places = Places::default();
        let mut last: Option<Span> = None;
        if let Some(index) = self.strategy(strategy) {
            let _ = self.strategies[index].candidates(
                query,
                &mut Found::new(&mut |candidate: Candidate| {
                    if last.is_none_or(|last| !policy::is_same_place(haystack, last, candidate.span)) {
                        places.add(candidate.span);
                    }
                    last = Some(candidate.span);
                    if places.count < MAX_COUNTED_PLACES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                }),
            );
        }
        places
    }
}

impl Verdict {
    /// Returns the reason in words, for verdicts without a more specific one.
    #[must_use]
    pub fn why(&self) -> String {
        match self {
            Self::Nothing => "it proposes nothing".to_owned(),
            Self::Taken(_) => "it is the only place".to_owned(),
            Self::Ended(failure) => format!("it ended the search: {failure}"),
            Self::NotUnique => "it proposes several places".to_owned(),
            Self::PassedOver => "its place was judged together with the new text".to_owned(),
            Self::NotReached => "the search had ended before".to_owned(),
        }
    }
}
