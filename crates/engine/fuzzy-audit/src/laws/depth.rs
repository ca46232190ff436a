//! The law of indentation: new lines have the new text's indentation relative to the kept lines.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::align::{common, gaps};
use crate::case::Case;
use crate::law::{Broken, Law};

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

/// Checks that every new line has the new text's indentation relative to the kept lines beside it.
pub(crate) fn check(case: &Case<'_>) -> Result<(), Broken> {
    let (new, place, result) = (&case.new, &case.place, &case.result);
    let in_result: FxHashMap<usize, usize> = common(&new.keys(), &result.keys()).into_iter().collect();
    let in_file = common(&new.keys(), &place.keys());
    let mut has = vec![false; new.lines.len()];
    let mut shared = Vec::new();
    for (line, other) in in_file {
        has[line] = true;
        let file = place.lines[other].indent;
        let result = in_result.get(&line).map_or(file, |at| result.lines[*at].indent);
        shared.push(Shared { line, new: new.lines[line].indent, file, result });
    }
    // A line that occurs several times may be paired with the wrong one.
    let mut often: FxHashMap<u64, usize> = FxHashMap::default();
    for line in &new.lines {
        *often.entry(line.key).or_default() += 1;
    }
    if shared.iter().any(|shared| often[&new.lines[shared.line].key] == 1) {
        shared.retain(|shared| often[&new.lines[shared.line].key] == 1);
    }
    // A first line without indentation may be the end of a line.
    if shared.first().is_some_and(|first| first.line == 0 && first.new.is_empty() && !first.file.is_empty()) {
        shared.remove(0);
    }
    let written =
        (0..new.lines.len()).filter(|line| !has[*line]).filter_map(|line| Some((*in_result.get(&line)?, line)));
    let mut added: Vec<Added<'_>> = written
        .map(|(at, line)| Added { line, written: at, new: new.lines[line].indent, result: result.lines[at].indent })
        .filter(|added| added.line > 0)
        .collect();
    // A line that replaces another may have its indentation.
    let mut replaced: FxHashMap<usize, usize> = FxHashMap::default();
    let mut depths: Vec<FxHashSet<&str>> = Vec::new();
    for (at, to) in gaps(&common(&result.keys(), &place.keys()), result.lines.len(), place.lines.len()) {
        replaced.extend(at.map(|line| (line, depths.len())));
        depths.push(to.map(|line| place.lines[line].indent).collect());
    }
    added.retain(|line| replaced.get(&line.written).is_none_or(|gap| !depths[*gap].contains(line.result)));
    let unshifted = shared.iter().any(|line| !line.file.is_empty()) && shared.iter().all(|line| line.new == line.file);
    // Lines also seem unshifted if the edit moves all of them by exactly the shift of its texts. Needle and new text
    // then have one least indentation, and the place another.
    let compensated =
        new.min_indentation() == case.needle.min_indentation() && new.min_indentation() != place.min_indentation();
    if unshifted && !compensated {
        return match added.iter().find(|added| added.new != added.result) {
            Some(added) => Err(case.at_line(Law::Depth, added.written)),
            None => Ok(()),
        };
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
            return Err(case.at_line(Law::Depth, line.written));
        }
    }
    for pair in added.windows(2) {
        let [one, other] = pair else { continue };
        let (new, result) = (deeper(one.new, other.new), deeper(one.result, other.result));
        if other.line == one.line + 1 && new.is_some() && result.is_some() && new != result {
            return Err(case.at_line(Law::Depth, other.written));
        }
    }
    Ok(())
}

/// Compares two indentations; none if neither begins with the other.
fn deeper(one: &str, other: &str) -> Option<Ordering> {
    (one.starts_with(other) || other.starts_with(one)).then(|| one.len().cmp(&other.len()))
}
