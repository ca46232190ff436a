//! Decides about the place that a search found: a landing, an edit already applied, or a refusal.

use std::ops::Range;

use fuzzy_core::{Query, Question, Span, Splice};
use fuzzy_locate::{Located, Needle, Place, Search, TIE, Variant, main_part};
use fuzzy_merge::{LeftOut, key};

use crate::already_applied::{self, Applied};
use crate::decision::{Decision, NAME, ambiguous, splice};
use crate::mechanisms::MAIN_PART;
use crate::rules::{elided_old_text, mixed_escapes, overlapping_places, several_places};
use crate::score::Model;
use crate::target::{Alignment, Evidence, Target};

/// Decides from a search's results.
#[derive(Clone, Copy)]
pub(crate) struct PlaceDecider<'s, 't> {
    pub(crate) query: &'s Query<'t>,
    pub(crate) search: &'s Search<'t>,
    /// Whether the caller's line chose the place between equal ones.
    pub(crate) is_chosen: bool,
    pub(crate) left_out: LeftOut,
}

/// A search's result, with its variant.
struct SearchResult<'s> {
    located: &'s Located,
    variant: &'s Variant<'s>,
    needle: Needle<'s>,
}

/// The lead of the best place.
struct Ranking {
    /// The score of the next place, 0 if there is none; none if that is no rival.
    rival: Option<f32>,
    /// The number of other places that explain the needle equally well.
    ties: usize,
}

impl<'s, 't> PlaceDecider<'s, 't> {
    /// Decides about the place without a replacement: it must be the only candidate.
    pub(crate) fn decide_without_replacement(self, located: &'s Located) -> Decision {
        let best = &located.best;
        let proposed = self.search.proposed(located);
        let at = self.search.span(best);
        let (at, score) = match proposed[..] {
            // A line ends before its `\n` or `\r\n`.
            [_, ..] if self.is_chosen => {
                let ending = usize::from(self.query.text()[at.clone()].ends_with('\r'));
                (at.start..at.end - ending, best.score)
            }
            [place] => (place.span.range(), best.score),
            [] => return Decision::not_found().at(&at, best.similarity),
            _ => {
                let several = Decision::refused(&several_places::RULE, ambiguous(&at));
                return several.at(&at, best.similarity);
            }
        };
        Decision::found(self.query.text(), NAME, at, score.clamp(0.0, 1.0))
    }

    /// Returns the search's result with the place nearest to the caller's line, or at the line number pasted with the
    /// needle, as the best one, without its equals; none if the line does not choose.
    pub(crate) fn choose_by_line(self, located: &'s Located, question: &Question<'_>) -> Option<Located> {
        let pasted = self.search.pasted_line(located.variant);
        question.line.or(pasted)?;
        if self.rank(located).ties == 0 {
            return None;
        }
        let equals = self.search.within(located, TIE);
        let spans = equals.iter().map(|place| self.search.span(place));
        let mut spans = spans.map(|at| Span::new(at.start, at.end));
        let is_at = |span: &Span| Some(self.query.document().lines().index_of(span.start()) + 1) == pasted;
        // A pasted number is the line, or the line has moved.
        let nearest = if question.line.is_some() { question.nearest_to_line(spans) } else { spans.find(is_at) }?;
        let best = equals.into_iter().find(|place| self.search.span(place) == nearest.range())?;
        let tie = located.best.score.min(best.score) - TIE;
        let rivals = located.rivals.iter().filter(|rival| rival.score < tie).cloned().collect();
        Some(Located { variant: located.variant, best, rivals })
    }

    /// Returns the search's result with its variant.
    fn result(self, located: &'s Located) -> SearchResult<'s> {
        let variant = &self.search.variants[located.variant];
        SearchResult { located, variant, needle: self.search.needle(located.variant) }
    }

    /// Decides about the found place; first checks whether the edit is already applied.
    pub(crate) fn decide(self, located: &'s Located) -> Decision {
        let found = &self.result(located);
        // The other places matter only if the edit is applied here.
        let applied = self.applied_at(found, &located.best).filter(|_| !self.is_pending_elsewhere(found));
        let Some(Applied { span, has_blanks }) = applied else { return self.decide_by_score(found) };
        if has_blanks {
            return Decision::already_applied(&span);
        }
        let decision = self.decide_by_score(found);
        let is_respelling = decision.splices.as_ref().is_some_and(|splices| self.is_respelling(splices));
        // The edit may be for another of the equal places.
        let is_elsewhere = decision.is_ambiguous() && decision.other_place.is_none();
        if is_respelling || is_elsewhere { decision } else { Decision::already_applied(&span) }
    }

    /// Returns whether the splices change only letter case, quotes and blanks.
    fn is_respelling(self, splices: &[Splice]) -> bool {
        let haystack = self.query.text();
        splices.iter().all(|splice| key(&haystack[splice.span.range()]) == key(&splice.text))
    }

    /// Returns whether the edit is not yet applied at an equally good place.
    fn is_pending_elsewhere(self, found: &SearchResult<'_>) -> bool {
        let located = found.located;
        let mut equals = located.rivals.iter().filter(|rival| rival.score >= located.best.score - TIE);
        equals.any(|rival| self.applied_at(found, rival).is_none())
    }

    /// Finds the new text at a place, if the edit is already applied there.
    fn applied_at(self, found: &SearchResult<'_>, place: &Place) -> Option<Applied> {
        let (old, new) = self.search.unescaped(found.variant, &found.needle, place)?;
        already_applied::at_place(self.search, &found.needle, place, [&old, &new])
    }

    /// Decides about the best place by its score. Leaves out lines far from the rest of the place: they may occur there
    /// by accident.
    fn decide_by_score(self, found: &SearchResult<'_>) -> Decision {
        let (ranking, best) = (self.rank(found.located), &found.located.best);
        let main = || main_part(self.query, &self.search.index, &found.needle, best);
        match self.left_out.found(&MAIN_PART, main) {
            Some(place) => self.decide_place(found, &ranking, &place),
            None => self.decide_place(found, &ranking, best),
        }
    }

    /// Decides about a place, the best one or its main part.
    fn decide_place(self, found: &SearchResult<'_>, ranking: &Ranking, place: &Place) -> Decision {
        let at = self.search.span(place);
        let uncertain = |rule| Decision::uncertain(rule).at(&at, place.similarity);
        let Some((old, new)) = self.search.unescaped(found.variant, &found.needle, place) else {
            return uncertain(&mixed_escapes::RULE);
        };
        if let Some(elision) = elided_old_text::check(&found.needle, &new)
            && let Some(rule) = self.left_out.keep(&elided_old_text::RULE)
        {
            return uncertain(rule).about("", elision);
        }
        let alignment = Alignment {
            search: self.search,
            variant: found.variant,
            needle: &found.needle,
            place,
            rival: ranking.rival,
            is_tie: ranking.ties > 0,
        };
        self.target(at.clone(), &old, &new).decide(&Evidence::Aligned(alignment))
    }

    /// Returns the merge of two texts with a place.
    fn target<'a>(&'a self, at: Range<usize>, old: &'a str, new: &'a str) -> Target<'a, 't> {
        Target { query: self.query, left_out: self.left_out, at, old, new, is_past: false }
    }

    /// Compares the best place with its rivals.
    fn rank(self, Located { best, rivals, .. }: &Located) -> Ranking {
        let ties = rivals.iter().filter(|rival| rival.score >= best.score - TIE).count();
        let rival = (!self.is_chosen).then(|| rivals.first().map_or(0.0, |rival| rival.score));
        Ranking { rival, ties }
    }

    /// Replaces every place that equals the needle except for blanks, under the first variant with such places.
    pub(crate) fn replace_all(self) -> Decision {
        for number in 0..self.search.variants.len() {
            let (variant, lines) = (&self.search.variants[number], self.search.needle(number).lines);
            // Places do not overlap.
            let places: Vec<_> =
                self.search.equal_runs(&lines, 0..self.search.index.lines.len(), lines.len()).collect();
            if places.is_empty() {
                continue;
            }
            if variant.is_mixed {
                return Decision::uncertain(&mixed_escapes::RULE);
            }
            let mut splices: Vec<Splice> = Vec::new();
            for (first, last) in places {
                let at = self.search.index.lines[first].start..self.search.index.lines[last].end;
                let target = self.target(at, &variant.needle, &variant.replacement);
                let merged = match target.merged() {
                    Ok(merged) => merged,
                    Err(rule) => return Decision::uncertain(rule),
                };
                // Neighbours share the blank lines between them: cut those off the later one.
                let from = splices.last().map_or(0, |splice| splice.span.end());
                let overlap = (merged.span.start < from).then_some(&overlapping_places::RULE);
                let found = || Some(merged.findings.first()?.rule);
                let broken = || target.broken_law(&merged, &[]).map(|finding| finding.rule);
                if let Some(rule) = overlap.or_else(found).or_else(broken) {
                    return Decision::uncertain(rule);
                }
                splices.push(splice(merged));
            }
            let certainty = [1.0, Model::FITTED.text_accuracy(&[])];
            return Decision::lands(self.query.text(), NAME, splices, certainty);
        }
        Decision::not_found()
    }
}
