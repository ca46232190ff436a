//! Finds an edit's new text where the old one should be.

use fuzzy_carry_over::{align, equal_but_blanks, information};

use fuzzy_carry_over::{Key, Line};
use rustc_hash::FxHashMap;

use crate::index::{Index, Places};
use crate::place::{Needle, Place, full_lines};

/// New text that tells less than this is no proof: a closing bracket stands everywhere.
const LEAST_EVIDENCE: f32 = 0.5;

/// An old line stands where a line at least this much like it stands.
const STANDS: f32 = 0.85;

/// Looks this many lines around the place.
const REACH: usize = 6;

/// Counts the lines, on either side of the place, among which a replacement is looked for.
pub(crate) fn reach(replacement: &str) -> usize {
    REACH + full_lines(replacement).len()
}

/// Gives the first and last line of the new text when it stands whole at the place and the old
/// one does not.
pub(crate) fn check(
    index: &Index<'_>,
    needle: &Needle<'_>,
    place: &Place,
    replacement: &str,
    places: &FxHashMap<Key, Places>,
) -> Option<(usize, usize)> {
    let lines = full_lines(replacement);
    // Of a text that only takes lines away, what is left may stand beside any sibling.
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
    let file: Vec<_> = (from..to)
        .map(|at| fuzzy_carry_over::Line {
            text: index.line(at),
            key: index.lines[at].key,
            weight: 1.0,
            elision: false,
        })
        .collect();
    let aligned = align(&lines, &file, true);
    let whole = aligned.pairs.len() == lines.len()
        && aligned
            .pairs
            .iter()
            .all(|pair| pair.similarity >= 1.0 && equal_but_blanks(lines[pair.left.0].text, file[pair.right.0].text))
        && aligned.pairs.windows(2).all(|pair| pair[0].right.0 + 1 == pair[1].right.0);
    if !whole {
        return None;
    }
    let start = aligned.pairs.first()?.right.0 + from;
    let end = aligned.pairs.last()?.right.0 + from;
    // Old lines that are to go and stand here are a change still to be made.
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
    Some((start, end))
}

/// Tells whether what is left of a needle is only its beginning or only its end: nothing then shows
/// that the rest is missing.
fn one_ended(needle: &Needle<'_>, left: &[Line<'_>]) -> bool {
    let old = &needle.lines;
    let count = left.len().min(old.len());
    let head = (0..count).all(|at| old[at].key == left[at].key);
    let tail = (1..=count).all(|at| old[old.len() - at].key == left[left.len() - at].key);
    head || tail
}
