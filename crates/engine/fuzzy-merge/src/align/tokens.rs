//! Pairs the tokens of two texts: lines first, then tokens inside paired lines and between them.
//!
//! Cost: O(lines²), then O(tokens²) in each range between paired lines, up to [`MAX_CELLS`]; in a longer one only equal
//! beginnings and ends are paired.

use std::ops::Range;

use crate::Refusal;
use crate::align::affine_gap;
use crate::align::lines::{Alignment, Pair, align_while};
use crate::align::slide::slide;
use crate::align::vetoes;
use crate::mechanisms::ELISIONS;
use crate::run::Run;
use crate::text::lines::Line;
use crate::text::tokens::{Token, Tokens, encloses};
use crate::text::words::looks_like;

/// The most cells of the table of one range: about a millisecond of work.
const MAX_CELLS: usize = 200_000;

/// The least similarity of lines that are paired before tokens are compared.
const MIN_FIRM_SIMILARITY: f32 = 0.72;

/// The tokens that may be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// Equal tokens alone, as between old and new text.
    Equal,
    /// Also a token with its miscopy, as between old text and file.
    Miscopied,
}

impl Likeness {
    /// Returns the score of pairing token `x` of one text with token `y` of another.
    pub(crate) fn score(self, left: &Tokens<'_>, x: usize, right: &Tokens<'_>, y: usize) -> f32 {
        let (one, other) = (left.items[x], right.items[y]);
        // Beginnings of lines belong together.
        let opens = if left.opens_line(x) && right.opens_line(y) { 0.2 } else { 0.0 };
        if one.id == other.id {
            return opens + if one.word { 1.8 } else { 0.7 };
        }
        if self == Self::Equal {
            return f32::NEG_INFINITY;
        }
        if one.fold == other.fold {
            return opens + if one.word { 1.1 } else { 0.6 };
        }
        if one.word && other.word {
            // Two words at one place of a line are paired, however unlike, if there is no better pair.
            return opens + if looks_like(left.get(x), right.get(y)) { 0.6 } else { -0.45 };
        }
        f32::NEG_INFINITY
    }
}

/// Returns the partner in `right` of each token of `left`; partners ascend.
pub(crate) fn pair(
    left: &Tokens<'_>,
    right: &Tokens<'_>,
    likeness: Likeness,
    run: Run<'_>,
) -> Result<Vec<Option<usize>>, Refusal> {
    let pairing = Pairing::new(left, right, run, |x, y| likeness.score(left, x, right, y));
    let mut partners = pairing.within(0..left.len(), 0..right.len(), likeness);
    run.check()?;
    if likeness == Likeness::Miscopied && run.uses(&ELISIONS) {
        vetoes::elisions(left, right, &mut partners);
    }
    Ok(partners)
}

/// A pairing of the tokens of two texts, by lines and by a score.
pub(crate) struct Pairing<'p, 't, S> {
    left: &'p Tokens<'t>,
    right: &'p Tokens<'t>,
    /// The score of a pair; negative infinity forbids it.
    score: S,
    run: Run<'p>,
    /// The partner in the second text of each token of the first.
    partners: Vec<Option<usize>>,
}

impl<'p, 't, S: Fn(usize, usize) -> f32> Pairing<'p, 't, S> {
    pub(crate) fn new(left: &'p Tokens<'t>, right: &'p Tokens<'t>, run: Run<'p>, score: S) -> Self {
        Self { left, right, score, run, partners: vec![None; left.len()] }
    }

    /// Returns the partners of the first text's tokens, for tokens of `a` in `b`; fewer once the pairing is cancelled.
    pub(crate) fn within(mut self, a: Range<usize>, b: Range<usize>, likeness: Likeness) -> Vec<Option<usize>> {
        let (left_lines, left_numbers) = full_lines(self.left, a.clone(), likeness == Likeness::Miscopied);
        let (right_lines, right_numbers) = full_lines(self.right, b.clone(), false);
        let mut from = (a.start, b.start);
        for found in align_lines(&left_lines, &right_lines, likeness, self.run).pairs {
            if !self.run.is_needed() {
                return self.partners;
            }
            if found.similarity < MIN_FIRM_SIMILARITY {
                continue;
            }
            let in_left = on_lines(self.left, &left_numbers[found.left]);
            let in_right = on_lines(self.right, &right_numbers[found.right]);
            self.pair_ranges(from.0..in_left.start, from.1..in_right.start);
            self.pair_ranges(in_left.clone(), in_right.clone());
            from = (in_left.end, in_right.end);
        }
        self.pair_ranges(from.0..a.end, from.1..b.end);
        self.partners
    }

    /// Pairs the tokens of two ranges.
    fn pair_ranges(&mut self, mut a: Range<usize>, mut b: Range<usize>) {
        let (left, right) = (&self.left.items, &self.right.items);
        // Equal beginnings and ends first: most ranges are equal lines.
        let is_equal = |(one, other): &(&Token, &Token)| one.id == other.id;
        let head = left[a.clone()].iter().zip(&right[b.clone()]).take_while(is_equal).count();
        for at in 0..head {
            self.partners[a.start + at] = Some(b.start + at);
        }
        (a.start, b.start) = (a.start + head, b.start + head);
        if a.is_empty() || b.is_empty() {
            return;
        }
        let tail = left[a.clone()].iter().rev().zip(right[b.clone()].iter().rev()).take_while(is_equal).count();
        // If tokens of both texts are left, a better pairing may need the tail: a table decides, if it is small.
        if tail == a.len() || tail == b.len() || a.len().saturating_mul(b.len()) > MAX_CELLS {
            for at in 1..=tail {
                self.partners[a.end - at] = Some(b.end - at);
            }
            return;
        }
        for (x, y) in affine_gap::best(a.len(), b.len(), |x, y| (self.score)(a.start + x, b.start + y)) {
            self.partners[a.start + x] = Some(b.start + y);
        }
    }
}

/// Returns the tokens from the first to the last of some lines.
fn on_lines(tokens: &Tokens<'_>, numbers: &[usize]) -> Range<usize> {
    tokens.on_line(numbers[0]).start..tokens.on_line(numbers[numbers.len() - 1]).end
}

/// Aligns lines. Equal beginnings and ends are paired first: most texts differ in their middle.
fn align_lines(left: &[Line<'_>], right: &[Line<'_>], likeness: Likeness, run: Run<'_>) -> Alignment {
    // If lines are missing, the alignment of the whole texts decides which of several equal lines is missing.
    let trim = likeness == Likeness::Miscopied && left.len() == right.len();
    let head = if trim { equal_lines(left.iter(), right.iter()) } else { 0 };
    let tail = if trim { equal_lines(left[head..].iter().rev(), right[head..].iter().rev()) } else { 0 };
    let (in_left, in_right) = (&left[head..left.len() - tail], &right[head..right.len() - tail]);
    let mut aligned = align_while(in_left, in_right, false, run.is_needed);
    let mut pairs: Vec<Pair> = (0..head).map(|at| Pair::equal(at, at)).collect();
    let down = head.cast_signed();
    pairs.extend(aligned.pairs.into_iter().map(|pair| pair.shifted(down, down)));
    let ends = (left.len() - tail, right.len() - tail);
    pairs.extend((0..tail).map(|at| Pair::equal(ends.0 + at, ends.1 + at)));
    aligned.pairs = pairs;
    slide(&mut aligned, left, right, run);
    aligned
}

/// Returns the number of lines in common until the first that differs.
fn equal_lines<'l>(left: impl Iterator<Item = &'l Line<'l>>, right: impl Iterator<Item = &'l Line<'l>>) -> usize {
    left.zip(right).take_while(|(one, other)| one.key == other.key && !one.elision).count()
}

/// Returns the lines with tokens that are completely within a range, with their numbers.
fn full_lines<'t>(tokens: &Tokens<'t>, within: Range<usize>, elisions: bool) -> (Vec<Line<'t>>, Vec<usize>) {
    if within.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let numbers = tokens.line_number(within.start)..=tokens.line_number(within.end - 1);
    let full = numbers.filter(|&number| !tokens.on_line(number).is_empty());
    full.filter(|&number| encloses(&within, &tokens.on_line(number)))
        .map(|number| {
            let mut line = Line::new(tokens.line_text(tokens.on_line(number)));
            line.elision &= elisions;
            (line, number)
        })
        .unzip()
}
