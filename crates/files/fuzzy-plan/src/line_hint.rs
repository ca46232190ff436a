//! What a patch says about a place beside the text that is there, held to what the file says.

use std::ops::Range;

use fuzzy_patch::Hint;
use fuzzy_pipeline::{Span, line_end, line_start};

/// Returns whether `span` cuts no line of `text`: before it and after it there are only blanks on its lines.
pub(crate) fn is_whole_lines(text: &str, span: Span) -> bool {
    let before = &text[line_start(text, span.start())..span.start()];
    let after = &text[span.end()..line_end(text, span.end())];
    before.trim().is_empty() && (after.trim().is_empty() || text[..span.end()].ends_with('\n'))
}

/// Returns where the lines are that are below all anchors, from the innermost anchor on; nothing if an anchor is not
/// a line of its own section, or several.
pub(crate) fn section(text: &str, anchors: &[String]) -> Option<Range<usize>> {
    let whole = (!anchors.is_empty()).then_some(0..text.len())?;
    anchors.iter().try_fold(whole, |range, anchor| below(text, range, anchor.trim()))
}

/// Returns where the line `anchor` and those that belong to it are: indented more than it, or closing what it opened.
fn below(text: &str, range: Range<usize>, anchor: &str) -> Option<Range<usize>> {
    // Diffs cut long lines, and models leave out how a line goes on.
    let start = only_line(text, &range, |line| line.trim() == anchor)
        .or_else(|| only_line(text, &range, |line| line.trim_start().starts_with(anchor)))?;
    let mut lines = lines(text, start..range.end);
    let (_, head) = lines.next()?;
    let end = lines.find(|(_, line)| is_after(line, head)).map_or(range.end, |(at, _)| at);
    Some(start..end)
}

/// Returns whether a line comes after all that belongs to a line above it.
fn is_after(line: &str, head: &str) -> bool {
    let closes = line.trim_start().starts_with(['}', ')', ']', '{']);
    !line.trim().is_empty() && indentation(line) <= indentation(head) && !closes
}

/// Returns how many bytes a line is indented by.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns where the only line in `range` starts that `is` the one.
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

/// Returns where lines go that are beside no line of the file, if that is not a guess: into an empty file, at its
/// end if the patch says so, and on the line that the patch names if the file is known to be the one it was made for.
pub(crate) fn insertion(text: &str, hint: &Hint, is_known: bool) -> Option<usize> {
    if text.is_empty() || hint.at_end {
        return Some(text.len());
    }
    let line = hint.line.filter(|_| is_known)?;
    let starts = std::iter::once(0).chain(lines(text, 0..text.len()).map(|(at, line)| at + line.len()));
    starts.into_iter().nth(line.checked_sub(1)?)
}

/// Returns `new` with a line break before it if the line above is open, and with the line ending of that line.
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
