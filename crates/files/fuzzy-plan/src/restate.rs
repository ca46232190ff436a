//! Restates an edit for a tool that only replaces text that occurs exactly once.

use fuzzy_core::Applied;
use fuzzy_core::report::Proposal;
use memchr::memmem::Finder;

/// Restates an applied edit of `text`: the old text is copied from `text` and occurs there exactly once, overlapping
/// places included. Replacing it gives the same output. If the replaced text is not unique, both texts include whole
/// lines around it.
///
/// Returns `None` if the edit changes nothing.
///
/// # Cost
///
/// One search of the text per widening; the number of added lines doubles each time.
///
/// # Panics
///
/// Panics if the edit was applied to another text.
#[must_use]
pub fn restated(text: &str, applied: &Applied) -> Option<Proposal> {
    let output = &applied.output;
    let (first, last) = (applied.replaced.first()?, applied.replaced.last()?);
    if output == text {
        return None;
    }
    let (mut start, mut end) = (first.before.start(), last.before.end());
    // The rest after the last place is equal in both texts.
    let rest = output.len() - last.after.end();
    assert_eq!(rest, text.len() - end, "the edit was applied to this text");
    let mut lines = 1;
    while !is_unique(text, &text[start..end]) {
        (start, end) = (lines_up(text, start, lines), lines_down(text, end, lines));
        lines *= 2;
    }
    let old_string = text[start..end].to_owned();
    let new_string = output[start..output.len() - (text.len() - end)].to_owned();
    Some(Proposal::new(old_string, new_string))
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

/// Returns the start of the line `lines - 1` lines above the line of `start`; counts from the line before if `start`
/// begins a line.
fn lines_up(text: &str, mut start: usize, lines: usize) -> usize {
    for _ in 0..lines {
        // The line break directly above belongs to the line above.
        let above = start.saturating_sub(1);
        start = memchr::memrchr(b'\n', &text.as_bytes()[..above]).map_or(0, |at| at + 1);
    }
    start
}

/// Returns the end of the line `lines - 1` lines below the line of `end`, with its line break.
fn lines_down(text: &str, mut end: usize, lines: usize) -> usize {
    for _ in 0..lines {
        end = memchr::memchr(b'\n', &text.as_bytes()[end..]).map_or(text.len(), |at| end + at + 1);
    }
    end
}
