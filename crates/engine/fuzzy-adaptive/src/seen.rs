//! Decides an edit whose author saw the file as it is: all that its quote has otherwise is the author's slip.
//!
//! The slips are undone by lines: a line that the edit changes or deletes is the new text's, and a line that it keeps
//! stays the file's. Which place the author saw is no slip, so what is known of places decides as without a base.

use std::ops::Range;

use fuzzy_core::blank::is_blank_text;
use fuzzy_core::{Question, to_lf};
use fuzzy_locate::{Located, Place};
use fuzzy_merge::{LeftOut, Rule};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::decision::Decision;
use crate::target::{Evidence, Target};

/// The rules about words and lines that may be somebody's change.
const SLIPS: &[&str] = &["lost-word", "unknown-word-deleted", "deleted-word-absent", "law-lines"];

/// The share of the quoted lines that the place has to have, as a fraction.
const SHARE: [usize; 2] = [4, 5];

/// Decides again about an edit that only [`SLIPS`] refuse, if its base is the file; none if it is refused then, too.
pub(crate) fn decide(
    question: &Question<'_>,
    located: &Located,
    refused: &Decision,
    left_out: LeftOut,
) -> Option<Decision> {
    let Question { query, new, base, replace_all, .. } = question;
    let (base, new) = base.zip(*new).filter(|_| !replace_all)?;
    let is_slip = |rule: &Rule| SLIPS.contains(&rule.name);
    let (_, score) = refused.score.as_ref().filter(|_| refused.rule.is_some_and(is_slip))?;
    if !score.findings.iter().all(|finding| is_slip(finding.rule)) || to_lf(base) != to_lf(query.whole_text()) {
        return None;
    }
    let mut at = refused.best_place?.span.range();
    at.end -= usize::from(query.text()[at.clone()].ends_with('\r'));
    let [file, quoted, written] = [&query.text()[at.clone()], query.old(), new].map(to_lf);
    let file: Vec<&str> = file.split('\n').collect();
    let (old, new) = without_line_break(&quoted, &written)?;
    let quote = Quote::of(&old, &file)?;
    let is_equal_elsewhere = |pairs: usize| pairs * SHARE[1] >= old.len() * SHARE[0];
    let equal = |place: &Place| place.pairs.iter().filter(|pair| pair.similarity >= 1.0).count();
    if located.rivals.iter().any(|rival| is_equal_elsewhere(equal(rival))) {
        return None;
    }
    let edited = quote.edited(&old, &new, &file)?;
    let target = |old, new| Target { query, left_out, at: at.clone(), old, new, is_past: true };
    let file = file.join("\n");
    let made = target(&file, &edited);
    if target(&quoted, &written).broken_law(&made.merged().ok()?, SLIPS).is_some() {
        return None;
    }
    Some(made.decide(&Evidence::Known { exempt: &[] })).filter(|decision| decision.found.is_ok())
}

/// Returns the lines of two texts without the line break that both end with; none if only one does.
fn without_line_break<'t>(old: &'t str, new: &'t str) -> Option<(Vec<&'t str>, Vec<&'t str>)> {
    let [cut_old, cut_new] = [old, new].map(|text| text.strip_suffix('\n'));
    let (old, new) =
        if cut_old.is_some() { cut_old.zip(cut_new)? } else { Some((old, new)).filter(|_| cut_new.is_none())? };
    Some((old.split('\n').collect(), new.split('\n').collect()))
}

/// The quoted lines in the lines of a place.
struct Quote {
    /// The place's line for each quoted line; none for one among a run of others.
    lines: Vec<Option<usize>>,
    /// The runs of quoted lines without lines of their own, with the lines of the place there.
    runs: Vec<[Range<usize>; 2]>,
}

impl Quote {
    /// Compares quoted lines with those of a place; none if too few are equal.
    fn of(old: &[&str], file: &[&str]) -> Option<Self> {
        let mut quote = Self { lines: vec![None; old.len()], runs: Vec::new() };
        let mut equal = 0;
        for op in capture_diff_slices(Algorithm::Myers, old, file) {
            let (ours, theirs) = (op.old_range(), op.new_range());
            if let DiffOp::Equal { .. } = op {
                equal += old[ours.clone()].iter().filter(|line| !is_blank_text(line)).count();
            }
            // A line with words is no slip for a blank one.
            let is_blank = |line: usize, lines: &[&str]| is_blank_text(lines[line]);
            let are_alike = |(ours, theirs)| is_blank(ours, old) == is_blank(theirs, file);
            if ours.len() == theirs.len() && ours.clone().zip(theirs.clone()).all(are_alike) {
                ours.zip(theirs).for_each(|(ours, theirs)| quote.lines[ours] = Some(theirs));
            } else {
                quote.runs.push([ours, theirs]);
            }
        }
        let quoted = old.iter().filter(|line| !is_blank_text(line)).count();
        (equal * SHARE[1] >= quoted * SHARE[0]).then_some(quote)
    }

    /// Returns the place's lines for some quoted ones; none if it is unclear which these are, or if they are more.
    fn lines(&self, quoted: &Range<usize>) -> Option<Range<usize>> {
        let mut lines = None::<Range<usize>>;
        let mut add =
            |range: Range<usize>| lines = Some(lines.take().map_or(range.start, |lines| lines.start)..range.end);
        let mut at = quoted.start;
        while at < quoted.end {
            if let Some(line) = self.lines[at] {
                add(line..line + 1);
                at += 1;
            } else {
                let [ours, theirs] = self.runs.iter().find(|[ours, _]| ours.contains(&at))?;
                if ours.start < at || ours.end > quoted.end {
                    return None;
                }
                add(theirs.clone());
                at = ours.end;
            }
        }
        lines.filter(|lines| lines.len() <= quoted.len())
    }

    /// Makes the edit of the quoted lines in the lines of the place.
    fn edited(&self, old: &[&str], new: &[&str], file: &[&str]) -> Option<String> {
        let mut edited = Vec::new();
        let mut done = 0;
        for op in capture_diff_slices(Algorithm::Myers, old, new) {
            let (quoted, written) = (op.old_range(), &new[op.new_range()]);
            let lines = match op {
                DiffOp::Equal { .. } => continue,
                DiffOp::Insert { .. } => self.point(quoted.start)?,
                _ => self.lines(&quoted)?,
            };
            edited.extend_from_slice(&file[done..lines.start]);
            edited.extend_from_slice(written);
            done = lines.end;
        }
        edited.extend_from_slice(&file[done..]);
        // If the quote has a line twice that the file has once, it is unclear which of both the edit deletes.
        let is_lost = |line: &str| count(&edited, line) < count(file, line).min(count(new, line));
        (!file.iter().any(|line| !is_blank_text(line) && is_lost(line))).then(|| edited.join("\n"))
    }

    /// Returns the empty range between the place's lines of two quoted neighbours, the second of which is given.
    fn point(&self, quoted: usize) -> Option<Range<usize>> {
        let before = quoted.checked_sub(1).map(|line| self.lines[line]);
        let after = self.lines.get(quoted).copied();
        let at = match (before, after) {
            (Some(Some(before)), Some(Some(after))) if before + 1 == after => after,
            (None, Some(Some(after))) => after,
            (Some(Some(before)), None) => before + 1,
            _ => return None,
        };
        Some(at..at)
    }
}

/// Returns how often a line is among others.
fn count(lines: &[&str], line: &str) -> usize {
    lines.iter().filter(|other| **other == line).count()
}
