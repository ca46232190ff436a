//! The region that comes nearest to a needle, for reports about needles that were not found.

use std::ops::ControlFlow;

use crate::distance::{Pattern, scalar_distance, scalar_len};
use crate::{LineRange, Query, Similarity, Span, line_end, line_start};

/// Word steps that one search may take, about a tenth of a second.
const WORK: usize = 1 << 26;

/// Characters of the needle that are compared at the most. More would not tell regions apart any better.
const MOST: usize = 4096;

/// Characters of the needle that are compared in a haystack of any size; they fill one machine word.
const LEAST: usize = 64;

/// The region of a document that comes nearest to a needle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// As many whole lines as the needle has, or all there are, without the last one's `\n`.
    pub span: Span,
    /// The same lines, counted from 1.
    pub lines: LineRange,
    /// How much of the needle stands there: 1 - (fewest edits that turn it into a part of the text) / its length, in
    /// characters.
    pub similarity: Similarity,
}

/// Returns the lines that come nearest to the query's needle and how near; the first of equals.
///
/// Nothing comes near an empty needle or stands in an empty haystack. The query's deadline plays no part.
///
/// # Complexity
///
/// One pass over the haystack of at most [`WORK`] word steps (less a floor of one step a character): the larger the
/// haystack, the fewer of the needle's first characters are compared.
pub(crate) fn nearest(query: &Query<'_>) -> Option<(Span, Similarity)> {
    let haystack = query.haystack();
    let needle = match query.needle().strip_suffix('\n') {
        Some(line) if !line.is_empty() => line,
        _ => query.needle(),
    };
    if haystack.is_empty() || needle.is_empty() {
        return None;
    }
    let compared = (WORK / (haystack.len() / 64 + 1)).clamp(LEAST, MOST);
    let head = needle.char_indices().nth(compared).map_or(needle, |(end, _)| &needle[..end]);
    let pattern = Pattern::new(head);

    // Where the part of the haystack ends that takes the fewest edits.
    let mut best = (pattern.len(), 0);
    let stops = haystack.char_indices().map(|(at, c)| at + c.len_utf8());
    let _ = pattern.least_ending_at(haystack, stops, pattern.len(), |stop, distance| {
        if distance < best.0 {
            best = (distance, stop);
        }
        if distance == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let (distance, stop) = best;
    Some((window(haystack, stop, distance, head, needle), Similarity::of_distance(distance, pattern.len())))
}

/// Returns the lines under the needle if the part of the haystack that its head came nearest to ends at `stop`.
///
/// That part may lack the needle's first lines or its last ones, so the needle is laid along both of its ends.
fn window(haystack: &str, stop: usize, distance: usize, head: &str, needle: &str) -> Span {
    let above_last = line_breaks(head);
    let by_end =
        (0..above_last).fold(line_start(haystack, stop), |start, _| line_start(haystack, start.saturating_sub(1)));
    let by_start = line_start(haystack, start_of_part(&haystack[..stop], distance, head));
    let distance_from = |start: usize| {
        let lines = Span::new(start, end_of_lines(haystack, start, above_last)).text(haystack);
        // A line may be as long as the file; what does not fit the head's length any more is only more of the same.
        let end = lines.char_indices().nth(2 * scalar_len(head)).map_or(lines.len(), |(end, _)| end);
        scalar_distance(head, &lines[..end])
    };
    let start = if by_start == by_end || distance_from(by_end) <= distance_from(by_start) { by_end } else { by_start };
    Span::new(start, end_of_lines(haystack, start, line_breaks(needle)))
}

/// Returns where the shortest part at the end of `text` starts that is `distance` edits away from `head`.
fn start_of_part(text: &str, distance: usize, head: &str) -> usize {
    let backwards: String = text.chars().rev().take(scalar_len(head) + distance).collect();
    let head: String = head.chars().rev().collect();
    let stops = std::iter::once(0).chain(backwards.char_indices().map(|(at, c)| at + c.len_utf8()));
    let mut length = 0;
    let _ = Pattern::new(&head).distances_at(&backwards, stops, distance, |stop, _| {
        length = stop;
        ControlFlow::Break(())
    });
    text.len() - length
}

/// Returns where the line ends that stands `below` lines under the one that starts at `start`, or the last line.
fn end_of_lines(haystack: &str, start: usize, below: usize) -> usize {
    (0..below).fold(line_end(haystack, start), |end, _| line_end(haystack, (end + 1).min(haystack.len())))
}

fn line_breaks(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}
