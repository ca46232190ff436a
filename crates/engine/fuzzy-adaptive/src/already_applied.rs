//! Finds an edit's new text where the old one should be.

use fuzzy_alignment::{Index, LinePlaces, Needle, Place, full_lines};
use fuzzy_core::Query;
use fuzzy_merge::{Key, Line, Pair, align_while, equal_but_blanks, information};
use rustc_hash::FxHashMap;

/// The least information of new text that is a proof, in telling lines: a closing bracket occurs everywhere.
const MIN_EVIDENCE: f32 = 0.5;

/// The least similarity of a line that is an old one, still to be changed.
const MIN_SIMILARITY: f32 = 0.85;

/// The lines on either side of a place in which a new text is looked for, besides as many as it has.
const LINES_AROUND: usize = 6;

/// Returns the number of lines, on either side of the place, among which a replacement is looked for.
pub(crate) fn reach(replacement: &str) -> usize {
    LINES_AROUND + full_lines(replacement).len()
}

/// The lines of the index in which a new text occurs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Applied {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Whether all of its lines are there; else they equal the file's only as far as careless copies do,
    /// and of those that the edit keeps some may be missing.
    pub(crate) whole: bool,
}

/// Finds the new text when it is at the place and the old one is not.
pub(crate) fn check(
    query: &Query<'_>,
    index: &Index<'_>,
    needle: &Needle<'_>,
    place: &Place,
    replacement: &str,
    places: &FxHashMap<Key, LinePlaces>,
) -> Option<Applied> {
    let lines = full_lines(replacement);
    // Of a text that only takes lines away, what is left may occur beside any sibling.
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
        // Nearly always something that only the new text has is not there yet, and nothing more has to be compared.
        let is_new = |line: &Line<'_>| !line.elision && !old.contains_key(&line.key);
        let lacks_new = lines.iter().zip(found).any(|(line, found)| is_new(line) && !found);
        if lacks_new || !occurs_approximately(place, &lines, &added(query, needle, &lines), &aligned.pairs, from) {
            return None;
        }
    }
    let start = aligned.pairs.first()?.right.start + from;
    let end = aligned.pairs.last()?.right.start + from;
    // As often as the new text has a line that is to go less often, it may be here; where the old text was found, right
    // beside, too.
    let is_found = |at: usize| place.pairs.iter().any(|pair| pair.right.contains(&at));
    let from = start - usize::from(start > 0 && is_found(start - 1));
    let left = counts(&index.plain_lines(from..end + 1 + usize::from(is_found(end + 1))));
    let count = |counts: &FxHashMap<Key, usize>, key| counts.get(key).copied().unwrap_or(0);
    if old.iter().any(|(key, &old)| old > count(&new, key) && count(&left, key) > count(&new, key)) {
        return None;
    }
    // An old line that is to go and is here, or was torn out of one, is a change still to be made.
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
    // The old text whole, outside the new one, is a place to edit.
    let old_whole = place.pairs.iter().map(|pair| pair.left.len()).sum::<usize>() == needle.lines.len()
        && place.pairs.iter().all(|pair| pair.similarity >= 1.0);
    let inside = first >= start && last <= end + 1;
    if old_whole && (!inside || needle.lines.len() >= lines.len()) {
        return None;
    }
    Some(Applied { first: start, last: end, whole })
}

/// Returns which lines of the new text the edit brings; one that is moved is added to where it goes.
fn added(query: &Query<'_>, needle: &Needle<'_>, new: &[Line<'_>]) -> Vec<bool> {
    let mut added: Vec<bool> = new.iter().map(|line| !line.elision).collect();
    for pair in align_while(&needle.lines, new, false, &|| !query.is_over()).pairs {
        if pair.similarity >= 1.0 {
            added[pair.right].fill(false);
        }
    }
    added
}

/// Returns whether the lines that the edit brings are at the place, right beside those that it keeps: these may
/// be copied as carelessly in the new text as in the old one. The file's lines of the `pairs` are counted from
/// `from`.
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
    // All lines in a row need not be those of the place: the needle may occur a second time inside the new text.
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

/// Returns whether a pair has one of the new text's lines that the edit brings.
fn adds(pair: &Pair, added: &[bool]) -> bool {
    added[pair.left.clone()].contains(&true)
}

/// Returns how many of some lines have each key.
fn counts(lines: &[Line<'_>]) -> FxHashMap<Key, usize> {
    let mut counts = FxHashMap::default();
    for line in lines {
        *counts.entry(line.key).or_default() += 1;
    }
    counts
}

/// Returns whether what is left of a needle is only its beginning or only its end: nothing then shows
/// that the rest is missing.
fn is_one_end(needle: &Needle<'_>, left: &[Line<'_>]) -> bool {
    let old = &needle.lines;
    let count = left.len().min(old.len());
    let head = (0..count).all(|at| old[at].key == left[at].key);
    let tail = (1..=count).all(|at| old[old.len() - at].key == left[left.len() - at].key);
    head || tail
}
