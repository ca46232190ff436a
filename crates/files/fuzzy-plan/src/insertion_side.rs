//! On which side of lines that a hunk leaves out its new lines go.

use std::collections::HashSet;
use std::ops::Range;

use fuzzy_patch::Hint;

use crate::hunk_match::Fit;
use crate::line_script::Script;
use crate::sanity::flaws;

/// The most ways that are tried of putting new lines beside lines that a hunk leaves out.
const MAX_WAYS: usize = 64;

/// The lines of context above and below the changes of a diff, unless its maker was told otherwise.
const USUAL_CONTEXT: usize = 3;

/// Why a hunk cannot be put where its lines occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Conflict {
    /// New lines are beside these lines of the file, which the hunk leaves out, and nothing says on which side.
    Side { first: usize, last: usize },
    /// These lines of the file lie between two that go.
    Between { first: usize, last: usize },
    /// The indentation of the hunk is the file's in no one way.
    Indentation,
    /// A removed line has other quotes, dashes or blanks in the file, which the new lines may have to take over.
    Glyphs,
}

/// A way to put the new lines of a hunk: for each place of some, the line of the file in front of which they go.
type Way = Vec<usize>;

/// A way and what comes of it: the lines, and how many joins and flaws are in them.
struct Judged<'t, 'h> {
    lines: Vec<&'t str>,
    flaws: (usize, usize),
    script: &'t Script<'h>,
    way: Way,
}

/// Returns the script, with its new lines where they are meant, and where in the file these go.
pub(crate) fn way<'h>(
    file: &[&str],
    script: &Script<'h>,
    fit: &Fit,
    hint: &Hint,
) -> Result<(Script<'h>, Way), Conflict> {
    let scripts = if script.is_marked || fit.left_out == 0 {
        vec![script.clone()]
    } else {
        vec![script.slid(true), script.slid(false)]
    };
    let new = script.new_lines();
    let doubles = new.windows(2).any(|pair| pair.iter().all(|(line, _)| line.trim().is_empty()));
    let mut all: Vec<Judged<'_, 'h>> = Vec::new();
    let mut conflict = None;
    for script in &scripts {
        let (ways, between) = ways(file, script, fit, hint)?;
        conflict = conflict.or(between);
        for way in ways {
            let woven = woven_lines(file, script, fit, &way);
            let joins = woven.windows(2).filter(|pair| !pair[1].1.follows(pair[0].1)).count();
            let lines: Vec<&str> = woven.into_iter().map(|(line, _)| line).collect();
            let flaws = (joins, flaws(&lines, doubles));
            all.push(Judged { lines, flaws, script, way });
        }
    }
    all.sort_by_key(|judged| judged.flaws);
    let mut texts = HashSet::new();
    all.retain(|judged| texts.insert(judged.lines.clone()));
    // The only way, or the one that joins fewer lines that touch neither in the file nor in the new text, and makes
    // fewer flaws, than all others.
    let is_best = all.get(1).is_none_or(|next| all[0].flaws < next.flaws);
    match all.into_iter().next() {
        Some(best) if is_best => Ok((best.script.clone(), best.way)),
        _ => Err(conflict.unwrap_or(Conflict::Side { first: fit.first(), last: fit.first() })),
    }
}

/// Returns all ways in which the new lines of a script may go beside the lines that are left out, and what is to be
/// said if none of them is better than the others.
fn ways(file: &[&str], script: &Script<'_>, fit: &Fit, hint: &Hint) -> Result<(Vec<Way>, Option<Conflict>), Conflict> {
    let mut gaps = Vec::with_capacity(script.added.len());
    let mut open: Vec<(usize, Range<usize>)> = Vec::new();
    let window = Window::of(file.len(), script, fit, hint);
    for (at, added) in script.added.iter().enumerate() {
        let above = at.checked_sub(1).map(|above| (fit.lines[above] + 1, script.old[above].goes));
        let below = fit.lines.get(at).map(|line| (*line, script.old[at].goes));
        let (low, high) = match (above, below) {
            (Some((low, goes_above)), Some((high, goes_below))) => {
                if low < high && goes_above && goes_below {
                    return Err(Conflict::Between { first: low, last: high - 1 });
                }
                // What replaces a line takes its place.
                match (goes_above, goes_below) {
                    (true, _) => (low, low),
                    (_, true) => (high, high),
                    _ => (low, high),
                }
            }
            // Beyond the lines that are shown only the header knows of others.
            (Some((low, false)), None) => (low, window.as_ref().map_or(low, |window| window.end.max(low))),
            (None, Some((high, false))) => (window.as_ref().map_or(high, |window| window.start.min(high)), high),
            (above, below) => above.or(below).map_or((0, 0), |(at, _)| (at, at)),
        };
        if low < high && !added.is_empty() {
            open.push((at, low..high));
        }
        gaps.push(if at == 0 { high } else { low });
    }
    let Some((_, side)) = open.first() else { return Ok((vec![gaps], None)) };
    let conflict = Conflict::Side { first: side.start, last: side.end - 1 };
    let mut ways = vec![gaps];
    for (at, range) in open {
        let wider = ways.iter().flat_map(|way| range.clone().chain([range.end]).map(|gap| replaced(way, at, gap)));
        ways = wider.collect();
        if ways.len() > MAX_WAYS {
            return Err(conflict);
        }
    }
    let even = window.map(|window| window.even(script, fit, &ways)).unwrap_or_default();
    Ok((if even.is_empty() { ways } else { even }, Some(conflict)))
}

/// Returns a way with another gap in one place.
fn replaced(way: &[usize], at: usize, gap: usize) -> Way {
    let mut way = way.to_vec();
    way[at] = gap;
    way
}

/// Where a line of a result comes from: its number in the file, and in the new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    file: Option<usize>,
    new: Option<usize>,
}

impl Origin {
    /// Returns whether the line is just below `above` in the file or in the new text.
    fn follows(self, above: Self) -> bool {
        is_next(self.file, above.file) || is_next(self.new, above.new)
    }
}

/// Returns whether a line of a text is the next after another.
fn is_next(line: Option<usize>, above: Option<usize>) -> bool {
    line.zip(above).is_some_and(|(line, above)| line == above + 1)
}

/// The lines around a place that are judged with it: enough for a block that ends or begins there.
const AROUND: usize = 2;

/// Returns the lines of a place, and some around it, as they would be, each with where it comes from.
fn woven_lines<'t>(file: &[&'t str], script: &'t Script<'_>, fit: &Fit, way: &[usize]) -> Vec<(&'t str, Origin)> {
    let mut kept = vec![None; file.len()];
    let mut new = 0;
    let mut comes = Vec::with_capacity(script.added.len());
    for (at, added) in script.added.iter().enumerate() {
        comes.push(new);
        new += added.len();
        if let Some(line) = script.old.get(at).filter(|line| !line.goes).map(|_| fit.lines[at]) {
            kept[line] = Some(new);
            new += 1;
        }
    }
    let of_file = |lines: Range<usize>| lines.map(|at| (file[at], Origin { file: Some(at), new: kept[at] }));
    let mut lines = Vec::new();
    let mut rest = fit.first().min(way[0]).saturating_sub(AROUND);
    for (at, added) in script.added.iter().enumerate() {
        if !added.is_empty() {
            lines.extend(of_file(rest..way[at].max(rest)));
            rest = rest.max(way[at]);
            let new = added.iter().zip(comes[at]..);
            lines.extend(new.map(|(line, number)| (*line, Origin { file: None, new: Some(number) })));
        }
        if let Some(line) = script.old.get(at).filter(|line| line.goes).map(|_| fit.lines[at]) {
            lines.extend(of_file(rest..line.max(rest)));
            rest = line + 1;
        }
    }
    let last = (fit.last() + 1).max(rest);
    lines.extend(of_file(rest..(last + AROUND).min(file.len())));
    lines
}

/// The lines of the file that a hunk is about by its header, those included that it leaves out.
struct Window {
    start: usize,
    end: usize,
    file: usize,
}

impl Window {
    /// Returns it if the header speaks of more lines than the hunk shows, and of as many as lie there.
    fn of(file: usize, script: &Script<'_>, fit: &Fit, hint: &Hint) -> Option<Self> {
        let count = hint.old_lines?;
        let outside = count.checked_sub(script.old.len() + fit.left_out)?;
        let start = match hint.line {
            _ if outside == 0 => fit.first(),
            Some(line) if (1..=fit.first() + 1).contains(&line) && fit.first() + 1 - line <= outside => line - 1,
            _ => return None,
        };
        (start + count <= file).then_some(Self { start, end: start + count, file })
    }

    /// Returns the ways in which as many lines are above everything that changes as below, as in every diff; fewer
    /// only where the file begins or ends. Of several those with three, the number that diffs have unless told.
    fn even(&self, script: &Script<'_>, fit: &Fit, ways: &[Way]) -> Vec<Way> {
        let even = ways.iter().filter_map(|way| Some((self.context(script, fit, way)?, way.clone())));
        let (usual, others): (Vec<_>, Vec<_>) = even.partition(|(context, _)| *context == USUAL_CONTEXT);
        let kept = if usual.is_empty() { others } else { usual };
        kept.into_iter().map(|(_, way)| way).collect()
    }

    /// Returns how many lines of context this way leaves, if they are as many above as below.
    fn context(&self, script: &Script<'_>, fit: &Fit, way: &[usize]) -> Option<usize> {
        let gone = script.old.iter().zip(&fit.lines).filter(|(line, _)| line.goes).map(|(_, at)| (*at, *at + 1));
        let come = script.added.iter().zip(way).filter(|(added, _)| !added.is_empty()).map(|(_, at)| (*at, *at));
        let changes: Vec<(usize, usize)> = gone.chain(come).collect();
        let first = changes.iter().map(|change| change.0).min()?;
        let last = changes.iter().map(|change| change.1).max()?;
        let (above, below) = (first.saturating_sub(self.start), self.end.saturating_sub(last));
        let is_even = above == below || (above < below && self.start == 0) || (below < above && self.end == self.file);
        is_even.then_some(above.max(below))
    }
}
