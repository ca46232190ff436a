//! What is kept of a decision, for reports.

use std::cell::OnceCell;

use fuzzy_alignment::{Located, Search};
use fuzzy_core::{
    Candidate, Conflict, Explanation, Failure, Match, Places, Query, Question, ScoreBreakdown, SideBySide, Similarity,
    Span, Splice, Strategy, Trace, Verdict, line_end, line_start,
};

use crate::conflict_report::ConflictReport;
use crate::decision::{ConflictingMerge, EXACT, NAME, whole_lines};
use crate::explain;
use crate::score::Score;

/// The most that a place's score is less than the best one's where it is shown beside it: of what is further away no
/// caller has to be warned.
const MAX_REPORTED_LAG: f32 = 0.12;

/// What was seen on the way to a decision, and what it came to.
#[derive(Debug)]
pub(crate) struct AdaptiveTrace<'q> {
    pub(crate) strategies: &'q [&'static dyn Strategy],
    pub(crate) found: Result<Match, Failure>,
    /// The places of a needle that occurs as it is, if they are several.
    pub(crate) exact: Places,
    /// The search of the whole haystack, if one was made.
    pub(crate) search: Option<Search<'q>>,
    /// The place that it found.
    pub(crate) located: OnceCell<Option<Located>>,
    /// The place that was judged.
    pub(crate) best_place: Option<Candidate>,
    /// What would land if the caller let it.
    pub(crate) proposal: Option<Splice>,
    /// What would land at the place that was judged, and how it was judged.
    pub(crate) score: Option<(Splice, Score)>,
    /// The merge that is in conflict, if the edit is refused for that.
    pub(crate) conflict: Option<ConflictingMerge>,
    /// What it is about.
    pub(crate) report: OnceCell<ConflictReport>,
}

impl AdaptiveTrace<'_> {
    /// Returns the search, and what it found.
    fn located(&self, query: &Query<'_>) -> Option<(&Search<'_>, &Located)> {
        let search = self.search.as_ref()?;
        Some((search, self.located.get_or_init(|| search.locate(query)).as_ref()?))
    }

    /// Returns what the conflict is about, if there is one.
    fn conflict_report(&self, query: &Query<'_>) -> Option<&ConflictReport> {
        let conflict = self.conflict.as_ref()?;
        Some(self.report.get_or_init(|| conflict.report(query.haystack())))
    }

    /// Returns what a strategy proposes; what the search found is not searched again.
    fn proposed(&self, strategy: &dyn Strategy, query: &Query<'_>) -> Explanation {
        match (self.located.get(), &self.search) {
            (Some(located), Some(search)) if strategy.name() == NAME => Explanation {
                strategy: NAME,
                candidates: located.as_ref().map_or_else(Vec::new, |located| search.proposed(located)),
                more: false,
                verdict: Verdict::Nothing,
                why: String::new(),
            },
            _ => Explanation::proposed(strategy, query),
        }
    }
}

impl Trace for AdaptiveTrace<'_> {
    fn tried(&self, _: &Question<'_>) -> Vec<&'static str> {
        match self.found {
            Err(Failure::AlreadyApplied { .. } | Failure::Deadline) => Vec::new(),
            // Of a rule that judges the best place of all, no rung is the one that was refused.
            _ => self.strategies.iter().map(|strategy| strategy.name()).collect(),
        }
    }

    fn explain(&self, question: &Question<'_>) -> Vec<Explanation> {
        let mut explanations: Vec<_> =
            self.strategies.iter().map(|strategy| self.proposed(*strategy, &question.query)).collect();
        match self.found {
            Ok(found) => set_verdicts_by_match(&mut explanations, found),
            Err(failure) => set_verdicts_by_failure(&mut explanations, failure),
        }
        for explanation in &mut explanations {
            explanation.why = match explanation.verdict {
                Verdict::Taken(_) if question.replace_all => "all its places are replaced".to_owned(),
                verdict => verdict.why(),
            };
        }
        explanations
    }

    fn places(&self, question: &Question<'_>) -> Places {
        if matches!(self.found, Err(Failure::Ambiguous { strategy: EXACT, .. })) {
            return self.exact.clone();
        }
        let Some((search, located)) = self.located(&question.query) else { return Places::default() };
        let proposed: Places = search.proposed(located).into_iter().map(|place| place.span).collect();
        if proposed.count >= 2 {
            return proposed;
        }
        // Places may compete that no strategy would propose by the needle alone.
        let rivals = search.within(located, MAX_REPORTED_LAG);
        let spans = rivals.iter().map(|place| whole_lines(question.query.haystack(), search.span(place)));
        spans.map(|at| Span::new(at.start, at.end)).collect()
    }

    fn best_place(&self, question: &Question<'_>) -> Option<Candidate> {
        let query = &question.query;
        if let Some(best_place) = self.best_place {
            return Some(best_place);
        }
        if let Err(Failure::Ambiguous { strategy: EXACT, span }) = self.found {
            let needle = query.needle();
            let end = span.end() - usize::from(needle.len() > 1 && needle.ends_with('\n'));
            let lines = Span::new(line_start(query.haystack(), span.start()), line_end(query.haystack(), end));
            return Some(Candidate::new(lines, Similarity::ONE));
        }
        // Where all places were asked for, none was judged.
        let (search, located) = self.located(query).filter(|_| question.replace_all)?;
        let at = search.span(&located.best);
        Some(Candidate::new(Span::new(at.start, at.end), fuzzy_alignment::similarity(located.best.similarity)))
    }

    fn proposal(&self, question: &Question<'_>) -> Option<&Splice> {
        self.proposal.as_ref().or_else(|| self.conflict_report(&question.query)?.proposal.as_ref())
    }

    fn conflicts(&self, question: &Question<'_>) -> Vec<Conflict> {
        self.conflict_report(&question.query).map_or_else(Vec::new, |report| report.conflicts.clone())
    }

    fn score(&self) -> Option<ScoreBreakdown> {
        let (splice, score) = self.score.clone()?;
        Some(score.breakdown(splice))
    }

    fn aligns(&self) -> bool {
        true
    }

    fn side_by_side(&self, question: &Question<'_>, at: Span, lands: Option<&Splice>) -> Option<SideBySide> {
        Some(explain::side_by_side(question, self.search.as_ref(), at.range(), lands))
    }
}

/// Says of every strategy what became of its candidates where one was taken.
fn set_verdicts_by_match(explanations: &mut [Explanation], found: Match) {
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
fn set_verdicts_by_failure(explanations: &mut [Explanation], failure: Failure) {
    let named = match failure {
        Failure::Ambiguous { strategy, .. } => explanations.iter().position(|known| known.strategy == strategy),
        _ => None,
    };
    let ended_by = named.or_else(|| explanations.iter().rposition(|known| !known.candidates.is_empty()));
    for (index, explanation) in explanations.iter_mut().enumerate() {
        explanation.verdict = match ended_by {
            _ if explanation.candidates.is_empty() => Verdict::Nothing,
            Some(ended_by) if index == ended_by => Verdict::Ended(failure),
            Some(ended_by) if index > ended_by => Verdict::NotReached,
            _ => Verdict::PassedOver,
        };
    }
}
