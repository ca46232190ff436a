//! Words the refusal of lines that are not certain.

use std::ops::Range;

use fuzzy_core::{LineRange, RangeRefusal, Span};

use crate::Failure;
use crate::blanks::excerpt;
use crate::failure::Remedy;
use crate::range_end::RangeEnd;
use crate::words::Words;

/// Characters of a quoted line, at most.
const WIDTH: usize = 80;

/// Ends of ranges that a message lists, at most.
const LISTED: usize = 5;

/// The next step if several ranges are possible.
const CHOOSE: &str = "Send the edit with the expected_lines that you mean, or with more lines in `last`.";

impl Words<'_, '_> {
    fn text(&self) -> &str {
        self.judgement.document().text()
    }

    fn lines(&self, span: &Span) -> LineRange {
        LineRange::of(self.text(), *span)
    }

    fn quoted(&self, span: &Span) -> String {
        let line = span.text(self.text()).lines().next().unwrap_or_default();
        format!("`{}`", excerpt(line.trim(), 0, WIDTH))
    }

    fn end(&self, span: &Span) -> RangeEnd {
        let lines = self.lines(span);
        RangeEnd { lines, expected_lines: lines.last - lines.first + 1 }
    }

    /// Lists the ends of ranges.
    fn listed(&self, ranges: &[Span]) -> String {
        let first = ranges.iter().take(LISTED).map(|span| {
            let RangeEnd { lines, expected_lines } = self.end(span);
            format!("line {} (expected_lines {expected_lines})", lines.last)
        });
        let more = if ranges.len() > LISTED { " and more" } else { "" };
        format!("{}{more}", first.collect::<Vec<_>>().join(", "))
    }

    /// Makes a failure about some ranges.
    fn about(&self, message: String, next_step: &str, ranges: &[Span]) -> Failure {
        let lines = ranges.iter().map(|span| self.lines(span)).collect();
        let mut failure = self.failure(message, next_step).at(lines, ranges.len());
        failure.details.ends = ranges.iter().map(|span| self.end(span)).collect();
        failure
    }

    /// Makes a failure about one line.
    fn at(&self, line: &Span, message: String, next_step: &str) -> Failure {
        self.failure(message, next_step).at(vec![self.lines(line)], 1)
    }

    /// Makes the failure of lines that are not certain.
    #[expect(clippy::too_many_lines, reason = "it is one table")]
    pub(crate) fn range(&self, refusal: &RangeRefusal) -> Failure {
        let name = |is_last: &bool| if *is_last { "the text of `last`" } else { self.old };
        match refusal {
            RangeRefusal::ReplaceAll => {
                let message = "replace_all needs old_string: named lines are replaced in one place only";
                Failure::bad_input(message, "Leave replace_all out, or send the whole old text.")
            }
            RangeRefusal::Blank { is_last } => {
                let message = format!("{} is blank", name(is_last));
                self.failure(message, "Quote a line that has text.")
            }
            RangeRefusal::PartOfLine { lines, is_last } => {
                let message =
                    format!("{} is only a part of {}: {}", name(is_last), self.lines(lines), self.quoted(lines));
                self.at(lines, message, "Quote whole lines.")
            }
            RangeRefusal::OnlyMarks { lines, is_last } => {
                let message = format!("{} has no word, so that its place is not certain", name(is_last));
                self.at(lines, message, "Quote more lines, with a word among them.")
            }
            RangeRefusal::Indentation { line } => {
                let at = self.lines(line);
                let message =
                    format!("{} has another indentation than {at}, and that of the new text may be either", self.old);
                let next_step = "Copy the quoted lines with their indentation, and indent the new text as in the file.";
                self.at(line, message, next_step)
            }
            RangeRefusal::NoLast { ends } if ends.is_empty() => self.failure(
                "the text of `last` does not occur after `first`",
                "Read the lines below `first`, and copy `last` from there exactly.",
            ),
            RangeRefusal::NoLast { ends } => {
                let listed = self.listed(ends);
                let message = format!("the text of `last` occurs after `first` only at another indentation: {listed}");
                let next_step =
                    "Copy `first` and `last` with their indentation, or send the expected_lines that you mean.";
                self.about(message, next_step, ends)
            }
            RangeRefusal::Undecided { ends } => {
                let message = format!("the text of `last` occurs several times after `first`: {}", self.listed(ends));
                self.about(message, CHOOSE, ends)
            }
            RangeRefusal::OtherLength { expected, ends } => {
                let message = format!("no range from `first` to `last` has {expected} lines: {}", self.listed(ends));
                self.about(message, CHOOSE, ends)
            }
            RangeRefusal::LeavesBlock { line, range } => {
                let (quoted, at, listed) = (self.quoted(line), self.lines(line), self.listed(&[*range]));
                let message = format!("the range from `first` to `last` leaves its block at {at}, {quoted}: {listed}");
                let next_step = "Check `last`. If all of these lines are meant, send their expected_lines.";
                self.about(message, next_step, &[*range])
            }
            RangeRefusal::TooShort { line, range } => {
                let (quoted, at) = (self.quoted(line), self.lines(line));
                let message = format!("{at}, below the range, is also in the new text: {quoted}");
                let next_step = "End the range with that line, or leave it out of the new text.";
                self.about(message, next_step, &[*range])
            }
            RangeRefusal::TooLong { line, range } => {
                let (quoted, at, listed) = (self.quoted(line), self.lines(line), self.listed(&[*range]));
                let message = format!(
                    "the range has another block in it, {at}, {quoted}, and the new text is one block: {listed}"
                );
                let next_step = "Check `last`. If all of these lines are meant, send their expected_lines.";
                self.about(message, next_step, &[*range])
            }
            RangeRefusal::FirstAgain { line, range, is_form } => {
                let (quoted, at) = (self.quoted(line), self.lines(line));
                let (what, next_step) = if *is_form {
                    ("a line of the same form as `first`", "Copy `first` from the file exactly.")
                } else {
                    ("`first` again", "Quote more lines in `first`, so that it occurs once, or more lines in `last`.")
                };
                let message = format!("the range contains {what}: {at}, {quoted}");
                self.about(message, next_step, &[*range])
            }
            RangeRefusal::StartsWithNew { rest, range } => {
                let (rest, count) = (self.lines(rest), self.end(range).expected_lines);
                let message = format!("the new text is already there, above {rest} of the range");
                let next_step =
                    format!("To delete {rest}, send expected_lines {count}; otherwise there is nothing to do.");
                self.about(message, &next_step, &[*range])
            }
            RangeRefusal::IntoItself { beside } => {
                let message = format!("the new place, beside {}, is inside the lines", self.lines(beside));
                self.at(beside, message, "Name a line outside of the lines as the new place.")
            }
            RangeRefusal::NewDepth { line } => {
                let at = line.map_or_else(|| "of the lines".to_owned(), |line| format!("of {}", self.lines(&line)));
                let message = format!("the indentation {at} at the new place is not certain");
                let next_step = "Name a line beside the new place that has the depth of the lines there, or insert them \
                                 with `new_string` and delete them here.";
                self.failure(message, next_step)
            }
            RangeRefusal::UnknownDepth { depths } => {
                let listed = depths.iter().map(|line| format!("{}, {}", self.lines(line), self.quoted(line)));
                let listed: Vec<String> = listed.take(LISTED).collect();
                let message = format!(
                    "nothing shows the depth of the lines at their new place: it may be that of {}",
                    listed.join("; or of ")
                );
                let next_step = "Send `before` with a line that has the depth of the lines there, or `after` with the last \
                                 line of a block of their kind.";
                let places: Vec<LineRange> = depths.iter().map(|line| self.lines(line)).collect();
                let count = places.len();
                self.failure(message, next_step).at(places, count)
            }
            RangeRefusal::EmptyBlock { head } => {
                let message = format!("the block of {}, {}, has no other lines", self.lines(head), self.quoted(head));
                self.at(head, message, "Name that line in `first`, to move the whole block, or copy the lines.")
            }
            RangeRefusal::Separator { line } => {
                let message = format!(
                    "{}, {}, gets another place in its sequence, and nothing shows whether a separator ends it there",
                    self.lines(line),
                    self.quoted(line)
                );
                let next_step =
                    "Send one edit with `old_string` that has this line and its neighbour, with their separators.";
                self.at(line, message, next_step)
            }
            RangeRefusal::NoRange { lines } => {
                let message = format!("no {lines} lines of the file begin and end as given");
                let next_step = "Read the lines again, or send `first` and `last` without numbers.";
                self.failure(message, next_step)
            }
            RangeRefusal::NearRanges { ranges } => {
                let all: Vec<String> = ranges.iter().take(LISTED).map(|span| self.lines(span).to_string()).collect();
                let message = format!("several ranges near these numbers begin and end as given: {}", all.join(", "));
                let next_step = "Quote more lines in `first`, so that it occurs once, or send expected_hash.";
                self.about(message, next_step, ranges)
            }
            RangeRefusal::NoSuchLines { lines } => {
                let next_step = "Read the file again, and give the numbers of its lines.";
                self.failure(format!("the file has {lines} lines"), next_step)
            }
            RangeRefusal::Unguarded { line } => self.unguarded(line.as_ref().map(|span| span.range())),
        }
    }

    /// Makes the failure of line numbers without a guard, which names the guard.
    fn unguarded(&self, line: Option<Range<usize>>) -> Failure {
        let line = line.map(|range| self.text()[range].trim_end_matches('\r')).filter(|line| !line.trim().is_empty());
        let guard = line.map_or_else(
            || "`first`, the text of the first of these lines".to_owned(),
            |line| format!("\"first\": {}, if that is the line", serde_json::Value::from(line)),
        );
        let next_step = format!("Add {guard}, or the expected_hash of the file.");
        Failure::bad_input("line numbers alone are not trusted, because the file may have changed", next_step)
            .with_remedy(Remedy::FirstLine)
    }
}
