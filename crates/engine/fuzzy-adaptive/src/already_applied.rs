//! Finds an edit's new text in the place of the old one.

use fuzzy_core::Query;
use fuzzy_merge::{Key, Line, Pair, align_while, equal_but_blanks, information};
use fuzzy_search::{Needle, Place, Search, full_lines};
use rustc_hash::FxHashMap;

/// The least information of a new text that proves it applied: a closing bracket occurs everywhere.
const MIN_EVIDENCE: f32 = 0.5;

/// The least similarity of an old line, still to be changed.
const MIN_SIMILARITY: f32 = 0.85;

/// The lines searched on either side of a place, in addition to the new text's own number of lines.
const LINES_AROUND: usize = 6;

/// Returns the number of lines to search for a replacement on either side of a place.
pub(crate) fn reach(replacement: &str) -> usize {
    LINES_AROUND + full_lines(replacement).len()
}

/// The lines of the index that have a new text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Applied {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Whether all of its lines occur exactly; otherwise they are approximate copies, and some kept lines may be
    /// missing.
    pub(crate) whole: bool,
}

/// Finds the new text, if it is at the place and the old one is not.
pub(crate) fn check(
    query: &Query<'_>,
    search: &Search<'_>,
    needle: &Needle<'_>,
    place: &Place,
    replacement: &str,
) -> Option<Applied> {
    let Search { index, places, .. } = search;
    let lines = full_lines(replacement);
    // After a deletion, the remaining lines may occur beside any similar block.
    let (old, new) = (counts(&needle.lines), counts(&lines));
    let shortened = lines.iter().all(|line| old.contains_key(&line.key));
    if shortened && is_one_end(needle, &lines) {
        return None;
    }
    let informative =
        lines.iter().filter(|line| !shortened || places.get(&line.key).is_some_and(|found| found.count == 1));
    let evidence: f32 = informative.map(|line| information(line.key)).sum();
    if lines.is_empty() || evidence < MIN_EVIDENCE {
        return None;
    }
    let (first, last) = place.lines();
    let reach = reach(replacement);
    let from = first.saturating_sub(reach);
    let to = (last + reach).min(index.lines.len());
    let file = index.plain_lines(from..to);
    let aligned = align_while(&lines, &file, true, &|| !query.is_over());
    let whole = aligned.pairs.len() == lines.len()
        && aligned.pairs.iter().all(|pair| {
            pair.similarity >= 1.0 && equal_but_blanks(lines[pair.left.start].text, file[pair.right.start].text)
        })
        && aligned.pairs.windows(2).all(|pair| pair[0].right.start + 1 == pair[1].right.start);
    if !whole {
        let mut found = vec![false; lines.len()];
        for pair in aligned.pairs.iter().filter(|pair| pair.similarity >= 1.0) {
            found[pair.left.clone()].fill(true);
        }
        // Nearly always a line of the new text alone is still missing, and no more comparison is needed.
        let is_new = |line: &Line<'_>| !line.elision && !old.contains_key(&line.key);
        let lacks_new = lines.iter().zip(found).any(|(line, found)| is_new(line) && !found);
        if lacks_new || !occurs_approximately(place, &lines, &added(query, needle, &lines), &aligned.pairs, from) {
            return None;
        }
    }
    let start = aligned.pairs.first()?.right.start + from;
    let end = aligned.pairs.last()?.right.start + from;
    // A deleted line may occur here, and right beside the old text, at most as often as in the new text.
    let is_found = |at: usize| place.pairs.iter().any(|pair| pair.right.contains(&at));
    let from = start - usize::from(start > 0 && is_found(start - 1));
    let left = counts(&index.plain_lines(from..end + 1 + usize::from(is_found(end + 1))));
    let count = |counts: &FxHashMap<Key, usize>, key| counts.get(key).copied().unwrap_or(0);
    if old.iter().any(|(key, &old)| old > count(&new, key) && count(&left, key) > count(&new, key)) {
        return None;
    }
    // A deleted line that occurs here, whole or truncated in the needle, is still to be changed.
    let is_deleted = |line: &Line<'_>| !new.contains_key(&line.key) && !line.elision;
    let is_pending = place.pairs.iter().any(|pair| {
        let (ours, theirs) = (needle.paired(pair), pair.right.start);
        let is_truncated = || ours.iter().any(|line| index.line(theirs).trim().starts_with(line.text.trim()));
        ours.iter().any(is_deleted)
            && (pair.similarity >= MIN_SIMILARITY || is_truncated())
            && !new.contains_key(&index.lines[theirs].key)
    });
    if is_pending {
        return None;
    }
    // The whole old text outside the new one is a place to edit.
    let old_whole = place.pairs.iter().map(|pair| pair.left.len()).sum::<usize>() == needle.lines.len()
        && place.pairs.iter().all(|pair| pair.similarity >= 1.0);
    let inside = first >= start && last <= end + 1;
    if old_whole && (!inside || needle.lines.len() >= lines.len()) {
        return None;
    }
    Some(Applied { first: start, last: end, whole })
}

/// Returns which lines of the new text the edit adds. A moved line counts as added at its new place.
fn added(query: &Query<'_>, needle: &Needle<'_>, new: &[Line<'_>]) -> Vec<bool> {
    let mut added: Vec<bool> = new.iter().map(|line| !line.elision).collect();
    for pair in align_while(&needle.lines, new, false, &|| !query.is_over()).pairs {
        if pair.similarity >= 1.0 {
            added[pair.right].fill(false);
        }
    }
    added
}

/// Returns whether the added lines are at the place, right beside the kept ones. The new text may miscopy kept lines as
/// the old text does. The file's lines of the `pairs` are counted from `from`.
fn occurs_approximately(place: &Place, new: &[Line<'_>], added: &[bool], pairs: &[Pair], from: usize) -> bool {
    let evidence: f32 = new.iter().zip(added).filter(|(_, added)| **added).map(|(line, _)| information(line.key)).sum();
    let found = pairs.iter().filter(|pair| pair.similarity >= 1.0 && pair.left.len() == 1 && adds(pair, added)).count();
    let beside = pairs.windows(2).all(|pair| {
        let between = &new[pair[0].left.end..pair[1].left.start];
        let elided = !between.is_empty() && between.iter().all(|line| line.elision);
        !(adds(&pair[0], added) || adds(&pair[1], added))
            || elided
            || (between.is_empty() && pair[0].right.end == pair[1].right.start)
    });
    let mut kept = pairs.iter().filter(|pair| !adds(pair, added)).peekable();
    // Consecutive lines need not be those of the place: the new text may contain the needle a second time.
    let all = pairs.iter().map(|pair| pair.left.len()).sum::<usize>() == new.len()
        && pairs.windows(2).all(|pair| pair[0].right.end == pair[1].right.start);
    evidence >= MIN_EVIDENCE
        && found == added.iter().filter(|added| **added).count()
        && beside
        && kept.peek().is_some()
        && (all
            || kept.all(|pair| {
                pair.similarity >= 1.0 && place.pairs.iter().any(|found| found.right.start == pair.right.start + from)
            }))
}

/// Returns whether a pair has an added line.
fn adds(pair: &Pair, added: &[bool]) -> bool {
    added[pair.left.clone()].contains(&true)
}

/// Returns the number of lines with each key.
fn counts(lines: &[Line<'_>]) -> FxHashMap<Key, usize> {
    let mut counts = FxHashMap::default();
    for line in lines {
        *counts.entry(line.key).or_default() += 1;
    }
    counts
}

/// Returns whether the remaining lines are only the beginning or only the end of a needle: they do not prove that the
/// others were deleted.
fn is_one_end(needle: &Needle<'_>, left: &[Line<'_>]) -> bool {
    let mut head = needle.lines.iter().zip(left);
    let mut tail = needle.lines.iter().rev().zip(left.iter().rev());
    head.all(|(ours, theirs)| ours.key == theirs.key) || tail.all(|(ours, theirs)| ours.key == theirs.key)
}
