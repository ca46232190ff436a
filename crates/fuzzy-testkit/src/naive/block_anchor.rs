//! `block-anchor`.

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Candidate, Similarity, Span};

use super::distance::utf16_distance;
use super::places::windows;

/// Finds the best block from the needle's first line to the next occurrence of its last line.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    anchored(haystack, needle, [0.0, 0.3], false)
}

/// Finds a block like [`plain`], if it is about as long as the needle and similar enough.
pub(super) fn guarded(haystack: &str, needle: &str) -> Vec<Candidate> {
    anchored(haystack, needle, [0.65, 0.65], true)
}

/// Finds the best of the blocks, if it has the least similarity of a single one or else of the best of several. Only those
/// about as long as the needle are blocks if it `keeps_length`.
fn anchored(haystack: &str, needle: &str, [alone, several]: [f64; 2], keeps_length: bool) -> Vec<Candidate> {
    let Some(blocks) = Blocks::of(haystack, needle) else { return Vec::new() };
    let mut places = blocks.places();
    let count = blocks.wanted.len();
    places.retain(|(first, last)| !keeps_length || (last - first + 1).abs_diff(count) <= (count / 4).max(1));
    let is_alone = places.len() == 1;
    let rated = places.into_iter().map(|(first, last)| {
        Candidate::new(blocks.span(first, last), Similarity::new(blocks.score(first, last, is_alone)))
    });
    let best = rated.reduce(|best, block| if block.similarity > best.similarity { block } else { best });
    best.into_iter().filter(|best| best.similarity.get() >= if is_alone { alone } else { several }).collect()
}

/// The lines of a haystack and of a needle with at least three lines, trimmed at both ends.
#[derive(Debug)]
pub struct Blocks<'t> {
    spans: Vec<Span>,
    pub(super) lines: Vec<&'t str>,
    pub(super) wanted: Vec<&'t str>,
}

impl<'t> Blocks<'t> {
    /// Splits both texts; returns `None` if the needle has too few lines.
    #[must_use]
    pub fn of(haystack: &'t str, needle: &'t str) -> Option<Self> {
        let mut wanted: Vec<&str> = needle.split('\n').map(|line| line.trim_matches(is_blank)).collect();
        if wanted.len() < 3 {
            return None;
        }
        if needle.ends_with('\n') {
            wanted.pop();
        }
        let spans = windows(haystack, 1);
        let lines = spans.iter().map(|line| line.text(haystack).trim_matches(is_blank)).collect();
        Some(Self { spans, lines, wanted })
    }

    /// Returns for each occurrence of the needle's first line the closest occurrence of its last, with at least one
    /// line between.
    #[must_use]
    pub fn places(&self) -> Vec<(usize, usize)> {
        let closing =
            |first: usize| (first + 2..self.lines.len()).find(|last| Some(&self.lines[*last]) == self.wanted.last());
        let firsts = (0..self.lines.len()).filter(|first| self.lines[*first] == self.wanted[0]);
        firsts.filter_map(|first| Some((first, closing(first)?))).collect()
    }

    /// Returns the span from the start of one line to the end of another.
    #[must_use]
    pub fn span(&self, first: usize, last: usize) -> Span {
        Span::new(self.spans[first].start(), self.spans[last].end())
    }

    /// Returns the similarity of the lines between the outer ones; adds numbers in the order of the strategy, so that
    /// the last bit agrees.
    fn score(&self, first: usize, last: usize, is_alone: bool) -> f64 {
        let pairs = (self.wanted.len() - 2).min(last - first - 1);
        let (mut sum, n) = (0.0, pairs as f64);
        for at in 1..=pairs {
            let term = likeness(self.lines[first + at], self.wanted[at]);
            sum += if is_alone { term / n } else { term };
        }
        if pairs == 0 { 1.0 } else { sum / if is_alone { 1.0 } else { n } }
    }
}

/// The similarity of a pair of lines: 1 minus the edited share of the longer one; 0 if both are blank.
fn likeness(a: &str, b: &str) -> f64 {
    let longer = longer(a, b);
    if longer == 0 { 0.0 } else { 1.0 - utf16_distance(a, b) as f64 / longer as f64 }
}

/// Returns the length of the longer text in UTF-16 code units.
fn longer(a: &str, b: &str) -> usize {
    a.encode_utf16().count().max(b.encode_utf16().count())
}

/// Finds the best of all blocks from the needle's first line to any occurrence of its last, compared as a whole.
pub(super) fn whole(haystack: &str, needle: &str) -> Vec<Candidate> {
    let text = needle.strip_suffix('\n').unwrap_or(needle);
    let Some(blocks) = Blocks::of(haystack, text) else { return Vec::new() };
    // A second `\n` at the end makes an empty last line.
    let closing = if text.ends_with('\n') { "" } else { blocks.wanted[blocks.wanted.len() - 1] };
    let mut found = Vec::new();
    for first in (0..blocks.lines.len()).filter(|first| blocks.lines[*first] == blocks.wanted[0]) {
        for last in (first + 2..blocks.lines.len()).filter(|last| blocks.lines[*last] == closing) {
            let block = blocks.span(first, last);
            let there = block.text(haystack);
            found
                .push(Candidate::new(block, Similarity::of_distance(utf16_distance(there, text), longer(there, text))));
        }
    }
    let least = if found.len() == 1 { Similarity::ZERO } else { Similarity::new(0.3) };
    let best = found.iter().map(|block| block.similarity).fold(least, Similarity::max);
    found.retain(|block| block.similarity >= best);
    found
}
