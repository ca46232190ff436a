//! The law of indentation: new lines have the new text's indentation relative to the kept lines.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::align::{common, gaps};
use crate::case::Case;
use crate::law::{Broken, Law};
use crate::text::counts;

/// A line of the new text and of the file, with its indentation in each.
struct Shared<'t> {
    line: usize,
    new: &'t str,
    file: &'t str,
    result: &'t str,
}

/// A line of the new text alone, with its indentation there and in the result.
struct Added<'t> {
    line: usize,
    /// The line of the result.
    written: usize,
    new: &'t str,
    result: &'t str,
}

/// Finds a new line without the new text's indentation relative to the kept lines beside it.
pub(crate) fn foreign_indentation(case: &Case<'_>) -> Option<Broken> {
    let (new, place, result) = (&case.new, &case.place, &case.result);
    let in_result = common(&new.keys(), &result.keys());
    let in_file = common(&new.keys(), &place.keys());
    let written: FxHashMap<usize, usize> = in_result.iter().copied().collect();
    let mut shared: Vec<Shared<'_>> = in_file
        .iter()
        .map(|&(line, other)| {
            let file = place.lines[other].indent;
            let result = written.get(&line).map_or(file, |at| result.lines[*at].indent);
            Shared { line, new: new.lines[line].indent, file, result }
        })
        .collect();
    // A line that occurs several times may be paired with the wrong one.
    let often = counts(new.keys());
    let is_only = |shared: &Shared<'_>| often[&new.lines[shared.line].key] == 1;
    if shared.iter().any(is_only) {
        shared.retain(is_only);
    }
    // A first line without indentation may be the end of a line.
    if shared.first().is_some_and(|first| first.line == 0 && first.new.is_empty() && !first.file.is_empty()) {
        shared.remove(0);
    }
    // A line that replaces another may have its indentation.
    let mut replaced: FxHashMap<usize, usize> = FxHashMap::default();
    let mut depths: Vec<FxHashSet<&str>> = Vec::new();
    for (at, to) in gaps(&common(&result.keys(), &place.keys()), result.lines.len(), place.lines.len()) {
        replaced.extend(at.map(|line| (line, depths.len())));
        depths.push(to.map(|line| place.lines[line].indent).collect());
    }
    let kept: FxHashMap<usize, usize> = in_file.into_iter().collect();
    let added: Vec<Added<'_>> = in_result
        .into_iter()
        .filter(|(line, _)| *line > 0 && !kept.contains_key(line))
        .map(|(line, at)| Added { line, written: at, new: new.lines[line].indent, result: result.lines[at].indent })
        .filter(|line| replaced.get(&line.written).is_none_or(|gap| !depths[*gap].contains(line.result)))
        .collect();
    let unshifted = shared.iter().any(|line| !line.file.is_empty()) && shared.iter().all(|line| line.new == line.file);
    // Lines also seem unshifted if the edit moves all of them by exactly the shift of its texts. Needle and new text
    // then have one least indentation, and the place another.
    let [base, needle, file] =
        [new, &case.needle, place].map(|text| text.lines.iter().map(|line| line.indent.len()).min());
    if unshifted && (base != needle || base == file) {
        let shifted = added.iter().find(|added| added.new != added.result)?;
        return Some(case.at_line(Law::Depth, shifted.written));
    }
    // The first line of a copy is often cut or shifted alone.
    shared.retain(|shared| shared.line > 0);
    let unmoved = shared.iter().filter(|shared| shared.new == shared.result).count();
    let mut depths_of: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
    for shared in &shared {
        depths_of.entry(shared.new).or_default().insert(shared.result);
    }
    for line in &added {
        if line.new == line.result && 2 * unmoved >= shared.len() {
            continue;
        }
        if depths_of.get(line.new).is_some_and(|depths| !depths.contains(line.result)) {
            return Some(case.at_line(Law::Depth, line.written));
        }
    }
    for pair in added.windows(2) {
        let (new, result) = (deeper(pair[0].new, pair[1].new), deeper(pair[0].result, pair[1].result));
        if pair[1].line == pair[0].line + 1 && new.is_some() && result.is_some() && new != result {
            return Some(case.at_line(Law::Depth, pair[1].written));
        }
    }
    None
}

/// Compares two indentations; none if neither begins with the other.
fn deeper(one: &str, other: &str) -> Option<Ordering> {
    (one.starts_with(other) || other.starts_with(one)).then(|| one.len().cmp(&other.len()))
}
