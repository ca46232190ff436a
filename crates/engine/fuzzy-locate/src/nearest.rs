//! Finds the lines that have most of a needle's tokens in their order, whatever their line breaks: a reader of a refusal
//! compares them with the needle.
//!
//! The alignment of lines looks for lines that are as long as the needle's. It misses a statement that the file wraps
//! otherwise, and prefers a line that occurs far away to a changed one right there.
//!
//! Cost: one pass over the haystack for lines with rare words of the needle, then at most [`MAX_CELLS`] comparisons of
//! tokens.

use std::ops::Range;

use fuzzy_core::Query;
use fuzzy_merge::is_word;
use rustc_hash::FxHashMap;

use crate::index::Index;
use crate::needle::Needle;
use crate::rare_words::similar_lines;
use crate::token_equal::tokens;

/// The most comparisons of tokens: about ten milliseconds.
const MAX_CELLS: usize = 1 << 22;

/// The weight of a mark; that of a word is at most 1.
const MARK: f32 = 0.2;

/// The cost of a word or a mark that only the haystack has, as a share of the weight of a word.
const EXTRA: f32 = 0.3;

/// The cost of any number of tokens in a row that only the haystack has, in weights of words.
const GAP: f32 = 3.0;

/// Lines of a haystack that resemble a needle.
#[derive(Clone, Debug, PartialEq)]
pub struct NearLines {
    /// Their indexes.
    pub lines: Range<usize>,
    /// The weight of the shared tokens, less the cost of others, as a share of the weight of the needle: at most 1.
    pub score: f32,
    /// The shared weight without the cost, 0 to 1.
    pub similarity: f32,
}

/// The tokens of a needle, with their weights.
#[derive(Debug)]
pub struct TokenNeedle<'s> {
    index: &'s Index<'s>,
    ids: FxHashMap<&'s str, usize>,
    tokens: Vec<usize>,
    weights: Vec<f32>,
    /// The lines around those that share rare words with a line of the needle.
    windows: Vec<Range<usize>>,
}

/// The best alignment that ends with a pair of tokens.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    score: f32,
    shared: f32,
    /// The first aligned token of the haystack.
    start: usize,
}

impl<'s> TokenNeedle<'s> {
    /// Weights the tokens of a needle by their rarity around the lines that resemble its own.
    #[must_use]
    pub fn new(query: &Query<'_>, index: &'s Index<'s>, needle: &Needle<'s>) -> Self {
        let (mut ids, mut words) = (FxHashMap::default(), Vec::new());
        let texts: Vec<&'s str> = needle.lines.iter().map(|line| line.text).collect();
        for text in texts.iter().flat_map(|text| tokens(text, 0).map(|token| &text[token])) {
            let next = ids.len();
            words.push(*ids.entry(text).or_insert(next));
        }
        let reach = texts.len() + 2;
        let mut windows: Vec<Range<usize>> = Vec::new();
        for (at, similar) in similar_lines(query, index, &texts).into_iter().enumerate() {
            windows.extend(similar.into_iter().map(|(line, _)| {
                let first = line.saturating_sub(at + reach);
                first..(line + texts.len() - at + reach).min(index.lines.len())
            }));
        }
        windows.sort_by_key(|window| window.start);
        windows.dedup_by(|next, window| {
            let is_beside = next.start <= window.end;
            window.end = if is_beside { window.end.max(next.end) } else { window.end };
            is_beside
        });
        let mut found = Self { index, ids, tokens: words, weights: Vec::new(), windows };
        let mut counts = vec![0u16; found.ids.len()];
        for window in &found.windows {
            for (token, _) in found.file_tokens(window) {
                if let Some(count) = counts.get_mut(token) {
                    *count = count.saturating_add(1);
                }
            }
        }
        found.weights = vec![MARK; counts.len()];
        for &id in found.ids.iter().filter(|(text, _)| text.starts_with(is_word)).map(|(_, id)| id) {
            found.weights[id] = 1.0 / (1.0 + f32::from(counts[id].max(1)).ln());
        }
        found
    }

    /// Returns the tokens of some lines, each with its line; those that the needle lacks have greater numbers.
    fn file_tokens(&self, lines: &Range<usize>) -> Vec<(usize, usize)> {
        let of_line = |at: usize| {
            let text = self.index.line(at);
            let id = |text: &str| {
                let is_mark = !text.starts_with(is_word);
                self.ids.get(text).copied().unwrap_or(self.ids.len() + usize::from(is_mark))
            };
            tokens(text, 0).map(move |token| (id(&text[token]), at)).collect::<Vec<_>>()
        };
        lines.clone().flat_map(of_line).collect()
    }

    /// Returns the lines of the haystack that resemble the needle most; none without such lines, or if there are too many.
    #[must_use]
    pub fn nearest(&self) -> Option<NearLines> {
        let count: usize = self.windows.iter().map(|window| self.file_tokens(window).len()).sum();
        if count.saturating_mul(self.tokens.len()) > MAX_CELLS {
            return None;
        }
        let found = self.windows.iter().filter_map(|window| self.nearest_in(window));
        found.reduce(|best, next| if next.score > best.score { next } else { best })
    }

    /// Returns how much some lines as a whole resemble the needle, as [`NearLines::score`] does.
    #[must_use]
    pub fn score_of(&self, lines: &Range<usize>) -> f32 {
        let Some(found) = self.nearest_in(lines) else { return 0.0 };
        let beside = [lines.start..found.lines.start, found.lines.end..lines.end];
        let cost = |lines: &Range<usize>| {
            let tokens = self.file_tokens(lines);
            tokens.iter().map(|&(token, _)| self.extra(token)).sum::<f32>().min(GAP)
        };
        found.score - beside.iter().map(cost).sum::<f32>() / self.total()
    }

    /// Returns the cost of a token that only the haystack has.
    fn extra(&self, token: usize) -> f32 {
        let is_mark = token > self.ids.len() || self.weights.get(token) == Some(&MARK);
        EXTRA * if is_mark { MARK } else { 1.0 }
    }

    /// Returns the weight of the needle.
    fn total(&self) -> f32 {
        self.tokens.iter().map(|&token| self.weights[token]).sum()
    }

    /// Returns the lines among `lines` that resemble the needle most.
    fn nearest_in(&self, lines: &Range<usize>) -> Option<NearLines> {
        let file = self.file_tokens(lines);
        let total = self.total();
        if file.is_empty() || total <= 0.0 || file.len().saturating_mul(self.tokens.len()) > MAX_CELLS {
            return None;
        }
        let better = |one: Cell, other: Cell| if other.score > one.score { other } else { one };
        let less = |cell: Cell, cost: f32| Cell { score: cell.score - cost, ..cell };
        let mut best: Option<(Cell, usize)> = None;
        let mut before = vec![Cell::default(); file.len() + 1];
        for &token in &self.tokens {
            let mut row = vec![Cell::default(); file.len() + 1];
            let mut gap = Cell::default();
            for (at, &(other, _)) in file.iter().enumerate() {
                let extra = less(row[at], self.extra(other));
                gap = better(gap, less(row[at], GAP));
                row[at + 1] = better(before[at + 1], better(extra, gap));
                if other == token {
                    let weight = self.weights[token];
                    let last = if before[at].score > 0.0 { before[at] } else { Cell { start: at, ..Cell::default() } };
                    let cell = Cell { score: last.score + weight, shared: last.shared + weight, ..last };
                    row[at + 1] = better(row[at + 1], cell);
                    if best.is_none_or(|(best, _)| cell.score > best.score) {
                        best = Some((cell, at));
                    }
                }
            }
            before = row;
        }
        let (Cell { score, shared, start }, end) = best?;
        Some(NearLines { lines: file[start].1..file[end].1 + 1, score: score / total, similarity: shared / total })
    }
}
