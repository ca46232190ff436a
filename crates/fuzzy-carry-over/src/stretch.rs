//! Merges what lies between two anchors: what the edit takes away, what it brings, what only the file has.
//!
//! The third alignment, new–file, comes first: what the new text and the file both have here, though the needle
//! has not, is one change, and it stays as the file has it. What is left between such tokens is either changed on
//! one side only, which is simple, or on both, which is a conflict unless the file's difference means nothing.

use std::ops::Range;

use crate::Doubt;
use crate::pair::{Likeness, pair_within, score};
use crate::pieces::{Piece, Pieces};
use crate::texts::Texts;
use crate::tokens::{Class, Tokens};

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
    /// Adds the pieces of this stretch.
    pub(crate) fn merge(&self, texts: &Texts<'_>, pieces: &mut Pieces) {
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
        for &(their, ours) in shared.iter().chain(&[(self.file.end, self.new.end)]) {
            let part = Part { stretch: self, file: file..their, new: new..ours };
            part.check_forgotten(texts, &shared, pieces);
            part.merge(texts, pieces);
            if their < self.file.end {
                pieces.new_of_file[their] = Some(ours);
                pieces.keep(their..their + 1);
            }
            (file, new) = (their + 1, ours + 1);
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
            let foreign = file.on_line(line).all(|token| texts.is_unknown(token));
            match foreign {
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

    /// Tells whether a token that the needle has forgotten stands on the line of the new text that has its neighbour,
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
        let same_line = |index: usize| {
            partner(index).is_none_or(|partner| new.items[partner].line == new.items[ours].line)
        };
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
            let foreign = || file.on_line(file.items[their].line as usize).all(|token| texts.is_unknown(token));
            texts.of_new[ours].is_none()
                && file.items[their].id == new.items[ours].id
                && texts.is_unknown(their)
                && !foreign()
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

/// What lies between two tokens that file and new text share.
struct Part<'s> {
    stretch: &'s Stretch,
    file: Range<usize>,
    new: Range<usize>,
}

impl Part<'_> {
    fn merge(&self, texts: &Texts<'_>, pieces: &mut Pieces) {
        // What the needle has too much and the new text keeps is not the file's; it goes.
        let is_fresh = |index: &usize| {
            texts.of_new[*index]
                .is_none_or(|needle| texts.in_file[needle].is_some() || !texts.is_same_place(needle, *index))
        };
        let fresh: Vec<usize> = self.new.clone().filter(is_fresh).collect();
        let gone: Vec<usize> = self.file.clone().filter(|&index| !texts.is_unknown(index)).collect();
        // A line break of the needle may be an escaped one of the file, and the new text's with it.
        let escaped = |index: usize| texts.is_unknown(index) && matches!(texts.file.get(index), "\\n" | "\\r");
        if self.file.clone().any(escaped) && fresh.iter().any(|&index| texts.new.gap(index).contains('\n')) {
            pieces.doubt(Doubt::Conflict);
        }
        let separator = |tokens: &Tokens<'_>, index: usize| tokens.class(index) == Class::Separator;
        let after = gone.last().map_or(self.file.start, |&last| last + 1);
        let beside = !gone.is_empty() || fresh.first().is_some_and(|&first| !texts.new.opens_line(first));
        let ends = beside && fresh.last().is_some_and(|&last| separator(&texts.new, last));
        if ends && after < self.file.end && separator(&texts.file, after) && !texts.file.opens_line(after) {
            // Two marks for one end.
            pieces.doubt(Doubt::Conflict);
        }
        match (gone.first(), gone.last(), fresh.is_empty()) {
            (Some(&first), Some(&last), true) => self.delete(texts, pieces, first..last + 1),
            (Some(&first), Some(&last), false) => self.replace(texts, pieces, first..last + 1, fresh),
            (_, _, true) => pieces.keep(self.file.clone()),
            (_, _, false) => self.insert(texts, pieces, fresh),
        }
    }

    /// Raises a doubt when the new text changes a line that the needle has forgotten.
    fn check_forgotten(&self, texts: &Texts<'_>, shared: &[(usize, usize)], pieces: &mut Pieces) {
        let is_foreign = |index: usize| {
            let line = texts.file.items[index].line as usize;
            texts.file.on_line(line).all(|token| texts.is_unknown(token))
        };
        let at = |index: usize| shared.binary_search_by_key(&index, |pair| pair.0).is_ok() && is_foreign(index);
        let before = self.file.start.checked_sub(1).filter(|&index| at(index));
        let after = Some(self.file.end).filter(|&index| at(index));
        let of_file = |index: usize| self.file.clone().any(|token| texts.file.items[token].line == texts.file.items[index].line);
        let of_new = |next: usize, on: usize| {
            !self.new.is_empty() && texts.new.items[next].line == texts.new.items[on].line
        };
        let left = before.is_some_and(|index| of_file(index) || of_new(self.new.start, self.new.start - 1));
        let right = after.is_some_and(|index| {
            of_file(index) || (self.new.end < texts.new.len() && of_new(self.new.end.max(1) - 1, self.new.end))
        });
        if left || right {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Takes away `gone`, and with it what only the file has on the same lines, if that cannot stay alone.
    fn delete(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: Range<usize>) {
        let gone = if self.is_better_copy(texts, pieces) { self.file.clone() } else { gone };
        self.check_words(texts, pieces, &gone);
        self.check_between(texts, pieces, &gone);
        self.check_sides(texts, pieces, &gone);
        let gone = self.with_ends_of_line(texts, pieces, gone);
        pieces.keep(self.file.start..gone.start);
        pieces.list.push(Piece::Delete { file: gone.clone() });
        pieces.keep(gone.end..self.file.end);
    }

    fn replace(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: Range<usize>, fresh: Vec<usize>) {
        self.check_words(texts, pieces, &gone);
        let all = if self.is_respelt(texts) { self.file.clone() } else { gone.clone() };
        let continues = !texts.new.gap(fresh[0]).contains('\n');
        if continues && all.start > self.file.start {
            // What the new text goes on with stands behind what only the file has.
            pieces.doubt(Doubt::Conflict);
        }
        if all == gone {
            self.check_between(texts, pieces, &gone);
            self.check_sides(texts, pieces, &gone);
            self.check_beside(texts, pieces, &gone, &fresh);
        }
        pieces.keep(self.file.start..all.start);
        pieces.list.push(Piece::Replace { file: all.clone(), new: fresh });
        pieces.keep(all.end..self.file.end);
    }

    fn insert(&self, texts: &Texts<'_>, pieces: &mut Pieces, fresh: Vec<usize>) {
        // What the needle has here and the edit takes away has no place in the file.
        if self.needle(texts).any(|index| !texts.is_kept(index)) {
            pieces.doubt(Doubt::Absent);
        }
        let at = self.insertion_point(texts, pieces, fresh[0]);
        pieces.keep(self.file.start..at);
        pieces.list.push(Piece::Insert { at, new: fresh });
        pieces.keep(at..self.file.end);
    }

    /// Returns the needle's tokens that belong between the two shared tokens.
    fn needle(&self, texts: &Texts<'_>) -> Range<usize> {
        let stretch = self.stretch;
        let before = texts.of_file[stretch.file.start..self.file.start].iter().rev().find_map(|&token| token);
        let after = texts.of_file[self.file.end..stretch.file.end].iter().find_map(|&token| token);
        let from = before.map_or(stretch.needle.start, |token| token + 1);
        from..after.unwrap_or(stretch.needle.end).max(from)
    }

    /// Tells whether the needle has the same letters and digits as the file here, with other marks between them:
    /// `utf8` for `utf-8`.
    fn is_respelt(&self, texts: &Texts<'_>) -> bool {
        let letters = |tokens: &Tokens<'_>, range: Range<usize>| -> String {
            let words = range.filter(|&index| tokens.items[index].word);
            words
                .flat_map(|index| tokens.get(index).chars())
                .filter(|&c| c != '_')
                .flat_map(char::to_lowercase)
                .collect()
        };
        let one_line = |tokens: &Tokens<'_>, range: &Range<usize>| {
            !range.is_empty() && tokens.items[range.start].line == tokens.items[range.end - 1].line
        };
        let needle = self.needle(texts);
        let (ours, theirs) = (letters(&texts.needle, needle.clone()), letters(&texts.file, self.file.clone()));
        let words =
            self.file.clone().filter(|&index| texts.is_unknown(index)).any(|index| texts.file.items[index].word);
        words && ours == theirs && one_line(&texts.needle, &needle) && one_line(&texts.file, &self.file)
    }

    /// Tells whether the new text has what the needle has forgotten right beside this: then it says, too, which marks
    /// stay there.
    fn is_better_copy(&self, texts: &Texts<'_>, pieces: &Pieces) -> bool {
        let is_shared = |index: usize| texts.is_unknown(index) && pieces.new_of_file[index].is_some();
        let before = self.file.start > self.stretch.file.start && is_shared(self.file.start - 1);
        let line = texts.file.items[self.file.start].line;
        before
            && self.file.clone().all(|index| texts.file.items[index].line == line)
            && !self.file.clone().any(|index| texts.is_unknown(index) && texts.file.items[index].word)
    }

    /// Adds to what goes the rest of its line, if the edit takes away all that the needle has of that line: a
    /// semicolon or a comment goes with the statement.
    fn with_ends_of_line(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: Range<usize>) -> Range<usize> {
        let file = &texts.file;
        let of_line = |index: usize| file.on_line(file.items[index].line as usize);
        let (first, last) = (of_line(gone.start), of_line(gone.end - 1));
        let head = self.file.start.max(first.start)..gone.start;
        let rest = gone.end..self.file.end.min(last.end);
        if head.start > first.start || rest.end < last.end {
            return gone;
        }
        if head.is_empty() && file.comment(last).is_some_and(|comment| comment <= rest.start) {
            return gone.start..rest.end;
        }
        if head.clone().chain(rest.clone()).any(|index| file.items[index].word) {
            pieces.doubt(Doubt::Conflict);
            return gone;
        }
        if head.clone().chain(rest.clone()).any(|index| file.class(index) != Class::Separator) {
            pieces.doubt(Doubt::ForgottenLines);
        }
        head.start..rest.end
    }

    /// Raises a doubt when the file has another word where the needle has one that the edit takes away.
    fn check_words(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        if gone.clone().filter_map(|index| texts.of_file[index]).any(|index| texts.is_another(index)) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when lines or words that the needle does not know stand among those that go.
    fn check_between(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        let unknown = || gone.clone().filter(|&index| texts.is_unknown(index));
        let line = |index: usize| texts.file.on_line(texts.file.items[index].line as usize);
        if unknown().any(|index| line(index).all(|token| texts.is_unknown(token))) {
            pieces.doubt(Doubt::ForgottenLines);
        }
        let in_comment = |index: usize| texts.file.comment(line(index)).is_some_and(|comment| comment <= index);
        if unknown().any(|index| texts.file.items[index].word && !in_comment(index)) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when lines that the needle does not know stand between two lines that the edit changes: they
    /// may well have to change, too.
    fn check_sides(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        let needle = self.needle(texts);
        let touched = |index: Option<usize>| {
            let token = index.and_then(|index| texts.needle.items.get(index));
            token.is_some_and(|token| texts.touched[token.line as usize])
        };
        let left = touched(needle.start.checked_sub(1)) && texts.has_whole_line(self.file.start..gone.start);
        let right = touched(Some(needle.end)) && texts.has_whole_line(gone.end..self.file.end);
        if left || right {
            pieces.doubt(Doubt::ForgottenLines);
        }
    }

    /// Raises a doubt when words that the needle does not know touch those that are replaced, on the same line: two
    /// changes of one thing. The keyword that a line begins with, what ends it, and its comment are no such words.
    fn check_beside(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>, fresh: &[usize]) {
        let file = &texts.file;
        let of_line = |index: usize| file.on_line(file.items[index].line as usize);
        let (first, last) = (of_line(gone.start), of_line(gone.end - 1));
        let head = self.file.start.max(first.start)..gone.start;
        let opens = head.start == first.start && head.len() <= 1 && gone.len() == 1 && fresh.len() == 1;
        let lines = fresh.iter().skip(1).any(|&index| texts.new.opens_line(index));
        let rest = gone.end..self.file.end.min(last.end);
        let words = rest.clone().filter(|&index| file.items[index].word).count();
        let comment = file.comment(last).is_some_and(|comment| {
            rest.clone().take_while(|&at| at < comment).all(|at| file.class(at) == Class::Separator)
        });
        let one_line = rest.len() <= 1 && rest.clone().all(|index| file.class(index) == Class::Separator);
        if lines && !rest.is_empty() && !one_line {
            // On which of several new lines it belongs is a guess.
            pieces.doubt(Doubt::Conflict);
        }
        if (!opens && head.clone().any(|index| file.items[index].word)) || (words > 0 && !comment) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Returns the file's token before which new text comes in, among tokens that only the file has.
    fn insertion_point(&self, texts: &Texts<'_>, pieces: &mut Pieces, fresh: usize) -> usize {
        let (file, new) = (&texts.file, &texts.new);
        let (mut low, mut high) = (self.file.start, self.file.end);
        if low == high {
            return low;
        }
        let line_of = |index: usize| file.items[index].line;
        let starts_line = new.gap(fresh).contains('\n');
        let ends_line = new.gap(self.new.end).contains('\n');
        let goes_on = new.class(fresh) == Class::Continuer && self.ends_statement(texts);
        if !starts_line && low > 0 {
            // What goes on with a line stands right behind it, before what ends the line.
            if !file.opens_line(low) && !self.is_tail(texts, low) {
                pieces.doubt(Doubt::Conflict);
            }
            return low;
        }
        if !ends_line && high < file.len() {
            if !file.opens_line(high) {
                pieces.doubt(Doubt::Conflict);
            }
            return high;
        }
        if starts_line && low > 0 && !goes_on {
            low += (low..high).take_while(|&index| line_of(index) == line_of(self.file.start - 1)).count();
        }
        if ends_line && high < file.len() {
            high -= (low..high).rev().take_while(|&index| line_of(index) == line_of(self.file.end)).count();
        }
        if low == 0 && self.file.start == 0 {
            // Before the first line that the needle knows.
            return high;
        }
        if high == file.len() || low == high {
            return low;
        }
        // A blank line that the edit keeps on one side tells the place: it stands in the file, too.
        let breaks = |gap: &str| gap.matches('\n').count();
        let needle = self.needle(texts);
        let blank = breaks(texts.needle.gap(needle.end));
        let mut alike =
            (low..=high).filter(|&index| (index == low || file.opens_line(index)) && breaks(file.gap(index)) == blank);
        match (alike.next(), alike.next()) {
            // What only the file has on the same side of that blank line stays in doubt.
            (Some(only), None)
                if needle.is_empty()
                    && ((only == high && breaks(new.gap(fresh)) == blank)
                        || (only == low && breaks(new.gap(self.new.end)) == blank)) =>
            {
                only
            }
            _ => {
                pieces.doubt(Doubt::InsertionPoint);
                low
            }
        }
    }

    /// Tells whether a line of the file ends with marks or a comment from token `index` on.
    fn is_tail(&self, texts: &Texts<'_>, index: usize) -> bool {
        let file = &texts.file;
        let line = file.on_line(file.items[index].line as usize);
        let end = file.comment(line.clone()).filter(|&comment| comment >= index).unwrap_or(line.end);
        (index..end).all(|token| matches!(file.class(token), Class::Separator | Class::Closer))
            && line.end <= self.file.end
    }

    /// Tells whether what only the file has begins with what ends a statement, and with it a line.
    fn ends_statement(&self, texts: &Texts<'_>) -> bool {
        let next = self.file.start + 1;
        texts.file.class(self.file.start) == Class::Separator
            && (next >= texts.file.len() || texts.file.opens_line(next))
    }
}
