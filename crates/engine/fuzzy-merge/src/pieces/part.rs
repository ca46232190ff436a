//! Merges what lies between two tokens that file and new text share: one of them changes it, or both do.

use std::ops::Range;

use crate::Doubt;
use crate::align::three_way::{Texts, letters};
use crate::pieces::doubts::is_sign;
use crate::pieces::piece::{Part, Piece, Pieces};
use crate::text::tokens::{Class, Tokens};
use crate::text::whitespace::breaks;

impl Part {
    /// Adds the pieces of this part.
    pub(crate) fn merge(&self, texts: &Texts<'_>, pieces: &mut Pieces) {
        let fresh: Vec<usize> = self.new.clone().filter(|&index| texts.is_fresh(index)).collect();
        let gone: Vec<usize> = self.file.clone().filter(|&index| !texts.is_unknown(index)).collect();
        // A line break of the old text may be an escaped one of the file, and the new text's with it.
        let mut theirs = self.file.clone();
        let is_escaped = theirs.any(|index| texts.is_unknown(index) && matches!(texts.file.get(index), "\\n" | "\\r"));
        if is_escaped && fresh.iter().any(|&index| texts.new.gap(index).contains('\n')) {
            pieces.doubt(Doubt::Conflict);
        }
        let after = gone.last().map_or(self.file.start, |&last| last + 1);
        let beside = !gone.is_empty() || fresh.first().is_some_and(|&first| !texts.new.opens_line(first));
        let ends = beside && fresh.last().is_some_and(|&last| texts.new.class(last) == Class::Separator);
        let is_ended = after < self.file.end && texts.file.class(after) == Class::Separator;
        if ends && is_ended && !texts.file.opens_line(after) {
            // Two marks for one end.
            pieces.doubt(Doubt::Conflict);
        }
        self.check_operators(texts, pieces, &fresh);
        // What the old text knows of the file and the new text has not was taken away; what the new text has instead was
        // brought. The rest is the file's own, and stays.
        match (gone.first(), gone.last(), fresh.is_empty()) {
            (Some(&first), Some(&last), true) => self.delete(texts, pieces, first..last + 1),
            (Some(&first), Some(&last), false) => self.replace(texts, pieces, first..last + 1, fresh),
            (_, _, true) => pieces.keep(self.file.clone()),
            (_, _, false) => self.insert(texts, pieces, fresh),
        }
    }

    /// Gives the new text the say: all that it has here takes the place of what the file has.
    pub(crate) fn take(&self, texts: &Texts<'_>, pieces: &mut Pieces) {
        let (gone, new) = (self.contested(texts), self.new.clone().collect());
        pieces.keep(self.file.start..gone.start);
        match (gone.is_empty(), self.new.is_empty()) {
            (true, true) => {}
            (true, false) => pieces.list.push(Piece::Insert { at: gone.start, new }),
            (false, true) => pieces.list.push(Piece::Delete { file: gone.clone() }),
            (false, false) => pieces.list.push(Piece::Replace { file: gone.clone(), new }),
        }
        pieces.keep(gone.end..self.file.end);
    }

    /// Returns the file's tokens of this part without lines that the old text has forgotten at its ends, and without the
    /// comment behind a line, unless the new text has one: those stay, whichever side has the say.
    pub(crate) fn contested(&self, texts: &Texts<'_>) -> Range<usize> {
        let file = &texts.file;
        let has_comment = self.new.clone().any(|index| texts.new.in_comment(index));
        // Of a line that the new text has in part, what it has otherwise does not stay.
        let is_whole = |line: Range<usize>| self.file.start <= line.start && line.end <= self.file.end;
        let is_forgotten = |index: usize| texts.is_foreign_line(index) && is_whole(file.line_of(index));
        let stays = |&index: &usize| is_forgotten(index) || (!has_comment && file.in_trailing_comment(index));
        let start = self.file.start + self.file.clone().take_while(stays).count();
        start..self.file.end - (start..self.file.end).rev().take_while(stays).count()
    }

    /// Takes away `gone`, and with it what only the file has on the same lines, if that cannot stay alone.
    fn delete(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: Range<usize>) {
        let gone = if self.is_better_copy(texts, pieces) { self.file.clone() } else { gone };
        Self::check_words(texts, pieces, &gone);
        self.check_more(texts, pieces);
        self.check_between(texts, pieces, &gone);
        self.check_sides(texts, pieces, &gone);
        self.check_touching(texts, pieces, &gone);
        let gone = self.with_ends_of_line(&texts.file, pieces, gone);
        pieces.keep(self.file.start..gone.start);
        pieces.list.push(Piece::Delete { file: gone.clone() });
        pieces.keep(gone.end..self.file.end);
    }

    /// Puts new text in the place of `gone`, and of all of this part where that is only spelt otherwise.
    fn replace(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: Range<usize>, fresh: Vec<usize>) {
        Self::check_words(texts, pieces, &gone);
        // Marks that the file has between the letters of a word go with the word.
        let all = if self.is_respelt(texts) { self.file.clone() } else { gone.clone() };
        let continues = !texts.new.gap(fresh[0]).contains('\n');
        if continues && all.start > self.file.start {
            // What the new text goes on with is after what only the file has.
            pieces.doubt(Doubt::Conflict);
        }
        if all == gone {
            // What only the file has stays, between, before or after: it may belong to what is replaced.
            self.check_between(texts, pieces, &gone);
            self.check_sides(texts, pieces, &gone);
            self.check_beside(texts, pieces, &gone, &fresh);
        }
        pieces.keep(self.file.start..all.start);
        pieces.list.push(Piece::Replace { file: all.clone(), new: fresh });
        pieces.keep(all.end..self.file.end);
    }

    /// Puts new text among what only the file has.
    fn insert(&self, texts: &Texts<'_>, pieces: &mut Pieces, fresh: Vec<usize>) {
        // What the old text has here and the edit takes away has no place in the file; a mark is soon another.
        let old = &texts.old;
        let says =
            |token: usize| old.items[token].word || old.class(token) == Class::Comment || is_sign(old.get(token));
        if self.old.clone().any(|token| !texts.is_kept(token) && says(token)) {
            pieces.doubt(Doubt::Absent);
        }
        self.check_neighbours(texts, pieces);
        self.check_shifts(texts, pieces, &fresh);
        let at = self.insertion_point(texts, pieces, fresh[0]);
        pieces.keep(self.file.start..at);
        pieces.list.push(Piece::Insert { at, new: fresh });
        pieces.keep(at..self.file.end);
    }

    /// Raises a doubt where what comes into a line may as well come in before or after a token that it repeats, and
    /// touches there what only the file has: `a = ` before `a.b()`, or `= a` after its first token.
    fn check_shifts(&self, texts: &Texts<'_>, pieces: &mut Pieces, fresh: &[usize]) {
        let (file, new) = (&texts.file, &texts.new);
        if !self.file.is_empty() || new.opens_line(fresh[0]) {
            return;
        }
        let id = |index: usize| file.items[index].id;
        let coming = || fresh.iter().map(|&index| new.items[index].id);
        let at = self.file.start;
        let before = coming().rev().cycle();
        let before = (0..at).rev().zip(before).take_while(|(index, coming)| id(*index) == *coming);
        let mut before =
            before.map(|(index, _)| index).take_while(|index| index + 1 == at || !file.opens_line(index + 1));
        let after = (at..file.len()).zip(coming().cycle()).take_while(|(index, coming)| id(*index) == *coming);
        let mut after = after.map(|(index, _)| index).take_while(|index| !file.opens_line(*index));
        let touches = |index: usize, beside: usize| {
            index < file.len() && !file.opens_line(beside) && file.items[index].word && texts.is_unknown(index)
        };
        if before.any(|index| index > 0 && touches(index - 1, index))
            || after.any(|index| touches(index + 1, index + 1))
        {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Returns whether the old text has the same letters and digits as the file here, with other marks between them:
    /// `utf8` for `utf-8`.
    fn is_respelt(&self, texts: &Texts<'_>) -> bool {
        let (file, old) = (&texts.file, &texts.old);
        let has_own_word = self.file.clone().any(|index| texts.is_unknown(index) && file.items[index].word);
        has_own_word
            && old.is_one_line(&self.old)
            && file.is_one_line(&self.file)
            && letters_of(old, &self.old).eq(letters_of(file, &self.file))
    }

    /// Returns whether the new text has what the old text has forgotten right beside this: then it says, too, which marks
    /// stay there.
    fn is_better_copy(&self, texts: &Texts<'_>, pieces: &Pieces) -> bool {
        let before = self.file.start.checked_sub(1).filter(|&index| texts.is_unknown(index));
        before.is_some_and(|index| pieces.file_to_new[index].is_some())
            && texts.file.is_one_line(&self.file)
            && !self.file.clone().any(|index| texts.is_unknown(index) && texts.file.items[index].word)
    }

    /// Adds to what goes the rest of its line, if the edit takes away all that the old text has of that line: a mark or a
    /// comment goes with the statement.
    fn with_ends_of_line(&self, file: &Tokens<'_>, pieces: &mut Pieces, gone: Range<usize>) -> Range<usize> {
        let (head, rest) = self.beside(file, &gone);
        let (first, last) = (file.line_of(gone.start), file.line_of(gone.end - 1));
        if head.start > first.start || rest.end < last.end {
            // The old text has more of the line.
            return gone;
        }
        if head.clone().any(|index| file.class(index) != Class::Separator) {
            pieces.doubt(Doubt::ForgottenLines);
        }
        head.start..rest.end
    }

    /// Returns the file's token before which new text comes in, among tokens that only the file has.
    fn insertion_point(&self, texts: &Texts<'_>, pieces: &mut Pieces, fresh: usize) -> usize {
        let (file, new) = (&texts.file, &texts.new);
        let (mut low, mut high) = (self.file.start, self.file.end);
        if low == high {
            return low;
        }
        let starts_line = new.gap(fresh).contains('\n');
        let ends_line = new.gap(self.new.end).contains('\n');
        let goes_on = new.class(fresh) == Class::Continuer && self.ends_statement(texts);
        if !starts_line && low > 0 {
            // What goes on with a line is right after it, before what ends the line.
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
            low = file.line_of(low - 1).end.min(high);
        }
        if ends_line && high < file.len() {
            high = file.line_of(high).start.max(low);
        }
        let Range { start: low, end: high } = self.without_swapped(texts, low..high);
        if high == file.len() || low == high {
            return low;
        }
        // A blank line that the edit keeps on one side tells the place: it occurs in the file, too.
        let old = self.old.clone();
        let blank = breaks(texts.old.gap(old.end));
        let mut alike =
            (low..=high).filter(|&index| (index == low || file.opens_line(index)) && breaks(file.gap(index)) == blank);
        match (alike.next(), alike.next()) {
            // What only the file has on the same side of that blank line stays in doubt.
            (Some(only), None)
                if old.is_empty()
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

    /// Returns some of the file's tokens without the lines at their ends that the old text has in another order: those
    /// that it has before this part stay before what comes in, and those that it has after it, after that.
    fn without_swapped(&self, texts: &Texts<'_>, mut range: Range<usize>) -> Range<usize> {
        let (file, old) = (&texts.file, &texts.old);
        let lines = |tokens: Range<usize>| {
            tokens.filter(|&token| old.opens_line(token) && texts.is_lost_line(token)).map(|token| old.line_of(token))
        };
        let is_among = |lost: Range<usize>, index: usize| {
            let line = file.line_text(file.line_of(index)).trim();
            texts.is_foreign_line(index) && lines(lost).any(|lost| old.line_text(lost).trim() == line)
        };
        while range.start < range.end && is_among(0..self.old.start, range.start) {
            range.start = file.line_of(range.start).end.min(range.end);
        }
        while range.start < range.end && is_among(self.old.end..old.len(), range.end - 1) {
            range.end = file.line_of(range.end - 1).start.max(range.start);
        }
        range
    }

    /// Returns whether a line of the file ends with marks or a comment from token `index` on.
    fn is_tail(&self, texts: &Texts<'_>, index: usize) -> bool {
        let file = &texts.file;
        let line = file.line_of(index);
        let end = file.comment(line.clone()).filter(|&comment| comment >= index).unwrap_or(line.end);
        (index..end).all(|token| matches!(file.class(token), Class::Separator | Class::Closer))
            && line.end <= self.file.end
    }

    /// Returns whether what only the file has begins with what ends a statement, and with it a line.
    fn ends_statement(&self, texts: &Texts<'_>) -> bool {
        texts.file.class(self.file.start) == Class::Separator && texts.file.ends_line(self.file.start)
    }
}

/// Returns the letters and digits of the words among some tokens, in lower case.
fn letters_of(tokens: &Tokens<'_>, range: &Range<usize>) -> impl Iterator<Item = char> {
    range.clone().filter(|&index| tokens.items[index].word).flat_map(|index| letters(tokens.get(index)))
}
