//! Merges what lies between two anchors: what the edit takes away, what it brings, what only the file has.
//!
//! The third alignment, new–file, comes first: what the new text and the file both have here, though the needle
//! has not, is one change, and it stays as the file has it. What is left between such tokens is either changed on
//! one side only, which is simple, or on both, which is a conflict unless the file's difference means nothing.

use std::ops::Range;

use crate::Doubt;
use crate::align::pair::{Likeness, pair_within, score};
use crate::align::texts::Texts;
use crate::pieces::Pieces;
use crate::pieces::part::Part;
use crate::pieces::rims::Joint;
use crate::text::tokens::{Class, Tokens};

/// The tokens of the three texts that lie between two anchors.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    pub(crate) file: Range<usize>,
    pub(crate) needle: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// A line that only the file has is the same as one of the new text when so much of both is equal.
const SAME_LINE: f32 = 0.6;

/// What a pair scores that is one word, miscopied in needle and new text alike.
const SLIP: f32 = 0.6;

/// What a pair scores besides, that the needle has, too.
const THROUGH_NEEDLE: f32 = 0.3;

/// A line of the new text shares more with the file than brackets and commas when so much of it is equal.
const SHARED: f32 = 0.35;

impl Stretch {
    /// Adds the rims that lie here to the tokens that file and new text share. All ascend.
    fn joints(&self, shared: &[(usize, usize)], rims: &[Joint]) -> Vec<Joint> {
        let mut joints: Vec<Joint> =
            shared.iter().map(|&(file, new)| Joint { file: file..file + 1, new: new..new + 1 }).collect();
        let first = rims.partition_point(|rim| rim.file.start < self.file.start);
        for rim in rims[first..].iter().take_while(|rim| rim.file.end <= self.file.end) {
            let at = joints.partition_point(|joint| joint.file.start < rim.file.start);
            let behind = at
                .checked_sub(1)
                .map_or((self.file.start, self.new.start), |before| (joints[before].file.end, joints[before].new.end));
            let before = joints.get(at).map_or((self.file.end, self.new.end), |next| (next.file.start, next.new.start));
            let fits = behind.0 <= rim.file.start && rim.file.end <= before.0;
            if fits && behind.1 <= rim.new.start && rim.new.end <= before.1 {
                joints.insert(at, rim.clone());
            }
        }
        joints
    }

    /// Returns the needle's tokens that belong where some of the file's tokens of this stretch are.
    fn needle_at(&self, texts: &Texts<'_>, file: Range<usize>) -> Range<usize> {
        let before = texts.of_file[self.file.start..file.start].iter().rev().find_map(|&token| token);
        let after = texts.of_file[file.end..self.file.end].iter().find_map(|&token| token);
        let from = before.map_or(self.needle.start, |token| token + 1);
        from..after.unwrap_or(self.needle.end).max(from)
    }

    /// Adds the pieces of this stretch.
    pub(crate) fn merge(&self, texts: &Texts<'_>, rims: &[Joint], pieces: &mut Pieces) {
        let brings =
            self.new.clone().any(|index| texts.of_new[index].is_none_or(|needle| !texts.is_same_place(needle, index)));
        let takes = self.needle.clone().any(|index| !texts.is_kept(index));
        if !brings && !takes {
            pieces.keep(self.file.clone());
            return;
        }
        self.check_ends(texts, pieces);
        let shared = self.shared(texts);
        let (mut file, mut new) = (self.file.start, self.new.start);
        let end = Joint { file: self.file.end..self.file.end, new: self.new.end..self.new.end };
        for joint in self.joints(&shared, rims).into_iter().chain([end]) {
            let theirs = file..joint.file.start;
            let part = Part { needle: self.needle_at(texts, theirs.clone()), file: theirs, new: new..joint.new.start };
            part.check_forgotten(texts, &shared, pieces);
            part.merge(texts, pieces);
            for (their, ours) in joint.file.clone().zip(joint.new.clone()) {
                pieces.new_of_file[their] = Some(ours);
            }
            (file, new) = (joint.file.end, joint.new.end);
            pieces.keep(joint.file);
        }
    }

    /// Raises a doubt when a change at an end of the needle touches lines that the file lacks: that end of the place
    /// is then not known.
    fn check_ends(&self, texts: &Texts<'_>, pieces: &mut Pieces) {
        if self.needle.start > 0 && self.needle.end < texts.needle.len() {
            return;
        }
        let lost = self.needle.clone().any(|index| {
            let line = texts.needle.items[index].line as usize;
            texts.needle.on_line(line).all(|token| texts.in_file[token].is_none())
        });
        if lost {
            pieces.doubt(Doubt::Unpinned);
        }
    }

    /// Returns the tokens that file and new text share here, as pairs of file and new tokens.
    fn shared(&self, texts: &Texts<'_>) -> Vec<(usize, usize)> {
        let (file, new) = (&texts.file, &texts.new);
        let mut partners = vec![None; new.len()];
        let through_needle =
            |ours: usize, their: usize| texts.of_new[ours].is_some_and(|needle| texts.in_file[needle] == Some(their));
        // A closing mark is the same one only where the new text has closed what the needle has not.
        let closed = texts.has_closed();
        let differ = |ours: usize, their: usize| {
            let elided = texts.elided[new.items[ours].line as usize];
            let open = texts.is_unknown(their) && file.class(their) == Class::Closer && !closed;
            elided || open || (texts.is_unknown(their) && file.in_comment(their) && !new.in_comment(ours))
        };
        let score = |ours: usize, their: usize| {
            if differ(ours, their) {
                return f32::NEG_INFINITY;
            }
            let equal = score(new, file, (ours, their), Likeness::Equal);
            match through_needle(ours, their) {
                true if equal > 0.0 => equal + THROUGH_NEEDLE,
                true => SLIP,
                false => equal,
            }
        };
        let ranges = (self.new.clone(), self.file.clone());
        pair_within(new, file, ranges, Likeness::Equal, &score, &mut partners);
        let paired: Vec<(usize, usize)> = self.new.clone().filter_map(|ours| Some((partners[ours]?, ours))).collect();
        // A line that shares little with its partner's line does so by chance.
        let of_new = |line: usize| share(new, line, &self.new, |token| partners[token].is_some());
        let known = |index: usize| paired.binary_search_by_key(&index, |pair| pair.0).is_ok();
        let of_file = |line: usize| share(file, line, &self.file, known);
        let is_same = |&(their, ours): &(usize, usize)| {
            if differ(ours, their) {
                return false;
            }
            let (line, other) = (file.items[their].line as usize, new.items[ours].line as usize);
            match texts.is_foreign_line(their) {
                _ if through_needle(ours, their) => true,
                true => of_new(other).min(of_file(line)) >= SAME_LINE,
                false => of_new(other) >= SHARED,
            }
        };
        let mut same: Vec<(usize, usize)> = paired.iter().copied().filter(is_same).collect();
        self.share_ends(texts, &mut same);
        let shared = same.clone();
        let mut left_out = None;
        same.retain(|&(their, ours)| {
            let follows = their > 0 && left_out == Some(their - 1) && !file.opens_line(their);
            let stays = !follows && self.is_at_its_line(texts, &shared, (their, ours));
            left_out = if stays { left_out } else { Some(their) };
            stays
        });
        same
    }

    /// Returns whether a token that the needle has forgotten is on the line of the new text that has its neighbour,
    /// too, and at the same end of it: the comma that ends a line is not the one that ends another.
    fn is_at_its_line(&self, texts: &Texts<'_>, shared: &[(usize, usize)], (their, ours): (usize, usize)) -> bool {
        let (file, new) = (&texts.file, &texts.new);
        if !texts.is_unknown(their) {
            return true;
        }
        let partner = |index: usize| match index {
            _ if index < self.file.start => self.new.start.checked_sub(1),
            _ if index >= self.file.end => Some(self.new.end).filter(|&end| end < new.len()),
            _ => shared.binary_search_by_key(&index, |pair| pair.0).ok().map(|at| shared[at].1),
        };
        let same_line =
            |index: usize| partner(index).is_none_or(|partner| new.items[partner].line == new.items[ours].line);
        if file.opens_line(their) {
            let alone = their + 1 >= file.len() || file.opens_line(their + 1);
            return new.opens_line(ours) && (alone || same_line(their + 1));
        }
        let ends = |tokens: &Tokens<'_>, index: usize| index + 1 >= tokens.len() || tokens.opens_line(index + 1);
        let mark = !file.items[their].word;
        let separates = file.class(their) == Class::Separator;
        (!mark || same_line(their - 1)) && (!separates || ends(file, their) == ends(new, ours))
    }

    /// Adds what both texts begin with, and what both end with, where the needle has forgotten it: a keyword, the
    /// last mark of a line, a comment.
    fn share_ends(&self, texts: &Texts<'_>, shared: &mut Vec<(usize, usize)>) {
        let (file, new) = (&texts.file, &texts.new);
        let is_forgotten = |their: usize, ours: usize| {
            texts.of_new[ours].is_none()
                && file.items[their].id == new.items[ours].id
                && texts.is_unknown(their)
                && !texts.is_foreign_line(their)
        };
        let (mut from, first) = ((self.file.start, self.new.start), shared.first().copied());
        let to = first.unwrap_or((self.file.end, self.new.end));
        let mut head = Vec::new();
        while from.0 < to.0 && from.1 < to.1 && is_forgotten(from.0, from.1) {
            head.push(from);
            from = (from.0 + 1, from.1 + 1);
        }
        let last = shared.last().map_or(from, |last| (last.0 + 1, last.1 + 1));
        let mut to = (self.file.end, self.new.end);
        let mut tail = Vec::new();
        let closed = texts.has_closed();
        while to.0 > last.0
            && to.1 > last.1
            && is_forgotten(to.0 - 1, to.1 - 1)
            && (closed || file.class(to.0 - 1) != Class::Closer)
        {
            to = (to.0 - 1, to.1 - 1);
            tail.push(to);
        }
        head.append(shared);
        head.extend(tail.into_iter().rev());
        *shared = head;
    }
}

/// Returns the share of a line's characters in tokens that pass a test; those outside `within` count as passing.
fn share(tokens: &Tokens<'_>, line: usize, within: &Range<usize>, test: impl Fn(usize) -> bool) -> f32 {
    let length = |index: usize| tokens.get(index).len();
    let all: usize = tokens.on_line(line).map(length).sum();
    let passed = tokens.on_line(line).filter(|index| !within.contains(index) || test(*index));
    passed.map(length).sum::<usize>() as f32 / all.max(1) as f32
}
