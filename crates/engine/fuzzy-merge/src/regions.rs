//! Pairs file and new text between two anchors: the third alignment.
//!
//! A change that both texts made is one change, and the file's token is kept.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::align::anchors::Anchor;
use crate::align::three_way::Texts;
use crate::align::tokens::{Likeness, Pairing};
use crate::align::vetoes::MIN_SHARE;
use crate::mechanisms::{OWN_LINE, SHARED_ENDS};
use crate::text::tokens::{Class, Tokens};
use crate::text::words::MIN_CHANGED_LIKENESS;

/// The tokens of the three texts between two anchors.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) file: Range<usize>,
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
    /// The tokens that file and new text share, in order.
    pub(crate) shared: Vec<Pair>,
}

/// A token of the file and its partner in the new text.
pub(crate) type Pair = (usize, usize);

/// The score of a word that old and new text both have miscopied: that of any miscopied word.
const SLIP_SCORE: f32 = 0.6;

/// The additional score of a pair that is paired by the old text, too: it decides between equal tokens.
const THROUGH_OLD: f32 = 0.3;

impl Region {
    /// Returns the region between two anchors, without pairs.
    pub(crate) fn between(left: &Anchor, right: &Anchor) -> Self {
        Self {
            file: left.file.end..right.file.start,
            old: left.old.end..right.old.start,
            new: left.new.end..right.new.start,
            shared: Vec::new(),
        }
    }

    /// Returns whether the edit deletes or inserts something here.
    pub(crate) fn is_changed(&self, texts: &Texts<'_>) -> bool {
        let is_inserted = |&new: &usize| texts.new_to_old[new].is_none_or(|old| !texts.is_kept_in_place(old, new));
        let is_deleted = |&old: &usize| !texts.is_kept(old);
        self.new.clone().find(is_inserted).or_else(|| self.old.clone().find(is_deleted)).is_some()
    }

    /// Finds the shared tokens.
    pub(crate) fn align(&mut self, texts: &Texts<'_>) {
        self.shared = self.pairs(texts);
    }

    /// Returns the pairs of the region.
    fn pairs(&self, texts: &Texts<'_>) -> Vec<Pair> {
        let (file, new) = (&texts.file, &texts.new);
        let pairing = Pairing::new(new, file, texts.run, |new, file| score(texts, new, file));
        let partners = pairing.within(self.new.clone(), self.file.clone(), Likeness::Equal);
        let mut pairs: Vec<Pair> = self.new.clone().filter_map(|token| Some((partners[token]?, token))).collect();
        let paired: FxHashSet<usize> = pairs.iter().map(|pair| pair.0).collect();
        pairs.retain(|&(in_file, in_new)| {
            // Equal tokens at the ends of a region are paired without a score.
            if must_differ(texts, in_new, in_file) {
                return false;
            }
            if texts.is_same_old_token(in_new, in_file) {
                return true;
            }
            // Lines that share little are paired by chance.
            let of_new = share(new, new.line_of(in_new), &self.new, |token| partners[token].is_some());
            if !texts.is_forgotten_line(in_file) {
                return of_new >= MIN_SHARE;
            }
            let of_file = share(file, file.line_of(in_file), &self.file, |token| paired.contains(&token));
            of_new.min(of_file) >= MIN_CHANGED_LIKENESS
        });
        if texts.run.uses(&SHARED_ENDS) {
            self.share_ends(texts, &mut pairs);
        }
        if texts.run.uses(&OWN_LINE) {
            let shared: FxHashMap<usize, usize> = pairs.iter().copied().collect();
            pairs.retain(|&pair| self.is_at_its_line(texts, &shared, pair));
        }
        pairs
    }

    /// Returns whether an unknown separator follows the same token in file and new text: the comma that ends a line is not
    /// the one that ends another. For another token returns true.
    fn is_at_its_line(&self, texts: &Texts<'_>, shared: &FxHashMap<usize, usize>, (file, new): Pair) -> bool {
        if texts.file.class(file) != Class::Separator || !texts.is_unknown(file) {
            return true;
        }
        let is_first = file == self.file.start;
        let before = file.checked_sub(1);
        let before = before
            .and_then(|before| if is_first { self.new.start.checked_sub(1) } else { shared.get(&before).copied() });
        before.is_none_or(|before| texts.new.line_number(before) == texts.new.line_number(new))
    }

    /// Adds forgotten tokens with which both texts begin or end: a keyword, the last mark of a line, a comment.
    fn share_ends(&self, texts: &Texts<'_>, shared: &mut Vec<Pair>) {
        let is_forgotten = |&(file, new): &Pair| texts.is_forgotten_token(file, new);
        let (file, new) = shared.first().copied().unwrap_or((self.file.end, self.new.end));
        let mut head: Vec<Pair> = (self.file.start..file).zip(self.new.start..new).take_while(is_forgotten).collect();
        let last = shared.last().or(head.last());
        let (file, new) = last.map_or((self.file.start, self.new.start), |&(file, new)| (file + 1, new + 1));
        let tail = (file..self.file.end).rev().zip((new..self.new.end).rev());
        let mut tail: Vec<Pair> = tail.take_while(is_forgotten).collect();
        tail.reverse();
        head.append(shared);
        head.append(&mut tail);
        *shared = head;
    }
}

/// Returns whether two equal tokens of new text and file must not be paired.
fn must_differ(texts: &Texts<'_>, new: usize, file: usize) -> bool {
    if texts.elisions[texts.new.line_number(new)] {
        return true;
    }
    match (texts.new_to_old[new], texts.file_to_old[file]) {
        // A kept line that the file lacks is no other line of the file.
        (Some(one), Some(other)) if one != other => texts.is_kept_lost_line(one),
        (_, Some(_)) => false,
        (_, None) => texts.file.in_comment(file) && !texts.new.in_comment(new),
    }
}

/// Returns the score of pairing a token of the new text with one of the file.
fn score(texts: &Texts<'_>, new: usize, file: usize) -> f32 {
    if must_differ(texts, new, file) {
        return f32::NEG_INFINITY;
    }
    if !texts.is_same_old_token(new, file) {
        return Likeness::Equal.score(&texts.new, new, &texts.file, file);
    }
    let alike = Likeness::Miscopied.score(&texts.new, new, &texts.file, file).max(SLIP_SCORE);
    alike + if texts.new.items[new].id == texts.file.items[file].id { THROUGH_OLD } else { 0.0 }
}

/// Returns the share of a line's bytes in tokens that pass a test or are outside `within`.
fn share(tokens: &Tokens<'_>, line: Range<usize>, within: &Range<usize>, test: impl Fn(usize) -> bool) -> f32 {
    let (mut all, mut passed) = (0, 0);
    for index in line {
        let length = tokens.get(index).len();
        all += length;
        if !within.contains(&index) || test(index) {
            passed += length;
        }
    }
    passed as f32 / all.max(1) as f32
}
