//! Edits that name lines instead of quoting all of them: ranges, insertions and line numbers.
//!
//! [`decide`] finds the quoted lines ([`find`]), the end of a range ([`ends`], [`numbers`]), refuses ranges that are
//! probably not the intended ones ([`checks`]), and gives the new text the indentation of the place ([`indentation`]).
//! All texts have `\n` for `\r\n`, unless the edit keeps its line endings.

mod checks;
mod decided;
pub(crate) mod depth;
pub(crate) mod ends;
mod find;
mod indentation;
mod insertion;
pub(crate) mod lines;
mod numbers;

use std::borrow::Cow;
use std::ops::Range;

pub use self::decided::NamedLines;
pub(crate) use self::decided::{DecidedLines, Request};
pub use self::ends::EndReason;
pub(crate) use self::lines::without_blank_ends;

use self::decided::Outcome;
use self::depth::Depths;
use self::ends::{End, EndSearch};
use self::find::{Located, Role, locate};
use self::indentation::{Place, Reading};
use self::insertion::inserted;
use self::lines::{FileLines, Likeness, QuotedLines, has_word, lead, width};
use self::numbers::Numbered;
use crate::decider::Question;
use crate::landing::{Landing, Splice};
use crate::outcome::{EXACT, Failure, Match};
use crate::quote::{Ends, Quote};
use crate::structure::separators::{self, Sequence};
use crate::structure::{Arranged, Outline};
use crate::{Candidate, Ladder, RangeRefusal, Similarity, Span};

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
    let lines = FileLines::new(question.query.text(), question.query.document().lines());
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
    let role = if matches!(request.quote, Quote::First(_)) { Role::First(request.new) } else { Role::Beside };
    let (located, trace) = locate(ladder, question, &lines, &first, role);
    let located = located.and_then(|located| located.at_least(request.least_confidence));
    let decided = match located {
        // `first` may be a part of a new line.
        Err(failure @ (Failure::NotFound | Failure::Refused(_) | Failure::Range(RangeRefusal::PartOfLine { .. }))) => {
            let new = request.new.filter(|_| matches!(request.quote, Quote::First(_)));
            match new.and_then(|new| checks::only_new_lines(&lines, new, &[request.first, request.last])) {
                Some(span) => Outcome::failed(Failure::AlreadyApplied { span }, None),
                None => Outcome::failed(failure, None),
            }
        }
        Err(failure) => Outcome::failed(failure, None),
        // Of marks alone, a slip in their indentation would be another place.
        Ok(located) if located.likeness != Some(Likeness::Equal) && !first.lines.iter().any(|line| has_word(line)) => {
            Outcome::failed(RangeRefusal::OnlyMarks { lines: located.found.span, is_last: false }, None)
        }
        Ok(located) => match request.quote {
            Quote::First(Ends { expected_lines, .. }) => match last {
                None => Outcome::failed(RangeRefusal::Blank { is_last: true }, None),
                Some(last) => {
                    let range = OfRange { ladder, lines, request, first: &first, last: &last, located: &located };
                    range.decide(of_last, expected_lines)
                }
            },
            Quote::After => inserted(&lines, request, &first, &located, true),
            Quote::Before => inserted(&lines, request, &first, &located, false),
            // Only edits that name lines are decided here.
            Quote::Whole => Outcome::failed(Failure::NotFound, None),
        },
    };
    let Outcome { result, named, arranged } = decided;
    let result = match question.query.stopped().or_else(|| of_last.query.stopped()) {
        Some(stop) => Err(stop.into()),
        None => result,
    };
    DecidedLines { result, trace: Some(trace), named, arranged }
}

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
        let outline = Outline::new(*lines);
        let own = located.lines.start..located.lines.end;
        let head = own.start..outline.head_below(&own) + 1;
        let new = self.request.new;
        let is_out = |line: &str| !line.trim().is_empty() && width(lead(line)) < width(lead(new.unwrap_or_default()));
        let mut search = EndSearch {
            lines: *lines,
            first: &own,
            depths: Depths { quoted: self.first.lead(), there: lead(lines.line(own.start)) },
            last: self.last,
            expected_lines,
            is_new_block: new.is_some_and(ends::is_block),
            is_new_out: new.is_some_and(|new| new.lines().any(is_out)),
        };
        let mut decided = search.decide();
        if matches!(decided, Err(RangeRefusal::Undecided { .. })) && head.end > own.end {
            // The attributes of a block name it as well.
            search.first = &head;
            decided = search.decide();
        }
        let (end, found) = match decided {
            Ok(Some(end)) => (end, located.found),
            Err(refusal) => return Outcome::failed(self.or_already_there(refusal), None),
            Ok(None) => match self.similar_end(&search, of_last) {
                Ok((end, found)) => (end, self.less_certain(found)),
                Err(Failure::Range(refusal)) => return Outcome::failed(self.or_already_there(refusal), None),
                Err(failure) => return Outcome::failed(failure, None),
            },
        };
        let range = located.lines.start..end.line;
        let strategy = match (located.found.is_exact(), end.likeness) {
            (true, Likeness::Tokens) => "same-words",
            _ => found.strategy,
        };
        let found = Match { strategy, span: lines.span(&range), ..found };
        let named = Some(NamedLines { lines: found.span, reason: Some(end.reason) });
        let is_sure = end.reason == EndReason::ExpectedLines;
        let refusal = || self.contradiction(&range).or_else(|| self.swallowed(&outline, head.end - 1, &range));
        if let Some(refusal) = (!is_sure).then(refusal).flatten() {
            return Outcome::failed(refusal, named);
        }
        let text = match self.new_text(&range, search.depths) {
            Ok(text) => text,
            Err(refusal) => return Outcome::failed(refusal, named),
        };
        if text.as_ref().is_some_and(String::is_empty) {
            return deleted(&outline, range, found, named, is_sure);
        }
        Outcome { result: replaced(lines, &range, text, found, is_sure), named, arranged: Arranged::default() }
    }

    /// Returns the end by the ladder's search for `last`, if nothing equals it: in the block of `first` only.
    fn similar_end(&self, search: &EndSearch<'_>, of_last: &Question<'q>) -> Result<(End, Match), Failure> {
        let (located, _) = locate(self.ladder, of_last, &self.lines, self.last, Role::Last);
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
        if let Some(line) = way_out.filter(|_| search.expected_lines.is_none()) {
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
        let likeness = self.located.likeness.unwrap_or(Likeness::Tokens);
        let (line, is_form) = checks::first_again(&self.lines, self.first, likeness, rest.clone())
            .map(|line| (line, false))
            .or_else(|| {
                let is_sure = self.located.likeness.is_some();
                let form = || checks::form_again(&self.lines, self.located.lines.start, rest);
                if is_sure { None } else { form().map(|line| (line, true)) }
            })?;
        let (line, range) = (self.lines.span(&(line..line + 1)), self.lines.span(range));
        Some(RangeRefusal::FirstAgain { line, range, is_form })
    }

    /// Returns why the range is too long: the new text is one block, and the range has another one beside that of `head`.
    fn swallowed(&self, outline: &Outline<'_>, head: usize, range: &Range<usize>) -> Option<RangeRefusal> {
        let new = self.request.new?;
        let heads = [head, self.located.lines.start];
        let (head, other) = heads.iter().find_map(|head| Some((*head, outline.next_section(*head, range.end)?)))?;
        let form = |line: &str| outline.lines.line(other).split_whitespace().next() == line.split_whitespace().next();
        let sections = new.lines().filter(|line| width(lead(line)) == width(lead(new)) && form(line)).count();
        let is_one =
            if outline.opens_block(head) { ends::is_block(new) } else { sections <= 1 && !new.trim().is_empty() };
        is_one.then(|| RangeRefusal::TooLong {
            line: self.lines.span(&(other..other + 1)),
            range: self.lines.span(range),
        })
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
    let result = replaced(lines, &range, text, found, is_sure);
    DecidedLines { result, trace: None, named, arranged: Arranged::default() }
}

/// Returns the landing of a deletion: of the lines, of what hangs on them unless their number is certain, and of the separator
/// that the line above no longer needs.
fn deleted(
    outline: &Outline<'_>,
    range: Range<usize>,
    found: Match,
    named: Option<NamedLines>,
    is_sure: bool,
) -> Outcome {
    let lines = &outline.lines;
    let all = if is_sure { range.clone() } else { outline.with_hanging(&range) };
    let hanging = (all.start < range.start).then(|| lines.span(&(all.start..range.start)));
    let span = lines.span(&all);
    let named = named.map(|named| NamedLines { lines: span, ..named });
    let sequence = Sequence { outline, depth: outline.depth(range.start), at: all.start, stays: &|_| true };
    let left = match sequence.left_behind(all.end) {
        Ok(left) => left.map(|line| separators::changed(outline, line, false)),
        Err(refusal) => return Outcome::failed(refusal, named),
    };
    let separators = left.iter().map(|splice| splice.span).collect();
    let landing = replaced(lines, &all, Some(String::new()), Match { span, ..found }, is_sure);
    let result = landing.map(|landing| {
        let splices = left.into_iter().chain(landing.splices.into_iter().flatten()).collect();
        Landing { splices: Some(splices), ..landing }
    });
    Outcome { result, named, arranged: Arranged { hanging, is_behind: false, separators } }
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
    if let Some(line) = checks::below_is_new(lines, range, &text).filter(|_| !is_sure) {
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
