//! Where a hunk lands whose lines occur in the file, and what says so.

use std::collections::HashSet;
use std::ops::Range;

use fuzzy_patch::Hint;
use fuzzy_pipeline::{Applied, Candidate, LineRange, Match, Similarity, Span};
use fuzzy_report::{Code, Failure, Lines, excerpt};

use crate::hunk_match::{Fit, apart, fits, other, places};
use crate::hunk_order::Series;
use crate::insertion_side::Conflict;
use crate::line_hint::section;
use crate::line_script::{Script, is_open};
use crate::missing::only_place;
use crate::splice_lines::weave;

/// How sure it is that a place is meant where all lines occur, but not as they are or with others between. Far more
/// than ever was measured; a caller who asks for certainty asks for exact places.
const CONFIDENCE: Similarity = Similarity::new(0.97);

/// What reports call this way of finding a place.
const NAME: &str = "patch-lines";

/// What became of a hunk.
#[derive(Debug)]
pub(crate) enum Landed {
    /// It was carried out. The other places were ruled out by what else the patch says, if there were any.
    Done { applied: Applied, is_chosen: bool },
    /// It was carried out before, here.
    Already(LineRange),
    /// It must not be carried out.
    Refused(Box<Failure>),
}

/// Where the last hunk of a request landed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastHunk {
    pub(crate) number: usize,
    pub(crate) draft: usize,
    /// The first line after what it changed.
    pub(crate) line: usize,
    /// How many lines further down than its header says it was.
    pub(crate) drift: Option<isize>,
    /// Whether it was carried out before.
    pub(crate) was_made: bool,
}

/// A hunk, and what is known besides its lines.
pub(crate) struct Search<'s> {
    pub(crate) text: &'s str,
    pub(crate) script: &'s Script<'s>,
    pub(crate) hint: &'s Hint,
    pub(crate) series: &'s Series<'s>,
    /// Whether an earlier hunk of the request wrote a part of these bytes.
    pub(crate) is_written: &'s dyn Fn(Span) -> bool,
    /// Whether the search has no time left: then it ends soon, and its result is not used.
    pub(crate) is_over: &'s dyn Fn() -> bool,
}

impl Search<'_> {
    /// Carries the hunk out if all of its lines occur in the file in one place, or the patch says in which. Nothing if
    /// that is a question of likeness.
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
            found.retain(Fit::is_exact);
        }
        let exact: Vec<usize> = found.iter().filter(|fit| fit.is_exact()).map(Fit::first).collect();
        if let Some(lines) = self.already(&file, &starts, &exact) {
            return Some(Landed::Already(lines));
        }
        let at_line: Vec<&Fit> = found.iter().filter(|fit| self.is_at_line(fit)).collect();
        if self.is_elsewhere() && self.is_unclear(&file, &starts, &at_line) {
            let line = at_line[0].first();
            return Some(Landed::Refused(left_out(&file, line, line, "or one near it: which one is a guess")));
        }
        if found.is_empty() {
            return self.land_without_missing(&file, &starts);
        }
        let (fit, is_chosen) = self.choose(&file, found)?;
        if self.is_unclear(&file, &starts, &[&fit]) {
            let line = fit.first();
            return Some(Landed::Refused(left_out(&file, line, line, "or one near it: which one is a guess")));
        }
        let span = Span::new(starts[fit.first()], starts[fit.last() + 1]);
        match weave(self.text, &file, &starts, self.script, &fit, self.hint) {
            Ok(woven) => {
                let candidate = Candidate::new(span, Similarity::ONE);
                let found = if fit.is_exact() {
                    Match::new("exact", candidate)
                } else {
                    Match::new(NAME, candidate).with_confidence(CONFIDENCE)
                };
                let applied = Applied::new(woven.output, found, woven.replaced);
                Some(Landed::Done { applied, is_chosen })
            }
            Err(Conflict::Indentation | Conflict::Glyphs) => None,
            Err(Conflict::Side { first, last }) => Some(Landed::Refused(left_out(
                &file,
                first,
                last,
                "beside lines that it adds: on which side is a guess",
            ))),
            Err(Conflict::Between { first, last }) => Some(Landed::Refused(left_out(
                &file,
                first,
                last,
                "between lines that it removes: whether it stays is a guess",
            ))),
        }
    }

    /// Returns the lines where the hunk was carried out before, if it was.
    pub(crate) fn made_before(&self) -> Option<LineRange> {
        let starts = starts(self.text);
        let file = lines(self.text, &starts);
        self.already(&file, &starts, &places(&file, &self.script.old_lines()))
    }

    /// Carries the hunk out where its lines occur but for some that the file has nowhere, if that is no guess.
    fn land_without_missing(&self, file: &[&str], starts: &[usize]) -> Option<Landed> {
        let scripts = self.script.without_missing(file).into_iter().filter(|_| self.series.is_loose);
        scripts.into_iter().find_map(|script| {
            let (old, new) = (script.old_lines(), script.new_lines());
            let new: Vec<&str> = new.into_iter().map(|(line, _)| line).collect();
            match (only_place(file, &old), only_place(file, &new)) {
                (Some(at), None) if at + script.head() >= self.series.after && places(file, &new).is_empty() => {
                    let fit = Fit { lines: (at..at + old.len()).collect(), left_out: 0, unlike: 0 };
                    let woven = weave(self.text, file, starts, &script, &fit, &Hint::default()).ok()?;
                    let candidate = Candidate::new(Span::new(starts[at], starts[at + old.len()]), Similarity::ONE);
                    let found = Match::new(NAME, candidate).with_confidence(CONFIDENCE);
                    let applied = Applied::new(woven.output, found, woven.replaced);
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

    /// Returns whether it matters which of these ways of reading the hunk is meant, and which of equal lines it leaves
    /// out.
    fn is_unclear(&self, file: &[&str], starts: &[usize], fits: &[&Fit]) -> bool {
        let others: Vec<Fit> = fits.iter().filter_map(|fit| other(file, self.script, fit)).collect();
        let all: Vec<&Fit> = fits.iter().copied().chain(&others).collect();
        if all.len() < 2 {
            return false;
        }
        let made = all.iter().map(|fit| weave(self.text, file, starts, self.script, fit, self.hint));
        let made = made.map(|woven| woven.map(|woven| woven.output));
        made.collect::<HashSet<_>>().len() > 1
    }

    /// Returns the lines where the hunk was carried out before, if it was. Its old lines occur at the lines `exact` as they
    /// are.
    fn already(&self, file: &[&str], starts: &[usize], exact: &[usize]) -> Option<LineRange> {
        let new = self.script.new_lines();
        // What only takes lines out leaves lines that occur anywhere.
        if !new.iter().any(|(_, comes)| *comes) {
            return None;
        }
        let is_worded = new.iter().any(|(line, comes)| *comes && line.contains(char::is_alphanumeric));
        let has_context = new.iter().any(|(line, comes)| !comes && line.contains(char::is_alphanumeric));
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
        // Both are there: the other hunks may say which of them is in order. Else what only adds lines to its context
        // was carried out, and what replaces some is meant for the place that still has them.
        let before = exact.iter().map(|at| (self.script.changed_before(*at), None));
        let after = there.iter().map(|at| (self.script.changed_after(*at), Some(*at)));
        let left = self.series.in_order(file, before.chain(after).collect(), self.is_over);
        let done = left.iter().find_map(|(_, at)| *at)?;
        let is_known = has_context || self.series.is_repeated;
        let is_done = left.iter().all(|(_, at)| at.is_some()) || (self.script.only_adds() && is_known);
        is_done.then(|| LineRange::of(self.text, span(done)))
    }

    /// Returns the place that is meant, and whether there were others.
    fn choose(&self, file: &[&str], mut found: Vec<Fit>) -> Option<(Fit, bool)> {
        if found.len() == 1 && found[0].is_exact() && !self.is_elsewhere() {
            return found.pop().map(|fit| (fit, false));
        }
        // A line number that is right wins, also over lines that occur as they are elsewhere if the number of lines is
        // right, too.
        let count = found.len();
        let has_exact = found.iter().any(Fit::is_exact);
        let at_line = found.iter().filter(|fit| self.is_at_line(fit));
        let mut at_line: Vec<&Fit> =
            at_line.filter(|fit| fit.is_exact() || !has_exact || self.is_elsewhere()).collect();
        at_line.sort_by_key(|fit| self.rank(fit));
        match at_line[..] {
            // A number and a mark that says where the file ends may disagree.
            [fit, ..] if count > 1 && self.script.is_open.contains(&true) && fit.last() + 1 < file.len() => {
                return None;
            }
            [fit] => return Some((fit.clone(), count > 1)),
            [fit, next, ..] if self.rank(fit) < self.rank(next) => return Some((fit.clone(), true)),
            _ => {}
        }
        if has_exact {
            found.retain(Fit::is_exact);
        } else {
            found = apart(found);
        }
        let pool = found.into_iter().map(|fit| (self.script.changed_in(&fit), fit)).collect();
        let pool = self.series.in_order(file, pool, self.is_over);
        let pool = if pool.len() > 1 { self.hinted(pool) } else { pool };
        let [(_, fit)] = &pool[..] else { return None };
        Some((fit.clone(), count > 1))
    }

    /// Returns a key by which the places near the line of the header are sorted: those where the lines occur as they are
    /// come first, then the one on that very line.
    fn rank(&self, fit: &Fit) -> (bool, bool) {
        (!fit.is_exact(), self.hint.line != Some(fit.first() + 1))
    }

    /// Returns whether the header names a line and more lines than are shown, so that the only place where these occur
    /// as they are may be another one.
    fn is_elsewhere(&self) -> bool {
        self.hint.line.is_some() && self.hint.old_lines.is_some()
    }

    /// Returns whether the place is where the header says, and has as many lines as it says.
    fn is_at_line(&self, fit: &Fit) -> bool {
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

    /// Leaves those places that a hint is about, hint by hint; one that leaves none is not heard.
    fn hinted(&self, pool: Vec<(Range<usize>, Fit)>) -> Vec<(Range<usize>, Fit)> {
        let starts = starts(self.text);
        let section = section(self.text, &self.hint.anchors);
        let line = self.hint.line.zip(self.series.drift).and_then(|(line, drift)| line.checked_add_signed(drift));
        let pool = heard(pool, |fit| self.hint.at_end && self.text[starts[fit.last() + 1]..].trim().is_empty());
        let pool = heard(pool, |fit| section.as_ref().is_some_and(|section| section.contains(&starts[fit.first()])));
        heard(pool, |fit| line == Some(fit.first() + 1))
    }
}

/// Leaves those places that a hint is about; all where it is about none.
fn heard(pool: Vec<(Range<usize>, Fit)>, is_meant: impl Fn(&Fit) -> bool) -> Vec<(Range<usize>, Fit)> {
    let kept: Vec<_> = pool.iter().filter(|(_, fit)| is_meant(fit)).cloned().collect();
    if kept.is_empty() { pool } else { kept }
}

/// Returns where each line of a text starts, and where the last one ends.
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

/// Refuses a hunk because of lines that it leaves out.
fn left_out(file: &[&str], first: usize, last: usize, why: &str) -> Box<Failure> {
    let lines = Lines(first + 1, last + 1);
    let line = excerpt(file[first].trim_end(), 0, 60);
    let message = format!("the patch leaves out {lines} of the file, `{line}`, {why}");
    let next_step = format!("Show {lines} of the file in the patch, unchanged.");
    Box::new(Failure::new(Code::Refused, message, next_step).at(vec![lines], 1))
}
