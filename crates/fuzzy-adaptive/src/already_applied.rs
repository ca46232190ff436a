//! Finds an edit's new text where the old one should be.

use fuzzy_alignment::{Index, LinePlaces, Needle, Place, full_lines};
use fuzzy_carry_over::{Key, Line, Pair, align, equal_but_blanks, information};
use rustc_hash::FxHashMap;

/// New text that tells less than this is no proof: a closing bracket stands everywhere.
const LEAST_EVIDENCE: f32 = 0.5;

/// An old line is found where a line at least this much like it is.
const STANDS: f32 = 0.85;

/// Looks this many lines around the place.
const REACH: usize = 6;

/// Returns the number of lines, on either side of the place, among which a replacement is looked for.
pub(crate) fn reach(replacement: &str) -> usize {
    REACH + full_lines(replacement).len()
}

/// The lines of the index in which a new text occurs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Whether all of its lines are there; else they equal the file's only as far as careless copies do,
    /// and of those that the edit keeps some may be missing.
    pub(crate) whole: bool,
}

/// Finds the new text when it is at the place and the old one does not.
pub(crate) fn check(
    index: &Index<'_>,
    needle: &Needle<'_>,
    place: &Place,
    replacement: &str,
    places: &FxHashMap<Key, LinePlaces>,
) -> Option<Standing> {
    let lines = full_lines(replacement);
    // Of a text that only takes lines away, what is left may occur beside any sibling.
    let shortened = lines.iter().all(|line| needle.lines.iter().any(|old| old.key == line.key));
    if shortened && one_ended(needle, &lines) {
        return None;
    }
    let unique = |key: &Key| places.get(key).is_some_and(|found| found.count == 1);
    let evidence: f32 =
        lines.iter().filter(|line| !shortened || unique(&line.key)).map(|line| information(line.key)).sum();
    if lines.is_empty() || evidence < LEAST_EVIDENCE {
        return None;
    }
    let (first, last) = place.lines();
    let reach = reach(replacement);
    let from = first.saturating_sub(reach);
    let to = (last + reach).min(index.lines.len());
    let file = index.plain_lines(from..to);
    let aligned = align(&lines, &file, true);
    let whole = aligned.pairs.len() == lines.len()
        && aligned
            .pairs
            .iter()
            .all(|pair| pair.similarity >= 1.0 && equal_but_blanks(lines[pair.left.0].text, file[pair.right.0].text))
        && aligned.pairs.windows(2).all(|pair| pair[0].right.0 + 1 == pair[1].right.0);
    if !whole && !stands_careless(needle, place, &lines, &aligned.pairs, from) {
        return None;
    }
    let start = aligned.pairs.first()?.right.0 + from;
    let end = aligned.pairs.last()?.right.0 + from;
    // Old lines that are to go and are here are a change still to be made.
    let removed = |at: usize| lines.iter().all(|line| line.key != needle.lines[at].key);
    let (mut gone, mut here) = (0.0, 0.0);
    for (at, line) in needle.lines.iter().enumerate() {
        if removed(at) && !line.elision {
            gone += line.weight;
            let paired =
                place.pairs.iter().filter(|pair| (pair.left.0..pair.left.0 + pair.left.1).contains(&at)).any(|pair| {
                    let found = index.lines[pair.right.0].key;
                    pair.similarity >= STANDS && lines.iter().all(|line| line.key != found)
                });
            here += if paired { line.weight } else { 0.0 };
        }
    }
    if here > 0.5 * gone {
        return None;
    }
    // The old text whole, outside the new one, is a place to edit.
    let old_whole = place.pairs.iter().map(|pair| pair.left.1).sum::<usize>() == needle.lines.len()
        && place.pairs.iter().all(|pair| pair.similarity >= 1.0);
    let inside = first >= start && last <= end + 1;
    if old_whole && (!inside || needle.lines.len() >= lines.len()) {
        return None;
    }
    Some(Standing { first: start, last: end, whole })
}

/// Returns whether the lines that the edit brings are at the place, right beside those that it keeps: these may
/// be copied as carelessly in the new text as in the old one. The file's lines of the `pairs` are counted from
/// `from`.
fn stands_careless(needle: &Needle<'_>, place: &Place, new: &[Line<'_>], pairs: &[Pair], from: usize) -> bool {
    let brought = |at: usize| !new[at].elision && needle.lines.iter().all(|old| old.key != new[at].key);
    let evidence: f32 = (0..new.len()).filter(|&at| brought(at)).map(|at| information(new[at].key)).sum();
    let brings = |pair: &Pair| (pair.left.0..pair.left.0 + pair.left.1).any(brought);
    let stand = pairs.iter().filter(|pair| pair.similarity >= 1.0 && pair.left.1 == 1 && brings(pair)).count();
    let beside = pairs.windows(2).all(|pair| {
        let (left, right) = ((pair[0].left, pair[1].left.0), (pair[0].right, pair[1].right.0));
        let between = &new[left.0.0 + left.0.1..left.1];
        let elided = !between.is_empty() && between.iter().all(|line| line.elision);
        !(brings(&pair[0]) || brings(&pair[1])) || elided || (between.is_empty() && right.0.0 + right.0.1 == right.1)
    });
    let here =
        |pair: &Pair| pair.similarity >= 1.0 && place.pairs.iter().any(|found| found.right.0 == pair.right.0 + from);
    let mut kept = pairs.iter().filter(|pair| !brings(pair)).peekable();
    // All lines in a row need not be those of the place: the needle may occur a second time inside the new text.
    let all = pairs.iter().map(|pair| pair.left.1).sum::<usize>() == new.len()
        && pairs.windows(2).all(|pair| pair[0].right.0 + pair[0].right.1 == pair[1].right.0);
    evidence >= LEAST_EVIDENCE
        && stand == (0..new.len()).filter(|&at| brought(at)).count()
        && beside
        && kept.peek().is_some()
        && (all || kept.all(here))
}

/// Returns whether what is left of a needle is only its beginning or only its end: nothing then shows
/// that the rest is missing.
fn one_ended(needle: &Needle<'_>, left: &[Line<'_>]) -> bool {
    let old = &needle.lines;
    let count = left.len().min(old.len());
    let head = (0..count).all(|at| old[at].key == left[at].key);
    let tail = (1..=count).all(|at| old[old.len() - at].key == left[left.len() - at].key);
    head || tail
}
