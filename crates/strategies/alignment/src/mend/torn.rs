//! Mends lines of a needle that were torn: copied without their beginning or their end.
//!
//! A line of the file that goes on where the needle's ends may be another line, or one that somebody has changed since.
//! It is the line that was meant where what it becomes in the new text goes on in the same way: who wrote that has read
//! it; or where it is torn in the same way ([`alike`](super::alike)).
//!
//! Cost: one pass over needle and new text; where a line is torn, an alignment of the two, and for each that is torn in both
//! texts a pass over the file.

use std::borrow::Cow;

use fuzzy_carry_over::{Line, Pair, align_while};
use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use rustc_hash::FxHashMap;

use super::alike::{Rewrite, comment_mark};
use super::open::Open;
use super::{indented_as, is_word};
use crate::needle::{Needle, full_lines};
use crate::place::Place;
use crate::readings::Reading;
use crate::search::{Located, Search};

/// The most lines that are looked at as torn in both texts: each is compared with the whole file.
const MAX_ALIKE: usize = 32;

/// A line of a needle that is the beginning or the end of one of the file; texts without the blanks around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Torn<'l> {
    /// The number of the needle's line.
    pub(super) at: usize,
    pub(super) ours: &'l str,
    pub(super) theirs: &'l str,
    pub(super) rest: Rest<'l>,
}

/// What the file's line has more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest<'l> {
    Before(&'l str),
    After(&'l str),
}

impl<'l> Torn<'l> {
    /// Compares a line of the needle with one of the file; nothing where this has no more.
    fn of(at: usize, ours: &'l str, theirs: &'l str) -> Option<Self> {
        let (ours, theirs) = (ours.trim_matches(is_blank), theirs.trim_matches(is_blank));
        let rest = match theirs.strip_prefix(ours) {
            Some(rest) => Rest::After(rest),
            None => Rest::Before(theirs.strip_suffix(ours)?),
        };
        (ours.len() < theirs.len()).then_some(Self { at, ours, theirs, rest })
    }

    /// Returns the word at which the line is torn; nothing where it is torn between words.
    pub(super) fn word(&self) -> Option<&'l str> {
        let word = match self.rest {
            Rest::After(rest) if rest.starts_with(is_word) => &self.ours[self.ours.trim_end_matches(is_word).len()..],
            Rest::Before(rest) if rest.ends_with(is_word) => {
                &self.ours[..self.ours.len() - self.ours.trim_start_matches(is_word).len()]
            }
            _ => "",
        };
        (!word.is_empty()).then_some(word)
    }

    /// Returns whether a line has the word, or the mark, at which this one is torn.
    fn may_be(&self, line: &str) -> bool {
        let line = line.trim_matches(is_blank);
        match self.rest {
            Rest::Before(_) => first_word(line) == first_word(self.ours),
            Rest::After(_) => last_word(line) == last_word(self.ours),
        }
    }

    /// Returns whether the line lacks nothing but the mark at its end.
    pub(super) fn lacks_mark(&self) -> bool {
        matches!(self.rest, Rest::After(";" | ","))
    }

    /// Returns whether a line begins or ends as the file's does, from the torn word on, and with no other word.
    pub(super) fn is_known_by(&self, line: &str) -> bool {
        let line = line.trim_matches(is_blank);
        let torn = self.word().map_or(0, str::len);
        match self.rest {
            // Marks at the end of a line are many lines' ends.
            Rest::Before(rest) | Rest::After(rest) if !rest.contains(is_word) => false,
            Rest::Before(rest) => {
                let text = self.theirs[..rest.len() + torn].trim_matches(is_blank);
                let more = line.strip_prefix(text);
                more.is_some_and(|more| !(text.ends_with(is_word) && more.starts_with(is_word)))
            }
            Rest::After(rest) => {
                let text = self.theirs[self.theirs.len() - rest.len() - torn..].trim_matches(is_blank);
                let more = line.strip_suffix(text);
                more.is_some_and(|more| !(text.starts_with(is_word) && more.ends_with(is_word)))
            }
        }
    }
}

/// Returns the reading of what was found with its torn lines as the file has them; `None` where none is torn.
pub(super) fn mended(
    search: &Search<'_>,
    query: &Query<'_>,
    located: &Located,
    needle: &Needle<'_>,
) -> Option<Reading<'static>> {
    let reading = &search.readings[located.reading];
    let new = full_lines(&reading.replacement);
    let torn: Vec<Torn<'_>> = singles(&located.best)
        .filter_map(|(at, theirs)| Torn::of(at, needle.lines[at].text, search.index.line(theirs)))
        .filter(|torn| is_to_mend(search, torn, &needle.lines[torn.at]))
        .collect();
    if torn.is_empty() {
        return None;
    }
    let pairs = align_while(&needle.lines, &new, false, &|| !query.is_over()).pairs;
    let rewrite = Rewrite { old: &needle.lines, new: &new, pairs: &pairs };
    let (mut old_lines, mut new_lines) = (FxHashMap::default(), FxHashMap::default());
    for (number, torn) in torn.into_iter().enumerate() {
        // What the line becomes; where no line is like it, it may be any there that is like none of the needle's.
        let becomes = pairs.iter().find(|pair| pair.left.contains(&torn.at));
        let is_kept = |pair: &&Pair| pair.is_one_to_one() && needle.lines[torn.at].text == new[pair.right.start].text;
        if let Some(kept) = becomes.filter(is_kept) {
            // It is torn in both texts, unless the new one has it whole, or its comment elsewhere, or closes what it opens,
            // or the needle begins inside it.
            let is_known = |line: &Line<'_>| {
                let has_comment = comment_after(&torn).is_some_and(|comment| line.text.contains(comment));
                has_comment || line.text.trim_matches(is_blank) == torn.theirs.trim_matches(is_blank)
            };
            let is_cut = torn.at == 0 && matches!(torn.rest, Rest::Before(_));
            if number < MAX_ALIKE
                && Open::of(torn.ours).left.is_empty()
                && !(torn.lacks_mark() || is_cut || new.iter().any(is_known))
                && is_lone(search, &torn)
            {
                old_lines.insert(torn.at, torn.theirs.to_owned());
                new_lines.insert(kept.right.start, torn.theirs.to_owned());
            }
            continue;
        }
        let is_it = |line: usize| match becomes {
            Some(pair) => pair.right.contains(&line),
            None => !pairs.iter().any(|pair| pair.right.contains(&line)),
        };
        let hunk = rewrite.hunk(torn.at);
        let counterparts: Vec<usize> = hunk.new.clone().filter(|line| is_it(*line)).collect();
        let is_known = |line: usize| torn.is_known_by(new[line].text);
        // Another line there that is torn in the same way may be what it becomes.
        let is_torn = hunk.new.clone().any(|line| !is_known(line) && torn.may_be(new[line].text));
        if !is_torn && counterparts.iter().any(|line| is_known(*line)) {
            old_lines.insert(torn.at, torn.theirs.to_owned());
        } else if number < MAX_ALIKE
            && let Some((line, text)) = rewrite.torn_alike(&torn, &hunk, &counterparts)
            && !new_lines.contains_key(&line)
            && (torn.word().is_some() || is_lone(search, &torn))
        {
            old_lines.insert(torn.at, torn.theirs.to_owned());
            new_lines.insert(line, text);
        }
    }
    (!old_lines.is_empty()).then(|| Reading {
        needle: Cow::Owned(with_lines(&reading.needle, &old_lines)),
        replacement: Cow::Owned(with_lines(&reading.replacement, &new_lines)),
        undone: "torn lines",
    })
}

/// Puts other lines in the place of some that are not blank, which are counted; their indentation stays.
fn with_lines(text: &str, others: &FxHashMap<usize, String>) -> String {
    let mut number = 0;
    let lines = text.split('\n').map(|line| {
        if line.chars().all(is_blank) {
            return Cow::Borrowed(line);
        }
        number += 1;
        others.get(&(number - 1)).map_or(Cow::Borrowed(line), |other| Cow::Owned(indented_as(line, other)))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the lines of needle and file that are paired one by one.
fn singles(place: &Place) -> impl Iterator<Item = (usize, usize)> {
    place.pairs.iter().filter(|pair| pair.is_one_to_one()).map(|pair| (pair.left.start, pair.right.start))
}

/// Returns the comment that a torn line lacks.
fn comment_after<'l>(torn: &Torn<'l>) -> Option<&'l str> {
    match torn.rest {
        Rest::After(rest) if comment_mark(rest).is_some() => Some(rest.trim_matches(is_blank)),
        _ => None,
    }
}

/// Returns the word that a text begins with, and the marks before it.
fn first_word(text: &str) -> &str {
    let marks = text.len() - text.trim_start_matches(|c| !is_word(c)).len();
    let word = text[marks..].find(|c| !is_word(c)).map_or(text.len(), |length| marks + length);
    &text[..word]
}

/// Returns the word that a text ends with, and the marks after it.
fn last_word(text: &str) -> &str {
    let marks = text.trim_end_matches(|c| !is_word(c)).len();
    &text[text[..marks].trim_end_matches(is_word).len()..]
}

/// Returns whether a torn line is nowhere in the file.
fn is_to_mend(search: &Search<'_>, torn: &Torn<'_>, line: &Line<'_>) -> bool {
    // Lines that differ in the mark at their end are found as one.
    let is_found = !torn.lacks_mark() && search.places.get(&line.key).is_some_and(|found| found.count > 0);
    !line.elision && !is_found
}

/// Returns whether no line of the file goes on in another way than the one that was found.
fn is_lone(search: &Search<'_>, torn: &Torn<'_>) -> bool {
    let mut lines = (0..search.index.lines.len()).map(|at| search.index.line(at));
    lines.all(|line| Torn::of(torn.at, torn.ours, line).is_none_or(|other| other.theirs == torn.theirs))
}

#[cfg(test)]
mod tests {
    use super::Torn;

    #[test]
    fn a_torn_end_is_known_by_its_words() {
        for (ours, theirs, new, known) in [
            ("  # Publish cont", "# Publish container image", "# Build container image", true),
            ("call(a)", "call(a)  # once", "other(a) # once", true),
            ("a = min", "a = mins", "b = max_mins", false),
            ("a = min", "a = mins", "b = mins", true),
            ("f(a", "f(a)", "g(a)", false),
            ("send(x)", "return send(x)", "return put(x)", true),
            ("send(x)", "resend(x)", "resend(y)", true),
            ("send(x)", "resend(x)", "resends(y)", false),
            ("send(x)", "return send(x)", "returned(x)", false),
        ] {
            let torn = Torn::of(0, ours, theirs);
            assert_eq!(torn.is_some_and(|torn| torn.is_known_by(new)), known, "{ours:?} {theirs:?} {new:?}");
        }
    }
}
