//! Matches the lines of a hunk with the lines of a file, one by one.

use std::collections::{BTreeMap, HashMap};

use crate::glyphs::alike;
use crate::line_script::{OldLine, Script};

/// Lines of the file that a hunk may omit between its own, at most, unless its header counts more.
const MAX_LEFT_OUT: usize = 2;

/// Omitted lines that a header may count, at most.
const MAX_COUNTED: usize = 8;

/// Comparisons of lines, at most; a search that would need more is not started.
const MAX_COMPARISONS: usize = 20_000_000;

/// The number of lines of the file between two checks of the clock.
const LINES_PER_CLOCK: usize = 1 << 10;

/// The least number of characters without blanks in the hunk's lines with letters or digits, for a match that is not
/// exact: a brace and an empty line occur everywhere.
const MIN_WEIGHT: usize = 12;

/// The lines of the file that match the lines of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HunkMatch {
    /// For each old line of the hunk, its line in the file.
    pub(crate) lines: Vec<usize>,
    /// The number of lines of the file between these that the hunk omits.
    pub(crate) left_out: usize,
    /// The number of lines that differ in blanks at their ends, or in characters that look alike.
    pub(crate) unlike: usize,
}

impl HunkMatch {
    /// Returns the first line of the match.
    pub(crate) fn first(&self) -> usize {
        self.lines[0]
    }

    /// Returns the last line of the match.
    pub(crate) fn last(&self) -> usize {
        self.lines[self.lines.len() - 1]
    }

    /// Returns whether every line matches exactly and none is omitted.
    pub(crate) fn is_exact(&self) -> bool {
        self.left_out == 0 && self.unlike == 0
    }
}

/// Returns whether two lines are equal apart from a `\r` at the end: the file decides about its line endings.
pub(crate) fn same(one: &str, other: &str) -> bool {
    bare(one) == bare(other)
}

/// Returns a line without a `\r` at its end.
pub(crate) fn bare(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// Returns the places where `wanted` occur exactly, one after another.
pub(crate) fn places(file: &[&str], wanted: &[&str]) -> Vec<usize> {
    rows(file, wanted, same)
}

/// Returns the places where lines equal to `wanted` occur one after another.
fn rows(file: &[&str], wanted: &[&str], equal: fn(&str, &str) -> bool) -> Vec<usize> {
    let [first, rest @ ..] = wanted else { return Vec::new() };
    let firsts = (0..file.len()).filter(|at| equal(file[*at], first));
    firsts
        .filter(|at| {
            let below = &file[at + 1..];
            rest.len() <= below.len() && rest.iter().zip(below).all(|(a, b)| equal(a, b))
        })
        .collect()
}

/// Returns every place where all old lines of a hunk match in order, with as few lines between them as possible: the
/// places with exact lines, or if there are none, those with lines that look the same. `more` is the number of lines
/// that the header counts beyond the hunk's, `line` its line number, counted from 1. Ends the search once `is_over`.
pub(crate) fn fits(
    file: &[&str],
    script: &Script<'_>,
    more: usize,
    line: Option<usize>,
    is_over: &dyn Fn() -> bool,
) -> Vec<HunkMatch> {
    let exact: Vec<&str> = script.old.iter().map(|line| line.text).collect();
    let count = exact.len();
    let mut found: Vec<HunkMatch> = places(file, &exact)
        .into_iter()
        .map(|at| HunkMatch { lines: (at..at + count).collect(), left_out: 0, unlike: 0 })
        .collect();
    let worded = exact.iter().filter(|line| line.contains(char::is_alphanumeric));
    let weight: usize = worded.map(|line| line.chars().filter(|c| !c.is_whitespace()).count()).sum();
    if found.is_empty() && weight >= MIN_WEIGHT {
        let unlike = |at: usize| file[at..].iter().zip(&exact).filter(|(there, line)| !same(there, line)).count();
        let looks = |there: &str, line: &str| alike(bare(there), bare(line));
        let rows = rows(file, &exact, looks).into_iter();
        found.extend(rows.map(|at| HunkMatch { lines: (at..at + count).collect(), left_out: 0, unlike: unlike(at) }));
    }
    // Places with omitted lines only matter beside exact ones if the header counts more lines, or the hunk ends the
    // file.
    if more == 0 && !script.is_open.contains(&true) && found.iter().any(HunkMatch::is_exact) {
        return found;
    }
    let most = more.max(MAX_LEFT_OUT);
    // If line number and count agree, a brace is enough.
    let near = line.filter(|_| more > 0).map_or(0..0, |line| line.saturating_sub(1)..line + more);
    let is_weak = weight < MIN_WEIGHT || count < 2;
    if (is_weak && near.is_empty())
        || most > MAX_COUNTED
        || file.len().saturating_mul(count * (most + 1)) > MAX_COMPARISONS
    {
        return found;
    }
    let starts: Vec<usize> = found.iter().map(HunkMatch::first).collect();
    let in_time = (0..file.len()).take_while(|at| at % LINES_PER_CLOCK > 0 || !is_over());
    let looser = in_time.filter(|at| starts.binary_search(at).is_err() && (!is_weak || near.contains(at)));
    found.extend(looser.filter_map(|start| {
        // Lines elsewhere in the block have another indentation, so a changed indentation is only accepted without
        // omitted lines.
        fit_at(file, &script.old, start, most, str::trim_end, false)
            .or_else(|| fit_at(file, &script.old, start, 0, str::trim, false))
    }));
    found
}

/// Keeps of overlapping matches the one with the fewest omitted lines.
pub(crate) fn apart(mut found: Vec<HunkMatch>) -> Vec<HunkMatch> {
    found.sort_by_key(|fit| (fit.left_out, fit.unlike));
    // The first and the last lines of the matches kept so far.
    let mut kept: BTreeMap<usize, usize> = BTreeMap::new();
    found.retain(|fit| {
        let above = kept.range(..=fit.last()).next_back();
        let is_apart = above.is_none_or(|(_, last)| *last < fit.first());
        if is_apart {
            kept.insert(fit.first(), fit.last());
        }
        is_apart
    });
    found
}

/// Returns the match at the same place that omits lines as far down as possible, if it differs from `fit`, which omits
/// them as far up as possible: among equal lines it is unclear which one was omitted.
pub(crate) fn other(file: &[&str], script: &Script<'_>, fit: &HunkMatch) -> Option<HunkMatch> {
    let late =
        (fit.left_out > 0).then(|| fit_at(file, &script.old, fit.first(), fit.left_out, str::trim_end, true)).flatten();
    late.filter(|late| late != fit)
}

/// Returns the match whose first line is `start`, if there is one: the trimmed lines look the same, and at most `most`
/// lines are omitted, as far down as possible if `late`, otherwise as far up.
fn fit_at(
    file: &[&str],
    old: &[OldLine<'_>],
    start: usize,
    most: usize,
    trimmed: fn(&str) -> &str,
    late: bool,
) -> Option<HunkMatch> {
    let first = unlike(file.get(start), old[0].text, trimmed);
    if first == NEVER {
        return None;
    }
    // For each number of omitted lines so far: the number of unlike lines, and the path there as the number of omitted
    // lines before each line.
    let mut costs = vec![NEVER; most + 1];
    costs[0] = first;
    let mut steps: Vec<Vec<usize>> = Vec::with_capacity(old.len());
    for (index, line) in old.iter().enumerate().skip(1) {
        let mut next = vec![NEVER; most + 1];
        let mut step = vec![0; most + 1];
        for left_out in 0..=most {
            let here = unlike(file.get(start + index + left_out), line.text, trimmed);
            let before =
                (0..=left_out).min_by_key(|before| (costs[*before], if late { *before } else { most - before }))?;
            if here != NEVER && costs[before] != NEVER {
                next[left_out] = costs[before] + here;
                step[left_out] = before;
            }
        }
        if next.iter().all(|cost| *cost == NEVER) {
            return None;
        }
        costs = next;
        steps.push(step);
    }
    let mut left_out = costs.iter().position(|cost| *cost != NEVER)?;
    let (most, unlike) = (left_out, costs[left_out]);
    let mut lines = vec![start; old.len()];
    for (index, step) in steps.iter().enumerate().rev() {
        lines[index + 1] = start + index + 1 + left_out;
        left_out = step[left_out];
    }
    Some(HunkMatch { lines, left_out: most, unlike })
}

/// The cost of a line that does not match.
const NEVER: usize = usize::MAX;

/// Returns the cost of matching a line of the file with a line of the hunk: 0 if they are equal, 1 if they look the
/// same when trimmed.
fn unlike(there: Option<&&str>, line: &str, trimmed: fn(&str) -> &str) -> usize {
    match there {
        Some(there) if same(there, line) => 0,
        Some(there) if alike(trimmed(there), trimmed(line)) => 1,
        _ => NEVER,
    }
}

/// Maps the indentations of a hunk to those of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indentation<'t>(HashMap<&'t str, &'t str>);

/// Returns the blanks that a line begins with; all of a blank line.
fn indent(line: &str) -> &str {
    let line = bare(line);
    &line[..line.len() - line.trim_start().len()]
}

impl<'t> Indentation<'t> {
    /// Derives the map from pairs of lines of the hunk and the file. Returns `None` if it is not one to one, or if only
    /// some indentations changed: a writer who changes the indentation does so on every line.
    pub(crate) fn of(pairs: impl Iterator<Item = (&'t str, &'t str)>) -> Option<Self> {
        let mut map = HashMap::new();
        let mut back = HashMap::new();
        for (line, there) in pairs.filter(|(line, _)| !line.trim().is_empty()) {
            let (before, after) = (indent(line), indent(there));
            // Blanks that look alike are the same indentation.
            let after = if alike(before, after) { before } else { after };
            if *map.entry(before).or_insert(after) != after || *back.entry(after).or_insert(before) != before {
                return None;
            }
        }
        let one_stays = map.iter().any(|(before, after)| before == after && !before.is_empty());
        let is_mixed = one_stays && map.iter().any(|(before, after)| before != after);
        let mut indentation = (!is_mixed).then_some(Self(map))?;
        if indentation.is_scaled() {
            indentation.0.entry("").or_insert("");
        }
        Some(indentation)
    }

    /// Returns whether every indentation changed to another kind of blanks or by one factor: then a line without
    /// indentation remains without. A single indentation may have been shifted instead.
    fn is_scaled(&self) -> bool {
        let Some((first, first_there)) = self.0.iter().next() else { return false };
        let is_other_kind = !first.is_empty() && first.chars().next() != first_there.chars().next();
        let mut all = self.0.iter();
        all.all(|(before, after)| before.len() * first_there.len() == after.len() * first.len())
            && (self.0.len() > 1 || is_other_kind)
    }

    /// Returns whether no indentation changed.
    pub(crate) fn is_same(&self) -> bool {
        self.0.iter().all(|(before, after)| before == after)
    }

    /// Returns the line with the file's indentation: that of the deepest line of the hunk that is no deeper than it,
    /// plus the rest in the file's steps. Returns `None` for a line that is less deep than all known ones.
    pub(crate) fn apply(&self, line: &str) -> Option<String> {
        let before = indent(line);
        let known = self.0.iter().filter(|(known, _)| before.starts_with(**known));
        if self.is_same() || before.is_empty() && line.trim().is_empty() {
            return Some(line.to_owned());
        }
        let (base, there) = known.max_by_key(|(known, _)| known.len())?;
        Some(format!("{there}{}{}", self.deeper(&before[base.len()..]), &line[before.len()..]))
    }

    /// Converts blanks below a known indentation to the file's steps, if these are known and the blanks are whole
    /// steps.
    fn deeper(&self, blanks: &str) -> String {
        let Some(kind) = one_kind(blanks) else { return blanks.to_owned() };
        let mut step: Option<(usize, char, usize)> = None;
        for (low, low_there) in &self.0 {
            for (high, high_there) in &self.0 {
                let Some((more, more_there)) = high.strip_prefix(low).zip(high_there.strip_prefix(low_there)) else {
                    continue;
                };
                if more.is_empty() || one_kind(more) != Some(kind) {
                    continue;
                }
                let Some(kind_there) = one_kind(more_there) else { return blanks.to_owned() };
                match step {
                    None => step = Some((more.len(), kind_there, more_there.len())),
                    Some((width, kind, width_there)) => {
                        if kind != kind_there || width * more_there.len() != width_there * more.len() {
                            return blanks.to_owned();
                        }
                    }
                }
            }
        }
        match step {
            Some((width, kind, width_there)) if (blanks.len() * width_there).is_multiple_of(width) => {
                kind.to_string().repeat(blanks.len() * width_there / width)
            }
            _ => blanks.to_owned(),
        }
    }
}

/// Returns the character of a text that repeats a single one.
fn one_kind(text: &str) -> Option<char> {
    text.chars().next().filter(|first| text.chars().all(|c| c == *first))
}
