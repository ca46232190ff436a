//! Finds, among all blocks between two anchor lines, the one most similar to the old text as a whole.
//!
//! - Accepts: changed, missing and added lines between two correct ones, by the similarity of the whole text.
//! - Refuses: a changed first or last line, several equally similar blocks, several blocks that all have a similarity
//!   below 0.3.
//! - Cost: a substring pass for the old text's first and for its last line; for each first line one bit-parallel pass
//!   over the blocks below it whose length still allows them to win. It refuses if that would take more than about a
//!   tenth of a second.

use std::ops::ControlFlow;

use fuzzy_core::distance;
use fuzzy_core::{Candidate, Found, Query, Similarity, Span, Strategy, blank, line_end};

use crate::below::{Below, Stop};
use crate::units::Units;

/// Takes every pair of a line equal to the old text's first and a line, at least two lines below, equal to its last; all
/// trimmed. Proposes the only such block with any content, or of several the one whose text is most similar to the
/// old text's; proposes all of several equal ones.
///
/// The similarity is 1 - distance / longer side, in UTF-16 code units, of the whole block and the whole old text without
/// one final `\n`. For a single block whose comparison would cost too much it is a lower bound.
#[derive(Debug)]
pub struct Whole;

/// The least similarity of the best of several blocks. Two unrelated pieces of code share more than this, so it only
/// excludes absurd ones.
const MIN_OF_SEVERAL: Similarity = Similarity::new(0.3);

/// Word steps for a similarity that no longer affects the decision, at most, a few milliseconds.
const WORK_TO_REPORT: u64 = 1 << 21;

impl Strategy for Whole {
    fn name(&self) -> &'static str {
        "block-anchor/whole"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let Some(anchors) = Anchors::of(query)? else { return ControlFlow::Continue(()) };
        if let Some(only) = anchors.only_block() {
            let there = only.text(query.text());
            return found.propose(Candidate::new(only, similarity_within_reason(text(query), there)));
        }
        for candidate in best_blocks(query, &anchors)? {
            found.propose(candidate)?;
        }
        ControlFlow::Continue(())
    }
}

fn text<'q>(query: &Query<'q>) -> &'q str {
    query.old().strip_suffix('\n').unwrap_or(query.old())
}

/// Returns the similarity of two texts, or if that would cost too much a lower bound from their common start and end.
fn similarity_within_reason(a: &str, b: &str) -> Similarity {
    let longer = distance::utf16_len(a).max(distance::utf16_len(b));
    if distance::cost(a.len(), b.len()) <= WORK_TO_REPORT {
        return Similarity::of_distance(distance::utf16_distance(a, b), longer);
    }
    let shorter = distance::scalar_len(a).min(distance::scalar_len(b));
    let before = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let after = a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b).count();
    // Every character is at least one code unit.
    Similarity::of_distance(longer - (before + after).min(shorter), longer)
}

/// The lines that can open and close a block, from top to bottom.
struct Anchors {
    openings: Vec<Opening>,
    closings: Vec<Span>,
}

/// A line that can open a block.
#[derive(Clone, Copy)]
struct Opening {
    line: Span,
    /// The first closing line that is far enough below.
    first_closing: usize,
}

impl Anchors {
    /// Returns the anchors of the query's old text, if there are any and it has at least three lines.
    fn of(query: &Query<'_>) -> ControlFlow<(), Option<Self>> {
        let lines = query.old_lines_trimmed();
        let [first, _, .., last] = lines else { return ControlFlow::Continue(None) };
        let (first, last) = (blank::trim(first), blank::trim(last));
        let occurs = |text: &str| text.is_empty() || query.first_occurrence(text).is_some();
        if query.known_absent(last) || !occurs(first) || !occurs(last) {
            return ControlFlow::Continue(None);
        }
        let closings: Vec<Span> = query.lines_trimmed_to(last).collect();
        let mut openings = Vec::new();
        let mut closing = 0;
        for line in query.lines_trimmed_to(first) {
            let Some(third) = third_line(query.text(), line) else { break };
            while closings.get(closing).is_some_and(|closing| closing.start() < third) {
                closing += 1;
            }
            if closing == closings.len() {
                break;
            }
            openings.push(Opening { line, first_closing: closing });
        }
        if query.stopped().is_some() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue((!openings.is_empty()).then_some(Self { openings, closings }))
    }

    fn only_block(&self) -> Option<Span> {
        match self.openings[..] {
            [opening] if opening.first_closing + 1 == self.closings.len() => {
                Some(Span::new(opening.line.start(), self.closings[opening.first_closing].end()))
            }
            _ => None,
        }
    }
}

/// Returns the start of the second line below `line`.
fn third_line(haystack: &str, line: Span) -> Option<usize> {
    let below = |end: usize| (end < haystack.len()).then_some(end + 1);
    below(line.end()).and_then(|second| below(line_end(haystack, second)))
}

/// Returns the blocks with the highest similarity, from top to bottom, if that is high enough.
fn best_blocks(query: &Query<'_>, anchors: &Anchors) -> ControlFlow<(), Vec<Candidate>> {
    let units = Units::new(query.text(), text(query));
    let starts = units.places(anchors.openings.iter().map(|opening| opening.line.start()));
    let ends = units.places(anchors.closings.iter().map(|closing| closing.end()));
    let length = units.needle_length();

    // In the order of the bounds, so that most openings need no comparison.
    let mut order: Vec<(Similarity, usize)> = Vec::with_capacity(starts.len());
    for (index, (opening, start)) in anchors.openings.iter().zip(&starts).enumerate() {
        let ends = &ends[opening.first_closing..];
        let nearest = ends.partition_point(|end| end.unit - start.unit < length);
        let lengths = ends[nearest.saturating_sub(1)..].iter().take(2).map(|end| end.unit - start.unit);
        let bound = lengths.map(|there| Similarity::of_distance(there.abs_diff(length), there.max(length))).max();
        order.push((bound.unwrap_or(Similarity::ZERO), index));
    }
    order.sort_by(|(a, _), (b, _)| b.cmp(a));

    let mut below = Below::new(query, units.needle());
    let mut best = Best { similarity: MIN_OF_SEVERAL, blocks: Vec::new() };
    for (bound, index) in order {
        if bound < best.similarity {
            break;
        }
        let (start, first) = (starts[index], anchors.openings[index].first_closing);
        let (shortest, longest) = lengths_of(length, best.similarity);
        let low = first + ends[first..].partition_point(|end| end.unit - start.unit < shortest);
        let high = first + ends[first..].partition_point(|end| end.unit - start.unit <= longest);
        let Some(last) = ends[low..high].last() else { continue };
        let limit = most_distance(length.max(last.unit - start.unit), best.similarity);
        let stops = ends[low..high]
            .iter()
            .map(|end| Stop { byte: end.byte - start.byte, longer: length.max(end.unit - start.unit) });
        let mut closing = low;
        for alike in below.alike(&units.text()[start.byte..last.byte], stops, limit, best.similarity)? {
            while ends[closing].byte - start.byte != alike.byte {
                closing += 1;
            }
            let block = Span::new(anchors.openings[index].line.start(), anchors.closings[closing].end());
            best.add(block, alike.similarity);
        }
    }
    best.blocks.sort();
    let candidates = best.blocks.iter().map(|block| Candidate::new(*block, best.similarity));
    ControlFlow::Continue(candidates.collect())
}

/// The most similar blocks so far.
struct Best {
    similarity: Similarity,
    blocks: Vec<Span>,
}

impl Best {
    fn add(&mut self, block: Span, similarity: Similarity) {
        if similarity > self.similarity {
            self.similarity = similarity;
            self.blocks.clear();
        }
        if similarity == self.similarity {
            self.blocks.push(block);
        }
    }
}

/// Returns the least and the greatest length at which a text can have this similarity to one of `length`, or a slightly
/// wider range.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast from a float saturates")]
fn lengths_of(length: usize, similarity: Similarity) -> (usize, usize) {
    let least = (length as f64 * similarity.get()) as usize;
    let most = (length as f64 / similarity.get()) as usize;
    (least.saturating_sub(1), most.saturating_add(1))
}

/// Returns the greatest distance at which the similarity can be `least`, or one more.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a length times at most 1")]
fn most_distance(longer: usize, least: Similarity) -> usize {
    longer.min(((1.0 - least.get()) * longer as f64) as usize + 1)
}
