//! Raises doubts: where file and new text both differ from the old text, and what would land is a guess.

use std::ops::Range;

use crate::Doubt;
use crate::align::three_way::Texts;
use crate::pieces::piece::{Part, Pieces, partner};
use crate::text::tokens::{Class, Tokens};

impl Part {
    /// Raises a doubt when the new text changes a line that the old text has forgotten.
    pub(crate) fn check_forgotten(&self, texts: &Texts<'_>, shared: &[(usize, usize)], pieces: &mut Pieces) {
        let (file, new) = (&texts.file, &texts.new);
        // A token beside this part that only file and new text have is on a line that the old text has forgotten.
        let is_forgotten = |&index: &usize| partner(shared, index).is_some() && texts.is_foreign_line(index);
        let before = self.file.start.checked_sub(1).filter(is_forgotten);
        let after = Some(self.file.end).filter(is_forgotten);
        let left = before.is_some_and(|token| {
            shares_line(file, self.file.clone(), token) || shares_line(new, self.new.clone(), self.new.start - 1)
        });
        let right = after.is_some_and(|token| {
            shares_line(file, self.file.clone(), token)
                || (self.new.end < new.len() && shares_line(new, self.new.clone(), self.new.end))
        });
        // With a mark more at its end, or a comment, it is the same line.
        let says = |index: usize| new.items[index].word && !new.in_trailing_comment(index);
        let differs = || !self.file.is_empty() || self.new.clone().any(says);
        if right || (left && differs()) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when the file has another word where the old text has one that the edit takes away.
    pub(crate) fn check_words(texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        if gone.clone().filter_map(|index| texts.file_to_old[index]).any(|index| texts.is_another(index)) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when the old text has words in a line that goes, and the file has that line without them.
    pub(crate) fn check_more(&self, texts: &Texts<'_>, pieces: &mut Pieces) {
        let old = &texts.old;
        let is_more = |index: usize| {
            let is_lost = texts.old_to_file[index].is_none() && !texts.is_lost_line(index);
            is_lost && !texts.is_kept(index) && old.items[index].word && !old.in_comment(index)
        };
        if self.old.clone().any(is_more) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when lines or words that the old text does not know are among those that go, or the comment of a
    /// line whose beginning stays.
    pub(crate) fn check_between(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        let (file, new) = (&texts.file, &texts.new);
        let mut unknown = gone.clone().filter(|&index| texts.is_unknown(index));
        let line = file.line_of(gone.start);
        let is_cut = line.start < gone.start && line.end < gone.end;
        let loses_comment =
            file.comment(line).is_some_and(|comment| gone.contains(&comment) && texts.is_unknown(comment));
        let before = self.new.start.checked_sub(1);
        if is_cut && loses_comment && before.is_some_and(|token| new.comment(new.line_of(token)).is_none()) {
            pieces.doubt(Doubt::Conflict);
        }
        if unknown.clone().any(|index| texts.is_foreign_line(index)) {
            pieces.doubt(Doubt::ForgottenLines);
        }
        // A comment goes with its line; one that the old text has forgotten, with what it says something of.
        let is_remark = |index| {
            let line = file.line_of(index);
            let is_whole = gone.start <= line.start;
            file.comment(line).is_some_and(|comment| comment <= index && (is_whole || texts.is_unknown(comment)))
        };
        if unknown.any(|index| file.items[index].word && !is_remark(index)) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when the file lacks the better half of every line of the old text that new text is to stand beside:
    /// nothing says that it is the place.
    pub(crate) fn check_neighbours(&self, texts: &Texts<'_>, pieces: &mut Pieces) {
        let before = self.old.start.checked_sub(1);
        let after = Some(self.old.end).filter(|&index| index < texts.old.len());
        let mut beside = before.into_iter().chain(after).peekable();
        if beside.peek().is_some() && beside.all(|token| texts.is_mostly_lost(token)) {
            pieces.doubt(Doubt::InsertionPoint);
        }
    }

    /// Raises a doubt when lines that the old text does not know are between two lines that the edit changes: they
    /// may well have to change, too.
    pub(crate) fn check_sides(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        let (start, end) = (self.old.start, self.old.end);
        let left = start > 0 && (end == texts.old.len() || texts.is_on_touched_line(start - 1));
        let right = end < texts.old.len() && (start == 0 || texts.is_on_touched_line(end));
        if (left && texts.has_whole_line(self.file.start..gone.start))
            || (right && texts.has_whole_line(gone.end..self.file.end))
        {
            pieces.doubt(Doubt::ForgottenLines);
        }
    }

    /// Raises a doubt when words that the old text does not know touch those that are replaced, on the same line: two
    /// changes of one thing. The keyword that a line begins with, what ends it, and its comment are no such words.
    pub(crate) fn check_beside(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>, fresh: &[usize]) {
        let file = &texts.file;
        let (head, rest) = self.beside(file, gone);
        let opens = file.opens_line(head.start) && head.len() <= 1 && gone.len() == 1 && fresh.len() == 1;
        let lines = fresh.iter().skip(1).any(|&index| texts.new.opens_line(index));
        let words = rest.clone().filter(|&index| file.items[index].word).count();
        let comment = file.comment(file.line_of(gone.end - 1)).is_some_and(|comment| {
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

    /// Raises a doubt when the file has words of its own right beside what goes, on a line of which something stays.
    pub(crate) fn check_touching(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        let file = &texts.file;
        let (head, rest) = self.beside(file, gone);
        if head.chain(rest).any(|index| file.items[index].word && !file.in_comment(index)) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when the file has another operator where the edit changes one: `<` for `<=` is no slip of the
    /// pen.
    pub(crate) fn check_operators(&self, texts: &Texts<'_>, pieces: &mut Pieces, fresh: &[usize]) {
        if !fresh.iter().any(|&index| is_operator(texts.new.get(index))) {
            return;
        }
        let gone = self.old.clone().filter(|&index| !texts.is_kept(index));
        let ours: Vec<&str> = gone.map(|index| texts.old.get(index)).filter(|text| is_operator(text)).collect();
        let theirs: Vec<&str> =
            self.file.clone().map(|index| texts.file.get(index)).filter(|text| is_operator(text)).collect();
        if !ours.is_empty() && !theirs.is_empty() && ours != theirs {
            pieces.doubt(Doubt::Conflict);
        }
    }
}

/// The characters of operators that compare and compute.
const OPERATORS: &str = "<>=!+*%^~";

/// Returns whether a token is an operator, or a part of one.
fn is_operator(token: &str) -> bool {
    token.chars().all(|c| OPERATORS.contains(c))
}

/// Further characters that compute or point, where they do not part words.
const SIGNS: &str = "&|-/@";

/// Returns whether a token is an operator, or may be one.
pub(crate) fn is_sign(token: &str) -> bool {
    token.chars().all(|c| OPERATORS.contains(c) || SIGNS.contains(c))
}

/// Returns whether one of some tokens is on the line of another token.
fn shares_line(tokens: &Tokens<'_>, mut range: Range<usize>, token: usize) -> bool {
    range.any(|index| tokens.line_number(index) == tokens.line_number(token))
}
