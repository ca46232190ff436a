//! Finds the region most similar to an old text, for reports about missing old texts.

use std::ops::ControlFlow;

use crate::distance::{Pattern, scalar_distance, scalar_len};
use crate::document::line_breaks;
use crate::{Candidate, LineRange, Query, Similarity, Span, line_end, line_start};

/// Word steps that one search may take: about a tenth of a second at one to three nanoseconds each, as long as a reader
/// of a refusal should wait for its report.
const MAX_WORD_STEPS: usize = 1 << 26;

/// The most characters of the old text that are compared. More would not distinguish regions any better.
const MAX_COMPARED_CHARS: usize = 4096;

/// Characters of the old text that are compared in a text of any size; they fill one machine word.
const MIN_COMPARED_CHARS: usize = 64;

/// Bytes of text in which every end is looked at. Above that it would take the better part of the time: 50,000
/// lines took 212 ms with every end and 106 ms with some.
const MAX_BYTES_WITH_ALL_ENDS: usize = 1 << 16;

/// Places of a larger text around which every end is looked at; the best is usually among the first few.
const MAX_REFINED_PLACES: usize = 16;

/// The region of a document that is most similar to an old text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Nearest {
    /// As many whole lines as the old text has, or all there are, without the last one's `\n`.
    pub span: Span,
    /// The same lines, counted from 1.
    pub lines: LineRange,
    /// How much of the old text is there: 1 - (fewest edits that turn it into a part of the text) / its length, in
    /// characters.
    pub similarity: Similarity,
}

/// Returns the lines most similar to the query's old text, and their similarity; the first of equals.
///
/// Returns none for an empty old text or file. A query whose limits end the search gets the best of the lines seen until
/// then. In a large text it may overlook lines that are more similar by a few edits; the similarity is that of
/// the returned lines.
///
/// # Complexity
///
/// One pass over the text of at most [`MAX_WORD_STEPS`] word steps (less a floor of one step a character): the
/// larger the text, the fewer of the old text's first characters are compared, and the fewer ends are looked at.
pub(crate) fn nearest(query: &Query<'_>) -> Option<Candidate> {
    let haystack = query.text();
    let needle = match query.old().strip_suffix('\n') {
        Some(line) if !line.is_empty() => line,
        _ => query.old(),
    };
    if haystack.is_empty() || needle.is_empty() {
        return None;
    }
    let compared = (MAX_WORD_STEPS / (haystack.len() / 64 + 1)).clamp(MIN_COMPARED_CHARS, MAX_COMPARED_CHARS);
    let head = needle.char_indices().nth(compared).map_or(needle, |(end, _)| &needle[..end]);
    let part = nearest_part(query, &Pattern::new(head));
    let similarity = Similarity::of_distance(part.distance, scalar_len(head));
    Some(Candidate::new(window(haystack, part, head, needle), similarity))
}

/// Where a part of the text ends, and how many edits turn the pattern into it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    distance: usize,
    end: usize,
}

/// Returns the part of the text that takes the fewest edits, the first of equals.
///
/// Looking at an end costs as much as comparing ten characters. So in a large text only some ends are looked at:
/// those of lines, and others so close together that the best part cannot hide between them; then every end around
/// the best of these.
fn nearest_part(query: &Query<'_>, pattern: &Pattern) -> Part {
    let haystack = query.text();
    let step = if haystack.len() <= MAX_BYTES_WITH_ALL_ENDS {
        1
    } else {
        // A step of one character costs one edit at the most.
        (pattern.len() / 8).clamp(1, 16).max(haystack.len() >> 20)
    };
    let mut best: Vec<Part> = Vec::with_capacity(MAX_REFINED_PLACES + 1);
    let steps = pattern.len().div_ceil(64);
    let mut seen = 0;
    let _ = pattern.least_ending_at(haystack, ends(haystack, step), pattern.len(), |end, distance| {
        keep(&mut best, Part { distance, end }, pattern.len());
        let is_over = query.spend((end - seen).saturating_mul(steps)).is_break();
        seen = end;
        if distance == 0 || is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if step > 1 {
        for part in &mut best {
            refine(part, haystack, pattern, step);
        }
    }
    // Without any part, the pattern is turned into nothing.
    best.into_iter().min().unwrap_or(Part { distance: pattern.len(), end: 0 })
}

/// Returns every end of a line and every `step`th byte of each; those inside a character are no ends.
fn ends(haystack: &str, step: usize) -> impl Iterator<Item = usize> {
    let mut start = 0;
    memchr::memchr_iter(b'\n', haystack.as_bytes()).chain(std::iter::once(haystack.len())).flat_map(move |end| {
        let inner = (start + step..end).step_by(step);
        start = end;
        inner.chain(std::iter::once(end))
    })
}

/// Adds a part that ends after all others, if it is among the best; of those that may overlap, the best stays.
fn keep(best: &mut Vec<Part>, part: Part, length: usize) {
    if best.len() == MAX_REFINED_PLACES && best.iter().all(|known| known.distance <= part.distance) {
        return;
    }
    match best.iter_mut().find(|known| part.end - known.end < length) {
        Some(near) => *near = part.min(*near),
        None => best.push(part),
    }
    if best.len() > MAX_REFINED_PLACES
        && let Some(worst) = (0..best.len()).max_by_key(|index| best[*index])
    {
        best.swap_remove(worst);
    }
}

/// Looks at every end around that of `part`.
fn refine(part: &mut Part, haystack: &str, pattern: &Pattern, step: usize) {
    let first = haystack.floor_char_boundary(part.end.saturating_sub(step));
    let last = haystack.ceil_char_boundary(part.end + step);
    // A part is no longer than the pattern and the edits that it takes.
    let reach = haystack[..first].char_indices().rev().nth(2 * pattern.len()).map_or(0, |(at, _)| at);
    let ends = haystack[first..last].char_indices().map(|(at, c)| first - reach + at + c.len_utf8());
    let _ = pattern.least_ending_at(&haystack[reach..last], ends, pattern.len(), |end, distance| {
        *part = Part { distance, end: reach + end }.min(*part);
        ControlFlow::Continue(())
    });
}

/// Returns the lines under the old text if its head is laid along `part`.
///
/// The part may lack the old text's first lines or its last ones, so both of its ends are tried.
fn window(haystack: &str, part: Part, head: &str, needle: &str) -> Span {
    let above_last = line_breaks(head.as_bytes());
    let by_end =
        (0..above_last).fold(line_start(haystack, part.end), |start, _| line_start(haystack, start.saturating_sub(1)));
    let by_start = line_start(haystack, start_of_part(&haystack[..part.end], part.distance, head));
    let distance_from = |start: usize| {
        let lines = Span::new(start, end_of_lines(haystack, start, above_last)).text(haystack);
        // A line may be as long as the file; what does not fit the head's length any more is only more of the same.
        let end = lines.char_indices().nth(2 * scalar_len(head)).map_or(lines.len(), |(end, _)| end);
        scalar_distance(head, &lines[..end])
    };
    let start = if by_start == by_end || distance_from(by_end) <= distance_from(by_start) { by_end } else { by_start };
    Span::new(start, end_of_lines(haystack, start, line_breaks(needle.as_bytes())))
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

/// Returns where the line ends that is `below` lines under the one that starts at `start`, or the last line.
fn end_of_lines(haystack: &str, start: usize, below: usize) -> usize {
    (0..below).fold(line_end(haystack, start), |end, _| line_end(haystack, (end + 1).min(haystack.len())))
}
