//! Edits that name lines by their ends: their parts for the engine, and the reports about them.

use std::ops::Range;

use fuzzy_core::{Applied, Edit, Judgement, LineRange, Numbers, Quote, RangeRefusal, Span};
use fuzzy_patch::{LineQuote, PlaceError};
use serde::Serialize;

use crate::blanks::excerpt;
use crate::{Code, Failure};

/// Characters of a quoted line, at most.
const WIDTH: usize = 80;

/// Ends of ranges that a message lists, at most.
const LISTED: usize = 5;

/// The lines that an edit replaced, by their ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ReplacedLines {
    /// The first replaced line; long lines are cut.
    pub first: String,
    /// The last replaced line; long lines are cut.
    pub last: String,
    /// The number of replaced lines.
    pub count: usize,
}

/// A range that an edit may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct RangeEnd {
    /// The lines of the range.
    pub lines: LineRange,
    /// The number of these lines, which chooses the range.
    pub expected_lines: usize,
}

/// Makes the engine's edit of the lines of `text` that `quote` names, without the byte order mark `mark` of the file in its
/// texts. The numbers of lines are trusted if the file is as it was read.
///
/// # Errors
///
/// Returns the failure of a quote that is not exactly one way to say where.
pub fn named_edit<'e>(
    quote: &'e LineQuote,
    (mark, text): (&str, &str),
    new: &'e str,
    is_as_read: bool,
) -> Result<Edit<'e>, Box<Failure>> {
    quote.check(false, false).map_err(|error| Box::new(error.into()))?;
    if let (Some(line), None, None) = (quote.insert_line, &quote.after, &quote.before) {
        return Err(inserted_at(text, line).into());
    }
    let unmarked = |text: &'e str| text.strip_prefix(mark).unwrap_or(text);
    let new = unmarked(new);
    Ok(match (&quote.after, &quote.before) {
        (Some(anchor), _) => Edit::after(unmarked(anchor), new).with_line(quote.insert_line),
        (_, Some(anchor)) => Edit::before(unmarked(anchor), new).with_line(quote.insert_line),
        _ => {
            let given = |text: &'e Option<String>| unmarked(text.as_deref().unwrap_or_default());
            let numbers = quote.lines.map(|(first, last)| Numbers::new(&(first..=last)).exact(is_as_read));
            let edit = Edit::range(given(&quote.first), given(&quote.last), new);
            edit.with_expected_lines(quote.expected_lines).with_numbers(numbers)
        }
    })
}

impl From<PlaceError> for Failure {
    fn from(error: PlaceError) -> Self {
        let next_step = "Say where in exactly one way: `old_string`; `first` and `last`; `after`; `before`; or `lines` with \
                         `first`.";
        Self::bad_input(error.to_string(), next_step)
    }
}

impl ReplacedLines {
    /// Returns the lines that an edit replaced, if it named them by their ends.
    #[must_use]
    pub fn of(edit: &Edit<'_>, text: &str, applied: &Applied) -> Option<Self> {
        let Quote::First(_) = edit.quote else { return None };
        Some(Self::in_span(text, applied.found.span))
    }

    fn in_span(text: &str, span: Span) -> Self {
        let lines = span.text(text);
        let cut = |line: Option<&str>| excerpt(line.unwrap_or_default(), 0, WIDTH);
        let (first, last) = (cut(lines.lines().next()), cut(lines.lines().last()));
        Self { first, last, count: lines.lines().count().max(1) }
    }

    /// Returns the lines in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let Self { first, last, count } = self;
        let (first, last) = (first.trim(), last.trim());
        if *count == 1 { format!("1 line, `{first}`") } else { format!("{count} lines, from `{first}` to `{last}`") }
    }
}

/// Returns the name of the argument that the search of an edit is about, if it is not the old text.
pub(crate) const fn searched(edit: &Edit<'_>) -> Option<&'static str> {
    match edit.quote {
        Quote::First(_) => Some("the text of `first`"),
        Quote::After => Some("the text of `after`"),
        Quote::Before => Some("the text of `before`"),
        _ => None,
    }
}

/// Returns a failure of a search in the words of the argument that it is about.
pub(crate) fn about_argument(mut failure: Failure, edit: &Edit<'_>) -> Failure {
    if let Some(name) = searched(edit) {
        for text in [&mut failure.message, &mut failure.next_step] {
            *text = text.replace("the old text", name).replace("The old text", "The text");
        }
        let all = ", or replace all places";
        failure.next_step = failure.next_step.replace(all, ", or give `line`");
    }
    failure
}

/// Makes the failure of lines that are not certain.
pub(crate) fn failure(judgement: &Judgement<'_>, refusal: &RangeRefusal) -> Failure {
    let text = judgement.document().text();
    let lines = |span: &Span| LineRange::of(text, *span);
    let quoted =
        |span: &Span| format!("`{}`", excerpt(span.text(text).lines().next().unwrap_or_default().trim(), 0, WIDTH));
    let end = |span: &Span| {
        let lines = lines(span);
        RangeEnd { lines, expected_lines: lines.last - lines.first + 1 }
    };
    let with = |code, message: String, next_step: &str, spans: &[Span]| {
        let mut failure = Failure::new(code, message, next_step).at(spans.iter().map(lines).collect(), spans.len());
        failure.details.ends = spans.iter().map(end).collect();
        failure
    };
    let listed = |spans: &[Span]| {
        let first = spans.iter().take(LISTED).map(|span| {
            let RangeEnd { lines, expected_lines } = end(span);
            format!("line {} (expected_lines {expected_lines})", lines.last)
        });
        let more = if spans.len() > LISTED { " and more" } else { "" };
        format!("{}{more}", first.collect::<Vec<_>>().join(", "))
    };
    let choose = "Send the edit with the expected_lines that you mean, or with more lines in `last`.";
    match refusal {
        RangeRefusal::ReplaceAll => {
            PlaceError::Missing("replace_all", "old_string", "named lines are replaced in one place only").into()
        }
        RangeRefusal::Blank { is_last } => {
            let name = if *is_last {
                "the text of `last`"
            } else {
                searched(&judgement.edit()).unwrap_or("the text of `first`")
            };
            Failure::new(Code::EmptyOld, format!("{name} is blank"), "Quote a line that has text.")
        }
        RangeRefusal::PartOfLine { lines: line, is_last } => {
            let name = if *is_last {
                "the text of `last`"
            } else {
                searched(&judgement.edit()).unwrap_or("the text of `first`")
            };
            let message = format!("{name} is only a part of {}: {}", lines(line), quoted(line));
            with(Code::Refused, message, "Quote whole lines.", &[]).at(vec![lines(line)], 1)
        }
        RangeRefusal::OnlyMarks { lines: line } => {
            let name = searched(&judgement.edit()).unwrap_or("the text of `first`");
            let message = format!("{name} has no word, so that its place is not certain: {}", lines(line));
            Failure::new(Code::Refused, message, "Quote more lines, with a word among them.").at(vec![lines(line)], 1)
        }
        RangeRefusal::NoLast { ends } if ends.is_empty() => Failure::new(
            Code::NotFound,
            "the text of `last` does not occur after `first`",
            "Read the lines below `first`, and copy `last` from there exactly.",
        ),
        RangeRefusal::NoLast { ends } => {
            let message =
                format!("the text of `last` occurs after `first` only at another indentation: {}", listed(ends));
            let next_step = "Copy `first` and `last` with their indentation, or send the expected_lines that you mean.";
            with(Code::NotFound, message, next_step, ends)
        }
        RangeRefusal::Undecided { ends } => with(
            Code::Ambiguous,
            format!("the text of `last` occurs several times after `first`: {}", listed(ends)),
            choose,
            ends,
        ),
        RangeRefusal::OtherLength { expected, ends } => {
            let message = format!("no range from `first` to `last` has {expected} lines: {}", listed(ends));
            with(Code::Refused, message, choose, ends)
        }
        RangeRefusal::LeavesBlock { line, range } => {
            let (line, at) = (quoted(line), lines(line));
            let message =
                format!("the range from `first` to `last` leaves its block at {at}, {line}: {}", listed(&[*range]));
            let next_step = "Check `last`. If all of these lines are meant, send their expected_lines.";
            with(Code::Refused, message, next_step, &[*range])
        }
        RangeRefusal::TooShort { line, range } => {
            let (line, at) = (quoted(line), lines(line));
            let message = format!("{at}, below the range, is also in the new text: {line}");
            let next_step = "End the range with that line, or leave it out of the new text.";
            with(Code::Refused, message, next_step, &[*range])
        }
        RangeRefusal::FirstAgain { line, range, is_form } => {
            let (line, at) = (quoted(line), lines(line));
            let what = if *is_form { "a line of the same form as `first`" } else { "`first` again" };
            let message = format!("the range contains {what}: {at}, {line}");
            let next_step = if *is_form {
                "Copy `first` from the file exactly."
            } else {
                "Quote more lines in `first`, so that it occurs once, or more lines in `last`."
            };
            with(Code::Refused, message, next_step, &[*range])
        }
        RangeRefusal::StartsWithNew { rest, range } => {
            let (rest, count) = (lines(rest), end(range).expected_lines);
            let message = format!("the new text is already there, above {rest} of the range");
            let next_step =
                format!("If {rest} should be deleted, send expected_lines {count}; otherwise there is nothing to do.");
            with(Code::Refused, message, &next_step, &[*range])
        }
        RangeRefusal::Indentation { line } => {
            let name = searched(&judgement.edit()).unwrap_or("the text of `first`");
            let message =
                format!("{name} has another indentation than {}, and that of the new text may be either", lines(line));
            let next_step = "Copy the quoted lines with their indentation, and indent the new text as in the file.";
            Failure::new(Code::Refused, message, next_step).at(vec![lines(line)], 1)
        }
        RangeRefusal::NoRange { lines } => {
            let message = format!("no {lines} lines of the file begin and end as given");
            let next_step = "Read the lines again, or send `first` and `last` without numbers.";
            Failure::new(Code::NotFound, message, next_step)
        }
        RangeRefusal::NearRanges { ranges } => {
            let all: Vec<String> = ranges.iter().take(LISTED).map(|span| lines(span).to_string()).collect();
            let message = format!("several ranges near these numbers begin and end as given: {}", all.join(", "));
            let next_step = "Quote more lines in `first`, so that it occurs once, or send expected_hash.";
            with(Code::Ambiguous, message, next_step, ranges)
        }
        RangeRefusal::NoSuchLines { lines } => {
            let message = format!("the file has {lines} lines");
            Failure::new(Code::NotFound, message, "Read the file again, and give the numbers of its lines.")
        }
        RangeRefusal::Unguarded { line } => unguarded(judgement, line.as_ref().map(|span| span.range())),
        _ => Failure::new(Code::Refused, refusal.to_string(), choose),
    }
}

/// Makes the failure of an insertion at a line number alone, which proposes the text of that line as its guard.
fn inserted_at(text: &str, line: usize) -> Failure {
    let above = text.lines().take(line).filter(|line| !line.trim().is_empty()).last();
    let json = |line: &str| serde_json::Value::from(line).to_string();
    let guard = match (above, text.lines().find(|line| !line.trim().is_empty())) {
        (Some(above), _) => format!("\"after\": {}", json(above)),
        (None, Some(first)) => format!("\"before\": {}", json(first)),
        (None, None) => "\"old_string\": \"\"".to_owned(),
    };
    let message = format!("the line number {line} alone is not trusted, because the file may have changed");
    Failure::bad_input(message, format!("Send {guard} instead of the number, if that is the line."))
}

/// Makes the failure of line numbers without a guard, which names the guard.
fn unguarded(judgement: &Judgement<'_>, line: Option<Range<usize>>) -> Failure {
    let line = line.map(|range| judgement.document().text()[range].trim_end_matches('\r').to_owned());
    let line = line.filter(|line| !line.trim().is_empty());
    let json = |line: String| serde_json::Value::from(line).to_string();
    let guard = line.map_or_else(
        || "`first`, the text of the first of these lines".to_owned(),
        |line| format!("\"first\": {}, if that is the line", json(line)),
    );
    let next_step = format!("Add {guard}, or the expected_hash of the file.");
    Failure::bad_input("line numbers alone are not trusted, because the file may have changed", next_step)
}
