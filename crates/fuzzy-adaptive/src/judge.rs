//! Decides about the place that a search found: an edit, nothing left to do, or a refusal that helps.

use std::ops::Range;

use fuzzy_alignment::{
    Escape, Index, Located, Needle, Place, Reading, Search, TIE, escape_of, full_lines, gathered, strictness,
};
use fuzzy_audit::{Dress, Landing, audit};
use fuzzy_carry_over::{Carried, Doubt, carry_over, equal_but_blanks};
use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use memchr::memmem;

use crate::already_applied;
use crate::decision::{Decision, Nearest, Proposal, Reason, Splice};
use crate::margin;

/// Decides by what a search finds.
pub(crate) struct Judge<'t, 'r> {
    search: Search<'t, 'r>,
}

/// Holds the place that won, and how clearly.
struct Standing<'f> {
    best: &'f Place,
    /// Says how strictly it equals the needle.
    strict: u8,
    /// Tells whether only a stricter equality made it win.
    settled: bool,
    /// Gives the score of the next place.
    second: f32,
    /// Counts the places that explain the needle as well.
    ties: usize,
}

impl<'t, 'r> Judge<'t, 'r> {
    pub(crate) fn new(query: &'r Query<'t>, readings: &'r [Reading<'r>]) -> Self {
        Self { search: Search::new(query, readings) }
    }

    /// Decides by the lines that are indexed.
    pub(crate) fn of_lines(query: &'r Query<'t>, readings: &'r [Reading<'r>], index: Index<'t>) -> Self {
        Self { search: Search::of_lines(query, readings, index) }
    }

    pub(crate) fn decide(&self, replace_all: bool) -> Decision {
        if replace_all {
            return self.all();
        }
        match self.search.locate() {
            Some(found) => self.decide_at(&found),
            None => Decision::refused(Reason::NotFound),
        }
    }

    /// Decides about the only place that equals the first reading of the needle but for blanks: the
    /// lines indexed from `first` on.
    pub(crate) fn decide_equal(&self, first: usize) -> Decision {
        let reading = &self.search.readings[0];
        let needle = Needle::new(&full_lines(&reading.needle), &self.search.places);
        let best = Place::whole(first, first + needle.lines.len() - 1);
        self.decide_at(&Located { reading, needle, best, rivals: Vec::new() })
    }

    fn decide_at(&self, found: &Located<'_>) -> Decision {
        let applied = self.already(found);
        if let Some((span, true)) = applied {
            return Decision::AlreadyApplied { span };
        }
        match (self.judge(found), applied) {
            (Decision::Edit { .. }, Some((span, _))) => Decision::AlreadyApplied { span },
            (decision, _) => decision,
        }
    }

    /// Lists the places that are not clearly behind the best one, the best first.
    pub(crate) fn rivals(&self) -> Vec<Range<usize>> {
        let Some(found) = self.search.locate() else { return Vec::new() };
        self.search.within(&found, margin::CLEAR).iter().map(|place| self.search.span(place)).collect()
    }

    /// Finds the new text where the edit would land; tells whether it stands there whole.
    fn already(&self, found: &Located<'_>) -> Option<(Range<usize>, bool)> {
        let replacement = &found.reading.replacement;
        let new =
            already_applied::check(&self.search.index, &found.needle, &found.best, replacement, &self.search.places)?;
        Some((self.search.index.lines[new.first].start..self.search.index.lines[new.last].end, new.whole))
    }

    /// Decides about the place found. One that is torn apart is tried without the lines that stand far
    /// from the rest: they may stand there by accident.
    fn judge(&self, found: &Located<'_>) -> Decision {
        let standing = self.standing(found);
        let decision = self.judge_place(found, &standing, standing.best);
        if matches!(decision, Decision::Refused { .. })
            && let Some(place) = gathered(&self.search.index, &found.needle, standing.best)
            && let edit @ Decision::Edit { .. } = self.judge_place(found, &standing, &place)
        {
            return edit;
        }
        decision
    }

    fn judge_place(&self, found: &Located<'_>, standing: &Standing<'_>, place: &Place) -> Decision {
        let span = self.search.span(place);
        let nearest = Some(Nearest { span: span.clone(), similarity: place.similarity });
        let (needle, replacement) = self.unescaped(found, place);
        let Ok(carried) = carry_over(self.search.query.haystack(), span, &needle, &replacement) else {
            return Decision::Refused { reason: Reason::Guess, nearest, proposal: None };
        };
        let settled = (standing.settled, standing.strict);
        let features = margin::Features::new(&found.needle, place, &replacement, standing.second, settled, &carried);
        let verdict = margin::judge(&features, standing.ties);
        let changes = self.search.query.haystack()[carried.span.clone()] != carried.text;
        match verdict {
            margin::Verdict::Accept(_) if changes && !self.keeps_laws(&carried, &needle, &replacement) => {
                Decision::Refused { reason: Reason::Guess, nearest, proposal: None }
            }
            margin::Verdict::Accept(confidence) if changes => Decision::carried(carried, place.similarity, confidence),
            margin::Verdict::Accept(_) => Decision::AlreadyApplied { span: carried.span },
            margin::Verdict::Propose(reason) if changes => {
                Decision::Refused { reason, nearest, proposal: self.proposal(carried) }
            }
            margin::Verdict::Propose(reason) | margin::Verdict::Refuse(reason) => {
                Decision::Refused { reason, nearest, proposal: None }
            }
        }
    }

    /// Audits what would land; a needle that stands byte for byte was not merged, and is not audited.
    fn keeps_laws(&self, carried: &Carried, needle: &str, new: &str) -> bool {
        let place = &self.search.query.haystack()[carried.span.clone()];
        let landing = Landing { place, needle, new, result: &carried.text };
        place.contains(needle) || audit(&landing, Dress::between(place, needle)).is_ok()
    }

    /// Compares the best place with its rivals. Equals are told apart by a stricter equality that
    /// exactly one of them has, unless another has the needle's blank lines where that one has not.
    fn standing<'f>(&self, found: &'f Located<'_>) -> Standing<'f> {
        let strictness = |place: &Place| strictness(&self.search.index, &found.needle, place);
        let spaced = |place: &Place| self.has_blank_lines(found, place);
        let mut best = &found.best;
        let mut strict = strictness(best);
        let mut rivals: Vec<&Place> = found.rivals.iter().collect();
        let mut settled = false;
        let mut equals: Vec<(u8, &Place)> = vec![(strict, best)];
        let tie = best.score - TIE;
        equals.extend(rivals.iter().filter(|rival| rival.score >= tie).map(|&rival| (strictness(rival), rival)));
        let stricter = equals.iter().copied().max_by_key(|(level, _)| *level).filter(|_| equals.len() > 1);
        if let Some((level, place)) = stricter
            && equals.iter().filter(|(other, _)| *other == level).count() == 1
            && (spaced(place) || !equals.iter().any(|(other, rival)| *other > 0 && spaced(rival)))
        {
            rivals.retain(|other| !std::ptr::eq(*other, place));
            (best, strict, settled) = (place, level, true);
        }
        let ties = rivals.iter().filter(|rival| rival.score >= best.score - TIE).count();
        Standing { best, strict, settled, second: rivals.first().map_or(0.0, |rival| rival.score), ties }
    }

    /// Tells whether blank lines stand between the lines of a place as they do in the needle.
    fn has_blank_lines(&self, found: &Located<'_>, place: &Place) -> bool {
        let (first, last) = place.lines();
        let file = self.search.index.lines[first..last].windows(2).map(|lines| {
            let between = &self.search.query.haystack().as_bytes()[lines[0].end..lines[1].start];
            memchr::memchr_iter(b'\n', between).count() - 1
        });
        let mut blank = 0;
        let mut needle = Vec::with_capacity(last - first);
        for line in found.reading.needle.split('\n') {
            if line.chars().all(is_blank) {
                blank += 1;
            } else {
                needle.push(std::mem::take(&mut blank));
            }
        }
        needle.into_iter().skip(1).eq(file)
    }

    /// Undoes the class of escaping that the paired lines show.
    fn unescaped(&self, found: &Located<'_>, place: &Place) -> (String, String) {
        let pairs: Vec<(&str, &str)> = place
            .pairs
            .iter()
            .filter(|pair| pair.left.1 == 1 && pair.right.1 == 1)
            .map(|pair| (found.needle.lines[pair.left.0].text, self.search.index.line(pair.right.0)))
            .collect();
        let reading = found.reading;
        match escape_of(&pairs) {
            Some(escape) => {
                let (first, last) = place.lines();
                let file = &self.search.query.haystack()
                    [self.search.index.lines[first].start..self.search.index.lines[last - 1].end];
                let undo = |text: &str| Escape::undo(escape, text);
                let new = match escape.is_shared(file, &reading.needle, &reading.replacement) {
                    true => undo(&reading.replacement),
                    false => reading.replacement.clone().into_owned(),
                };
                (undo(&reading.needle), new)
            }
            None => (reading.needle.clone().into_owned(), reading.replacement.clone().into_owned()),
        }
    }

    /// Replaces at every place that equals the needle but for blanks, under the first reading that
    /// has any.
    fn all(&self) -> Decision {
        for reading in self.search.readings {
            let lines = full_lines(&reading.needle);
            // As where a text is replaced everywhere, the next place begins behind the one before.
            let places: Vec<_> = self.search.equal_runs(&lines, lines.len()).collect();
            if places.is_empty() {
                continue;
            }
            let mut splices: Vec<Splice> = Vec::new();
            for (first, last) in places {
                let span = self.search.index.lines[first].start..self.search.index.lines[last].end;
                let Ok(carried) = carry_over(self.search.query.haystack(), span, &reading.needle, &reading.replacement)
                else {
                    return Decision::refused(Reason::Guess);
                };
                // Neighbours share the blank lines between them: cut those off the later one.
                let from = splices.last().map_or(0, |splice| splice.span.end);
                if carried.span.start < from || !carried.doubts.is_empty() {
                    return Decision::refused(Reason::Guess);
                }
                splices.push(Splice { span: carried.span, text: carried.text });
            }
            return Decision::Edit { splices, similarity: 1.0, confidence: 0.9 };
        }
        Decision::refused(Reason::NotFound)
    }

    /// Makes an edit that lands at exactly one place out of a carried-over one.
    fn proposal(&self, carried: Carried) -> Option<Proposal> {
        let old = &self.search.query.haystack()[carried.span.clone()];
        if carried.doubts.contains(&Doubt::Absent) || old.is_empty() || equal_but_blanks(old, "") {
            return None;
        }
        let mut count = memmem::find_iter(self.search.query.haystack().as_bytes(), old.as_bytes());
        count.next();
        if count.next().is_some() {
            return None;
        }
        Some(Proposal { needle: old.to_owned(), replacement: carried.text })
    }
}
