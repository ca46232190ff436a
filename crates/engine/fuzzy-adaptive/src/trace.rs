//! The trace of a decision, for reports.

use std::cell::OnceCell;

use fuzzy_core::report::{Explanation, Places, Reason, ScoreBreakdown, SideBySide, Verdict};
use fuzzy_core::{
    Candidate, Failure, Match, Query, Question, Refusal, Similarity, Span, Splice, Strategy, Trace, line_end,
    line_start,
};
use fuzzy_locate::{Located, NearLines, Search, TokenNeedle};
use fuzzy_merge::{Finding, Kind, Rule};

use crate::blocks::Lines;
use crate::decision::{Decision, EXACT, NAME, candidate, whole_lines};
use crate::explain;

/// The most that a rival's score may lie below the best one's for a report to list it.
const MAX_REPORTED_LAG: f32 = 0.12;

/// The least lead of the lines that resemble the needle most over the refused place, as a share of the needle, if some
/// are in that place.
const MIN_LEAD: f32 = 0.05;

/// The same for lines outside of that place: it has lines of the needle that no others have.
const MIN_OUTER_LEAD: f32 = 0.2;

/// The least similarity of such lines: less similar ones share only common words with the needle.
const MIN_RESEMBLANCE: f32 = 0.3;

/// The kept results of a decision.
#[derive(Debug)]
pub(crate) struct AdaptiveTrace<'q> {
    pub(crate) strategies: &'q [&'static dyn Strategy],
    pub(crate) state: SearchState<'q>,
    pub(crate) decision: Decision,
    /// The lines that resemble the needle more than the refused place does, if a report asked for them.
    pub(crate) resembling: OnceCell<Option<Candidate>>,
}

/// The intermediate results of a decision.
#[derive(Debug, Default)]
pub(crate) struct SearchState<'q> {
    /// The search of the whole haystack, if there was one.
    pub(crate) search: Option<Search<'q>>,
    /// Its result, if it looked for one place.
    pub(crate) located: OnceCell<Option<Located>>,
    /// The same, after the caller's line chose between equal places.
    pub(crate) chosen: OnceCell<Option<Located>>,
}

impl AdaptiveTrace<'_> {
    /// Returns the search and its result.
    fn located(&self, query: &Query<'_>) -> Option<(&Search<'_>, &Located)> {
        let search = self.state.search.as_ref()?;
        Some((search, self.state.located.get_or_init(|| search.locate(query)).as_ref()?))
    }

    /// Returns the lines that resemble the needle clearly more than the refused place does.
    fn resembling(&self, query: &Query<'_>) -> Option<Candidate> {
        let is_open = matches!(
            self.decision.found,
            Err(Failure::NotFound
                | Failure::Refused(Refusal::Uncertain | Refusal::TooDifferent)
                | Failure::Ambiguous { strategy: NAME, .. })
        );
        let has_gaps = |rule: &Rule| matches!(rule.kind, Kind::InsertionPoint | Kind::ForgottenLines);
        let has_gaps = self.decision.rule.is_some_and(has_gaps);
        *self.resembling.get_or_init(|| {
            let search = self.state.search.as_ref().filter(|_| is_open)?;
            let located = self.state.located.get_or_init(|| search.locate(query)).as_ref();
            let needle = search.needle(located.map_or(0, |located| located.variant));
            let tokens = TokenNeedle::new(query, &search.index, &needle);
            let line_of = |at: usize| search.index.lines.partition_point(|line| line.end < at);
            let place =
                self.decision.best_place.map(|place| line_of(place.span.start())..line_of(place.span.end()) + 1);
            // Lines that the needle lacks are in the place, if they do not leave its block.
            if needle.elided || (has_gaps && !place.clone().is_some_and(|place| search.index.leaves_block(place))) {
                return None;
            }
            let NearLines { lines, score, similarity } = tokens.nearest()?;
            if similarity < MIN_RESEMBLANCE {
                return None;
            }
            let known = place.as_ref().map_or(0.0, |place| tokens.score_of(place));
            let is_inside = place.is_some_and(|place| place.start < lines.end && lines.start < place.end);
            let lead = if is_inside { MIN_LEAD } else { MIN_OUTER_LEAD };
            let span = search.index.lines[lines.start].start..search.index.lines[lines.end - 1].end;
            (score > known + lead).then(|| candidate(&span, similarity))
        })
    }

    /// Returns a strategy's candidates; does not repeat the search.
    fn proposed(&self, strategy: &dyn Strategy, query: &Query<'_>) -> Explanation {
        match (self.state.located.get(), &self.state.search) {
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
        match self.decision.found {
            Err(Failure::AlreadyApplied { .. } | Failure::Deadline) => Vec::new(),
            // The rule decides about the best place of all rungs, so a refusal belongs to no single rung.
            _ => self.strategies.iter().map(|strategy| strategy.name()).collect(),
        }
    }

    fn explain(&self, question: &Question<'_>) -> Vec<Explanation> {
        let mut explanations: Vec<_> =
            self.strategies.iter().map(|strategy| self.proposed(*strategy, &question.query)).collect();
        match &self.decision.found {
            Ok(found) => set_verdicts_by_match(&mut explanations, *found),
            Err(failure) => set_verdicts_by_failure(&mut explanations, failure),
        }
        for explanation in &mut explanations {
            explanation.why = match &explanation.verdict {
                Verdict::Taken(_) if question.replace_all => "all its places are replaced".to_owned(),
                verdict => verdict.why(),
            };
        }
        explanations
    }

    fn places(&self, question: &Question<'_>) -> Places {
        if matches!(self.decision.found, Err(Failure::Ambiguous { strategy: EXACT, .. })) {
            return self.decision.places.clone();
        }
        if let (Some(best), Some(other)) = (self.decision.best_place, self.decision.other_place) {
            return [other, best.span].into_iter().collect();
        }
        let Some((search, located)) = self.located(&question.query) else { return Places::default() };
        let proposed: Places = search.proposed(located).into_iter().map(|place| place.span).collect();
        if proposed.count >= 2 {
            return proposed;
        }
        // Rivals may include places that no strategy proposes from the needle alone.
        let rivals = search.within(located, MAX_REPORTED_LAG);
        let spans = rivals.iter().map(|place| whole_lines(question.query.text(), search.span(place)));
        spans.map(|at| Span::new(at.start, at.end)).collect()
    }

    fn best_place(&self, question: &Question<'_>) -> Option<Candidate> {
        let query = &question.query;
        if let Some(resembling) = self.resembling(query) {
            return Some(resembling);
        }
        if let Some(best_place) = self.decision.best_place {
            return Some(best_place);
        }
        if let Err(Failure::Ambiguous { strategy: EXACT, span }) = self.decision.found {
            let needle = query.old();
            let end = span.end() - usize::from(needle.len() > 1 && needle.ends_with('\n'));
            let lines = Span::new(line_start(query.text(), span.start()), line_end(query.text(), end));
            return Some(Candidate::new(lines, Similarity::ONE));
        }
        // With `replace_all` the decision has no best place.
        let (search, located) = self.located(query).filter(|_| question.replace_all)?;
        Some(candidate(&search.span(&located.best), located.best.similarity))
    }

    fn proposal(&self, question: &Question<'_>) -> Option<&Splice> {
        self.decision.proposal.as_ref().filter(|_| self.resembling(&question.query).is_none())
    }

    fn rule(&self) -> Option<&'static str> {
        self.decision.rule.map(|rule| rule.name)
    }

    fn reason(&self, question: &Question<'_>) -> Option<Reason<'_>> {
        let rule = self.decision.rule?;
        let merged = self.decision.score.iter().flat_map(|(_, score)| &score.findings);
        let about = self.decision.finding.as_deref().into_iter().chain(merged).find(|finding| finding.rule == rule);
        let texts = about.map(|Finding { file, old, new, merged, .. }| [file, old, new, merged].map(String::as_str));
        let [file, old, new, merged] = texts.unwrap_or_default();
        let new = (rule.kind != Kind::Place).then_some(new);
        let is_elsewhere = self.resembling(&question.query).is_some();
        Some(Reason { why: rule.why, file, old, new, merged, apart: &self.decision.apart, is_elsewhere })
    }

    fn score(&self) -> Option<ScoreBreakdown> {
        let (splice, score) = self.decision.score.clone()?;
        Some(score.breakdown(splice))
    }

    fn aligns(&self) -> bool {
        true
    }

    fn side_by_side(&self, question: &Question<'_>, at: Span, lands: Option<&Splice>) -> Option<SideBySide> {
        let styled = self.decision.score.as_ref().map_or(&[][..], |(_, score)| &score.undone);
        let state = &self.state;
        let searched = (state.search.as_ref(), state.located.get().and_then(Option::as_ref));
        Some(explain::side_by_side(question, searched, at.range(), lands, styled))
    }
}

/// Sets the verdict on each strategy after a match.
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

/// Sets the verdict on each strategy after a failure. The failure's strategy ended the search, else the last one with a
/// candidate.
fn set_verdicts_by_failure(explanations: &mut [Explanation], failure: &Failure) {
    let named = match failure {
        Failure::Ambiguous { strategy, .. } => explanations.iter().position(|known| known.strategy == *strategy),
        _ => None,
    };
    let ended_by = named.or_else(|| explanations.iter().rposition(|known| !known.candidates.is_empty()));
    for (index, explanation) in explanations.iter_mut().enumerate() {
        explanation.verdict = match ended_by {
            _ if explanation.candidates.is_empty() => Verdict::Nothing,
            Some(ended_by) if index == ended_by => Verdict::Ended(failure.clone()),
            Some(ended_by) if index > ended_by => Verdict::NotReached,
            _ => Verdict::PassedOver,
        };
    }
}
