//! Inserts new lines beside others.

use super::checks;
use super::decided::{NamedLines, Outcome, Request};
use super::depth::Depths;
use super::find::Located;
use super::indentation::Place;
use super::lines::{FileLines, QuotedLines, body, has_word, lead, width};
use crate::landing::{Landing, Splice};
use crate::outcome::{Failure, Match};
use crate::structure::heads::is_attached;
use crate::structure::separators::{self, Sequence};
use crate::structure::{Arranged, Outline};
use crate::{RangeRefusal, Span};

/// Returns the landing of new lines beside others.
pub(super) fn inserted(
    lines: &FileLines<'_>,
    request: &Request<'_>,
    anchor: &QuotedLines<'_>,
    located: &Located,
    is_below: bool,
) -> Outcome {
    let beside = &located.lines;
    let found = Match { span: lines.span(beside), ..located.found };
    if !anchor.lines.iter().any(|line| has_word(line)) {
        // A slip in its indentation would be another place.
        return Outcome::failed(RangeRefusal::OnlyMarks { lines: found.span, is_last: false }, None);
    }
    let named = Some(NamedLines { lines: found.span, reason: None });
    let Some(new) = request.new else {
        let place = insertion(lines, if is_below { beside.end } else { beside.start }, "");
        let landing = Landing { found, splices: Some(vec![Splice { text: String::new(), ..place }]) };
        return Outcome { result: Ok(landing), named, arranged: Arranged::default() };
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
        return Outcome::failed(RangeRefusal::Indentation { line: lines.span(&(at..at + 1)) }, named);
    };
    if let Some(there) = checks::is_beside(lines, beside, &text, is_below) {
        return Outcome::failed(Failure::AlreadyApplied { span: lines.span(&there) }, named);
    }
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let outline = Outline::new(*lines);
    let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    let place = if is_below {
        outline.behind(beside, body(first), width(lead(first)))
    } else if is_attached(body(last)) {
        // It hangs on the quoted line, too.
        beside.start
    } else {
        outline.with_hanging(beside).start
    };
    let sequence = Sequence { outline: &outline, depth: width(lead(first)), at: place, stays: &|_| true };
    let was_separated = separators::has_separator(last);
    let refusal = || RangeRefusal::Separator { line: lines.span(&(at..at + 1)) };
    let separation = match sequence.separation(body(first), was_separated) {
        Ok(separation) => separation,
        Err(refusal) => return Outcome::failed(refusal, named),
    };
    let own = separation.own.map(|own| separators::fitted(&text, own));
    let Some(fitted) = own.unwrap_or_else(|| Some(text.to_string())) else {
        return Outcome::failed(refusal(), named);
    };
    // The same lines may have lost or got their separator since.
    let others = separation.own.into_iter().filter_map(|own| separators::fitted(&text, !own));
    let mut known = std::iter::once(fitted.clone()).chain(others);
    if let Some(there) = known.find_map(|text| checks::is_beside(lines, &(place..place), &text, is_below)) {
        return Outcome::failed(Failure::AlreadyApplied { span: lines.span(&there) }, named);
    }
    let changed = separation.above.map(|line| separators::changed(&outline, line, true));
    let arranged = Arranged {
        hanging: None,
        is_behind: is_below && place > beside.end,
        separators: changed.iter().map(|splice| splice.span).collect(),
    };
    let splices = changed.into_iter().chain([insertion(lines, place, &fitted)]).collect();
    Outcome { result: Ok(Landing { found, splices: Some(splices) }), named, arranged }
}

/// Returns the splice that inserts a text as lines of its own before a line, or after the last one.
fn insertion(lines: &FileLines<'_>, at: usize, text: &str) -> Splice {
    let end = lines.text().len();
    let (start, text) = if at < lines.len() {
        (lines.start(at), format!("{text}\n"))
    } else if lines.text().ends_with('\n') || end == 0 {
        (end, format!("{text}\n"))
    } else {
        (end, format!("\n{text}"))
    };
    Splice { span: Span::new(start, start), text }
}
