//! Finds the tokens that file and new text share between two anchors, though the old text lacks them.
//!
//! This is the third alignment, new text–file: a change that both made is one change, and the file's token stays.

use std::ops::Range;

use crate::align::anchors::Anchor;
use crate::align::three_way::Texts;
use crate::align::tokens::{Likeness, Pairing};
use crate::align::vetoes::MIN_SHARE;
use crate::text::tokens::{Class, Tokens};
use crate::text::words::MIN_CHANGED_LIKENESS;

/// The tokens of the three texts between two anchors.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) file: Range<usize>,
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
    /// The tokens that file and new text share, in order.
    pub(crate) shared: Vec<Shared>,
}

/// Tokens of the file that stay, for tokens of the new text; one of the two may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    pub(crate) file: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// A token of the file, and the equal one of the new text.
type Pair = (usize, usize);

/// The score of a pair that is one word, miscopied in old text and new text alike: that of any miscopied word.
const SLIP_SCORE: f32 = 0.6;

/// The additional score of a pair that the old text has, too: it decides between equal tokens.
const THROUGH_OLD: f32 = 0.3;

impl Region {
    /// Returns the region between two anchors, not aligned yet.
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
        let is_inserted = |&new: &usize| texts.new_to_old[new].is_none_or(|old| !texts.is_same_place(old, new));
        let is_deleted = |&old: &usize| !texts.is_kept(old);
        self.new.clone().find(is_inserted).or_else(|| self.old.clone().find(is_deleted)).is_some()
    }

    /// Finds the tokens that file and new text share, and adds the line ends that the file keeps.
    pub(crate) fn align(&mut self, texts: &Texts<'_>, kept: &[Shared]) {
        self.shared = self.with_line_ends(texts, &self.pairs(texts), kept);
    }

    /// Joins the pairs of file and new text with the line ends that the file keeps. A line end takes the place of the
    /// pairs in it.
    fn with_line_ends(&self, texts: &Texts<'_>, pairs: &[Pair], ends: &[Shared]) -> Vec<Shared> {
        let first = ends.partition_point(|end| end.file.start < self.file.start);
        let is_in_end = |file: usize| {
            let next = ends.partition_point(|end| end.file.start <= file);
            ends[..next].last().is_some_and(|end| end.file.contains(&file))
        };
        let mut shared: Vec<Shared> = Vec::new();
        for (at, &(file, new)) in pairs.iter().enumerate().filter(|(_, (file, _))| !is_in_end(*file)) {
            // A word in another spelling, which old text and new text have, stays with all of its parts.
            let parts = if texts.goes_through_old(new, file) { texts.parts(file) } else { file..file + 1 };
            let from = at.checked_sub(1).map_or(self.file.start, |before| pairs[before].0 + 1);
            let to = pairs.get(at + 1).map_or(self.file.end, |after| after.0);
            shared.push(Shared { file: parts.start.max(from)..parts.end.min(to), new: new..new + 1 });
        }
        for end in ends[first..].iter().take_while(|end| end.file.end <= self.file.end) {
            let at = shared.partition_point(|shared| shared.file.start < end.file.start);
            let before = at.checked_sub(1).map_or((self.file.start, self.new.start), |at| shared[at].ends());
            let after = shared.get(at).map_or((self.file.end, self.new.end), Shared::starts);
            if is_before(before, end.starts()) && is_before(end.ends(), after) {
                shared.insert(at, end.clone());
            }
        }
        shared
    }

    /// Returns the equal tokens of file and new text here.
    fn pairs(&self, texts: &Texts<'_>) -> Vec<Pair> {
        let (file, new) = (&texts.file, &texts.new);
        let pairing = Pairing::new(new, file, texts.cancel, |ours, their| score(texts, ours, their));
        let partners = pairing.within(self.new.clone(), self.file.clone(), Likeness::Equal);
        let paired: Vec<(usize, usize)> = self.new.clone().filter_map(|ours| Some((partners[ours]?, ours))).collect();
        let mut same = paired.clone();
        same.retain(|&(their, ours)| {
            // What is equal at the ends of a stretch was paired without a score.
            if must_differ(texts, ours, their) {
                return false;
            }
            if texts.goes_through_old(ours, their) {
                return true;
            }
            // A line that shares little with its partner's line does so by chance.
            // What ends a statement is not part of the comment behind it.
            let is_end = new.class(ours) == Class::Separator;
            let line = if is_end { new.code_of(ours) } else { new.line_of(ours) };
            let of_new = share(new, line, &self.new, |token| partners[token].is_some());
            if !texts.is_foreign_line(their) {
                return of_new >= MIN_SHARE;
            }
            let of_file = share(file, file.line_of(their), &self.file, |token| partner(&paired, token).is_some());
            of_new.min(of_file) >= MIN_CHANGED_LIKENESS
        });
        self.share_ends(texts, &mut same);
        let shared = same.clone();
        // The token after one that was left out.
        let mut next = None;
        same.retain(|&(their, ours)| {
            let follows = next == Some(their) && !file.opens_line(their);
            let stays = !follows && self.is_at_its_line(texts, &shared, their, ours);
            next = if stays { next } else { Some(their + 1) };
            stays
        });
        same
    }

    /// Returns whether a token is at the same end of its line in file and new text, with the same neighbour: the comma
    /// that ends a line is not the one that ends another. A token that the old text knows needs no such proof.
    fn is_at_its_line(&self, texts: &Texts<'_>, shared: &[Pair], their: usize, ours: usize) -> bool {
        let (file, new) = (&texts.file, &texts.new);
        if !texts.is_unknown(their) {
            return true;
        }
        let has_neighbour = |neighbour: usize| {
            let partner = self.partner(texts, shared, neighbour);
            partner.is_none_or(|partner| new.line_number(partner) == new.line_number(ours))
        };
        match (file.opens_line(their), file.class(their)) {
            (true, _) if file.ends_line(their) => new.opens_line(ours),
            (true, _) => new.opens_line(ours) && has_neighbour(their + 1),
            (false, Class::Separator) if file.is_after_words(their) != new.is_after_words(ours) => false,
            (false, _) => has_neighbour(their - 1),
        }
    }

    /// Returns the token of the new text for one of the file. Beside the region, that is the token beside it.
    fn partner(&self, texts: &Texts<'_>, shared: &[Pair], file: usize) -> Option<usize> {
        if file < self.file.start {
            self.new.start.checked_sub(1)
        } else if file >= self.file.end {
            Some(self.new.end).filter(|&end| end < texts.new.len())
        } else {
            partner(shared, file)
        }
    }

    /// Adds the tokens that both texts begin with, and those that both end with, if the old text forgot them: a keyword,
    /// the last mark of a line, a comment.
    fn share_ends(&self, texts: &Texts<'_>, shared: &mut Vec<Pair>) {
        let is_forgotten = |&(file, new): &Pair| texts.is_forgotten(file, new);
        let (file, new) = shared.first().copied().unwrap_or((self.file.end, self.new.end));
        let mut head: Vec<Pair> = (self.file.start..file).zip(self.new.start..new).take_while(is_forgotten).collect();
        let last = shared.last().or(head.last());
        let (file, new) = last.map_or((self.file.start, self.new.start), |&(file, new)| (file + 1, new + 1));
        let tail = (file..self.file.end).rev().zip((new..self.new.end).rev()).take_while(is_forgotten);
        let mut tail: Vec<Pair> = tail.take_while(|&(file, _)| texts.may_close(file)).collect();
        tail.reverse();
        head.append(shared);
        head.append(&mut tail);
        *shared = head;
    }
}

impl Shared {
    /// Returns the first tokens.
    fn starts(&self) -> (usize, usize) {
        (self.file.start, self.new.start)
    }

    /// Returns the tokens after the last ones.
    fn ends(&self) -> (usize, usize) {
        (self.file.end, self.new.end)
    }
}

/// Returns whether one position is not after another in either text.
fn is_before(one: (usize, usize), other: (usize, usize)) -> bool {
    one.0 <= other.0 && one.1 <= other.1
}

/// Returns the token of the new text that is paired with one of the file; the pairs ascend.
fn partner(pairs: &[Pair], file: usize) -> Option<usize> {
    pairs.binary_search_by_key(&file, |pair| pair.0).ok().map(|at| pairs[at].1)
}

/// Returns whether a token of the new text is not one of the file, though they are equal.
fn must_differ(texts: &Texts<'_>, new: usize, file: usize) -> bool {
    if texts.elided[texts.new.line_number(new)] {
        return true;
    }
    match (texts.new_to_old[new], texts.file_to_old[file]) {
        // A line that the edit keeps and the file lacks is no other line of the file, which the old text knows. Nor is
        // a token a part of another word.
        (Some(ours), Some(theirs)) if ours != theirs => texts.is_kept_and_lost(ours) || texts.parts(file).len() > 1,
        (_, Some(_)) => false,
        (_, None) => !texts.may_close(file) || (texts.file.in_comment(file) && !texts.new.in_comment(new)),
    }
}

/// Returns how well a token of the new text goes with one of the file.
fn score(texts: &Texts<'_>, new: usize, file: usize) -> f32 {
    if must_differ(texts, new, file) {
        return f32::NEG_INFINITY;
    }
    if !texts.goes_through_old(new, file) {
        return Likeness::Equal.score(&texts.new, new, &texts.file, file);
    }
    let alike = Likeness::Miscopied.score(&texts.new, new, &texts.file, file).max(SLIP_SCORE);
    alike + if texts.new.items[new].id == texts.file.items[file].id { THROUGH_OLD } else { 0.0 }
}

/// Returns the share of a line's bytes in tokens that pass a test; those outside `within` count as passing.
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
