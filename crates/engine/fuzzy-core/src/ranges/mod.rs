//! Edits that name lines instead of quoting all of them: ranges, insertions and line numbers.
//!
//! [`decide`] finds the quoted lines ([`find`]), the end of a range ([`ends`], [`numbers`]), refuses ranges that are
//! probably not the intended ones ([`checks`]), and gives the new text the indentation of the place ([`indentation`]).
//! All texts have `\n` for `\r\n`, unless the edit keeps its line endings.

mod checks;
pub(crate) mod depth;
pub(crate) mod ends;
mod find;
mod indentation;
pub(crate) mod lines;
mod numbers;

use std::borrow::Cow;
use std::ops::Range;

pub use self::ends::EndReason;
pub(crate) use self::lines::without_blank_ends;

use self::depth::Depths;
use self::ends::{End, EndSearch};
use self::find::{Located, locate};
use self::indentation::{Place, Reading};
use self::lines::{FileLines, Likeness, QuotedLines, lead};
use self::numbers::Numbered;
use crate::decider::{Question, Trace};
use crate::landing::{Landing, Splice};
use crate::outcome::{EXACT, Failure, Match};
use crate::quote::{Ends, Quote};
use crate::{Candidate, Ladder, RangeRefusal, Similarity, Span};

/// The lines that an edit names by their ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedLines {
    /// The replaced lines, without the last line break; for an insertion, the lines beside it.
    pub lines: Span,
    /// Why the lines end where they do; none for an insertion.
    pub reason: Option<EndReason>,
}

/// An edit that names lines.
pub(crate) struct Request<'a> {
    pub(crate) quote: Quote<'a>,
    /// The quote of the first lines, or of the lines beside an insertion, as given.
    pub(crate) first: &'a str,
    /// The quote of the last lines, as given.
    pub(crate) last: &'a str,
    /// The new text; none for a caller without one.
    pub(crate) new: Option<&'a str>,
    pub(crate) replace_all: bool,
    pub(crate) least_confidence: Similarity,
}

/// The decision about an edit that names lines.
pub(crate) struct DecidedLines<'q> {
    pub(crate) result: Result<Landing, Failure>,
    pub(crate) trace: Option<Box<dyn Trace + 'q>>,
    pub(crate) named: Option<NamedLines>,
}

impl DecidedLines<'_> {
    fn refused(failure: impl Into<Failure>) -> Self {
        Self { result: Err(failure.into()), trace: None, named: None }
    }
}

impl From<RangeRefusal> for Failure {
    fn from(refusal: RangeRefusal) -> Self {
        Self::Range(refusal)
    }
}

/// Decides an edit that names lines. The needle of `question` is the quote of the first lines, that of `of_last` the quote
/// of the last lines.
///
/// # Complexity
///
/// Two passes over the lines of the text, and a search of the ladder for each quote that no lines equal.
pub(crate) fn decide<'q>(
    ladder: &'q Ladder,
    question: &Question<'q>,
    of_last: &Question<'q>,
    request: &Request<'_>,
) -> DecidedLines<'q> {
    if request.replace_all {
        return DecidedLines::refused(RangeRefusal::ReplaceAll);
    }
    let lines = FileLines::new(question.query.haystack(), question.query.document().lines());
    let (first, last) = (QuotedLines::read(request.first), QuotedLines::read(request.last));
    let numbers = match request.quote {
        Quote::First(Ends { numbers, .. }) => numbers,
        _ => None,
    };
    if let Some(numbers) = numbers {
        let found = Numbered { lines, numbers, first: first.as_ref(), last: last.as_ref() }.find();
        return match found {
            Ok(range) => by_numbers(&lines, request, first.as_ref(), last.as_ref(), range, numbers.are_exact),
            Err(refusal) => DecidedLines::refused(refusal),
        };
    }
    let Some(first) = first else { return DecidedLines::refused(RangeRefusal::Blank { is_last: false }) };
    let (located, trace) = locate(ladder, question, &lines, &first, false);
    let located = located.and_then(|located| located.at_least(request.least_confidence));
    let decided = match located {
        // `first` may be a part of a new line.
        Err(failure @ (Failure::NotFound | Failure::Refused(_) | Failure::Range(RangeRefusal::PartOfLine { .. }))) => {
            let new = request.new.filter(|_| matches!(request.quote, Quote::First(_)));
            match new.and_then(|new| checks::only_new_lines(&lines, new, &[request.first, request.last])) {
                Some(span) => (Err(Failure::AlreadyApplied { span }), None),
                None => (Err(failure), None),
            }
        }
        Err(failure) => (Err(failure), None),
        Ok(located) => match request.quote {
            Quote::First(Ends { expected_lines, .. }) => match last {
                None => (Err(RangeRefusal::Blank { is_last: true }.into()), None),
                Some(last) => {
                    let range = OfRange { ladder, lines, request, first: &first, last: &last, located: &located };
                    range.decide(of_last, expected_lines)
                }
            },
            Quote::After => inserted(&lines, request, &first, &located, true),
            Quote::Before => inserted(&lines, request, &first, &located, false),
            // Only edits that name lines are decided here.
            Quote::Whole => (Err(Failure::NotFound), None),
        },
    };
    let (result, named) = decided;
    let result = match question.query.stopped().or_else(|| of_last.query.stopped()) {
        Some(stop) => Err(stop.into()),
        None => result,
    };
    DecidedLines { result, trace: Some(trace), named }
}

type Outcome = (Result<Landing, Failure>, Option<NamedLines>);

/// A range whose first lines are found.
struct OfRange<'a, 'q> {
    ladder: &'q Ladder,
    lines: FileLines<'q>,
    request: &'a Request<'a>,
    first: &'a QuotedLines<'a>,
    last: &'a QuotedLines<'a>,
    located: &'a Located,
}

impl<'q> OfRange<'_, 'q> {
    fn decide(&self, of_last: &Question<'q>, expected_lines: Option<usize>) -> Outcome {
        let Self { lines, located, .. } = self;
        let search = EndSearch {
            lines: *lines,
            first: &located.lines,
            depths: Depths { quoted: self.first.lead(), there: lead(lines.line(located.lines.start)) },
            last: self.last,
            expected_lines,
            is_new_block: self.request.new.is_some_and(ends::is_block),
        };
        let (end, found) = match search.decide() {
            Ok(Some(end)) => (end, located.found),
            Err(refusal) => return (Err(self.or_already_there(refusal)), None),
            Ok(None) => match self.similar_end(&search, of_last) {
                Ok((end, found)) => (end, self.less_certain(found)),
                Err(Failure::Range(refusal)) => return (Err(self.or_already_there(refusal)), None),
                Err(failure) => return (Err(failure), None),
            },
        };
        let range = located.lines.start..end.line;
        let strategy = match (located.found.is_exact(), end.likeness) {
            (true, Likeness::Tokens) => "same-words",
            _ => found.strategy,
        };
        let found = Match { strategy, span: lines.span(&range), ..found };
        let named = Some(NamedLines { lines: found.span, reason: Some(end.reason) });
        if let Some(refusal) = self.contradiction(&range) {
            return (Err(refusal.into()), named);
        }
        let text = match self.new_text(&range, search.depths) {
            Ok(text) => text,
            Err(refusal) => return (Err(refusal.into()), named),
        };
        let is_sure = end.reason == EndReason::ExpectedLines;
        (replaced(lines, &range, text, found, is_sure), named)
    }

    /// Returns the end by the ladder's search for `last`, if nothing equals it: in the block of `first` only.
    fn similar_end(&self, search: &EndSearch<'_>, of_last: &Question<'q>) -> Result<(End, Match), Failure> {
        let (located, _) = locate(self.ladder, of_last, &self.lines, self.last, true);
        let located = match located {
            Ok(located) => located.at_least(self.request.least_confidence)?,
            // The report of a missing text is about `first`; this one names `last`.
            Err(Failure::NotFound | Failure::Refused(_) | Failure::Ambiguous { .. }) => {
                return Err(search.no_last().into());
            }
            Err(failure) => return Err(failure),
        };
        let Range { start, end } = located.lines;
        let count = end - self.located.lines.start.min(end);
        let is_expected = search.expected_lines.is_none_or(|expected| expected == count);
        // Equal lines that have another indentation than the quote are no end.
        let is_end = located.likeness.is_none()
            && start >= self.located.lines.end
            && search.depths.is_at(self.last.lead(), lead(self.lines.line(start)))
            && is_expected;
        if !is_end {
            return Err(search.no_last().into());
        }
        let depth = search.lines.depth(self.located.lines.start).min(self.lines.depth(start));
        let way_out =
            (self.located.lines.end..start).find(|at| !self.lines.is_blank(*at) && self.lines.depth(*at) < depth);
        if let Some(line) = way_out {
            let range = self.lines.span(&(self.located.lines.start..end));
            return Err(RangeRefusal::LeavesBlock { line: self.lines.span(&(line..line + 1)), range }.into());
        }
        let reason = if search.expected_lines.is_some() { EndReason::ExpectedLines } else { EndReason::OnlyOne };
        Ok((End { line: end, reason, likeness: Likeness::Tokens }, located.found))
    }

    /// Returns the less certain one of the match of `first` and another one.
    fn less_certain(&self, last: Match) -> Match {
        let first = self.located.found;
        let is_less = last.confidence_or_similarity() < first.confidence_or_similarity();
        if first.is_exact() || is_less { last } else { first }
    }

    /// Returns a refusal, or that the new text is already in the place of `first`.
    fn or_already_there(&self, refusal: RangeRefusal) -> Failure {
        let RangeRefusal::NoLast { .. } = refusal else { return refusal.into() };
        let there = self.request.new.and_then(|new| checks::starts_with(&self.lines, self.located.lines.start, new));
        match there {
            Some(lines) => Failure::AlreadyApplied { span: self.lines.span(&lines) },
            None => refusal.into(),
        }
    }

    /// Returns why the range contradicts its own first lines.
    fn contradiction(&self, range: &Range<usize>) -> Option<RangeRefusal> {
        let rest = self.located.lines.end..range.end;
        let (line, is_form) =
            checks::first_again(&self.lines, self.first, rest.clone()).map(|line| (line, false)).or_else(|| {
                let is_sure = self.located.likeness.is_some();
                let form = || checks::form_again(&self.lines, self.located.lines.start, rest);
                if is_sure { None } else { form().map(|line| (line, true)) }
            })?;
        let (line, range) = (self.lines.span(&(line..line + 1)), self.lines.span(range));
        Some(RangeRefusal::FirstAgain { line, range, is_form })
    }

    fn new_text(&self, range: &Range<usize>, depths: Depths<'_>) -> Result<Option<String>, RangeRefusal> {
        let Some(new) = self.request.new else { return Ok(None) };
        let pairs = self.first.lines.iter().skip(1).zip(self.located.lines.clone().skip(1));
        let last = range.end - self.last.lines.len().min(range.len())..range.end;
        let pairs = pairs.chain(self.last.lines.iter().zip(last));
        let mut readings = pairs.filter_map(|(quoted, at)| {
            let (quoted, there) = (lead(quoted), lead(self.lines.line(at)));
            if quoted == there {
                Some(Reading::FirstLine)
            } else {
                (depths.moved(quoted).as_deref() == Some(there)).then_some(Reading::Moved)
            }
        });
        let quoted = readings.next();
        let quoted = quoted.filter(|quoted| readings.all(|other| other == *quoted));
        let replaced = Some(self.lines.span(range).text(self.lines.text()));
        let place = Place { depths, quoted, replaced, beside: None };
        let new = checks::without_context(new, self.first.blank_above, self.last.blank_below);
        let fitted = place.fitted(new).map(Cow::into_owned).map(Some);
        fitted.ok_or_else(|| {
            let at = self.located.lines.start;
            RangeRefusal::Indentation { line: self.lines.span(&(at..at + 1)) }
        })
    }
}

/// Returns the landing of a range by its numbers.
fn by_numbers<'q>(
    lines: &FileLines<'_>,
    request: &Request<'_>,
    first: Option<&QuotedLines<'_>>,
    last: Option<&QuotedLines<'_>>,
    range: Range<usize>,
    is_sure: bool,
) -> DecidedLines<'q> {
    let span = lines.span(&range);
    let found = Match::new(EXACT, Candidate::new(span, Similarity::ONE));
    let named = Some(NamedLines { lines: span, reason: Some(EndReason::Numbers) });
    let start = range.start + first.map_or(0, |first| first.blank_above);
    let there = lead(lines.line(start));
    let depths = Depths { quoted: first.map_or(there, QuotedLines::lead), there };
    let quoted = last.and_then(|last| {
        let there = lead(lines.line(range.end - last.blank_below - last.lines.len()));
        if last.lead() == there {
            return Some(Reading::FirstLine);
        }
        (depths.moved(last.lead()).as_deref() == Some(there)).then_some(Reading::Moved)
    });
    let place = Place { depths, quoted, replaced: Some(span.text(lines.text())), beside: None };
    let text = match request.new.map(|new| place.fitted(checks::without_context(new, 0, 0))) {
        None => None,
        Some(Some(new)) => Some(new.into_owned()),
        Some(None) => {
            let refusal = RangeRefusal::Indentation { line: lines.span(&(start..start + 1)) };
            return DecidedLines { named, ..DecidedLines::refused(refusal) };
        }
    };
    DecidedLines { result: replaced(lines, &range, text, found, is_sure), trace: None, named }
}

/// Returns the landing of a new text in the place of some lines. With `is_sure`, the number of lines is certain.
fn replaced(
    lines: &FileLines<'_>,
    range: &Range<usize>,
    text: Option<String>,
    found: Match,
    is_sure: bool,
) -> Result<Landing, Failure> {
    let span = lines.span(range);
    let Some(text) = text else {
        return Ok(Landing { found, splices: Some(vec![Splice { span, text: String::new() }]) });
    };
    if text == span.text(lines.text()) && !text.is_empty() {
        return Err(Failure::AlreadyApplied { span });
    }
    if let Some(there) =
        checks::starts_with(lines, range.start, &text).filter(|there| there.end < range.end && !is_sure)
    {
        let rest = lines.span(&(there.end..range.end));
        return Err(RangeRefusal::StartsWithNew { rest, range: span }.into());
    }
    if let Some(line) = checks::below_is_new(lines, range, &text) {
        return Err(RangeRefusal::TooShort { line: lines.span(&(line..line + 1)), range: span }.into());
    }
    // Without new lines, the line break goes, too: that of the last line, or else the one above.
    let span = match lines.after_break(range.end - 1) {
        Some(end) if text.is_empty() => Span::new(span.start(), end),
        None if text.is_empty() => Span::new(break_above(lines.text(), span.start()), span.end()),
        _ => span,
    };
    Ok(Landing { found, splices: Some(vec![Splice { span, text }]) })
}

/// Returns the offset of the line break above the line that starts at `start`.
pub(crate) fn break_above(text: &str, start: usize) -> usize {
    let above = &text[..start];
    let above = above.strip_suffix('\n').unwrap_or(above);
    above.strip_suffix('\r').unwrap_or(above).len()
}

/// Returns the landing of new lines beside others.
fn inserted(
    lines: &FileLines<'_>,
    request: &Request<'_>,
    anchor: &QuotedLines<'_>,
    located: &Located,
    is_below: bool,
) -> Outcome {
    let beside = &located.lines;
    let found = Match { span: lines.span(beside), ..located.found };
    if !anchor.lines.iter().any(|line| lines::has_word(line)) {
        // A slip in its indentation would be another place.
        return (Err(RangeRefusal::OnlyMarks { lines: found.span, is_last: false }.into()), None);
    }
    let named = Some(NamedLines { lines: found.span, reason: None });
    let below = lines.after_break(beside.end - 1);
    let start = lines.span(beside).start();
    let place = if is_below { below.unwrap_or(lines.text().len()) } else { start };
    let place = Span::new(place, place);
    let Some(new) = request.new else {
        return (Ok(Landing { found, splices: Some(vec![Splice { span: place, text: String::new() }]) }), named);
    };
    let (above, under) = if is_below { (0, anchor.blank_below) } else { (anchor.blank_above, 0) };
    let new = checks::without_context(new, under, above);
    let other = if is_below {
        (beside.end..lines.len()).find(|at| !lines.is_blank(*at))
    } else {
        (0..beside.start).rev().find(|at| !lines.is_blank(*at))
    };
    // The line next to the new ones counts.
    let (quoted, at) =
        if is_below { (anchor.lines[anchor.lines.len() - 1], beside.end - 1) } else { (anchor.lines[0], beside.start) };
    let depths = Depths { quoted: lead(quoted), there: lead(lines.line(at)) };
    let place_of_new = Place { depths, quoted: None, replaced: None, beside: other.map(|at| lines.line(at)) };
    let Some(text) = place_of_new.fitted(new) else {
        return (Err(RangeRefusal::Indentation { line: lines.span(&(at..at + 1)) }.into()), named);
    };
    if let Some(there) = checks::is_beside(lines, beside, &text, is_below) {
        return (Err(Failure::AlreadyApplied { span: lines.span(&there) }), named);
    }
    let text = if is_below && below.is_none() { format!("\n{text}") } else { format!("{text}\n") };
    (Ok(Landing { found, splices: Some(vec![Splice { span: place, text }]) }), named)
}
