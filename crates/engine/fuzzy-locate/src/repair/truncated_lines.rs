//! Repairs truncated lines of a needle: copied without their beginning or their end.
//!
//! The longer line of the file may be another line, or a later version. It is the intended line if its new version has
//! the missing part, because the author has read it, or if the new version is truncated in the same way
//! ([`truncated_in_both`](super::truncated_in_both)).
//!
//! Cost: one pass over needle and new text. With a truncated line, an alignment of the two, and a pass over the file
//! for each line that is truncated in both texts.

use std::borrow::Cow;

use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use fuzzy_merge::{Brackets, Line, Pair, align_while};
use rustc_hash::FxHashMap;

use super::line::{Missing, TruncatedLine, replace_lines};
use super::truncated_in_both::{Rewrite, comment_after};
use crate::mechanisms::TRUNCATED_LINES;
use crate::needle::{Needle, full_lines};
use crate::place::Place;
use crate::search::{Located, Search};
use crate::variant::Variant;

/// The most lines to check for a truncation in both texts: each is compared with the whole file.
const MAX_TRUNCATED_IN_BOTH: usize = 32;

/// Returns the variant with the file's lines in place of the truncated ones; none without a truncated line.
pub(super) fn repaired(
    search: &Search<'_>,
    query: &Query<'_>,
    located: &Located,
    needle: &Needle<'_>,
) -> Option<Variant<'static>> {
    let variant = &search.variants[located.variant];
    let new = full_lines(&variant.replacement);
    let mut truncated: Vec<TruncatedLine<'_>> = one_to_one_lines(&located.best)
        .filter_map(|(at, theirs)| TruncatedLine::of(at, needle.lines[at].text, search.index.line(theirs)))
        .filter(|truncated| is_truncated(search, truncated, &needle.lines[truncated.at]))
        .collect();
    // The marks that several lines lack are the file's style, which the merge knows.
    if truncated.iter().filter(|truncated| truncated.lacks_marks()).count() > 1 {
        truncated.retain(|truncated| !truncated.lacks_marks());
    }
    if truncated.is_empty() {
        return None;
    }
    let pairs = align_while(&needle.lines, &new, false, &|| !query.is_over()).pairs;
    let rewrite = Rewrite { old: &needle.lines, new: &new, pairs: &pairs };
    let (mut old_lines, mut new_lines) = (FxHashMap::default(), FxHashMap::default());
    for (number, truncated) in truncated.into_iter().enumerate() {
        // The line's new version. Without a pair, it may be any unpaired line of the hunk.
        let becomes = pairs.iter().find(|pair| pair.left.contains(&truncated.at));
        let is_kept =
            |pair: &&Pair| pair.is_one_to_one() && needle.lines[truncated.at].text == new[pair.right.start].text;
        if let Some(kept) = becomes.filter(is_kept) {
            // It is truncated in both texts, unless the new text has the whole line or its comment elsewhere, or closes
            // its brackets, or the needle begins inside it.
            let is_known = |line: &Line<'_>| {
                let has_comment = missing_comment(&truncated).is_some_and(|comment| line.text.contains(comment));
                has_comment || line.text.trim_matches(is_blank) == truncated.theirs.trim_matches(is_blank)
            };
            let is_cut = truncated.at == 0 && matches!(truncated.missing, Missing::Before(_));
            if number < MAX_TRUNCATED_IN_BOTH
                && Brackets::of(truncated.ours).unclosed.is_empty()
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
        // Another line that is truncated in the same way may be its new version.
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
        slip: Some(&TRUNCATED_LINES),
        is_mixed: variant.is_mixed,
    })
}

/// Returns the indexes of the lines of needle and file that are paired one to one.
fn one_to_one_lines(place: &Place) -> impl Iterator<Item = (usize, usize)> {
    place.pairs.iter().filter(|pair| pair.is_one_to_one()).map(|pair| (pair.left.start, pair.right.start))
}

/// Returns the comment that a truncated line lacks.
fn missing_comment<'l>(truncated: &TruncatedLine<'l>) -> Option<&'l str> {
    match truncated.missing {
        Missing::After(rest) if comment_after(rest).is_some() => Some(rest.trim_matches(is_blank)),
        _ => None,
    }
}

/// Returns whether a truncated line does not occur in the file as it is.
fn is_truncated(search: &Search<'_>, truncated: &TruncatedLine<'_>, line: &Line<'_>) -> bool {
    // The lookup ignores the mark at the end of a line.
    let is_found = !truncated.lacks_mark() && search.places.get(&line.key).is_some_and(|found| found.count > 0);
    !line.elision && !is_found
}

/// Returns whether no line of the file continues the truncated one differently.
fn is_unique(search: &Search<'_>, truncated: &TruncatedLine<'_>) -> bool {
    let mut lines = (0..search.index.lines.len()).map(|at| search.index.line(at));
    lines.all(|line| {
        TruncatedLine::of(truncated.at, truncated.ours, line).is_none_or(|other| other.theirs == truncated.theirs)
    })
}
