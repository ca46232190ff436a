//! Restates an edit for a tool that replaces only text that occurs exactly once.

use fuzzy_pipeline::Applied;
use fuzzy_report::ProposedEdit;
use memchr::memmem::Finder;

/// Restates an edit of `text` that was applied: the old text is copied from `text` and occurs there exactly once,
/// overlapping places included. Its plain replacement by the new text gives the same output. Where the replaced text is
/// not unique, whole lines around it are part of both texts.
///
/// Returns nothing if the edit changes nothing.
///
/// # Cost
///
/// A search of the text for each widening; the number of lines that are added doubles each time.
///
/// # Panics
///
/// Panics if the edit was applied to another text.
#[must_use]
pub fn restated(text: &str, applied: &Applied) -> Option<ProposedEdit> {
    let output = &applied.output;
    let (first, last) = (applied.replaced.first()?, applied.replaced.last()?);
    if output == text {
        return None;
    }
    let (mut start, mut end) = (first.before.start(), last.before.end());
    // The rest after the last place is the same in both texts.
    let rest = output.len() - last.after.end();
    assert_eq!(rest, text.len() - end, "the edit was applied to this text");
    let mut lines = 1;
    while !is_unique(text, &text[start..end]) {
        (start, end) = (lines_up(text, start, lines), lines_down(text, end, lines));
        lines *= 2;
    }
    let old_string = text[start..end].to_owned();
    let new_string = output[start..output.len() - (text.len() - end)].to_owned();
    Some(ProposedEdit { old_string, new_string })
}

/// Returns whether a text occurs exactly once, overlapping places included.
#[must_use]
pub fn is_unique(text: &str, old: &str) -> bool {
    if old.is_empty() {
        return text.is_empty();
    }
    let (text, finder) = (text.as_bytes(), Finder::new(old));
    finder.find(text).is_some_and(|at| finder.find(&text[at + 1..]).is_none())
}

/// Returns the start of the line that is `lines - 1` lines above the one that holds `start`; the line before if `start`
/// begins a line.
fn lines_up(text: &str, mut start: usize, lines: usize) -> usize {
    for _ in 0..lines {
        // The line break directly above belongs to the line above.
        let above = start.saturating_sub(1);
        start = memchr::memrchr(b'\n', &text.as_bytes()[..above]).map_or(0, |at| at + 1);
    }
    start
}

/// Returns the end of the line that is `lines - 1` lines below the one that holds `end`, its line break included.
fn lines_down(text: &str, mut end: usize, lines: usize) -> usize {
    for _ in 0..lines {
        end = memchr::memchr(b'\n', &text.as_bytes()[end..]).map_or(text.len(), |at| end + at + 1);
    }
    end
}
