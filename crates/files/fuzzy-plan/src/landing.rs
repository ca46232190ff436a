//! Finds the place of a hunk whose lines all occur in the file.

use std::ops::Range;

use fuzzy_core::{Applied, Candidate, LineRange, Match, Similarity, Span};
use fuzzy_patch::Hint;
use fuzzy_report::{Code, Failure, excerpt};

use crate::hunk_match::{HunkMatch, apart, fits, late, places};
use crate::hunk_order::HunkOrder;
use crate::insertion_side::Misfit;
use crate::line_hint::section;
use crate::line_script::{Script, is_open};
use crate::missing::only_place;
use crate::splice_lines::splice_lines;

/// The confidence in a place where all lines match, but not exactly or with omitted lines between them. Measured
/// precision is far higher; a caller who requires more confidence wants exact places only.
const CONFIDENCE: Similarity = Similarity::new(0.97);

/// The name of this strategy in reports.
const NAME: &str = "patch-lines";

/// The result of a hunk.
#[derive(Debug)]
pub(crate) enum Landed {
    /// It was applied. With `is_chosen`, hints ruled out other places.
    Done { applied: Applied, is_chosen: bool },
    /// It was applied before, here.
    Already(LineRange),
    /// It must not be applied.
    Refused(Box<Failure>),
}

/// The place of the previous hunk of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastHunk {
    pub(crate) number: usize,
    pub(crate) draft: usize,
    /// The first line after its change.
    pub(crate) line: usize,
    /// The distance of its place from its line number, in lines.
    pub(crate) drift: Option<isize>,
    /// Whether it was applied before.
    pub(crate) was_made: bool,
}

/// A hunk and its surroundings.
pub(crate) struct Search<'s> {
    pub(crate) text: &'s str,
    pub(crate) script: &'s Script<'s>,
    pub(crate) hint: &'s Hint,
    pub(crate) series: &'s HunkOrder<'s>,
    /// Returns whether an earlier hunk of the request wrote some of these bytes.
    pub(crate) is_written: &'s dyn Fn(Span) -> bool,
    /// Returns whether the time is over: then the search ends soon, and its result is not used.
    pub(crate) is_over: &'s dyn Fn() -> bool,
}

impl Search<'_> {
    /// Applies the hunk if all of its lines match in one place of the file, or a hint chooses one. Returns `None` if
    /// similarity has to decide.
    pub(crate) fn land(&self) -> Option<Landed> {
        let landed = self.search();
        if (self.is_over)() { Some(Landed::Refused(Failure::out_of_time().into())) } else { landed }
    }

    fn search(&self) -> Option<Landed> {
        let starts = starts(self.text);
        let file = lines(self.text, &starts);
        let more = self.hint.old_lines.map_or(0, |count| count.saturating_sub(self.script.old.len()));
        let mut found = fits(&file, self.script, more, self.hint.line, self.is_over);
        if !self.series.is_loose {
            found.retain(HunkMatch::is_exact);
        }
        let exact: Vec<usize> = found.iter().filter(|fit| fit.is_exact()).map(HunkMatch::first).collect();
        if let Some(lines) = self.already(&file, &starts, &exact) {
            return Some(Landed::Already(lines));
        }
        if found.is_empty() {
            return self.land_without_missing(&file, &starts);
        }
        let (fit, is_chosen) = self.choose(&file, found)?;
        let span = Span::new(starts[fit.first()], starts[fit.last() + 1]);
        let candidate = Candidate::new(span, Similarity::ONE);
        let found = if fit.is_exact() {
            Match::new("exact", candidate)
        } else {
            Match::new(NAME, candidate).with_confidence(CONFIDENCE)
        };
        match splice_lines(self.text, &file, &starts, self.script, &fit, self.hint, found) {
            Ok(applied) => Some(match self.unclear(&file, &starts, &fit, &applied) {
                Some(failure) => Landed::Refused(failure),
                None => Landed::Done { applied, is_chosen },
            }),
            Err(Misfit::Side { first, last }) => {
                Some(Landed::Refused(left_out(&file, first, last, "beside lines that it adds: their side is unclear")))
            }
            Err(Misfit::Between { first, last }) => Some(Landed::Refused(left_out(
                &file,
                first,
                last,
                "between lines that it removes: it is unclear whether to keep it",
            ))),
        }
    }

    /// Returns a refusal if another one of several equal lines may be omitted, and the result is another one then.
    fn unclear(&self, file: &[&str], starts: &[usize], fit: &HunkMatch, applied: &Applied) -> Option<Box<Failure>> {
        let late = late(file, self.script, fit)?;
        let made = splice_lines(self.text, file, starts, self.script, &late, self.hint, applied.found);
        if made.is_ok_and(|made| made.output == applied.output) {
            return None;
        }
        let (from, to) = fit.lines.iter().zip(&late.lines).find(|(early, late)| early != late)?;
        Some(left_out(file, *to, *from - 1, "and it is unclear which of these equal lines"))
    }

    /// Returns the line, counted from 1, of the one of several places that the hints of the patch choose.
    pub(crate) fn chosen(&self, places: &[Span]) -> Option<usize> {
        let starts = starts(self.text);
        let file = lines(self.text, &starts);
        let count = self.script.old.len();
        let firsts = places.iter().map(|span| LineRange::of(self.text, *span).first - 1);
        let fits = firsts.filter(|first| first + count <= file.len()).map(|first| HunkMatch::of_rows(first, count));
        let fits: Vec<HunkMatch> = fits.collect();
        let (fit, _) = (fits.len() == places.len()).then(|| self.choose(&file, fits)).flatten()?;
        Some(fit.first() + 1)
    }

    /// Returns the lines where the hunk was applied before, if it was.
    pub(crate) fn made_before(&self) -> Option<LineRange> {
        let starts = starts(self.text);
        let file = lines(self.text, &starts);
        self.already(&file, &starts, &places(&file, &self.script.old_lines()))
    }

    /// Applies the hunk without the context lines that the file lacks, if its place is certain.
    fn land_without_missing(&self, file: &[&str], starts: &[usize]) -> Option<Landed> {
        let scripts = self.script.without_missing(file).into_iter().filter(|_| self.series.is_loose);
        scripts.into_iter().find_map(|script| {
            let (old, new) = (script.old_lines(), script.new_lines());
            let new: Vec<&str> = new.into_iter().map(|(line, _)| line).collect();
            match (only_place(file, &old), only_place(file, &new)) {
                (Some(at), None) if at + script.head() >= self.series.after && places(file, &new).is_empty() => {
                    let fit = HunkMatch::of_rows(at, old.len());
                    let candidate = Candidate::new(Span::new(starts[at], starts[at + old.len()]), Similarity::ONE);
                    let found = Match::new(NAME, candidate).with_confidence(CONFIDENCE);
                    let applied = splice_lines(self.text, file, starts, &script, &fit, &Hint::default(), found).ok()?;
                    Some(Landed::Done { applied, is_chosen: false })
                }
                (None, Some(at)) if places(file, &old).is_empty() => {
                    let span = Span::new(starts[at], starts[at + new.len()]);
                    (!(self.is_written)(span)).then(|| Landed::Already(LineRange::of(self.text, span)))
                }
                _ => None,
            }
        })
    }

    /// Returns the lines where the hunk was applied before, if it was. `exact` are the lines where its old lines match
    /// exactly.
    fn already(&self, file: &[&str], starts: &[usize], exact: &[usize]) -> Option<LineRange> {
        let new = self.script.new_lines();
        // The lines that remain after a pure removal may occur anywhere.
        if !new.iter().any(|(_, is_added)| *is_added) {
            return None;
        }
        let is_worded = new.iter().any(|(line, is_added)| *is_added && line.contains(char::is_alphanumeric));
        let has_context = new.iter().any(|(line, is_added)| !is_added && line.contains(char::is_alphanumeric));
        let wanted: Vec<&str> = new.iter().map(|(line, _)| *line).collect();
        let span = |at: usize| Span::new(starts[at], starts[at + wanted.len()]);
        let there: Vec<usize> = places(file, &wanted).into_iter().filter(|at| !(self.is_written)(span(*at))).collect();
        let old = self.script.old.len();
        if !(is_worded || has_context && exact.is_empty()) {
            return None;
        }
        if let Some(at) = self.hint.line.and_then(|line| line.checked_sub(1)) {
            if there.contains(&at) && !(exact.contains(&at) && old >= wanted.len()) {
                return Some(LineRange::of(self.text, span(at)));
            }
            if exact.contains(&at) {
                return None;
            }
        }
        let first = *there.first()?;
        if exact.is_empty() {
            return has_context.then(|| LineRange::of(self.text, span(first)));
        }
        // Both texts occur: the order of the other hunks may decide. Otherwise a hunk that only adds lines to its
        // context was applied before, and a hunk that replaces lines belongs to the place that still has them.
        let before = exact.iter().map(|at| (self.script.changed_before(*at), None));
        let after = there.iter().map(|at| (self.script.changed_after(*at), Some(*at)));
        let left = self.series.in_order(file, before.chain(after).collect(), self.is_over);
        let done = left.iter().find_map(|(_, at)| *at)?;
        let is_known = has_context || self.series.is_repeated;
        let is_done = left.iter().all(|(_, at)| at.is_some()) || (self.script.only_adds() && is_known);
        is_done.then(|| LineRange::of(self.text, span(done)))
    }

    /// Returns the place of the hunk, and whether there were others.
    fn choose(&self, file: &[&str], mut found: Vec<HunkMatch>) -> Option<(HunkMatch, bool)> {
        if found.len() == 1 && found[0].is_exact() && !self.is_elsewhere() {
            return found.pop().map(|fit| (fit, false));
        }
        // A correct line number wins, even over exact matches elsewhere if the count is correct, too.
        let count = found.len();
        let has_exact = found.iter().any(HunkMatch::is_exact);
        let at_line = found.iter().filter(|fit| self.is_at_line(fit));
        let mut at_line: Vec<&HunkMatch> =
            at_line.filter(|fit| fit.is_exact() || !has_exact || self.is_elsewhere()).collect();
        at_line.sort_by_key(|fit| self.rank(fit));
        match at_line[..] {
            // A line number may contradict a mark for the end of the file.
            [fit, ..] if count > 1 && self.script.is_open.contains(&true) && fit.last() + 1 < file.len() => {
                return None;
            }
            [fit] => return Some((fit.clone(), count > 1)),
            [fit, next, ..] if self.rank(fit) < self.rank(next) => return Some((fit.clone(), true)),
            _ => {}
        }
        if has_exact {
            found.retain(HunkMatch::is_exact);
        } else {
            found = apart(found);
        }
        let pool = found.into_iter().map(|fit| (self.script.changed_in(&fit), fit)).collect();
        let pool = self.series.in_order(file, pool, self.is_over);
        let pool = if pool.len() > 1 { self.filtered_by_hints(pool) } else { pool };
        let [(_, fit)] = &pool[..] else { return None };
        Some((fit.clone(), count > 1))
    }

    /// Returns a sort key for the places near the line number: exact matches first, then the place at that very line.
    fn rank(&self, fit: &HunkMatch) -> (bool, bool) {
        (!fit.is_exact(), self.hint.line != Some(fit.first() + 1))
    }

    /// Returns whether the header has a line number and counts more lines than the hunk, so that the only exact match
    /// may be the wrong place.
    fn is_elsewhere(&self) -> bool {
        self.hint.line.is_some() && self.hint.old_lines.is_some()
    }

    /// Returns whether a match is at the hunk's line number and has the counted number of lines.
    fn is_at_line(&self, fit: &HunkMatch) -> bool {
        let Some(line) = self.hint.line else { return false };
        let outside = match self.hint.old_lines {
            Some(count) => match count.checked_sub(self.script.old.len() + fit.left_out) {
                Some(outside) => outside,
                None => return false,
            },
            None => 0,
        };
        (line..=line + outside).contains(&(fit.first() + 1))
    }

    /// Filters the places by each hint in turn; ignores a hint that would leave none.
    fn filtered_by_hints(&self, pool: Vec<(Range<usize>, HunkMatch)>) -> Vec<(Range<usize>, HunkMatch)> {
        let starts = starts(self.text);
        let section = section(self.text, &self.hint.anchors);
        let line = self.hint.line.zip(self.series.drift).and_then(|(line, drift)| line.checked_add_signed(drift));
        let pool = filtered(pool, |fit| self.hint.at_end && self.text[starts[fit.last() + 1]..].trim().is_empty());
        let pool = filtered(pool, |fit| section.as_ref().is_some_and(|section| section.contains(&starts[fit.first()])));
        filtered(pool, |fit| line == Some(fit.first() + 1))
    }
}

/// Filters the places by a hint; keeps all if it would leave none.
fn filtered(
    pool: Vec<(Range<usize>, HunkMatch)>,
    matches: impl Fn(&HunkMatch) -> bool,
) -> Vec<(Range<usize>, HunkMatch)> {
    let kept: Vec<_> = pool.iter().filter(|(_, fit)| matches(fit)).cloned().collect();
    if kept.is_empty() { pool } else { kept }
}

/// Returns the start of each line of a text, and the end of the last one.
fn starts(text: &str) -> Vec<usize> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1);
    std::iter::once(0).chain(ends).chain(is_open(text).then_some(text.len())).collect()
}

/// Returns the lines of a text, which start at `starts`, without their line breaks.
fn lines<'t>(text: &'t str, starts: &[usize]) -> Vec<&'t str> {
    let line = |line: &[usize]| {
        let line = &text[line[0]..line[1]];
        line.strip_suffix('\n').unwrap_or(line)
    };
    starts.windows(2).map(line).collect()
}

/// Makes the failure of a hunk because of the lines that it omits.
fn left_out(file: &[&str], first: usize, last: usize, why: &str) -> Box<Failure> {
    let lines = LineRange { first: first + 1, last: last + 1 };
    let line = excerpt(file[first].trim_end(), 0, 60);
    let message = format!("the patch omits {lines} of the file, `{line}`, {why}");
    let next_step = format!("Include {lines} of the file in the patch, unchanged.");
    Box::new(Failure::new(Code::Refused, message, next_step).at(vec![lines], 1))
}
