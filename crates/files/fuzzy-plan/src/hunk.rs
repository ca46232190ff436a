//! Plans hunks: edits of whole lines, found like any other edit and checked against the patch's hints.

use std::borrow::Cow;
use std::collections::HashSet;

use fuzzy_core::{Applied, Candidate, Document, Edit, LineRange, Match, Query, Replaced, Similarity, Span, line_start};
use fuzzy_report::{Cause, Code, Failure, Hunk, Operation, Placeholder, Success, apply_within, excerpt};
use memchr::memmem::Finder;
use sha1::{Digest, Sha1};

use crate::landing::{Landed, LastHunk, Search};
use crate::line_hint::{fitted, insertion, is_whole_lines};
use crate::operation::Outcome;
use crate::planner::{Planner, Timing, already_applied, success};

use crate::edited_ranges::touch;
use crate::hunk_order::{HunkOrder, MAX_FOLLOWING};
use crate::line_script::{Script, is_open, solid};
use crate::{Drafts, Options, Text, refusal, without_mark};

/// The result of a search.
enum Landing {
    /// The ladder found the place.
    Found(Applied),
    /// The ladder found the place after a hint had chosen it.
    Chosen(Applied),
    /// Lines were added where no old text was needed.
    Added(Applied),
    /// The new text is already there.
    Already(LineRange),
}

const CHOSEN: &str = "the old text matches several places; the hints of the patch choose this one";
const NOTHING: &str = "the hunk changes nothing and was skipped";
/// The slips of both texts that change how a line is read, and no word of it.
const READINGS: [&str; 4] = ["line-numbers", "escaped-text", "escapes", "html-entities"];

const ADDED: &str = "the lines were added at the place that the patch names, without matching context";

impl<D: Drafts> Planner<'_, D> {
    /// Adds one hunk to the drafts; `later` are the operations after it.
    pub(crate) fn hunk(&mut self, number: usize, hunk: &Hunk, later: &[Operation], timing: &mut Timing) -> Outcome {
        let Hunk { path, edit: fuzzy_patch::Edit { old, new, marks, hint, .. }, blob } = hunk;
        let following = || later.iter().map_while(|other| same_file(other, hunk));
        let following_with_old = || following().filter(|hunk| !hunk.edit.old.is_empty());
        let index = self.open(path)?;
        // A hunk without old lines at line 1 of a missing file creates the file, although it lacks `/dev/null`.
        if self.drafts.is_absent(index) && old.is_empty() && hint.line == Some(1) {
            return self.create(number, path, new, None);
        }
        let before = self.drafts.before(index);
        // The id only matters if no old text has to be found.
        let blob = blob.as_ref().filter(|_| old.trim_start_matches('\u{feff}').is_empty());
        let is_known = blob.is_some_and(|blob| before.is_some_and(|file| is_blob(file, blob)));
        let Text { mark, text } = self.drafts.text(index, path)?;
        timing.begin(text);
        let is_over = self.options.clock();

        let (old, new) = without_mark(mark, old, new);
        let last = self.last.filter(|last| last.draft == index && last.number + 1 == number);
        // A single hunk without a change is a mistake that the sender must learn of.
        if old == new && (last.is_some() || following().any(changes)) {
            let lines = LineRange { first: 1, last: 1 };
            let nowhere = LastHunk { number, draft: index, line: 0, drift: None, was_made: false };
            self.last = Some(last.map_or(nowhere, |last| LastHunk { number, ..last }));
            return Ok((index, Success { note: Some(NOTHING.to_owned()), ..already_applied(path, lines) }));
        }
        let restored = self.options.pipeline.ladder().decider().restore(&Query::new(&Document::new(text), old), new);
        let (old, new, is_lost) = match &restored {
            Some(restored) if restored.lost.is_none() => (&*restored.old, &*restored.new, false),
            // The ladder refuses the hunk in its own words.
            damaged => (old, new, damaged.is_some()),
        };
        let landing = if old.is_empty() {
            // In an unchanged file, no text of the patch can exist already.
            let place = insertion(text, hint, is_known).ok_or_else(|| nowhere(text));
            place.map(|at| insert(text, at, new, !is_known || hint.at_end))
        } else {
            let series = HunkOrder {
                after: last.map_or(0, |last| last.line),
                drift: last.and_then(|last| last.drift),
                is_repeated: last.is_some_and(|last| last.was_made),
                following: following_with_old().take(MAX_FOLLOWING).collect(),
                is_loose: self.options.is_loose(),
            };
            let written = self.written.get(&index);
            let script = Script::of(old, new, marks);
            let search = Search {
                text,
                script: &script,
                hint,
                series: &series,
                is_written: &|span| written.is_some_and(|written| written.touches(span)),
                is_over: &is_over,
            };
            self.options.land_hunk(&search, old, new, is_lost)
        };
        timing.end();
        let (applied, note) = match landing? {
            Landing::Found(applied) => (applied, None),
            Landing::Chosen(applied) => (applied, Some(CHOSEN.to_owned())),
            Landing::Added(applied) => (applied, Some(ADDED.to_owned())),
            Landing::Already(lines) => {
                self.last = Some(LastHunk {
                    number,
                    draft: index,
                    line: lines.first,
                    drift: drift(hint.line, lines.first - 1),
                    was_made: true,
                });
                let had = added_lines(text, lines, &Script::of(old, new, marks));
                self.written.entry(index).or_default().add_had(number, had);
                return Ok((index, already_applied(path, lines)));
            }
        };
        if let Some(placeholder) = Placeholder::find(text, old, &applied) {
            return Err(placeholder.failure(text).into());
        }
        let end = applied.replaced.last().map_or(0, |place| place.after.end());
        self.last = Some(LastHunk {
            number,
            draft: index,
            line: line_of(&applied.output, end),
            drift: drift(hint.line, line_of(text, applied.found.span.start())),
            was_made: false,
        });
        let limit = self.options.limits.max_bytes;
        if applied.output.len() as u64 > limit {
            return Err(refusal::too_large(path, limit).into());
        }
        let written = self.written.entry(index).or_default();
        if let Some(earlier) = written.touched_loosely(&applied) {
            return Err(overlap(&applied, text, earlier, number));
        }
        let changed: Vec<_> = applied.replaced.iter().map(|place| changed(text, &applied.output, *place)).collect();
        let will_have = |span| will_have(text, span, following_with_old(), &is_over);
        let mut removed = changed.iter().map(|place| place.before);
        if let Some(span) = removed.find(|span| written.had(*span) || will_have(*span)) {
            return Err(moved_before(text, span));
        }
        if is_over() {
            return Err(Failure::out_of_time().into());
        }
        let mut success = success(path, &hunk.edit.old, mark, text, &applied);
        success.note = note.or(success.note);
        self.drafts.put(index, applied.output, &applied.replaced)?;
        written.add(number, &changed);
        Ok((index, success))
    }
}

impl Options<'_> {
    /// Finds the place of a hunk line by line, otherwise by similarity. If `is_lost`, only the ladder refuses it.
    fn land_hunk(&self, search: &Search<'_>, old: &str, new: &str, is_lost: bool) -> Result<Landing, Box<Failure>> {
        match (old != new && !is_lost).then(|| search.land()).flatten() {
            Some(Landed::Done { applied, is_chosen: true }) => Ok(Landing::Chosen(applied)),
            Some(Landed::Done { applied, .. }) => Ok(Landing::Found(applied)),
            Some(Landed::Already(lines)) => Ok(Landing::Already(lines)),
            Some(Landed::Refused(failure)) => Err(failure),
            None => {
                let (old, new) = with_breaks(search.text, old, new);
                let (old, new) = without_last_break(search.text, &old, &new);
                self.land(search, Edit::new(old, new))
            }
        }
    }

    /// Finds the place by similarity, and makes the new text. Hints choose one of several places.
    fn land(&self, search: &Search<'_>, edit: Edit<'_>) -> Result<Landing, Box<Failure>> {
        let text = search.text;
        let document = Document::new(text);
        let attempt = self.attempt(edit, &document);
        let judgement = attempt.decide();
        let is_read = || {
            let shown = judgement.side_by_side();
            shown.is_some_and(|shown| shown.undone.iter().any(|slip| READINGS.contains(slip)))
        };
        let cause = match apply_within(&judgement, self.limits.max_bytes) {
            Ok(applied) if !is_whole_lines(text, applied.found.span) => {
                return Err(inside_line(text, applied.found.span));
            }
            // A program copies the lines of a diff with line numbers: one that is absent changed meanwhile. A part of a line
            // is no line: the rest of it would stay.
            Ok(applied) => {
                let is_part = |line: &&str| is_part_of_line(line, applied.found.span.text(text));
                let absent = search.script.absent(text).filter(|line| search.hint.line.is_some() || is_part(line));
                return match absent.filter(|_| !is_read()) {
                    Some(line) => Err(not_there(text, applied.found.span, line)),
                    None => Ok(Landing::Found(applied)),
                };
            }
            Err(Cause::Search(fuzzy_core::Failure::AlreadyApplied { span })) => {
                return Ok(Landing::Already(LineRange::of(text, span)));
            }
            Err(cause) => cause,
        };
        if matches!(cause, Cause::Search(fuzzy_core::Failure::Ambiguous { .. }))
            && edit.line.is_none()
            && let Some(line) = search.chosen(&judgement.places().spans)
        {
            return match self.land(search, edit.with_line(Some(line)))? {
                Landing::Found(applied) => Ok(Landing::Chosen(applied)),
                other => Ok(other),
            };
        }
        Err(cause.failure(&judgement))
    }
}

/// Returns the number of the line with a byte, counted from 0.
fn line_of(text: &str, at: usize) -> usize {
    memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count()
}

/// Returns the distance of a hunk's place from its line number, in lines, if it has one.
fn drift(line: Option<usize>, first: usize) -> Option<isize> {
    line.and_then(|line| (first + 1).checked_signed_diff(line))
}

/// Returns the part of a place that really changes: the context lines of a hunk do not count as written.
fn changed(old: &str, new: &str, place: Replaced) -> Replaced {
    let (before, after) = (place.before.text(old), place.after.text(new));
    let head = shared_bytes(before.split_inclusive('\n'), after.split_inclusive('\n'));
    let tail = shared_bytes(before[head..].split_inclusive('\n').rev(), after[head..].split_inclusive('\n').rev());
    Replaced {
        before: Span::new(place.before.start() + head, place.before.end() - tail),
        after: Span::new(place.after.start() + head, place.after.end() - tail),
    }
}

/// Returns the number of bytes of the equal lines before the first unequal one.
fn shared_bytes<'t>(before: impl Iterator<Item = &'t str>, after: impl Iterator<Item = &'t str>) -> usize {
    before.zip(after).take_while(|(before, after)| before == after).map(|(line, _)| line.len()).sum()
}

/// Returns both texts with the line breaks that `\ No newline at end of file` removed, unless the old text ends the
/// file. Otherwise the line after the place would join it, or an empty line would remain.
fn with_breaks<'t>(text: &str, old: &'t str, new: &'t str) -> (Cow<'t, str>, Cow<'t, str>) {
    let mut lines = text.lines().rev();
    let is_end = old.lines().rev().all(|line| lines.next() == Some(line));
    match (is_open(old), is_open(new)) {
        (false, false) => (old.into(), new.into()),
        (false, true) if is_end => (old.into(), new.into()),
        (true, _) if is_end && !text.ends_with('\n') => (old.into(), new.into()),
        _ => (closed(old), closed(new)),
    }
}

/// Returns a text with a line break at its end, unless it is empty.
fn closed(side: &str) -> Cow<'_, str> {
    if is_open(side) { format!("{side}\n").into() } else { side.into() }
}

/// Returns both texts without their last line break, if the old text ends a file without one.
fn without_last_break<'t>(text: &str, old: &'t str, new: &'t str) -> (&'t str, &'t str) {
    match old.strip_suffix('\n') {
        Some(bare) if text.ends_with(bare) && !bare.is_empty() && !text.contains(old) => {
            (bare, new.strip_suffix('\n').unwrap_or(new))
        }
        _ => (old, new),
    }
}

/// Inserts whole lines where no text is replaced.
fn insert(text: &str, at: usize, new: &str, may_be_there: bool) -> Landing {
    let new = fitted(text, at, new);
    let beside = [text[..at].ends_with(&new).then(|| at - new.len()), text[at..].starts_with(&new).then_some(at)];
    if let Some(start) = beside.into_iter().flatten().next().filter(|_| may_be_there && !new.trim().is_empty()) {
        return Landing::Already(LineRange::of(text, Span::new(start, start + new.len())));
    }
    let place = Span::new(at, at);
    Landing::Added(Applied::new(
        [&text[..at], &new, &text[at..]].concat(),
        Match::new("exact", Candidate::new(place, Similarity::ONE)),
        vec![Replaced { before: place, after: Span::new(at, at + new.len()) }],
    ))
}

/// Returns whether a hunk has a change.
fn changes(hunk: &Hunk) -> bool {
    hunk.edit.old != hunk.edit.new
}

/// Returns the spans of a hunk's added lines within `lines` of the text, which has them already.
fn added_lines(text: &str, lines: LineRange, script: &Script<'_>) -> Vec<Span> {
    let adds = |line: &str| script.added.iter().flatten().any(|added| added.trim() == line.trim());
    let mut at = 0;
    let spans = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (line, Span::new(at - line.len(), at))
    });
    let spans = spans.skip(lines.first - 1).take(lines.last + 1 - lines.first);
    spans.filter(|(line, _)| !line.trim().is_empty() && adds(line)).map(|(_, span)| span).collect()
}

/// Returns whether a later hunk adds lines of `span` that are already there: the patch moves these lines and was
/// applied before, and this is their new place.
fn will_have<'h>(text: &str, span: Span, later: impl Iterator<Item = &'h Hunk>, is_over: &dyn Fn() -> bool) -> bool {
    let removed: HashSet<&str> = span.text(text).lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let finders: Vec<Finder<'_>> = removed.iter().map(Finder::new).collect();
    // Most hunks have none of these lines and need no search line by line.
    let has_any = |hunk: &&Hunk| finders.iter().any(|line| line.find(hunk.edit.new.as_bytes()).is_some());
    later.take_while(|_| !is_over()).filter(has_any).any(|hunk| {
        let script = Script::of_hunk(hunk);
        let search = Search {
            text,
            script: &script,
            hint: &hunk.edit.hint,
            series: &HunkOrder::default(),
            is_written: &|_| false,
            is_over,
        };
        script.added.iter().flatten().any(|line| removed.contains(line.trim()))
            && search
                .made_before()
                .is_some_and(|lines| added_lines(text, lines, &script).iter().any(|had| touch(*had, span)))
    })
}

/// Returns an operation that is a hunk of the same file as `hunk`.
fn same_file<'o>(operation: &'o Operation, hunk: &Hunk) -> Option<&'o Hunk> {
    match operation {
        Operation::Hunk(other) if other.path == hunk.path => Some(other),
        _ => None,
    }
}

/// Returns whether git's id of a file with these bytes begins with `digits`.
fn is_blob(file: &[u8], digits: &str) -> bool {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", file.len()));
    hash.update(file);
    let id = hash.finalize();
    let nibbles = id.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|nibble| char::from_digit(nibble.into(), 16));
    digits.len() <= 40 && digits.chars().map(|digit| Some(digit.to_ascii_lowercase())).eq(nibbles.take(digits.len()))
}

fn nowhere(text: &str) -> Box<Failure> {
    let lines = text.lines().count();
    Box::new(Failure::new(
        Code::EmptyOld,
        format!(
            "the patch adds lines without any of the {lines} lines of the file as context, so their place is a guess"
        ),
        "Include an unchanged line above or below the new ones; *** End of File adds them at the end.",
    ))
}

/// Returns whether a line of a place has the words of this one, and others beside them.
fn is_part_of_line(line: &str, place: &str) -> bool {
    let part = solid(line);
    let is_more = |there: String| {
        there.split_once(&part).is_some_and(|rest| [rest.0, rest.1].iter().any(|it| it.contains(char::is_alphanumeric)))
    };
    place.lines().map(solid).any(is_more)
}

fn not_there(text: &str, found: Span, line: &str) -> Box<Failure> {
    let lines = LineRange::of(text, found);
    let line = excerpt(line.trim(), 0, 60);
    let message = format!("the patch removes `{line}`, which is not a line of the file; the rest resembles {lines}");
    let next_step = format!("Read {lines} of the file and adapt the patch to their current text.");
    Box::new(Failure::new(Code::Refused, message, next_step).at(vec![lines], 1))
}

/// Makes the failure of a hunk that only resembles text of an earlier one. All hunks of a patch describe one old file, so
/// the earlier text may be the only reason for the resemblance.
fn overlap(applied: &Applied, text: &str, earlier: usize, later: usize) -> Box<Failure> {
    let (earlier, later) = (earlier + 1, later + 1);
    let lines = LineRange::of(text, applied.found.span);
    let by = applied.found.strategy;
    let message = format!("hunk {later} matched only by {by}, on text that hunk {earlier} of this patch wrote");
    let next_step = format!(
        "Merge hunks {earlier} and {later} into one, or copy the old lines of hunk {later} from the new lines of hunk {earlier}."
    );
    Box::new(Failure::new(Code::Overlap, message, next_step).at(vec![lines], 1))
}

/// Makes the failure of a hunk that removes lines which another hunk of its patch adds and which are already there.
fn moved_before(text: &str, span: Span) -> Box<Failure> {
    let lines = LineRange::of(text, span);
    let message = format!(
        "the patch moves lines that are already at their new place, {lines}; applying it again would remove them"
    );
    let next_step =
        "Continue if the patch was applied before; otherwise read the file and send only the remaining changes.";
    Box::new(Failure::new(Code::Refused, message, next_step).at(vec![lines], 1))
}

fn inside_line(text: &str, found: Span) -> Box<Failure> {
    let lines = LineRange::of(text, found);
    let start = line_start(text, found.start());
    let line = text[start..].lines().next().unwrap_or("");
    Box::new(Failure::new(
        Code::Refused,
        format!("the lines of the patch occur only inside {lines}, which has more text: `{}`", excerpt(line, 0, 60)),
        "Give whole lines, as they are in the file.",
    ))
}
