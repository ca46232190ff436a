//! What an attempt tells of itself when asked: the nearest lines, all places, a proposal, an explanation.

use super::{Attempt, LineRange};
use crate::landing::{Proposal, Splice};
use crate::nearest::{self, Nearest};
use crate::outcome::{Failure, Match};
use crate::pipeline::{Explanation, Places, Verdict};
use crate::{Candidate, Query, SideBySide, Span};

impl Attempt<'_> {
    /// Returns the whole edit that was probably meant, where this one was refused for want of evidence.
    #[must_use]
    pub fn proposal(&self) -> Option<Proposal> {
        let margin = self.margin().filter(|_| !self.by_needle && !self.edit.replace_all)?;
        let query = self.query();
        margin.propose(&query, self.edit.replacement).or_else(|| {
            // What lands but for the caller's own bound is as good a proposal.
            let landing = margin.land(&query, self.edit.replacement, false).ok()?;
            let [Splice { span, text }] = &landing.splices[..] else { return None };
            let needle = span.text(query.haystack());
            let stands_once = query.occurrences(needle).take(2).count() == 1;
            stands_once.then(|| Proposal { needle: needle.to_owned(), replacement: text.clone() })
        })
    }

    /// Lists the places that an ambiguous failure of this attempt is about.
    #[must_use]
    pub fn places(&self, failure: &Failure) -> Places {
        let query = self.query();
        let mut places = self.pipeline.places(&query, failure);
        // Places may compete that no strategy would propose by the needle alone.
        if let (Some(margin), Failure::Ambiguous { .. }) = (self.margin(), failure)
            && places.count < 2
        {
            let spans = margin.rivals(&query, self.edit.replacement);
            places = Places { count: spans.len(), spans };
        }
        places.spans.sort_unstable();
        for span in &mut places.spans {
            *span = self.in_file(*span);
        }
        places
    }

    /// Returns the lines that come nearest to the needle, for a report about one that was not found.
    ///
    /// Takes about a tenth of a second at the most and looks at no deadline. An empty document has no such lines, and
    /// nothing comes near an empty needle.
    #[must_use]
    pub fn nearest(&self) -> Option<Nearest> {
        let query = self.query();
        let judged = self.judged(&query).map(|candidate| (candidate.span, candidate.similarity));
        let (span, similarity) = judged.or_else(|| nearest::nearest(&query))?;
        let span = self.in_file(span);
        Some(Nearest { span, lines: LineRange::of(self.document.text(), span), similarity })
    }

    /// Lays the needle beside the lines of the file that it means, or comes nearest to, under a ladder that aligns
    /// them. The other ladders have no such answer, nor is there one for an empty needle or an empty document.
    #[must_use]
    pub fn side_by_side(&self) -> Option<SideBySide> {
        let margin = self.margin()?;
        let query = self.query();
        let replacement = if self.by_needle { query.needle() } else { self.edit.replacement };
        let (at, lands) = match self.land() {
            Ok((landing, _)) => (landing.found.span, landing.splices.into_iter().next()),
            Err(Failure::EmptyNeedle | Failure::Deadline) => return None,
            Err(Failure::AlreadyApplied { span } | Failure::Ambiguous { span, .. }) => (span, None),
            Err(_) => {
                let judged = self.judged(&query).map(|candidate| candidate.span);
                let at = judged.or_else(|| nearest::nearest(&query).map(|(span, _)| span))?;
                let proposed = self.proposal().and_then(|Proposal { needle, replacement }| {
                    let start = query.occurrences(&needle).next()?;
                    Some(Splice { span: Span::new(start, start + needle.len()), text: replacement })
                });
                (at, proposed)
            }
        };
        let lands = lands.filter(|_| !self.by_needle);
        Some(margin.side_by_side(&query, replacement, at, lands.as_ref()))
    }

    /// Says of every strategy of the ladder what it proposes and why it was or was not taken.
    #[must_use]
    pub fn explain(&self) -> Vec<Explanation> {
        let mut explanations = self.pipeline.explain(&self.query(), self.edit.replace_all);
        if self.margin().is_some() && (self.edit.replace_all || !self.by_needle) {
            match self.land() {
                Ok((landing, _)) => judge_by_match(&mut explanations, landing.found),
                Err(failure) => judge_by_failure(&mut explanations, failure),
            }
        }
        for candidate in explanations.iter_mut().flat_map(|explanation| &mut explanation.candidates) {
            candidate.span = self.in_file(candidate.span);
        }
        explanations
    }

    /// Returns the place that such a policy judged.
    fn judged(&self, query: &Query<'_>) -> Option<Candidate> {
        let replacement = if self.by_needle { "" } else { self.edit.replacement };
        self.margin()?.judged(query, replacement)
    }
}

/// Rewrites what a walk by the needle alone made of a query as what became of it with the replacement.
fn judge_by_match(explanations: &mut [Explanation], found: Match) {
    let mut taken = false;
    for explanation in explanations {
        let is_taken = explanation.strategy == found.strategy;
        if is_taken && explanation.candidates.is_empty() {
            explanation.candidates.push(Candidate::new(found.span, found.similarity));
        }
        explanation.verdict = match explanation.candidates.is_empty() {
            _ if is_taken => Verdict::Taken(found),
            true => Verdict::Nothing,
            false if taken => Verdict::NotReached,
            false => Verdict::PassedOver,
        };
        taken |= is_taken;
    }
}

/// The same for a failure, which the strategy is said to have ended that it names, else the last one with a candidate.
fn judge_by_failure(explanations: &mut [Explanation], failure: Failure) {
    let proposes = |explanation: &Explanation| !explanation.candidates.is_empty();
    let named = match failure {
        Failure::Ambiguous { strategy, .. } => explanations.iter().position(|known| known.strategy == strategy),
        _ => None,
    };
    let ended_by = named.or_else(|| explanations.iter().rposition(proposes));
    for (index, explanation) in explanations.iter_mut().enumerate() {
        explanation.verdict = match ended_by {
            _ if !proposes(explanation) => Verdict::Nothing,
            Some(ended_by) if index == ended_by => Verdict::Ended(failure),
            Some(ended_by) if index > ended_by => Verdict::NotReached,
            _ => Verdict::PassedOver,
        };
    }
}
