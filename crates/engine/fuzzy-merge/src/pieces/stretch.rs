//! Merges what lies between two anchors: what the edit takes away, what it brings, what only the file has.
//!
//! The third alignment, new–file, comes first: what the new text and the file both have here, though the old text
//! has not, is one change, and it stays as the file has it. What is left between such tokens is either changed on
//! one side only, which is simple, or on both, which is a conflict unless the file's difference means nothing.

use std::ops::Range;

use crate::Doubt;
use crate::align::three_way::{MIN_CHANGED_LIKENESS, Texts};
use crate::align::tokens::{Likeness, MIN_SHARE, Pairing};
use crate::pieces::contested::Contested;
use crate::pieces::piece::{Part, Pieces, partner};
use crate::pieces::rims::Joint;
use crate::text::tokens::{Class, Tokens};

/// The tokens of the three texts that lie between two anchors.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    pub(crate) file: Range<usize>,
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// The score of a pair that is one word, miscopied in old text and new text alike: as that of any word that is miscopied.
const SLIP_SCORE: f32 = 0.6;

/// What a pair scores besides that the old text has, too: of several equal tokens it is the one that was meant.
const THROUGH_OLD: f32 = 0.3;

impl Stretch {
    /// Adds the rims that lie here to the tokens that file and new text share, but for those that a rim says are another
    /// line's. All ascend.
    fn joints(&self, texts: &Texts<'_>, shared: &[(usize, usize)], rims: &[Joint]) -> Vec<Joint> {
        let first = rims.partition_point(|rim| rim.file.start < self.file.start);
        let is_rim = |file: usize| {
            let next = rims.partition_point(|rim| rim.file.start <= file);
            rims[..next].last().is_some_and(|rim| rim.file.contains(&file))
        };
        let mut joints: Vec<Joint> = Vec::new();
        for (at, &(file, new)) in shared.iter().enumerate().filter(|(_, (file, _))| !is_rim(*file)) {
            // A word in another spelling, which old text and new text have, stays with all of its parts.
            let parts = if texts.goes_through_old(new, file) { texts.parts(file) } else { file..file + 1 };
            let from = at.checked_sub(1).map_or(self.file.start, |before| shared[before].0 + 1);
            let to = shared.get(at + 1).map_or(self.file.end, |after| after.0);
            joints.push(Joint { file: parts.start.max(from)..parts.end.min(to), new: new..new + 1 });
        }
        for rim in rims[first..].iter().take_while(|rim| rim.file.end <= self.file.end) {
            let at = joints.partition_point(|joint| joint.file.start < rim.file.start);
            let from = at
                .checked_sub(1)
                .map_or((self.file.start, self.new.start), |before| (joints[before].file.end, joints[before].new.end));
            let to = joints.get(at).map_or((self.file.end, self.new.end), |next| (next.file.start, next.new.start));
            let fits = from.0 <= rim.file.start && rim.file.end <= to.0;
            if fits && from.1 <= rim.new.start && rim.new.end <= to.1 {
                joints.insert(at, rim.clone());
            }
        }
        joints
    }

    /// Returns the old text's tokens that belong where some of the file's tokens of this stretch are.
    fn old_at(&self, texts: &Texts<'_>, file: Range<usize>) -> Range<usize> {
        let before = texts.file_to_old[self.file.start..file.start].iter().rev().find_map(|&token| token);
        let after = texts.file_to_old[file.end..self.file.end].iter().find_map(|&token| token);
        let from = before.map_or(self.old.start, |token| token + 1);
        from..after.unwrap_or(self.old.end).max(from)
    }

    /// Adds the pieces of this stretch.
    pub(crate) fn merge(&self, texts: &Texts<'_>, rims: &[Joint], contested: &Contested, pieces: &mut Pieces) {
        let brings =
            self.new.clone().any(|index| texts.new_to_old[index].is_none_or(|old| !texts.is_same_place(old, index)));
        let takes = self.old.clone().any(|index| !texts.is_kept(index));
        if !brings && !takes {
            pieces.keep(self.file.clone());
            return;
        }
        self.check_ends(texts, pieces);
        let shared = self.shared(texts);
        self.check_known_in_part(texts, &shared, pieces);
        let (mut file, mut new) = (self.file.start, self.new.start);
        let end = Joint { file: self.file.end..self.file.end, new: self.new.end..self.new.end };
        for joint in self.joints(texts, &shared, rims).into_iter().chain([end]) {
            let theirs = file..joint.file.start;
            let part = Part { old: self.old_at(texts, theirs.clone()), file: theirs, new: new..joint.new.start };
            if contested.has(texts, &part) {
                part.take(texts, pieces);
                pieces.conflicts.push(part);
            } else {
                part.check_forgotten(texts, &shared, pieces);
                part.merge(texts, pieces);
                pieces.settle(part);
            }
            for (their, ours) in joint.file.clone().zip(joint.new.clone()) {
                pieces.file_to_new[their] = Some(ours);
            }
            (file, new) = (joint.file.end, joint.new.end);
            pieces.keep(joint.file);
        }
    }

    /// Raises a doubt when a change at an end of the old text touches lines that the file lacks: that end of the place
    /// is then not known.
    fn check_ends(&self, texts: &Texts<'_>, pieces: &mut Pieces) {
        if self.old.start > 0 && self.old.end < texts.old.len() {
            return;
        }
        let mut old = self.old.clone();
        let lost = old.any(|index| texts.is_lost_line(index));
        if lost {
            pieces.doubt(Doubt::Unpinned);
        }
    }

    /// Raises a doubt when the new text has some of the lines here that the old text has forgotten, and lacks others: it
    /// was written by who knows them, and whether those are to go is a guess.
    fn check_known_in_part(&self, texts: &Texts<'_>, shared: &[(usize, usize)], pieces: &mut Pieces) {
        let file = &texts.file;
        let lines = self.file.clone().filter(|&token| file.opens_line(token) && texts.is_foreign_line(token));
        let (mut known, mut lacking) = (false, false);
        for line in lines.map(|token| file.line_of(token)) {
            let is_known = line.clone().any(|token| partner(shared, token).is_some());
            (known, lacking) = (known || is_known, lacking || !is_known);
        }
        if known && lacking {
            pieces.doubt(Doubt::ForgottenLines);
        }
    }

    /// Returns the tokens that file and new text share here, as pairs of file and new tokens.
    fn shared(&self, texts: &Texts<'_>) -> Vec<(usize, usize)> {
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
        let mut left_out = None;
        same.retain(|&(their, ours)| {
            let follows = their > 0 && left_out == Some(their - 1) && !file.opens_line(their);
            let stays = !follows && self.is_at_its_line(texts, &shared, their, ours);
            left_out = if stays { left_out } else { Some(their) };
            stays
        });
        same
    }

    /// Returns whether a token that the old text has forgotten is on the line of the new text that has its neighbour,
    /// too, and at the same end of it: the comma that ends a line is not the one that ends another.
    fn is_at_its_line(&self, texts: &Texts<'_>, shared: &[(usize, usize)], their: usize, ours: usize) -> bool {
        let (file, new) = (&texts.file, &texts.new);
        if !texts.is_unknown(their) {
            return true;
        }
        let neighbour = if file.opens_line(their) { their + 1 } else { their - 1 };
        let has_neighbour = self
            .partner(texts, shared, neighbour)
            .is_none_or(|partner| new.line_number(partner) == new.line_number(ours));
        if file.opens_line(their) {
            return new.opens_line(ours) && (file.ends_line(their) || has_neighbour);
        }
        let separates = file.class(their) == Class::Separator;
        has_neighbour && (!separates || file.is_after_words(their) == new.is_after_words(ours))
    }

    /// Returns the token of the new text for one of the file; beside the stretch, the one that is beside it, too.
    fn partner(&self, texts: &Texts<'_>, shared: &[(usize, usize)], file: usize) -> Option<usize> {
        if file < self.file.start {
            self.new.start.checked_sub(1)
        } else if file >= self.file.end {
            Some(self.new.end).filter(|&end| end < texts.new.len())
        } else {
            partner(shared, file)
        }
    }

    /// Adds what both texts begin with, and what both end with, where the old text has forgotten it: a keyword, the
    /// last mark of a line, a comment.
    fn share_ends(&self, texts: &Texts<'_>, shared: &mut Vec<(usize, usize)>) {
        let (mut from, first) = ((self.file.start, self.new.start), shared.first().copied());
        let to = first.unwrap_or((self.file.end, self.new.end));
        let mut head = Vec::new();
        while from.0 < to.0 && from.1 < to.1 && texts.is_forgotten(from.0, from.1) {
            head.push(from);
            from = (from.0 + 1, from.1 + 1);
        }
        let last = shared.last().map_or(from, |last| (last.0 + 1, last.1 + 1));
        let mut to = (self.file.end, self.new.end);
        let mut tail = Vec::new();
        while to.0 > last.0
            && to.1 > last.1
            && texts.is_forgotten(to.0 - 1, to.1 - 1)
            && (texts.has_closed || texts.file.class(to.0 - 1) != Class::Closer)
        {
            to = (to.0 - 1, to.1 - 1);
            tail.push(to);
        }
        head.append(shared);
        head.extend(tail.into_iter().rev());
        *shared = head;
    }
}

/// Returns whether a token of the new text is not one of the file, though they are equal.
fn must_differ(texts: &Texts<'_>, new: usize, file: usize) -> bool {
    if texts.elided[texts.new.line_number(new)] {
        return true;
    }
    // A line that the edit keeps and the file lacks is no other line of the file, which the old text knows. Nor is a
    // token a part of another word.
    if let (Some(ours), Some(theirs)) = (texts.new_to_old[new], texts.file_to_old[file])
        && ours != theirs
        && (texts.is_kept_and_lost(ours) || texts.parts(file).len() > 1)
    {
        return true;
    }
    // A closing mark is the same one only where the new text has closed what the old text has not.
    texts.is_unknown(file)
        && ((texts.file.class(file) == Class::Closer && !texts.has_closed)
            || (texts.file.in_comment(file) && !texts.new.in_comment(new)))
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
