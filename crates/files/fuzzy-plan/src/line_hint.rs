//! Checks a patch's hints about a place against the file.

use std::ops::Range;

use fuzzy_core::{Span, line_end, line_start};
use fuzzy_patch::Hint;

/// Returns whether `span` consists of whole lines of `text`: its first and last lines have only blanks outside it.
pub(crate) fn is_whole_lines(text: &str, span: Span) -> bool {
    let before = &text[line_start(text, span.start())..span.start()];
    let after = &text[span.end()..line_end(text, span.end())];
    before.trim().is_empty() && (after.trim().is_empty() || text[..span.end()].ends_with('\n'))
}

/// Returns the range below all anchors, from the innermost anchor on; `None` if an anchor is missing in its section or
/// occurs several times.
pub(crate) fn section(text: &str, anchors: &[String]) -> Option<Range<usize>> {
    let whole = (!anchors.is_empty()).then_some(0..text.len())?;
    anchors.iter().try_fold(whole, |range, anchor| below(text, range, anchor.trim()))
}

/// Returns the range of the line `anchor` and the lines that belong to it: those with more indentation, and the line
/// that closes its block.
fn below(text: &str, range: Range<usize>, anchor: &str) -> Option<Range<usize>> {
    // Diffs cut long lines, and models omit the end of a line.
    let start = only_line(text, &range, |line| line.trim() == anchor)
        .or_else(|| only_line(text, &range, |line| line.trim_start().starts_with(anchor)))?;
    let mut lines = lines(text, start..range.end);
    let (_, head) = lines.next()?;
    let end = lines.find(|(_, line)| is_after(line, head)).map_or(range.end, |(at, _)| at);
    Some(start..end)
}

/// Returns whether a line is the first one that does not belong to the line `head` above it.
fn is_after(line: &str, head: &str) -> bool {
    let closes = line.trim_start().starts_with(['}', ')', ']', '{']);
    !line.trim().is_empty() && indentation(line) <= indentation(head) && !closes
}

/// Returns the indentation of a line, in bytes.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the start of the only line in `range` for which `is` holds.
fn only_line(text: &str, range: &Range<usize>, is: impl Fn(&str) -> bool) -> Option<usize> {
    let mut found = lines(text, range.clone()).filter(|(_, line)| is(line));
    found.next().filter(|_| found.next().is_none()).map(|(at, _)| at)
}

fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = (usize, &str)> {
    let mut at = range.start;
    text[range].split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line)
    })
}

/// Returns the place of new lines without context, if it is certain: in an empty file, at the end if the patch says so,
/// below the anchor if the patch has no line number, and at the hunk's line number if the file is known to be the one that
/// the patch was made for.
pub(crate) fn insertion(text: &str, hint: &Hint, is_known: bool) -> Option<usize> {
    if text.is_empty() || hint.at_end {
        return Some(text.len());
    }
    if hint.line.is_none() {
        let anchor = section(text, &hint.anchors)?.start;
        return Some((line_end(text, anchor) + 1).min(text.len()));
    }
    let line = hint.line.filter(|_| is_known)?;
    let starts = std::iter::once(0).chain(lines(text, 0..text.len()).map(|(at, line)| at + line.len()));
    starts.into_iter().nth(line.checked_sub(1)?)
}

/// Returns `new` with the line ending of the line above, and after a line break if that line has none.
pub(crate) fn fitted(text: &str, at: usize, new: &str) -> String {
    let above = text[..at].strip_suffix('\n').unwrap_or(&text[..at]);
    let is_open = at > 0 && above.len() == at;
    let newline = if is_open { above.rfind('\n') } else { Some(above.len()) };
    let returns = newline.is_some_and(|newline| text[..newline].ends_with('\r'));
    let new = if returns && !new.contains('\r') { new.replace('\n', "\r\n") } else { new.to_owned() };
    match (is_open, returns) {
        (true, true) => format!("\r\n{new}"),
        (true, false) => format!("\n{new}"),
        (false, _) => new,
    }
}
