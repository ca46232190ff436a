//! Searches a haystack for the reading and the place that explain a needle best, and decides.

use std::iter;
use std::ops::Range;

use fuzzy_audit::{Dress, Landing, audit};
use fuzzy_carry_over::{Carried, Doubt, Key, Line, carry_over, equal_but_blanks};
use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use memchr::memmem;
use rustc_hash::FxHashMap;

use crate::already_applied;
use crate::decision::{Decision, Nearest, Proposal, Reason, Splice};
use crate::index::{Index, Places};
use crate::margin;
use crate::place::{self, Needle, Place, find, full_lines, strictness};
use crate::readings::{Escape, Reading, escape_of};

/// A reading of which less than this part of the best one's lines stand is not the right one.
const FAR_FEWER: f32 = 0.5;

/// A reading must be better by this to replace an earlier, more literal one.
const BETTER: f32 = 0.01;

/// Holds a haystack indexed for the readings of one edit.
pub(crate) struct Search<'t, 'r> {
    query: &'r Query<'t>,
    haystack: &'t str,
    index: Index<'t>,
    readings: &'r [Reading<'r>],
    places: FxHashMap<Key, Places>,
}

/// Holds the best place of one reading, and what competes with it.
struct Found<'r> {
    reading: &'r Reading<'r>,
    needle: Needle<'r>,
    best: Place,
    rivals: Vec<Place>,
}

/// Holds a reading that is tried.
struct Tried<'r> {
    reading: &'r Reading<'r>,
    needle: Needle<'r>,
    /// Gives the share of its evidence in lines that stand somewhere as they are.
    standing: f32,
    /// Lists the first and last lines of the places that equal it but for blanks, the first two of them.
    equal: Vec<(usize, usize)>,
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

impl<'t, 'r> Search<'t, 'r> {
    pub(crate) fn new(query: &'r Query<'t>, readings: &'r [Reading<'r>]) -> Self {
        let longest = readings.iter().map(|reading| reading.needle.len().max(reading.replacement.len())).max();
        Self::of_lines(query, readings, Index::new(query, longest.unwrap_or(0)))
    }

    /// Searches the lines that are indexed.
    pub(crate) fn of_lines(query: &'r Query<'t>, readings: &'r [Reading<'r>], index: Index<'t>) -> Self {
        let keys: Vec<Key> = readings
            .iter()
            .flat_map(|reading| full_lines(&reading.needle).into_iter().chain(full_lines(&reading.replacement)))
            .map(|line| line.key)
            .filter(|key| key.len > 0)
            .collect();
        let places = index.places(keys.into_iter());
        Self { query, haystack: query.haystack(), index, readings, places }
    }

    pub(crate) fn decide(&self, replace_all: bool) -> Decision {
        if replace_all {
            return self.all();
        }
        match self.locate() {
            Some(found) => self.decide_at(&found),
            None => Decision::refused(Reason::NotFound),
        }
    }

    /// Decides about the only place that equals the first reading of the needle but for blanks: the
    /// lines indexed from `first` on.
    pub(crate) fn decide_equal(&self, first: usize) -> Decision {
        let reading = &self.readings[0];
        let needle = Needle::new(&full_lines(&reading.needle), &self.places);
        let best = Place::whole(first, first + needle.lines.len() - 1);
        self.decide_at(&Found { reading, needle, best, rivals: Vec::new() })
    }

    fn decide_at(&self, found: &Found<'_>) -> Decision {
        let applied = self.already(found);
        if let Some((span, true)) = applied {
            return Decision::AlreadyApplied { span };
        }
        match (self.judge(found), applied) {
            (Decision::Edit { .. }, Some((span, _))) => Decision::AlreadyApplied { span },
            (decision, _) => decision,
        }
    }

    /// Finds the reading that some place explains best. A reading with far fewer lines that stand
    /// in the haystack than another has is not tried.
    fn locate(&self) -> Option<Found<'r>> {
        let tried = |reading: &'r Reading<'r>| {
            let needle = Needle::new(&full_lines(&reading.needle), &self.places);
            let standing = self.standing_share(&needle);
            let equal = self.equal_runs(&needle.lines, 1).take(2).collect();
            Tried { reading, needle, standing, equal }
        };
        let readings: Vec<Tried<'r>> = self.readings.iter().map(tried).collect();
        if let Some(found) = self.equal_place(&readings) {
            return Some(found);
        }
        let most = readings.iter().map(|tried| tried.standing).fold(0.0, f32::max);
        let mut best: Option<Found<'r>> = None;
        for Tried { reading, needle, standing, equal } in readings {
            if standing < FAR_FEWER * most {
                continue;
            }
            let mut found = find(self.query, &self.index, &needle, &self.places);
            if found.is_empty() {
                continue;
            }
            // Places that equal the needle may overlap, and the search looks for rivals only beside what it has found.
            for (first, last) in equal {
                place::add(&self.index, &needle, (first, last + 1), &mut found);
            }
            place::sort(&mut found);
            let place = found.remove(0);
            if best.as_ref().is_none_or(|other| place.score > other.best.score + BETTER) {
                best = Some(Found { reading, needle, best: place, rivals: found });
            }
        }
        best
    }

    /// Finds the only place that equals a needle but for blanks: it needs no comparing. Of several
    /// readings the one that has most lines as they are is right.
    fn equal_place(&self, readings: &[Tried<'r>]) -> Option<Found<'r>> {
        let mut best: Option<(usize, usize, usize)> = None;
        for (number, Tried { needle, equal, .. }) in readings.iter().enumerate() {
            if let [(first, last)] = equal[..] {
                let literal = (first..=last).zip(&needle.lines).filter(|(at, line)| self.index.line(*at) == line.text);
                let literal = literal.count();
                if best.is_none_or(|(_, _, most)| literal > most) {
                    best = Some((number, first, literal));
                }
            }
        }
        let (number, first, _) = best?;
        let Tried { reading, needle, .. } = &readings[number];
        let best = Place::whole(first, first + needle.lines.len() - 1);
        Some(Found { reading, needle: needle.clone(), best, rivals: Vec::new() })
    }

    /// Gives the share of a needle's evidence in lines that stand somewhere as they are.
    fn standing_share(&self, needle: &Needle<'_>) -> f32 {
        let stands = |line: &&Line<'_>| self.places.get(&line.key).is_some_and(|found| found.count > 0);
        needle.lines.iter().filter(stands).map(|line| line.weight).sum::<f32>() / needle.total.max(f32::MIN_POSITIVE)
    }

    /// Lists the best place and those that equal it, with how well each explains the needle.
    pub(crate) fn best(&self) -> Vec<(Range<usize>, f32)> {
        let Some(found) = self.locate() else { return Vec::new() };
        let sound = |place: &&Place| place.score >= margin::SOUND;
        self.within(&found, margin::TIE)
            .iter()
            .filter(sound)
            .map(|place| (self.span(place), place.score.clamp(0.0, 1.0)))
            .collect()
    }

    /// Lists the best place and those whose score is less by no more than `lead`. All places that equal the
    /// needle but for blanks are among them: of those that stand close together the search keeps two.
    fn within(&self, found: &Found<'_>, lead: f32) -> Vec<Place> {
        let mut places = vec![found.best.clone()];
        places.extend(found.rivals.iter().filter(|rival| rival.score >= found.best.score - lead).cloned());
        let lines = &found.needle.lines;
        for (first, last) in self.equal_runs(lines, lines.len()) {
            let place = Place::whole(first, last);
            if places.iter().all(|other| !other.agrees(&place)) {
                places.push(place);
            }
        }
        places
    }

    /// Lists the places that are not clearly behind the best one, the best first.
    pub(crate) fn rivals(&self) -> Vec<Range<usize>> {
        let Some(found) = self.locate() else { return Vec::new() };
        self.within(&found, margin::CLEAR).iter().map(|place| self.span(place)).collect()
    }

    fn span(&self, place: &Place) -> Range<usize> {
        let (first, last) = place.lines();
        let last = last.max(first + 1) - 1;
        self.index.lines[first].start..self.index.lines[last].end
    }

    /// Finds the new text where the edit would land; tells whether it stands there whole.
    fn already(&self, found: &Found<'_>) -> Option<(Range<usize>, bool)> {
        let replacement = &found.reading.replacement;
        let new = already_applied::check(&self.index, &found.needle, &found.best, replacement, &self.places)?;
        Some((self.index.lines[new.first].start..self.index.lines[new.last].end, new.whole))
    }

    /// Decides about the place found. One that is torn apart is tried without the lines that stand far
    /// from the rest: they may stand there by accident.
    fn judge(&self, found: &Found<'_>) -> Decision {
        let standing = self.standing(found);
        let decision = self.judge_place(found, &standing, standing.best);
        if matches!(decision, Decision::Refused { .. })
            && let Some(place) = place::gathered(&self.index, &found.needle, standing.best)
            && let edit @ Decision::Edit { .. } = self.judge_place(found, &standing, &place)
        {
            return edit;
        }
        decision
    }

    fn judge_place(&self, found: &Found<'_>, standing: &Standing<'_>, place: &Place) -> Decision {
        let span = self.span(place);
        let nearest = Some(Nearest { span: span.clone(), similarity: place.similarity });
        let (needle, replacement) = self.unescaped(found, place);
        let Ok(carried) = carry_over(self.haystack, span, &needle, &replacement) else {
            return Decision::Refused { reason: Reason::Guess, nearest, proposal: None };
        };
        let settled = (standing.settled, standing.strict);
        let features = margin::Features::new(&found.needle, place, &replacement, standing.second, settled, &carried);
        let verdict = margin::judge(&features, standing.ties);
        let changes = self.haystack[carried.span.clone()] != carried.text;
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

    /// Tells whether a carried text keeps the laws of a merge. Nothing was merged where the needle stands as it is.
    fn keeps_laws(&self, carried: &Carried, needle: &str, new: &str) -> bool {
        let place = &self.haystack[carried.span.clone()];
        let landing = Landing { place, needle, new, result: &carried.text };
        place.contains(needle) || audit(&landing, Dress::between(place, needle)).is_ok()
    }

    /// Compares the best place with its rivals. Equals are told apart by a stricter equality that
    /// exactly one of them has, unless another has the needle's blank lines where that one has not.
    fn standing<'f>(&self, found: &'f Found<'_>) -> Standing<'f> {
        let strictness = |place: &Place| strictness(&self.index, &found.needle, place);
        let spaced = |place: &Place| self.has_blank_lines(found, place);
        let mut best = &found.best;
        let mut strict = strictness(best);
        let mut rivals: Vec<&Place> = found.rivals.iter().collect();
        let mut settled = false;
        let mut equals: Vec<(u8, &Place)> = vec![(strict, best)];
        let tie = best.score - margin::TIE;
        equals.extend(rivals.iter().filter(|rival| rival.score >= tie).map(|&rival| (strictness(rival), rival)));
        let stricter = equals.iter().copied().max_by_key(|(level, _)| *level).filter(|_| equals.len() > 1);
        if let Some((level, place)) = stricter
            && equals.iter().filter(|(other, _)| *other == level).count() == 1
            && (spaced(place) || !equals.iter().any(|(other, rival)| *other > 0 && spaced(rival)))
        {
            rivals.retain(|other| !std::ptr::eq(*other, place));
            (best, strict, settled) = (place, level, true);
        }
        let ties = rivals.iter().filter(|rival| rival.score >= best.score - margin::TIE).count();
        Standing { best, strict, settled, second: rivals.first().map_or(0.0, |rival| rival.score), ties }
    }

    /// Tells whether blank lines stand between the lines of a place as they do in the needle.
    fn has_blank_lines(&self, found: &Found<'_>, place: &Place) -> bool {
        let (first, last) = place.lines();
        let file = self.index.lines[first..last].windows(2).map(|lines| {
            let between = &self.haystack.as_bytes()[lines[0].end..lines[1].start];
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
    fn unescaped(&self, found: &Found<'_>, place: &Place) -> (String, String) {
        let pairs: Vec<(&str, &str)> = place
            .pairs
            .iter()
            .filter(|pair| pair.left.1 == 1 && pair.right.1 == 1)
            .map(|pair| (found.needle.lines[pair.left.0].text, self.index.line(pair.right.0)))
            .collect();
        let reading = found.reading;
        match escape_of(&pairs) {
            Some(escape) => {
                // What the replacement has in common with the needle must stay in common.
                let undo = |text: &str| Escape::undo(escape, text);
                (undo(&reading.needle), undo(&reading.replacement))
            }
            None => (reading.needle.clone().into_owned(), reading.replacement.clone().into_owned()),
        }
    }

    /// Replaces at every place that equals the needle but for blanks, under the first reading that
    /// has any.
    fn all(&self) -> Decision {
        for reading in self.readings {
            let lines = full_lines(&reading.needle);
            // As where a text is replaced everywhere, the next place begins behind the one before.
            let places: Vec<_> = self.equal_runs(&lines, lines.len()).collect();
            if places.is_empty() {
                continue;
            }
            let mut splices: Vec<Splice> = Vec::new();
            for (first, last) in places {
                let span = self.index.lines[first].start..self.index.lines[last].end;
                let Ok(carried) = carry_over(self.haystack, span, &reading.needle, &reading.replacement) else {
                    return Decision::refused(Reason::Guess);
                };
                // Neighbours share the blank lines between them: cut those off the later one.
                let from = splices.last().map_or(0, |splice| splice.span.end);
                let keeps_laws = self.keeps_laws(&carried, &reading.needle, &reading.replacement);
                if carried.span.start < from || !carried.doubts.is_empty() || !keeps_laws {
                    return Decision::refused(Reason::Guess);
                }
                splices.push(Splice { span: carried.span, text: carried.text });
            }
            return Decision::Edit { splices, similarity: 1.0, confidence: 0.9 };
        }
        Decision::refused(Reason::NotFound)
    }

    /// Finds the runs of lines that equal the needle's but for blanks; behind one of them the next begins at least
    /// `step` lines later.
    fn equal_runs<'s>(&'s self, lines: &'s [Line<'_>], step: usize) -> impl Iterator<Item = (usize, usize)> + 's {
        let count = self.index.lines.len();
        let mut next = if lines.is_empty() { count } else { 0 };
        let equal = |at: usize| {
            lines.iter().enumerate().all(|(offset, line)| {
                self.index.lines[at + offset].key == line.key
                    && equal_but_blanks(self.index.line(at + offset), line.text)
            })
        };
        iter::from_fn(move || {
            let at = (next..count).take_while(|at| at + lines.len() <= count).find(|&at| equal(at));
            next = at.map_or(count, |at| at + step);
            at.map(|at| (at, at + lines.len() - 1))
        })
    }

    /// Makes an edit that lands at exactly one place out of a carried-over one.
    fn proposal(&self, carried: Carried) -> Option<Proposal> {
        let old = &self.haystack[carried.span.clone()];
        if carried.doubts.contains(&Doubt::Absent) || old.is_empty() || equal_but_blanks(old, "") {
            return None;
        }
        let mut count = memmem::find_iter(self.haystack.as_bytes(), old.as_bytes());
        count.next();
        if count.next().is_some() {
            return None;
        }
        Some(Proposal { needle: old.to_owned(), replacement: carried.text })
    }
}
