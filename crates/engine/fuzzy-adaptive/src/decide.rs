//! Decides about the place that a search found: a landing, an edit already applied, or a refusal.

use std::ops::Range;

use fuzzy_core::distance::{self, utf16_distance};
use fuzzy_core::{Failure, Query, Question, Span, Splice};
use fuzzy_locate::{Located, Needle, Place, Search, TIE, Variant, alignment_time, main_part, strictness};
use fuzzy_merge::{Finding, LeftOut, Merged, Refusal, Run, key, merge_while};

use crate::already_applied::{self, Applied};
use crate::audit::broken_law;
use crate::blocks::LinePair;
use crate::decision::{ConflictingMerge, Decision, NAME, ambiguous, splice};
use crate::mechanisms::{MAIN_PART, STRICTER_PLACE};
use crate::repairs::repairs;
use crate::rules::{
    self, commented_out, elided_old_text, line_elsewhere, mixed_escapes, no_change, not_found, not_mergeable,
    other_block, other_name, overlapping_places, several_places, top_level, torn_word,
};
use crate::score::{Model, Score};
use crate::siblings::Names;

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

/// The best place, and its lead.
struct Ranking<'f> {
    best: &'f Place,
    /// Whether a stricter equality or the caller's line decided between equal places.
    tie_broken: bool,
    /// The score of the next place, 0 if there is none; none if that is no rival.
    rival: Option<f32>,
    /// The number of other places that explain the needle equally well.
    ties: usize,
}

impl<'s> PlaceDecider<'s, '_> {
    /// Decides about the place without a replacement: it must be the only candidate.
    pub(crate) fn decide_without_replacement(self, located: &'s Located) -> Decision {
        let found = self.result(located);
        let ranking = self.rank(&found);
        let proposed = self.search.proposed(located);
        let at = self.search.span(ranking.best);
        let (at, score) = match proposed[..] {
            // A line ends before its `\n` or `\r\n`.
            [_, ..] if ranking.tie_broken => {
                let ending = usize::from(self.query.haystack()[at.clone()].ends_with('\r'));
                (at.start..at.end - ending, ranking.best.score)
            }
            [place] => (place.span.range(), located.best.score),
            _ => {
                let (rule, failure) = match proposed.len() {
                    0 => (&not_found::RULE, Failure::NotFound),
                    _ => (&several_places::RULE, ambiguous(&at)),
                };
                return Decision::refused(rule, failure, Some((at, ranking.best.similarity)));
            }
        };
        let score = score.clamp(0.0, 1.0);
        Decision::Found { strategy: NAME, at, similarity: score, confidence: score }
    }

    /// Returns the search's result with the place nearest to the caller's line, or at the line number pasted with the
    /// needle, as the best one, without its equals; none if the line does not choose.
    pub(crate) fn choose_by_line(self, located: &'s Located, question: &Question<'_>) -> Option<Located> {
        let pasted = self.search.pasted_line(located.variant);
        question.line.or(pasted)?;
        let ranking = self.rank(&self.result(located));
        if ranking.ties == 0 {
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

    /// Returns whether the query's limits allow an alignment of this many lines. If not, the decision is ignored.
    fn may_align(self, ours: usize, theirs: usize) -> bool {
        self.query.may_take(alignment_time(ours, theirs)).is_continue()
    }

    /// Merges the replacement with a place, within the query's limits.
    fn merge(self, at: Range<usize>, needle: &str, replacement: &str) -> Result<Merged, Refusal> {
        let haystack = self.query.haystack();
        if !self.may_align(line_count(needle) + line_count(replacement), line_count(&haystack[at.clone()])) {
            return Err(Refusal::Region);
        }
        let run = Run { is_needed: &|| !self.query.is_over(), left_out: self.left_out };
        merge_while(haystack, at, needle, replacement, run)
    }

    /// Decides about the found place; first checks whether the edit is already applied.
    pub(crate) fn decide(self, located: &'s Located) -> Decision {
        let found = &self.result(located);
        // The other places matter only if the edit is applied here.
        let applied = self.applied_at(found, &located.best).filter(|_| !self.is_pending_elsewhere(found));
        let Some(Applied { span, has_blanks }) = applied else { return self.decide_by_score(found) };
        if has_blanks {
            return Decision::AlreadyApplied { span };
        }
        let decision = self.decide_by_score(found);
        match &decision {
            Decision::Lands { splices, .. } if self.is_respelling(splices) => decision,
            // The edit may be for another of the equal places.
            Decision::Refused { failure: Failure::Ambiguous { .. }, other_place: None, .. } => decision,
            _ => Decision::AlreadyApplied { span },
        }
    }

    /// Returns whether the splices change only letter case, quotes and blanks.
    fn is_respelling(self, splices: &[Splice]) -> bool {
        let haystack = self.query.haystack();
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
        let ranking = self.rank(found);
        let main = || main_part(self.query, &self.search.index, &found.needle, ranking.best);
        match self.left_out.found(&MAIN_PART, main) {
            Some(place) => self.decide_place(found, &ranking, &place),
            None => self.decide_place(found, &ranking, ranking.best),
        }
    }

    /// Decides about a place, the best one or its main part.
    fn decide_place(self, found: &SearchResult<'_>, ranking: &Ranking<'_>, place: &Place) -> Decision {
        let span = self.search.span(place);
        let best_place = Some((span.clone(), place.similarity));
        let not_certain = || Failure::Refused(fuzzy_core::Refusal::Uncertain);
        let uncertain = |rule| Decision::refused(rule, not_certain(), best_place.clone());
        let Some((needle, replacement)) = self.search.unescaped(found.variant, &found.needle, place) else {
            return uncertain(&mixed_escapes::RULE);
        };
        if let Some(elision) = elided_old_text::check(&found.needle, &replacement)
            && let Some(rule) = self.left_out.keep(&elided_old_text::RULE)
        {
            return uncertain(rule).about("", elision);
        }
        let merged = match self.merge(span.clone(), &needle, &replacement) {
            Ok(merged) => merged,
            Err(refusal) => return uncertain(rules::of_refusal(refusal)),
        };
        let haystack = self.query.haystack();
        let repairs = repairs(self.search, found.variant, &found.needle, place, &merged);
        let mut score = Score::new(&found.needle, place, ranking.rival, &merged, repairs, self.left_out);
        let mut refusal = score.refusal((ranking.ties > 0).then(|| ambiguous(&span)));
        let (mut apart, mut about) = (None, None);
        // A sibling explains any other doubt.
        if ranking.ties == 0
            && let Some((finding, lines)) = self.sibling(&found.needle, place, &changed(haystack, &merged))
        {
            (score.ruled_out, apart) = (Some(finding.rule), lines);
            about = Some(finding.into());
            refusal = score.refusal(apart.map(|_| ambiguous(&span)));
        }
        let other_place = apart.map(|lines| self.search.index.lines[lines.theirs]).map(|line| line.start..line.end);
        let apart = apart.map_or_else(Vec::new, |apart| self.numbered(&found.needle, place, apart));
        let is_conflict = matches!(refusal, Some((_, Failure::Refused(fuzzy_core::Refusal::Conflict { .. }))));
        let conflict = is_conflict.then(|| ConflictingMerge {
            region: span,
            needle: needle.clone(),
            replacement: replacement.clone(),
            has_other_evidence: !score.is_single_line,
        });
        if haystack[merged.span.clone()] == merged.text {
            return match refusal {
                // Else the file lacks the text that the edit changes.
                None if self.is_nearer(&merged.text, &replacement, &needle) => {
                    Decision::AlreadyApplied { span: merged.span }
                }
                None => uncertain(&no_change::RULE),
                Some((rule, failure)) => {
                    let (score, finding) = (None, about);
                    Decision::Refused { rule, failure, best_place, other_place, apart, finding, score, conflict }
                }
            };
        }
        if self.query.is_over() {
            return uncertain(&not_mergeable::RULE);
        }
        if let Some((rule, failure)) = refusal {
            score.breaks_law = score.is_worth_proposing()
                && broken_law(haystack, &needle, &replacement, &merged, self.left_out).is_some();
            let score = Some((splice(merged), score));
            let finding = about;
            return Decision::Refused { rule, failure, best_place, other_place, apart, finding, score, conflict };
        }
        let Some(finding) = broken_law(haystack, &needle, &replacement, &merged, self.left_out) else {
            return Decision::merged(merged, place.similarity, score.confidence(), Some(score));
        };
        let rule = finding.rule;
        score.ruled_out = Some(rule);
        let (score, finding) = (Some((splice(merged), score)), Some(finding.into()));
        Decision::Refused { rule, failure: not_certain(), best_place, other_place, apart, finding, score, conflict }
    }

    /// Returns the finding that a place is a sibling of the intended one, and a line that is apart from the place, if the
    /// rule knows one. `changed` are the bytes that the edit changes.
    fn sibling(
        self,
        needle: &Needle<'_>,
        place: &Place,
        changed: &Range<usize>,
    ) -> Option<(Finding, Option<LinePair>)> {
        let search = self.search;
        let text = |lines: LinePair| [search.index.line(lines.theirs), needle.lines[lines.ours].text].map(str::trim);
        let differing = |rule, lines: Option<LinePair>| {
            let [file, old] = text(lines?);
            Some((Finding::about(self.left_out.keep(rule)?, file, old), None))
        };
        let apart = |rule, lines: Option<LinePair>| {
            let [file, old] = text(lines?);
            Some((Finding::about(self.left_out.keep(rule)?, file, old), lines))
        };
        let renamed = || {
            let Names { ours, theirs } = other_name::check(search, needle, place)?;
            Some((Finding::about(self.left_out.keep(&other_name::RULE)?, theirs, ours), None))
        };
        differing(&torn_word::RULE, torn_word::check(search, needle, place))
            .or_else(|| differing(&commented_out::RULE, commented_out::check(search, needle, place, changed)))
            .or_else(|| apart(&line_elsewhere::RULE, line_elsewhere::check(search, needle, place)))
            .or_else(|| apart(&other_block::RULE, other_block::check(search, needle, place, changed)))
            .or_else(renamed)
            .or_else(|| differing(&top_level::RULE, top_level::check(search, needle, place)))
    }

    /// Returns the numbers of a line that is apart from the place in needle and file, and those of a line of the place.
    fn numbered(self, needle: &Needle<'_>, place: &Place, apart: LinePair) -> Vec<(usize, usize)> {
        let beside = place.pairs.iter().filter(|pair| pair.left.start != apart.ours && pair.similarity >= 1.0);
        let beside = beside.min_by_key(|pair| pair.left.start.abs_diff(apart.ours));
        let beside = beside.map(|pair| LinePair { ours: pair.left.start, theirs: pair.right.start });
        let mut pairs: Vec<LinePair> = [apart].into_iter().chain(beside).collect();
        pairs.sort_unstable_by_key(|pair| pair.ours);
        let lines = || self.query.needle().lines().enumerate();
        let number = |at: usize| {
            // Another variant may lack lines of the needle.
            let mut same = lines().skip(at).filter(|(_, line)| line.trim() == needle.lines[at].text.trim());
            Some(same.next()?.0 + 1)
        };
        let line_at = |at: usize| self.query.document().lines().index_of(self.search.index.lines[at].start) + 1;
        pairs.into_iter().filter_map(|pair| Some((number(pair.ours)?, line_at(pair.theirs)))).collect()
    }

    /// Returns whether a text is nearer to one text than to another; false if the limits do not allow the comparison.
    fn is_nearer(self, text: &str, this: &str, other: &str) -> bool {
        let steps = distance::cost(text.len(), this.len()) + distance::cost(text.len(), other.len());
        self.query.may_take(distance::time(steps)).is_continue()
            && utf16_distance(text, this) < utf16_distance(text, other)
    }

    /// Compares the best place with its rivals. Of equal places, the only one with a stricter equality is the best.
    fn rank<'f>(self, found: &SearchResult<'f>) -> Ranking<'f> {
        let mut best = &found.located.best;
        let mut rivals: Vec<&Place> = found.located.rivals.iter().collect();
        let mut tie_broken = false;
        let index = &self.search.index;
        let equal_rivals = rivals.iter().copied().filter(|rival| rival.score >= best.score - TIE);
        let equals: Vec<(u8, &Place)> = [best]
            .into_iter()
            .chain(equal_rivals)
            .map(|place| (strictness(index, &found.needle, place), place))
            .collect();
        let stricter = equals.iter().copied().max_by_key(|(level, _)| *level).filter(|_| equals.len() > 1);
        if let Some((level, place)) = stricter
            && self.left_out.uses(&STRICTER_PLACE)
            && equals.iter().filter(|(other, _)| *other == level).count() == 1
        {
            rivals.retain(|other| !std::ptr::eq(*other, place));
            (best, tie_broken) = (place, true);
        }
        let ties = rivals.iter().filter(|rival| rival.score >= best.score - TIE).count();
        tie_broken |= self.is_chosen;
        let rival = (!tie_broken).then(|| rivals.first().map_or(0.0, |rival| rival.score));
        Ranking { best, tie_broken, rival, ties }
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
                let span = self.search.index.lines[first].start..self.search.index.lines[last].end;
                let (needle, replacement) = (&variant.needle, &variant.replacement);
                let merged = match self.merge(span.clone(), needle, replacement) {
                    Ok(merged) => merged,
                    Err(refusal) => return Decision::uncertain(rules::of_refusal(refusal)),
                };
                // Neighbours share the blank lines between them: cut those off the later one.
                let from = splices.last().map_or(0, |splice| splice.span.end());
                let overlap = (merged.span.start < from).then_some(&overlapping_places::RULE);
                let found = || Some(merged.findings.first()?.rule);
                let broken = || broken_law(self.query.haystack(), needle, replacement, &merged, self.left_out);
                let broken = || broken().map(|finding| finding.rule);
                if let Some(rule) = overlap.or_else(found).or_else(broken) {
                    return Decision::uncertain(rule);
                }
                splices.push(splice(merged));
            }
            return Decision::aligned(splices, 1.0, Model::FITTED.text_accuracy(&[]), None);
        }
        Decision::not_found()
    }
}

/// Returns the number of lines of a text.
pub(crate) fn line_count(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1
}

/// Returns the bytes of the file from the first to the last that a merge changes.
fn changed(haystack: &str, merged: &Merged) -> Range<usize> {
    let (old, new) = (&haystack.as_bytes()[merged.span.clone()], merged.text.as_bytes());
    let same = |(a, b): &(&u8, &u8)| a == b;
    let start = old.iter().zip(new).take_while(same).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(same).count();
    merged.span.start + start..merged.span.end - end
}
