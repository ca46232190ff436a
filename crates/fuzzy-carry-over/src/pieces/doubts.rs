//! Raises doubts: where file and new text both differ from the needle, and what would land is a guess.

use std::ops::Range;

use crate::Doubt;
use crate::align::texts::Texts;
use crate::pieces::Pieces;
use crate::pieces::part::Part;
use crate::text::tokens::Class;

impl Part {
    /// Raises a doubt when the new text changes a line that the needle has forgotten.
    pub(crate) fn check_forgotten(&self, texts: &Texts<'_>, shared: &[(usize, usize)], pieces: &mut Pieces) {
        let at =
            |index: usize| shared.binary_search_by_key(&index, |pair| pair.0).is_ok() && texts.is_foreign_line(index);
        let before = self.file.start.checked_sub(1).filter(|&index| at(index));
        let after = Some(self.file.end).filter(|&index| at(index));
        let of_file =
            |index: usize| self.file.clone().any(|token| texts.file.items[token].line == texts.file.items[index].line);
        let of_new =
            |next: usize, on: usize| !self.new.is_empty() && texts.new.items[next].line == texts.new.items[on].line;
        let left = before.is_some_and(|index| of_file(index) || of_new(self.new.start, self.new.start - 1));
        let right = after.is_some_and(|index| {
            of_file(index) || (self.new.end < texts.new.len() && of_new(self.new.end.max(1) - 1, self.new.end))
        });
        if left || right {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when the file has another word where the needle has one that the edit takes away.
    pub(crate) fn check_words(texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        if gone.clone().filter_map(|index| texts.of_file[index]).any(|index| texts.is_another(index)) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when lines or words that the needle does not know are among those that go.
    pub(crate) fn check_between(texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        let unknown = || gone.clone().filter(|&index| texts.is_unknown(index));
        if unknown().any(|index| texts.is_foreign_line(index)) {
            pieces.doubt(Doubt::ForgottenLines);
        }
        let in_comment =
            |index: usize| texts.file.comment(texts.file.line_of(index)).is_some_and(|comment| comment <= index);
        if unknown().any(|index| texts.file.items[index].word && !in_comment(index)) {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when lines that the needle does not know are between two lines that the edit changes: they
    /// may well have to change, too.
    pub(crate) fn check_sides(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        let needle = self.needle.clone();
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
    pub(crate) fn check_beside(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>, fresh: &[usize]) {
        let file = &texts.file;
        let (first, last) = (file.line_of(gone.start), file.line_of(gone.end - 1));
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

    /// Raises a doubt when the file has words of its own right beside what goes, on a line of which something stays.
    pub(crate) fn check_touching(&self, texts: &Texts<'_>, pieces: &mut Pieces, gone: &Range<usize>) {
        let file = &texts.file;
        let is_word = |&index: &usize| file.items[index].word && !file.in_comment(index);
        let line = |index: usize| file.items[index].line;
        let after = (gone.end..self.file.end)
            .take_while(|&index| line(index) == line(gone.end - 1))
            .any(|index| is_word(&index));
        let before = (self.file.start..gone.start)
            .rev()
            .take_while(|&index| line(index) == line(gone.start))
            .any(|index| is_word(&index));
        if after || before {
            pieces.doubt(Doubt::Conflict);
        }
    }

    /// Raises a doubt when the file has another operator where the edit changes one: `<` for `<=` is no slip of the
    /// pen.
    pub(crate) fn check_operators(&self, texts: &Texts<'_>, pieces: &mut Pieces, fresh: &[usize]) {
        let is_operator = |text: &str| text.chars().all(|c| OPERATORS.contains(c));
        if !fresh.iter().any(|&index| is_operator(texts.new.get(index))) {
            return;
        }
        let gone = self.needle.clone().filter(|&index| !texts.is_kept(index));
        let ours: Vec<&str> = gone.map(|index| texts.needle.get(index)).filter(|text| is_operator(text)).collect();
        let theirs: Vec<&str> =
            self.file.clone().map(|index| texts.file.get(index)).filter(|text| is_operator(text)).collect();
        if !ours.is_empty() && !theirs.is_empty() && ours != theirs {
            pieces.doubt(Doubt::Conflict);
        }
    }
}

/// The characters of operators that compare and compute.
const OPERATORS: &str = "<>=!+*%^~";
