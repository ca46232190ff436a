//! Pairs the tokens of two texts: lines first, then tokens between and inside paired lines.
//!
//! Cost: O(lines²) for the lines, then O(tokens²) inside each stretch that lines leave open,
//! up to [`MAX_CELLS`]; a longer stretch is paired line by line.

use std::ops::Range;

use crate::Refusal;
use crate::align::affine_gap;
use crate::align::lines::{Alignment, Pair, align_while};
use crate::align::slide::slide;
use crate::align::vetoes;
use crate::cancel::Cancel;
use crate::text::lines::Line;
use crate::text::tokens::{Token, Tokens};
use crate::text::words::looks_like;

/// The most cells of the table of one stretch: about a millisecond of work.
const MAX_CELLS: usize = 200_000;

/// The least similarity of a pair of lines that is taken as given before tokens are looked at.
const MIN_FIRM_SIMILARITY: f32 = 0.72;

/// Which tokens may be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// Only equal tokens: what an edit keeps.
    Equal,
    /// Also tokens that may be the same one, miscopied.
    Miscopied,
}

impl Likeness {
    /// Returns how well token `x` of one text goes with token `y` of another.
    pub(crate) fn score(self, left: &Tokens<'_>, x: usize, right: &Tokens<'_>, y: usize) -> f32 {
        let (ours, theirs) = (left.items[x], right.items[y]);
        // Lines begin together more often than not.
        let opens = if left.opens_line(x) && right.opens_line(y) { 0.2 } else { 0.0 };
        if ours.id == theirs.id {
            return opens + if ours.word { 1.8 } else { 0.7 };
        }
        if self == Self::Equal {
            return f32::NEG_INFINITY;
        }
        if ours.fold == theirs.fold {
            return opens + if ours.word { 1.1 } else { 0.6 };
        }
        if ours.word && theirs.word {
            // Two words at one place of a line belong together, however unlike, where nothing better is there.
            return opens + if looks_like(left.get(x), right.get(y)) { 0.6 } else { -0.45 };
        }
        f32::NEG_INFINITY
    }
}

/// Returns, for every token of `left`, its partner in `right`; partners ascend.
pub(crate) fn pair(
    left: &Tokens<'_>,
    right: &Tokens<'_>,
    likeness: Likeness,
    cancel: Cancel<'_>,
) -> Result<Vec<Option<usize>>, Refusal> {
    let pairing = Pairing::new(left, right, cancel, |x, y| likeness.score(left, x, right, y));
    let mut partners = pairing.within(0..left.len(), 0..right.len(), likeness);
    cancel.check()?;
    let vetoes = match likeness {
        Likeness::Equal => vetoes::OF_EDIT,
        Likeness::Miscopied => vetoes::OF_COPY,
    };
    vetoes.iter().for_each(|veto| veto(left, right, &mut partners));
    cancel.check()?;
    Ok(partners)
}

/// Pairs tokens of two texts: lines first, then tokens by a score.
pub(crate) struct Pairing<'p, 't, S> {
    left: &'p Tokens<'t>,
    right: &'p Tokens<'t>,
    /// How well two tokens go together: negative infinity for what must not be paired.
    score: S,
    cancel: Cancel<'p>,
    /// The partner in the second text for every token of the first.
    partners: Vec<Option<usize>>,
}

impl<'p, 't, S: Fn(usize, usize) -> f32> Pairing<'p, 't, S> {
    pub(crate) fn new(left: &'p Tokens<'t>, right: &'p Tokens<'t>, cancel: Cancel<'p>, score: S) -> Self {
        Self { left, right, score, cancel, partners: vec![None; left.len()] }
    }

    /// Returns, for every token of the first text, its partner, where tokens of `a` are paired with tokens of `b`; less
    /// as soon as no one waits.
    pub(crate) fn within(mut self, a: Range<usize>, b: Range<usize>, likeness: Likeness) -> Vec<Option<usize>> {
        let (left_lines, left_numbers) = full_lines(self.left, a.clone(), likeness == Likeness::Miscopied);
        let (right_lines, right_numbers) = full_lines(self.right, b.clone(), false);
        let mut from = (a.start, b.start);
        for found in align_lines(&left_lines, &right_lines, likeness, self.cancel).pairs {
            if !self.cancel.is_needed() {
                return self.partners;
            }
            if found.similarity < MIN_FIRM_SIMILARITY {
                continue;
            }
            let ours = on_lines(self.left, &left_numbers[found.left]);
            let theirs = on_lines(self.right, &right_numbers[found.right]);
            self.stretch(from.0..ours.start, from.1..theirs.start);
            self.stretch(ours.clone(), theirs.clone());
            from = (ours.end, theirs.end);
        }
        self.stretch(from.0..a.end, from.1..b.end);
        self.partners
    }

    /// Pairs the tokens of one stretch.
    fn stretch(&mut self, mut a: Range<usize>, mut b: Range<usize>) {
        let (ours, theirs) = (&self.left.items, &self.right.items);
        // Equal beginnings and ends first: most stretches are equal lines.
        let is_equal = |(one, other): &(&Token, &Token)| one.id == other.id;
        let head = ours[a.clone()].iter().zip(&theirs[b.clone()]).take_while(is_equal).count();
        for at in 0..head {
            self.partners[a.start + at] = Some(b.start + at);
        }
        (a.start, b.start) = (a.start + head, b.start + head);
        if a.is_empty() || b.is_empty() {
            return;
        }
        let tail = ours[a.clone()].iter().rev().zip(theirs[b.clone()].iter().rev()).take_while(is_equal).count();
        // An end may be trimmed without losing a better pairing in the middle only where nothing of one text is left;
        // else the table decides, if the stretch is not too long for it.
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

/// Aligns lines, equal beginnings and ends before all else: most texts differ in their middle.
fn align_lines(left: &[Line<'_>], right: &[Line<'_>], likeness: Likeness, cancel: Cancel<'_>) -> Alignment {
    // Where lines are missing, which of two equal ones is left is for the whole to decide.
    let trim = likeness == Likeness::Miscopied && left.len() == right.len();
    let head = if trim { equal_lines(left.iter(), right.iter()) } else { 0 };
    let tail = if trim { equal_lines(left[head..].iter().rev(), right[head..].iter().rev()) } else { 0 };
    let (ours, theirs) = (&left[head..left.len() - tail], &right[head..right.len() - tail]);
    let mut aligned = align_while(ours, theirs, false, cancel.0);
    let mut pairs: Vec<Pair> = (0..head).map(|at| Pair::equal(at, at)).collect();
    let down = head.cast_signed();
    pairs.extend(aligned.pairs.into_iter().map(|pair| pair.shifted(down, down)));
    let ends = (left.len() - tail, right.len() - tail);
    pairs.extend((0..tail).map(|at| Pair::equal(ends.0 + at, ends.1 + at)));
    aligned.pairs = pairs;
    slide(&mut aligned, left, right);
    aligned
}

/// Returns how many lines two texts have in common until the first that differs.
fn equal_lines<'l>(left: impl Iterator<Item = &'l Line<'l>>, right: impl Iterator<Item = &'l Line<'l>>) -> usize {
    left.zip(right).take_while(|(one, other)| one.key == other.key && !one.elision).count()
}

/// Returns the lines that are not blank and lie within a range of tokens as a whole, with their numbers.
fn full_lines<'t>(tokens: &Tokens<'t>, within: Range<usize>, elisions: bool) -> (Vec<Line<'t>>, Vec<usize>) {
    let mut found = Vec::new();
    let mut numbers = Vec::new();
    if within.is_empty() {
        return (found, numbers);
    }
    let lines = tokens.items[within.start].line..=tokens.items[within.end - 1].line;
    for number in lines.map(|line| line as usize) {
        let on_line = tokens.on_line(number);
        if on_line.is_empty() || on_line.start < within.start || on_line.end > within.end {
            continue;
        }
        let mut line = Line::new(tokens.line_text(on_line));
        line.elision &= elisions;
        found.push(line);
        numbers.push(number);
    }
    (found, numbers)
}
