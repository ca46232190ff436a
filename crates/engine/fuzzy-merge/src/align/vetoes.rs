//! Vetoes: pairs of tokens that an alignment finds, and that belong apart.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::align::column::are_unpaired;
use crate::cancel::Cancel;
use crate::text::lines::is_elision;
use crate::text::tokens::Tokens;
use crate::text::words::MIN_CHANGED_LIKENESS;

/// Frees the partners in the second text of some tokens of the first.
type Veto = fn(&Tokens<'_>, &Tokens<'_>, &mut [Option<usize>]);

/// The vetoes of the alignment of old and new text.
pub(crate) const OF_EDIT: [Veto; 2] = [by_chance, block_ends_of_calls];

/// The vetoes of the alignment of old text and file.
pub(crate) const OF_COPY: [Veto; 2] = [elisions, calls_of_block_ends];

/// The least paired share of a line's bytes. Of a line written anew, less is paired: brackets and commas, by chance.
pub(crate) const MIN_SHARE: f32 = 0.35;

/// Frees the partners that are vetoed.
fn free(partners: &mut [Option<usize>], is_vetoed: impl Fn(usize) -> bool) {
    for partner in partners {
        *partner = partner.filter(|&partner| !is_vetoed(partner));
    }
}

/// The dots of an elision are no dots of the other text, unless it has just that line.
fn elisions(left: &Tokens<'_>, right: &Tokens<'_>, partners: &mut [Option<usize>]) {
    let elisions = left.text.split('\n').enumerate().filter(|(_, text)| is_elision(text));
    for (number, _) in elisions {
        let tokens = left.on_line(number);
        if !is_whole_line(left, right, partners, tokens.clone()) {
            partners[tokens].fill(None);
        }
    }
}

/// Returns whether the partners of a line's tokens are equal tokens, and all those of a line.
fn is_whole_line(left: &Tokens<'_>, right: &Tokens<'_>, partners: &[Option<usize>], line: Range<usize>) -> bool {
    let Some(first) = partners[line.clone()].first().copied().flatten() else { return false };
    let theirs = right.line_of(first);
    left.equal(line.clone(), right, theirs.clone()) && partners[line].iter().copied().eq(theirs.map(Some))
}

/// A line of marks alone is no part of a line of which no word is paired: the `})` that closes a block is not the one of
/// a call.
fn calls_of_block_ends(left: &Tokens<'_>, right: &Tokens<'_>, partners: &mut [Option<usize>]) {
    let mut known = vec![false; right.lines()];
    for partner in partners.iter().copied().flatten().filter(|&partner| right.is_word(partner)) {
        known[right.line_number(partner)] = true;
    }
    let has_words = lines_with_words(right);
    for tokens in left.full_lines().filter(|tokens| !left.has_word(tokens.clone())) {
        free(&mut partners[tokens], |partner| {
            let line = right.line_number(partner);
            has_words[line] && !known[line]
        });
    }
}

/// A line of which no word is paired has no part of a line of marks alone: the `);` that ends a call is not the one that
/// closes a block.
fn block_ends_of_calls(left: &Tokens<'_>, right: &Tokens<'_>, partners: &mut [Option<usize>]) {
    let has_words = lines_with_words(right);
    for tokens in left.full_lines().filter(|tokens| left.has_word(tokens.clone())) {
        if left.words(tokens.clone()).all(|word| partners[word].is_none()) {
            free(&mut partners[tokens], |partner| !has_words[right.line_number(partner)]);
        }
    }
}

/// Returns for every line whether it has a word.
fn lines_with_words(tokens: &Tokens<'_>) -> Vec<bool> {
    (0..tokens.lines()).map(|line| tokens.has_word(tokens.on_line(line))).collect()
}

/// A line of which too little is paired, with and without the comment after it, is paired by chance.
fn by_chance(_: &Tokens<'_>, right: &Tokens<'_>, partners: &mut [Option<usize>]) {
    let mut paired = vec![false; right.len()];
    for partner in partners.iter().flatten() {
        paired[*partner] = true;
    }
    let is_weak = |tokens: Range<usize>| {
        let bytes: usize = tokens.clone().map(|token| right.get(token).len()).sum();
        let found: usize = tokens.filter(|&token| paired[token]).map(|token| right.get(token).len()).sum();
        (found as f32) < MIN_SHARE * bytes as f32
    };
    let is_chance = |line: Range<usize>| {
        let code = line.start..right.comment(line.clone()).unwrap_or(line.end);
        is_weak(line) && (!right.has_word(code.clone()) || is_weak(code))
    };
    let chance: Vec<bool> = (0..right.lines()).map(|line| is_chance(right.on_line(line))).collect();
    free(partners, |partner| chance[right.line_number(partner)]);
}

/// Frees the tokens of new lines that are forgotten lines of the file, as they are or changed: no line of the old text
/// that is less like them became one of these.
pub(crate) fn forgotten_lines(
    file: &Tokens<'_>,
    file_to_old: &[Option<usize>],
    new: &Tokens<'_>,
    old_to_new: &mut [Option<usize>],
    cancel: Cancel<'_>,
) {
    let is_forgotten = |tokens: &Range<usize>| are_unpaired(&file_to_old[tokens.clone()]);
    let forgotten: Vec<_> = file.full_lines().filter(is_forgotten).map(|line| Letters::of(file, line)).collect();
    if forgotten.is_empty() {
        return;
    }
    let mut paired = vec![Vec::new(); new.lines()];
    for &token in old_to_new.iter().flatten() {
        paired[new.line_number(token)].push(token);
    }
    let is_theirs = |line: &usize| {
        let kept: usize = paired[*line].iter().map(|&token| new.get(token).len()).sum();
        let ours = Letters::of(new, new.on_line(*line));
        forgotten.iter().any(|theirs| ours.is_changed(theirs, kept))
    };
    let is_open = |line: &usize| paired[*line].len() < new.on_line(*line).len();
    let lines = (0..new.lines()).filter(is_open).take_while(|_| cancel.is_needed());
    let theirs: FxHashSet<usize> = lines.filter(is_theirs).collect();
    free(old_to_new, |partner| theirs.contains(&new.line_number(partner)));
}

/// The bytes that a line has in each of its tokens.
struct Letters {
    of: FxHashMap<u32, usize>,
    all: usize,
}

impl Letters {
    fn of(tokens: &Tokens<'_>, line: Range<usize>) -> Self {
        let mut of = FxHashMap::default();
        let mut all = 0;
        for index in line {
            let length = tokens.get(index).len();
            *of.entry(tokens.items[index].id).or_default() += length;
            all += length;
        }
        Self { of, all }
    }

    /// Returns whether a line is another one, changed, with more than `kept` bytes in common.
    fn is_changed(&self, other: &Self, kept: usize) -> bool {
        let least = MIN_CHANGED_LIKENESS * self.all.max(other.all) as f32;
        if (self.all.min(other.all) as f32) < least {
            return false;
        }
        let theirs = |id| other.of.get(id).copied().unwrap_or(0);
        let common: usize = self.of.iter().map(|(id, bytes)| theirs(id).min(*bytes)).sum();
        common > kept && common as f32 >= least
    }
}
