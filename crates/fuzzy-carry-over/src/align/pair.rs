//! Pairs the tokens of two texts: lines first, then tokens between and inside paired lines.
//!
//! Cost: O(lines²) for the lines, then O(tokens²) inside each stretch that lines leave open,
//! up to [`MOST_CELLS`]; a longer stretch is paired line by line.

use std::ops::Range;

use crate::align::lines::{Alignment, Pair, align};
use crate::align::settle::settle;
use crate::align::table;
use crate::text::lines::{self, Line};
use crate::text::tokens::Tokens;

/// The bounds of the table of one stretch: about a millisecond of work.
const MOST_CELLS: usize = 200_000;

/// A pair of lines at least this similar is taken as given before tokens are looked at.
const FIRM: f32 = 0.72;

/// A line of the second text of which less than this share is paired was written anew; chance
/// agreements of brackets and commas are dropped.
const LEAST_SHARE: f32 = 0.35;

/// Which tokens may be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// Only equal tokens: what an edit keeps.
    Equal,
    /// Also tokens that may be the same one, miscopied.
    Miscopied,
}

/// Returns, for every token of `left`, its partner in `right`; partners ascend.
pub(crate) fn pair(left: &Tokens<'_>, right: &Tokens<'_>, likeness: Likeness) -> Vec<Option<usize>> {
    let mut partners = vec![None; left.len()];
    let score = |x: usize, y: usize| score(left, right, (x, y), likeness);
    pair_within(left, right, (0..left.len(), 0..right.len()), likeness, &score, &mut partners);
    match likeness {
        Likeness::Equal => drop_chance(right, &mut partners),
        Likeness::Miscopied => {
            drop_elided(left, right, &mut partners);
            drop_strayed(left, right, &mut partners);
        }
    }
    partners
}

/// Pairs a range of the tokens of `left` with a range of those of `right`: lines first, then tokens by `score`, which
/// gives negative infinity for what must not be paired.
pub(crate) fn pair_within(
    left: &Tokens<'_>,
    right: &Tokens<'_>,
    (a, b): (Range<usize>, Range<usize>),
    likeness: Likeness,
    score: &impl Fn(usize, usize) -> f32,
    partners: &mut [Option<usize>],
) {
    let (left_lines, left_numbers) = full_lines(left, a.clone(), likeness == Likeness::Miscopied);
    let (right_lines, right_numbers) = full_lines(right, b.clone(), false);
    let aligned = align_lines(&left_lines, &right_lines, likeness);

    let (left_end, right_end) = (a.end, b.end);
    let mut from = (a.start, b.start);
    for found in &aligned.pairs {
        if found.similarity < FIRM {
            continue;
        }
        let (i, j) = (found.left, found.right);
        let a = on_lines(left, &left_numbers[i.0..i.0 + i.1]);
        let b = on_lines(right, &right_numbers[j.0..j.0 + j.1]);
        stretch(left, right, from.0..a.start, from.1..b.start, score, partners);
        stretch(left, right, a.clone(), b.clone(), score, partners);
        from = (a.end, b.end);
    }
    stretch(left, right, from.0..left_end, from.1..right_end, score, partners);
}

/// Returns the tokens from the first to the last of some lines.
fn on_lines(tokens: &Tokens<'_>, numbers: &[usize]) -> Range<usize> {
    tokens.on_line(numbers[0]).start..tokens.on_line(numbers[numbers.len() - 1]).end
}

/// Aligns lines, equal beginnings and ends before all else: most texts differ in their middle.
fn align_lines(left: &[Line<'_>], right: &[Line<'_>], likeness: Likeness) -> Alignment {
    // Where lines are missing, which of two equal ones is left is for the whole to decide.
    let trim = likeness == Likeness::Miscopied && left.len() == right.len();
    let same = |(one, other): &(&Line<'_>, &Line<'_>)| trim && one.key == other.key && !one.elision;
    let head = left.iter().zip(right).take_while(same).count();
    let (left_rest, right_rest) = (&left[head..], &right[head..]);
    let tail = left_rest.iter().rev().zip(right_rest.iter().rev()).take_while(same).count();
    let middle = (&left_rest[..left_rest.len() - tail], &right_rest[..right_rest.len() - tail]);
    let mut aligned = align(middle.0, middle.1, false);
    let mut pairs: Vec<Pair> = (0..head).map(|at| Pair::equal(at, at)).collect();
    pairs.extend(aligned.pairs.iter().map(|found| Pair {
        left: (found.left.0 + head, found.left.1),
        right: (found.right.0 + head, found.right.1),
        ..*found
    }));
    let ends = (left.len() - tail, right.len() - tail);
    pairs.extend((0..tail).map(|at| Pair::equal(ends.0 + at, ends.1 + at)));
    aligned.pairs = pairs;
    if likeness == Likeness::Equal {
        settle(&mut aligned, left, right);
    }
    aligned
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

/// Frees the partners of the tokens of "and so on" lines: the dots of such a line stand for
/// nothing that the other text has, unless it has just that line.
fn drop_elided(left: &Tokens<'_>, right: &Tokens<'_>, partners: &mut [Option<usize>]) {
    let elisions = left.text.split('\n').enumerate().filter(|(_, text)| lines::is_elision(text));
    for (number, _) in elisions {
        let tokens = left.on_line(number);
        if !is_whole_line(left, right, partners, tokens.clone()) {
            partners[tokens].fill(None);
        }
    }
}

/// Returns whether the partners of a line's tokens are equal tokens, and all those of a line.
fn is_whole_line(left: &Tokens<'_>, right: &Tokens<'_>, partners: &[Option<usize>], line: Range<usize>) -> bool {
    let Some(first) = line.clone().next().and_then(|index| partners[index]) else { return false };
    let same = |(index, partner): (usize, usize)| {
        partners[index] == Some(partner) && left.items[index].id == right.items[partner].id
    };
    let theirs = right.line_of(first);
    line.len() == theirs.len() && line.zip(theirs).all(same)
}

/// Frees the partners of lines of marks alone that are found on lines of which no word is the other text's: the `})`
/// that closes a block is not the one of a call.
fn drop_strayed(left: &Tokens<'_>, right: &Tokens<'_>, partners: &mut [Option<usize>]) {
    let mut known = vec![false; right.lines()];
    let mut words = vec![false; right.lines()];
    for token in right.items.iter().filter(|token| token.word) {
        words[token.line as usize] = true;
    }
    for &partner in partners.iter().flatten().filter(|&&partner| right.items[partner].word) {
        known[right.items[partner].line as usize] = true;
    }
    for tokens in (0..left.lines()).map(|line| left.on_line(line)) {
        if tokens.clone().any(|token| left.items[token].word) {
            continue;
        }
        for partner in &mut partners[tokens] {
            let line = partner.map(|partner| right.items[partner].line as usize);
            if line.is_some_and(|line| words[line] && !known[line]) {
                *partner = None;
            }
        }
    }
}

/// Frees the partners on lines of the second text of which too little is paired.
fn drop_chance(right: &Tokens<'_>, partners: &mut [Option<usize>]) {
    let mut shared = vec![0usize; right.lines()];
    for partner in partners.iter().flatten() {
        shared[right.items[*partner].line as usize] += right.get(*partner).len();
    }
    let mut weak = vec![false; right.lines()];
    for (line, &shared) in shared.iter().enumerate() {
        let total: usize = right.on_line(line).map(|index| right.get(index).len()).sum();
        weak[line] = shared > 0 && (shared as f32 / total as f32) < LEAST_SHARE;
    }
    for partner in partners.iter_mut() {
        if partner.is_some_and(|index| weak[right.items[index].line as usize]) {
            *partner = None;
        }
    }
}

/// Pairs the tokens of one stretch.
fn stretch(
    left: &Tokens<'_>,
    right: &Tokens<'_>,
    mut a: Range<usize>,
    mut b: Range<usize>,
    score: &impl Fn(usize, usize) -> f32,
    partners: &mut [Option<usize>],
) {
    // Equal beginnings and ends first: most stretches are equal lines.
    while !a.is_empty() && !b.is_empty() && left.items[a.start].id == right.items[b.start].id {
        partners[a.start] = Some(b.start);
        a.start += 1;
        b.start += 1;
    }
    if a.is_empty() || b.is_empty() {
        return;
    }
    let mut tail = 0;
    while tail < a.len().min(b.len()) && left.items[a.end - 1 - tail].id == right.items[b.end - 1 - tail].id {
        tail += 1;
    }
    // Only a stretch whose lines end together may be trimmed at its end without losing a better
    // pairing in its middle; the tables decide the rest.
    if a.len() - tail == 0 || b.len() - tail == 0 {
        for k in 0..tail {
            partners[a.end - 1 - k] = Some(b.end - 1 - k);
        }
        return;
    }
    if a.len().saturating_mul(b.len()) > MOST_CELLS {
        for k in 0..tail {
            partners[a.end - 1 - k] = Some(b.end - 1 - k);
        }
        return;
    }
    let found = table::best(a.len(), b.len(), |x, y| score(a.start + x, b.start + y));
    for (x, y) in found {
        partners[a.start + x] = Some(b.start + y);
    }
}

/// Returns how well two tokens go together.
pub(crate) fn score(left: &Tokens<'_>, right: &Tokens<'_>, (x, y): (usize, usize), likeness: Likeness) -> f32 {
    let (s, t) = (left.items[x], right.items[y]);
    let opens = if left.opens_line(x) && right.opens_line(y) { 0.2 } else { 0.0 };
    if s.id == t.id {
        let length = (s.end - s.start).min(12) as f32;
        return opens + if s.word { 1.2 + 0.1 * length } else { 0.7 };
    }
    if likeness == Likeness::Equal {
        return f32::NEG_INFINITY;
    }
    if s.fold == t.fold {
        return opens + if s.word { 1.1 } else { 0.6 };
    }
    if s.word && t.word {
        return opens + if looks_like(left.get(x), right.get(y)) { 0.6 } else { -0.45 };
    }
    f32::NEG_INFINITY
}

/// A word longer than this is data, not a name: it is equal or it is not.
const LONGEST_WORD: usize = 400;

/// Returns how alike two words are, from 0 to 1.
pub(crate) fn likeness(a: &str, b: &str) -> f32 {
    if a.len().max(b.len()) > LONGEST_WORD {
        return if a == b { 1.0 } else { 0.0 };
    }
    #[allow(clippy::cast_possible_truncation)] // A similarity needs no more than f32.
    let found = rapidfuzz::distance::indel::normalized_similarity(a.chars(), b.chars()) as f32;
    found
}

/// Returns whether two words share most of their letters at their ends.
pub(crate) fn looks_like(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let least = a.len().min(b.len());
    let head = a.iter().zip(b).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
    let tail =
        a.iter().rev().zip(b.iter().rev()).take(least - head).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
    2 * (head + tail) >= a.len().max(b.len())
}
