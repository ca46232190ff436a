//! Mends lines of a needle that were torn: copied without their beginning or their end.
//!
//! A line of the file that goes on where the needle's ends may be another line, or one that somebody has changed since.
//! It is the line that was meant where what it becomes in the new text goes on in the same way: who wrote that has read
//! it; or where it is torn in the same way ([`alike`](super::truncated_in_both)).
//!
//! Cost: one pass over needle and new text; where a line is torn, an alignment of the two, and for each that is torn in both
//! texts a pass over the file.

use std::borrow::Cow;

use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use fuzzy_merge::{Line, Pair, align_while};
use rustc_hash::FxHashMap;

use super::brackets::OpenBrackets;
use super::line::{Missing, TruncatedLine, indented_as};
use super::truncated_in_both::{Rewrite, comment_mark};
use crate::needle::{Needle, full_lines};
use crate::place::Place;
use crate::search::{Located, Search};
use crate::variants::Variant;

/// The most lines that are looked at as torn in both texts: each is compared with the whole file.
const MAX_TRUNCATED_IN_BOTH: usize = 32;

/// Returns the variant of what was found with its torn lines as the file has them; `None` where none is torn.
pub(super) fn repaired(
    search: &Search<'_>,
    query: &Query<'_>,
    located: &Located,
    needle: &Needle<'_>,
) -> Option<Variant<'static>> {
    let variant = &search.variants[located.variant];
    let new = full_lines(&variant.replacement);
    let truncated: Vec<TruncatedLine<'_>> = one_to_one_lines(&located.best)
        .filter_map(|(at, theirs)| TruncatedLine::of(at, needle.lines[at].text, search.index.line(theirs)))
        .filter(|truncated| is_truncated(search, truncated, &needle.lines[truncated.at]))
        .collect();
    if truncated.is_empty() {
        return None;
    }
    let pairs = align_while(&needle.lines, &new, false, &|| !query.is_over()).pairs;
    let rewrite = Rewrite { old: &needle.lines, new: &new, pairs: &pairs };
    let (mut old_lines, mut new_lines) = (FxHashMap::default(), FxHashMap::default());
    for (number, truncated) in truncated.into_iter().enumerate() {
        // What the line becomes; where no line is like it, it may be any there that is like none of the needle's.
        let becomes = pairs.iter().find(|pair| pair.left.contains(&truncated.at));
        let is_kept =
            |pair: &&Pair| pair.is_one_to_one() && needle.lines[truncated.at].text == new[pair.right.start].text;
        if let Some(kept) = becomes.filter(is_kept) {
            // It is torn in both texts, unless the new one has it whole, or its comment elsewhere, or closes what it opens,
            // or the needle begins inside it.
            let is_known = |line: &Line<'_>| {
                let has_comment = missing_comment(&truncated).is_some_and(|comment| line.text.contains(comment));
                has_comment || line.text.trim_matches(is_blank) == truncated.theirs.trim_matches(is_blank)
            };
            let is_cut = truncated.at == 0 && matches!(truncated.missing, Missing::Before(_));
            if number < MAX_TRUNCATED_IN_BOTH
                && OpenBrackets::of(truncated.ours).unclosed.is_empty()
                && !(truncated.lacks_mark() || is_cut || new.iter().any(is_known))
                && is_unique(search, &truncated)
            {
                old_lines.insert(truncated.at, truncated.theirs.to_owned());
                new_lines.insert(kept.right.start, truncated.theirs.to_owned());
            }
            continue;
        }
        let is_it = |line: usize| match becomes {
            Some(pair) => pair.right.contains(&line),
            None => !pairs.iter().any(|pair| pair.right.contains(&line)),
        };
        let hunk = rewrite.hunk(truncated.at);
        let counterparts: Vec<usize> = hunk.new.clone().filter(|line| is_it(*line)).collect();
        let is_known = |line: usize| truncated.shares_missing(new[line].text);
        // Another line there that is torn in the same way may be what it becomes.
        let has_similar = hunk.new.clone().any(|line| !is_known(line) && truncated.may_be_same(new[line].text));
        if !has_similar && counterparts.iter().any(|line| is_known(*line)) {
            old_lines.insert(truncated.at, truncated.theirs.to_owned());
        } else if number < MAX_TRUNCATED_IN_BOTH
            && let Some((line, text)) = rewrite.truncated_in_both(&truncated, &hunk, &counterparts)
            && !new_lines.contains_key(&line)
            && (truncated.word().is_some() || is_unique(search, &truncated))
        {
            old_lines.insert(truncated.at, truncated.theirs.to_owned());
            new_lines.insert(line, text);
        }
    }
    (!old_lines.is_empty()).then(|| Variant {
        needle: Cow::Owned(replace_lines(&variant.needle, &old_lines)),
        replacement: Cow::Owned(replace_lines(&variant.replacement, &new_lines)),
        undone: "torn lines",
    })
}

/// Puts other lines in the place of some that are not blank, which are counted; their indentation stays.
fn replace_lines(text: &str, others: &FxHashMap<usize, String>) -> String {
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
fn one_to_one_lines(place: &Place) -> impl Iterator<Item = (usize, usize)> {
    place.pairs.iter().filter(|pair| pair.is_one_to_one()).map(|pair| (pair.left.start, pair.right.start))
}

/// Returns the comment that a torn line lacks.
fn missing_comment<'l>(truncated: &TruncatedLine<'l>) -> Option<&'l str> {
    match truncated.missing {
        Missing::After(rest) if comment_mark(rest).is_some() => Some(rest.trim_matches(is_blank)),
        _ => None,
    }
}

/// Returns whether a torn line is nowhere in the file.
fn is_truncated(search: &Search<'_>, truncated: &TruncatedLine<'_>, line: &Line<'_>) -> bool {
    // Lines that differ in the mark at their end are found as one.
    let is_found = !truncated.lacks_mark() && search.places.get(&line.key).is_some_and(|found| found.count > 0);
    !line.elision && !is_found
}

/// Returns whether no line of the file goes on in another way than the one that was found.
fn is_unique(search: &Search<'_>, truncated: &TruncatedLine<'_>) -> bool {
    let mut lines = (0..search.index.lines.len()).map(|at| search.index.line(at));
    lines.all(|line| {
        TruncatedLine::of(truncated.at, truncated.ours, line).is_none_or(|other| other.theirs == truncated.theirs)
    })
}
