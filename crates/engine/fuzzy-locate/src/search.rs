//! Searches a haystack for the variant and the place with the best explanation of a needle.

use std::iter;
use std::ops::Range;

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Candidate, Query, Similarity, Span};
use fuzzy_merge::{Key, LeftOut, Line, Pair, equal_but_blanks};
use rustc_hash::FxHashMap;

use crate::index::{Index, LinePlaces};
use crate::mechanisms::{FENCE, LINE_NUMBERS};
use crate::needle::{Needle, full_lines};
use crate::place::{self, Place, find};
use crate::readings::escaped_text::unescape_new;
use crate::readings::escapes::{Escape, escape_of};
use crate::readings::line_numbers::first_number;
use crate::readings::variants_of;
use crate::trimmed::trimmed_place;
use crate::variant::Variant;

/// Scores that differ by less than this are equal.
pub const TIE: f32 = 0.01;

/// The least score of a candidate: it explains all of the needle that matters.
pub const MIN_SOUND_SCORE: f32 = 0.93;

/// The least share of known lines, relative to the best variant, of another variant that may be right.
const MIN_KNOWN_SHARE: f32 = 0.5;

/// A haystack indexed for the variants of one edit.
#[derive(Debug)]
pub struct Search<'t> {
    /// The searched lines.
    pub index: Index<'t>,
    /// The variants of the edit.
    pub variants: Vec<Variant<'t>>,
    /// The places of the variants' lines.
    pub places: FxHashMap<Key, LinePlaces>,
    /// The mechanisms that a measurement leaves out.
    pub left_out: LeftOut,
}

/// The best place of one variant, and its rivals.
#[derive(Clone, Debug)]
pub struct Located {
    /// The index of the variant.
    pub variant: usize,
    /// The best place.
    pub best: Place,
    /// The other places, the best first.
    pub rivals: Vec<Place>,
}

/// A variant with its looked-up lines.
struct PreparedVariant<'s> {
    needle: Needle<'s>,
    /// The share of its evidence in lines that occur exactly.
    known: f32,
    /// The first and last lines of the first two places that equal it except for blanks.
    equal: Vec<(usize, usize)>,
}

impl<'t> Search<'t> {
    /// Indexes the whole haystack.
    #[must_use]
    pub fn new(query: &Query<'t>, variants: Vec<Variant<'t>>, left_out: LeftOut) -> Self {
        let longest = variants.iter().map(|variant| variant.needle.len().max(variant.replacement.len())).max();
        Self::of_lines(variants, Index::new(query, longest.unwrap_or(0)), left_out)
    }

    /// Searches the lines of an index.
    #[must_use]
    pub fn of_lines(variants: Vec<Variant<'t>>, index: Index<'t>, left_out: LeftOut) -> Self {
        let keys: Vec<Key> = variants
            .iter()
            .flat_map(|variant| full_lines(&variant.needle).into_iter().chain(full_lines(&variant.replacement)))
            .map(|line| line.key)
            .filter(|key| key.len > 0)
            .collect();
        let places = index.places(keys.into_iter());
        Self { index, variants, places, left_out }
    }

    /// Adds a variant, and looks up the lines of its needle.
    pub fn add(&mut self, variant: Variant<'t>) {
        let lines = full_lines(&variant.needle);
        self.places.extend(self.index.places(lines.iter().map(|line| line.key).filter(|key| key.len > 0)));
        self.variants.push(variant);
    }

    /// Returns a variant's lines, weighted by their rarity in the haystack.
    #[must_use]
    pub fn needle(&self, variant: usize) -> Needle<'_> {
        Needle::new(&full_lines(&self.variants[variant].needle), &self.places)
    }

    /// Returns the line number that was pasted before the first line of the needle, if the variant lacks it.
    #[must_use]
    pub fn pasted_line(&self, variant: usize) -> Option<usize> {
        let is_numbered = self.variants[variant].slip == Some(&LINE_NUMBERS);
        first_number(&self.variants[0].needle).filter(|_| is_numbered)
    }

    /// Finds the variant with the best place. Skips variants with far fewer lines in the haystack than the best one.
    #[must_use]
    pub fn locate(&self, query: &Query<'_>) -> Option<Located> {
        let variants: Vec<PreparedVariant<'_>> =
            (0..self.variants.len()).map(|variant| self.prepare(variant)).collect();
        if let Some(found) = self.equal_place(&variants) {
            return Some(found);
        }
        let most = variants.iter().map(|prepared| prepared.known).fold(0.0, f32::max);
        let mut best: Option<Located> = None;
        for (variant, PreparedVariant { needle, known, equal }) in variants.into_iter().enumerate() {
            if known < MIN_KNOWN_SHARE * most {
                continue;
            }
            let mut found = find(query, &self.index, &needle, &self.places);
            if found.is_empty() {
                continue;
            }
            // Places that equal the needle may overlap, and the search finds rivals only beside found places.
            for (first, last) in equal {
                place::add(query, &self.index, &needle, first..last + 1, &mut found);
            }
            place::sort(&mut found);
            let place = found.remove(0);
            let (first, last) = place.lines();
            if self.is_in_fence(variant, first..last) {
                continue;
            }
            // Among equal variants the more literal one wins.
            if best.as_ref().is_none_or(|other| place.score > other.best.score + TIE) {
                best = Some(Located { variant, best: place, rivals: found });
            }
        }
        best
    }

    /// Looks up the lines of a variant.
    fn prepare(&self, variant: usize) -> PreparedVariant<'_> {
        let needle = self.needle(variant);
        let known = self.known_share(&needle);
        let equal = self.equal_runs(&needle.lines, 0..self.index.lines.len(), 1).take(2).collect();
        PreparedVariant { needle, known, equal }
    }

    /// Finds the only place that equals a needle except for blanks: it needs no alignment. Among several variants,
    /// prefers the one with most exact lines.
    fn equal_place(&self, variants: &[PreparedVariant<'_>]) -> Option<Located> {
        let mut best: Option<(usize, usize, usize)> = None;
        for (number, PreparedVariant { needle, equal, .. }) in variants.iter().enumerate() {
            if let [(first, last)] = equal[..]
                && !self.is_in_fence(number, first..last + 1)
            {
                let literal = (first..=last).zip(&needle.lines).filter(|(at, line)| self.index.line(*at) == line.text);
                let literal = literal.count();
                if best.is_none_or(|(_, _, most)| literal > most) {
                    best = Some((number, first, literal));
                }
            }
        }
        let (variant, first, _) = best?;
        let best = Place::whole(first, first + variants[variant].needle.lines.len() - 1);
        Some(Located { variant, best, rivals: Vec::new() })
    }

    /// Returns whether the haystack has the fence beside these lines that a variant lost.
    fn is_in_fence(&self, variant: usize, lines: Range<usize>) -> bool {
        if self.variants[variant].slip != Some(&FENCE) {
            return false;
        }
        let mut fenced = full_lines(&self.variants[0].needle).into_iter();
        let before = lines.start.checked_sub(1).zip(fenced.next());
        let after = Some(lines.end).filter(|&end| end < self.index.lines.len()).zip(fenced.next_back());
        before.into_iter().chain(after).any(|(at, fence)| self.has_line(&fence, at))
    }

    /// Returns the share of a needle's evidence in lines that occur exactly.
    fn known_share(&self, needle: &Needle<'_>) -> f32 {
        let lines = needle.lines.iter();
        let known = lines.filter(|line| self.places.get(&line.key).is_some_and(|found| found.count > 0));
        known.map(|line| line.weight).sum::<f32>() / needle.total.max(f32::MIN_POSITIVE)
    }

    /// Returns the candidates of a result: the best place and its equals, if their scores are sufficient.
    #[must_use]
    pub fn proposed(&self, found: &Located) -> Vec<Candidate> {
        let places = self.within(found, TIE);
        let sound = places.iter().filter(|place| place.score >= MIN_SOUND_SCORE);
        sound.map(|place| candidate(self.index.text, self.span(place), place.score.clamp(0.0, 1.0))).collect()
    }

    /// Returns the best place and those whose score is lower by at most `lead`. Adds all places that equal the needle
    /// except for blanks: of neighbouring ones the search keeps two.
    #[must_use]
    pub fn within(&self, found: &Located, lead: f32) -> Vec<Place> {
        let mut places = vec![found.best.clone()];
        places.extend(found.rivals.iter().filter(|rival| rival.score >= found.best.score - lead).cloned());
        let lines = &self.needle(found.variant).lines;
        for (first, last) in self.equal_runs(lines, 0..self.index.lines.len(), lines.len()) {
            let place = Place::whole(first, last);
            if places.iter().all(|other| !other.overlaps(&place)) {
                places.push(place);
            }
        }
        places
    }

    /// Returns the bytes of a place: whole lines, without the last line's ending.
    #[must_use]
    pub fn span(&self, place: &Place) -> Range<usize> {
        let (first, last) = place.lines();
        self.index.lines[first].start..self.index.lines[last.max(first + 1) - 1].end
    }

    /// Returns the needle and the new text of a variant, without the class of escaping of the lines paired one to one;
    /// none if the new text leaves open whether it has the slip.
    #[must_use]
    pub fn unescaped(&self, variant: &Variant<'_>, needle: &Needle<'_>, place: &Place) -> Option<(String, String)> {
        let (old, new) = (&variant.needle, &variant.replacement);
        if variant.is_mixed {
            return None;
        }
        let escape = escape_at(&self.index, needle, &place.pairs);
        let Some(escape) = escape.filter(|escape| self.left_out.uses(escape.slip())) else {
            return Some((old.to_string(), new.to_string()));
        };
        Some((escape.undo(old), unescape_new(escape, old, new)?))
    }

    /// Finds the runs of lines among some of the index that equal the needle's except for blanks; the next run begins at
    /// least `step` lines later.
    ///
    /// Cost: one pass over these lines, however often they repeat, and one over the needle.
    pub fn equal_runs<'s>(
        &'s self,
        lines: &'s [Line<'_>],
        within: Range<usize>,
        step: usize,
    ) -> impl Iterator<Item = (usize, usize)> + 's {
        let borders = borders(lines);
        // The number of needle lines that the index has before `at`.
        let (mut matched, mut at) = (0, within.start);
        iter::from_fn(move || {
            while at < within.end && !lines.is_empty() {
                while matched > 0 && !self.has_line(&lines[matched], at) {
                    matched = borders[matched];
                }
                matched += usize::from(self.has_line(&lines[matched], at));
                at += 1;
                if matched == lines.len() {
                    while matched > lines.len().saturating_sub(step) {
                        matched = borders[matched];
                    }
                    return Some((at - lines.len(), at - 1));
                }
            }
            None
        })
    }

    /// Returns whether a line of the index equals a needle's except for blanks.
    fn has_line(&self, line: &Line<'_>, at: usize) -> bool {
        self.index.lines[at].key == line.key && equal_but_blanks(self.index.line(at), line.text)
    }
}

/// Returns for each number of first lines the most lines, but fewer, that these begin and end with (the failure
/// function of Knuth, Morris and Pratt): after a mismatch the search continues with that many.
fn borders(lines: &[Line<'_>]) -> Vec<usize> {
    let equal = |a: &Line<'_>, b: &Line<'_>| a.key == b.key && equal_but_blanks(a.text, b.text);
    let mut borders = vec![0; lines.len() + 1];
    for at in 1..lines.len() {
        let mut length = borders[at];
        while length > 0 && !equal(&lines[length], &lines[at]) {
            length = borders[length];
        }
        borders[at + 1] = length + usize::from(equal(&lines[length], &lines[at]));
    }
    borders
}

/// Returns the class of escaping of the lines paired one to one.
#[must_use]
pub fn escape_at(index: &Index<'_>, needle: &Needle<'_>, pairs: &[Pair]) -> Option<Escape> {
    let single = pairs.iter().filter(|pair| pair.is_one_to_one());
    let texts: Vec<_> = single.map(|pair| (needle.lines[pair.left.start].text, index.line(pair.right.start))).collect();
    escape_of(&texts)
}

/// Returns the best place of the needle and its equals, with their scores.
#[must_use]
pub fn candidates(query: &Query<'_>) -> Vec<Candidate> {
    let needle = query.old();
    if needle.chars().all(is_blank) {
        return Vec::new();
    }
    if let Some(place) = trimmed_place(query) {
        return vec![candidate(query.text(), place, 1.0)];
    }
    let variants = variants_of(needle, needle, LeftOut::default());
    if !has_any_word(query, &variants, needle) {
        return Vec::new();
    }
    let search = Search::new(query, variants, LeftOut::default());
    search.locate(query).map_or_else(Vec::new, |found| search.proposed(&found))
}

/// Makes a candidate of whole lines.
fn candidate(haystack: &str, span: Range<usize>, alike: f32) -> Candidate {
    // A line ends before its `\n` or `\r\n`.
    let end = span.end - usize::from(haystack[span.clone()].ends_with('\r'));
    Candidate::new(Span::new(span.start, end), similarity(alike))
}

/// Makes a similarity of a number of this crate, rounded to its three significant digits.
#[must_use]
pub fn similarity(value: f32) -> Similarity {
    Similarity::new((f64::from(value) * 1000.0).round() / 1000.0)
}

/// Returns whether one of the longest words of any variant, or of the replacement, occurs in the haystack. If none
/// does, a search finds nothing.
#[must_use]
pub fn has_any_word(query: &Query<'_>, variants: &[Variant<'_>], replacement: &str) -> bool {
    let texts = variants.iter().map(|variant| variant.needle.as_ref()).chain([replacement]);
    for text in texts {
        let mut words: Vec<&str> =
            text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        words.dedup();
        words.truncate(8);
        if words.is_empty() {
            return true;
        }
        if words.iter().any(|word| query.first_occurrence(word).is_some()) {
            return true;
        }
    }
    false
}
