//! Decides on which side of omitted lines the added lines of a hunk belong.

use std::collections::HashSet;
use std::ops::Range;

use fuzzy_patch::Hint;

use crate::hunk_match::HunkMatch;
use crate::line_script::Script;

/// Placements of added lines beside omitted lines to compare, at most.
const MAX_PLACEMENTS: usize = 64;

/// The default number of context lines above and below the changes of a diff.
const USUAL_CONTEXT: usize = 3;

/// The reason why a hunk cannot be applied although its lines match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Misfit {
    /// Added lines are beside these omitted lines of the file, and their side is unclear.
    Side { first: usize, last: usize },
    /// These omitted lines of the file are between two removed lines.
    Between { first: usize, last: usize },
}

/// A placement of the added lines: for each group of them, the line of the file before which it is inserted.
type Placement = Vec<usize>;

/// A placement and its result: the lines, and their number of joins.
struct Rated<'t, 'h> {
    lines: Vec<&'t str>,
    joins: usize,
    script: &'t Script<'h>,
    placement: Placement,
}

/// Returns the script with its added lines in their best positions, and the placement.
pub(crate) fn placement<'h>(
    file: &[&str],
    script: &Script<'h>,
    fit: &HunkMatch,
    hint: &Hint,
) -> Result<(Script<'h>, Placement), Misfit> {
    let scripts = if script.is_marked || fit.left_out == 0 {
        vec![script.clone()]
    } else {
        vec![script.slid(true), script.slid(false)]
    };
    let mut all: Vec<Rated<'_, 'h>> = Vec::new();
    let mut conflict = None;
    for script in &scripts {
        let (placements, between) = placements(file, script, fit, hint)?;
        conflict = conflict.or(between);
        for placement in placements {
            let spliced = resulting_lines(file, script, fit, &placement);
            let joins = spliced.windows(2).filter(|pair| !pair[1].1.follows(pair[0].1)).count();
            let lines: Vec<&str> = spliced.into_iter().map(|(line, _)| line).collect();
            all.push(Rated { lines, joins, script, placement });
        }
    }
    all.sort_by_key(|rated| rated.joins);
    let mut texts = HashSet::new();
    all.retain(|rated| texts.insert(rated.lines.clone()));
    // The only placement, or the one with fewer joins than all others. A join is a pair of neighbouring lines
    // that are neighbours neither in the file nor in the new text.
    let is_best = all.get(1).is_none_or(|next| all[0].joins < next.joins);
    match all.into_iter().next() {
        Some(best) if is_best => Ok((best.script.clone(), best.placement)),
        _ => Err(conflict.unwrap_or(Misfit::Side { first: fit.first(), last: fit.first() })),
    }
}

/// Returns all placements of a script's added lines beside omitted lines, and the conflict to report if none is better
/// than the others.
fn placements(
    file: &[&str],
    script: &Script<'_>,
    fit: &HunkMatch,
    hint: &Hint,
) -> Result<(Vec<Placement>, Option<Misfit>), Misfit> {
    let mut gaps = Vec::with_capacity(script.added.len());
    let mut open: Vec<(usize, Range<usize>)> = Vec::new();
    let window = Window::of(file.len(), script, fit, hint);
    for (at, added) in script.added.iter().enumerate() {
        let above = at.checked_sub(1).map(|above| (fit.lines[above] + 1, script.old[above].is_removed));
        let below = fit.lines.get(at).map(|line| (*line, script.old[at].is_removed));
        let (low, high) = match (above, below) {
            (Some((low, removed_above)), Some((high, removed_below))) => {
                if low < high && removed_above && removed_below {
                    return Err(Misfit::Between { first: low, last: high - 1 });
                }
                // A replacement is inserted where the removed line was.
                match (removed_above, removed_below) {
                    (true, _) => (low, low),
                    (_, true) => (high, high),
                    _ => (low, high),
                }
            }
            // Outside the hunk's lines, only the header counts more lines.
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
    let conflict = Misfit::Side { first: side.start, last: side.end - 1 };
    let mut placements = vec![gaps];
    for (at, range) in open {
        let wider = placements
            .iter()
            .flat_map(|placement| range.clone().chain([range.end]).map(|gap| replaced(placement, at, gap)));
        placements = wider.collect();
        if placements.len() > MAX_PLACEMENTS {
            return Err(conflict);
        }
    }
    let even = window.map(|window| window.even(script, fit, &placements)).unwrap_or_default();
    Ok((if even.is_empty() { placements } else { even }, Some(conflict)))
}

/// Returns a placement with another gap at one position.
fn replaced(placement: &[usize], at: usize, gap: usize) -> Placement {
    let mut placement = placement.to_vec();
    placement[at] = gap;
    placement
}

/// The origin of a line in a result: its number in the file, and in the new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    file: Option<usize>,
    new: Option<usize>,
}

impl Origin {
    /// Returns whether the line is directly below `above` in the file or in the new text.
    fn follows(self, above: Self) -> bool {
        is_next(self.file, above.file) || is_next(self.new, above.new)
    }
}

/// Returns whether a line of a text is directly after another.
fn is_next(line: Option<usize>, above: Option<usize>) -> bool {
    line.zip(above).is_some_and(|(line, above)| line == above + 1)
}

/// The lines around a place that are rated with it: enough for a block that ends or begins there.
const AROUND: usize = 2;

/// Returns the resulting lines of a place and some around it, each with its origin.
fn resulting_lines<'t>(
    file: &[&'t str],
    script: &'t Script<'_>,
    fit: &HunkMatch,
    placement: &[usize],
) -> Vec<(&'t str, Origin)> {
    let mut kept = vec![None; file.len()];
    let mut new = 0;
    let mut first_new = Vec::with_capacity(script.added.len());
    for (at, added) in script.added.iter().enumerate() {
        first_new.push(new);
        new += added.len();
        if let Some(line) = script.old.get(at).filter(|line| !line.is_removed).map(|_| fit.lines[at]) {
            kept[line] = Some(new);
            new += 1;
        }
    }
    let of_file = |lines: Range<usize>| lines.map(|at| (file[at], Origin { file: Some(at), new: kept[at] }));
    let mut lines = Vec::new();
    let mut rest = fit.first().min(placement[0]).saturating_sub(AROUND);
    for (at, added) in script.added.iter().enumerate() {
        if !added.is_empty() {
            lines.extend(of_file(rest..placement[at].max(rest)));
            rest = rest.max(placement[at]);
            let new = added.iter().zip(first_new[at]..);
            lines.extend(new.map(|(line, number)| (*line, Origin { file: None, new: Some(number) })));
        }
        if let Some(line) = script.old.get(at).filter(|line| line.is_removed).map(|_| fit.lines[at]) {
            lines.extend(of_file(rest..line.max(rest)));
            rest = line + 1;
        }
    }
    let last = (fit.last() + 1).max(rest);
    lines.extend(of_file(rest..(last + AROUND).min(file.len())));
    lines
}

/// The lines of the file that the header of a hunk counts, with the omitted ones.
struct Window {
    start: usize,
    end: usize,
    file: usize,
}

impl Window {
    /// Returns the window if the header counts more lines than the hunk has, and the file has that many there.
    fn of(file: usize, script: &Script<'_>, fit: &HunkMatch, hint: &Hint) -> Option<Self> {
        let count = hint.old_lines?;
        let outside = count.checked_sub(script.old.len() + fit.left_out)?;
        let start = match hint.line {
            _ if outside == 0 => fit.first(),
            Some(line) if (1..=fit.first() + 1).contains(&line) && fit.first() + 1 - line <= outside => line - 1,
            _ => return None,
        };
        (start + count <= file).then_some(Self { start, end: start + count, file })
    }

    /// Returns the placements with as many context lines above the changes as below, as in every diff; only at the
    /// start and end of the file there may be fewer. Prefers the placements with the default number of context lines.
    fn even(&self, script: &Script<'_>, fit: &HunkMatch, placements: &[Placement]) -> Vec<Placement> {
        let even =
            placements.iter().filter_map(|placement| Some((self.context(script, fit, placement)?, placement.clone())));
        let (usual, others): (Vec<_>, Vec<_>) = even.partition(|(context, _)| *context == USUAL_CONTEXT);
        let kept = if usual.is_empty() { others } else { usual };
        kept.into_iter().map(|(_, placement)| placement).collect()
    }

    /// Returns the number of context lines of a placement, if it is the same above and below.
    fn context(&self, script: &Script<'_>, fit: &HunkMatch, placement: &[usize]) -> Option<usize> {
        let removed =
            script.old.iter().zip(&fit.lines).filter(|(line, _)| line.is_removed).map(|(_, at)| (*at, *at + 1));
        let added = script.added.iter().zip(placement).filter(|(added, _)| !added.is_empty()).map(|(_, at)| (*at, *at));
        let changes: Vec<(usize, usize)> = removed.chain(added).collect();
        let first = changes.iter().map(|change| change.0).min()?;
        let last = changes.iter().map(|change| change.1).max()?;
        let (above, below) = (first.saturating_sub(self.start), self.end.saturating_sub(last));
        let is_even = above == below || (above < below && self.start == 0) || (below < above && self.end == self.file);
        is_even.then_some(above.max(below))
    }
}
