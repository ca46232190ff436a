//! The three texts of a merge, as tokens, and how they belong together.

use std::ops::Range;

use crate::Refusal;
use crate::align::column::{Column, ColumnKind, are_unpaired};
use crate::align::tokens::{Likeness, pair};
use crate::align::vetoes;
use crate::cancel::Cancel;
use crate::text::lines::is_elision;
use crate::text::tokens::{Class, Interner, Tokens, encloses};
use crate::text::words::{is_number, is_slip, letters, minus};

/// The file's place, the old text and the new text, with the alignments old text–file and old text–new.
///
/// The third alignment, new–file, is made where the first two leave something open: see
/// [`stretch`](crate::pieces::stretch).
pub(crate) struct Texts<'t> {
    pub(crate) file: Tokens<'t>,
    pub(crate) old: Tokens<'t>,
    pub(crate) new: Tokens<'t>,
    /// The file's token for each of the old text's.
    pub(crate) old_to_file: Vec<Option<usize>>,
    /// The new text's token for each of the old text's.
    pub(crate) old_to_new: Vec<Option<usize>>,
    /// The old text's token for each of the file's.
    pub(crate) file_to_old: Vec<Option<usize>>,
    /// The old text's token for each of the new text's.
    pub(crate) new_to_old: Vec<Option<usize>>,
    /// Whether the edit takes something away from each of the old text's lines.
    pub(crate) touched: Vec<bool>,
    /// Whether the file has no token of each of the old text's lines.
    lost: Vec<bool>,
    /// Whether the old text has no token of each of the file's lines.
    foreign: Vec<bool>,
    /// Whether each line of the new text says "and so on".
    pub(crate) elided: Vec<bool>,
    /// What comes before the place in the file.
    pub(crate) before: &'t str,
    /// What follows the place in the file.
    pub(crate) after: &'t str,
    /// Whether the file has another word for each of the old text's tokens, though it knows this one.
    pub(crate) elsewhere: Vec<bool>,
    /// Whether a bracket of the new text may be the file's: not where the old text is as deep in brackets as the new text
    /// and the file is not, for then the new text has the old text's slip.
    pub(crate) has_closed: bool,
    /// Who is to get what comes of it.
    pub(crate) cancel: Cancel<'t>,
}

impl<'t> Texts<'t> {
    /// Splits and aligns three texts. `before` and `after` are what is around them in the file, `known` tells whether a
    /// word occurs in the file on its own.
    ///
    /// # Errors
    ///
    /// [`Refusal::Cancelled`] when no one waits any more.
    pub(crate) fn new(
        file: &'t str,
        old: &'t str,
        new: &'t str,
        [before, after]: [&'t str; 2],
        known: impl Fn(&str) -> bool,
        cancel: Cancel<'t>,
    ) -> Result<Self, Refusal> {
        let mut interner = Interner::default();
        let file = Tokens::new(file, &mut interner);
        cancel.check()?;
        let old = Tokens::new(old, &mut interner);
        cancel.check()?;
        let new = Tokens::new(new, &mut interner);
        cancel.check()?;
        // The old text is a careless copy of the file, and the new text was written after the old text: what differs
        // there was meant.
        let old_to_file = pair(&old, &file, Likeness::Miscopied, cancel)?;
        let mut old_to_new = pair(&old, &new, Likeness::Equal, cancel)?;
        let mut file_to_old = inverse(&old_to_file, file.len());
        join_respelt(&file, &old, &mut file_to_old);
        vetoes::forgotten_lines(&file, &file_to_old, &new, &mut old_to_new, cancel);
        cancel.check()?;
        let mut touched = vec![false; old.lines()];
        for (token, partner) in old.items.iter().zip(&old_to_new) {
            touched[token.line as usize] |= partner.is_none();
        }
        let new_to_old = inverse(&old_to_new, new.len());
        let mut elsewhere = vec![false; old.len()];
        for index in old.words(0..old.len()) {
            let other = old_to_file[index].filter(|&partner| file.items[partner].fold != old.items[index].fold);
            elsewhere[index] = other.is_some_and(|_| known(old.get(index)));
        }
        let (lost, foreign) = (unpaired_lines(&old, &old_to_file), unpaired_lines(&file, &file_to_old));
        let elided = new.text.split('\n').map(is_elision).collect();
        let has_closed =
            file.depth(0..file.len()) == old.depth(0..old.len()) || new.depth(0..new.len()) != old.depth(0..old.len());
        cancel.check()?;
        Ok(Self {
            file,
            old,
            new,
            old_to_file,
            old_to_new,
            file_to_old,
            new_to_old,
            touched,
            lost,
            foreign,
            elided,
            before,
            after,
            elsewhere,
            has_closed,
            cancel,
        })
    }

    /// Returns whether the file has another word where the old text has this one: not the same one miscopied, but
    /// another number, or a word too unlike, or one where the file knows the old text's word, too.
    pub(crate) fn is_another(&self, index: usize) -> bool {
        let Some(partner) = self.old_to_file[index].filter(|&partner| self.parts(partner).len() == 1) else {
            return false;
        };
        let (ours, theirs) = (self.old.items[index], self.file.items[partner]);
        let (a, b) = (self.old.get(index), self.file.get(partner));
        if ours.fold == theirs.fold {
            return is_number(a) && self.has_other_sign(index, partner);
        }
        ours.word && (self.elsewhere[index] || !is_slip(a, b))
    }

    /// Returns whether old text or file has a minus before a number that the other one lacks.
    fn has_other_sign(&self, old: usize, file: usize) -> bool {
        let ours = minus(&self.old, old).filter(|&minus| self.old_to_file[minus].is_none());
        let theirs = minus(&self.file, file).filter(|&minus| self.is_unknown(minus));
        ours.or(theirs).is_some()
    }

    /// Returns the tokens of the file, this one among them, that are one of the old text's, spelt otherwise: all of `utf-8`
    /// for `utf8`; else this one alone.
    pub(crate) fn parts(&self, file: usize) -> Range<usize> {
        let Some(word) = self.file_to_old[file] else { return file..file + 1 };
        let is_same = |other: &usize| self.file_to_old[*other] == Some(word);
        let before = (0..file).rev().take_while(is_same).count();
        file - before..file + (file..self.file.len()).take_while(is_same).count()
    }

    /// Returns whether the file has less than half of the letters in the words of a line of the old text: that of this
    /// token.
    pub(crate) fn is_mostly_lost(&self, old: usize) -> bool {
        let (mut found, mut all) = (0, 0);
        for index in self.old.words(self.old.line_of(old)) {
            let length = self.old.get(index).len();
            all += length;
            let is_found = self.old_to_file[index].is_some() && !self.is_another(index);
            found += if is_found { length } else { 0 };
        }
        2 * found < all
    }

    /// Returns whether the edit keeps the line of this token of the old text, and the file lacks it.
    pub(crate) fn is_kept_and_lost(&self, old: usize) -> bool {
        self.is_lost_line(old) && self.old.line_of(old).all(|index| self.is_kept(index))
    }

    /// Returns whether the file has no token of the line of this token of the old text.
    pub(crate) fn is_lost_line(&self, old: usize) -> bool {
        self.lost[self.old.line_number(old)]
    }

    /// Returns the tokens of the old text with their partners in the file.
    pub(crate) fn copies(&self) -> impl Iterator<Item = (usize, usize)> {
        self.old_to_file.iter().enumerate().filter_map(|(old, file)| Some((old, (*file)?)))
    }

    /// Returns whether no token of the old text is paired with this token of the file.
    pub(crate) fn is_unknown(&self, file: usize) -> bool {
        self.file_to_old[file].is_none()
    }

    /// Returns whether no token of the old text is paired with one of these tokens of the file.
    pub(crate) fn is_all_unknown(&self, file: Range<usize>) -> bool {
        are_unpaired(&self.file_to_old[file])
    }

    /// Returns the kind of the column of a token of the old text.
    pub(crate) fn kind_of_old(&self, old: usize) -> ColumnKind {
        Column { file: self.old_to_file[old], old: Some(old), new: self.old_to_new[old] }.kind()
    }

    /// Returns the words among some tokens of the file that the old text lacks.
    pub(crate) fn own_words(&self, file: Range<usize>) -> impl DoubleEndedIterator<Item = usize> {
        self.file.words(file).filter(|&index| self.is_unknown(index))
    }

    /// Returns whether the old text lacks a word that is among some tokens of the file.
    pub(crate) fn has_own_word(&self, file: Range<usize>) -> bool {
        self.own_words(file).next().is_some()
    }

    /// Returns whether the old text knows no token of the line that this token of the file is on.
    pub(crate) fn is_foreign_line(&self, file: usize) -> bool {
        self.foreign[self.file.line_number(file)]
    }

    /// Returns whether a token of the file may be the new text's, if it is a closing bracket: only where the new text has
    /// closed what the old text has not.
    pub(crate) fn may_close(&self, file: usize) -> bool {
        self.has_closed || self.file.class(file) != Class::Closer
    }

    /// Returns whether the old text's token stays in the new text.
    pub(crate) fn is_kept(&self, old: usize) -> bool {
        self.old_to_new[old].is_some()
    }

    /// Returns whether the edit inserts something on the line of a token of the new text.
    pub(crate) fn inserts_on_line(&self, new: usize) -> bool {
        self.new_to_old[self.new.line_of(new)].contains(&None)
    }

    /// Returns whether the edit takes something away from the line of a token of the old text.
    pub(crate) fn is_on_touched_line(&self, old: usize) -> bool {
        self.touched[self.old.line_number(old)]
    }

    /// Returns whether a token that the old text has too much is the one of the new text that it is paired with, and not
    /// another one like it.
    pub(crate) fn is_same_place(&self, old: usize, new: usize) -> bool {
        let before = match (old.checked_sub(1), new.checked_sub(1)) {
            (Some(old), Some(new)) => self.are_partners(old, new),
            (old, new) => old == new,
        };
        let ends = (self.old.opens_line(old), self.old.ends_line(old));
        ends == (self.new.opens_line(new), self.new.ends_line(new)) && (before || self.are_partners(old + 1, new + 1))
    }

    /// Returns whether a token of the old text stays as this one of the new text.
    fn are_partners(&self, old: usize, new: usize) -> bool {
        self.old_to_new.get(old).copied().flatten() == Some(new)
    }

    /// Returns whether a token of the new text is one that the edit brings. What the old text has too much, and the new
    /// text keeps in its place, is not: the file has not got it.
    pub(crate) fn is_inserted(&self, new: usize) -> bool {
        match self.new_to_old[new] {
            Some(old) if self.old_to_file[old].is_none() => !self.is_same_place(old, new),
            _ => true,
        }
    }

    /// Returns whether the old text has a token that is both this one of the new text and this one of the file.
    pub(crate) fn goes_through_old(&self, new: usize, file: usize) -> bool {
        self.new_to_old[new].and_then(|old| self.old_to_file[old]) == Some(file)
    }

    /// Returns whether file and new text have the same token, and the old text has forgotten it on a line that it knows.
    pub(crate) fn is_forgotten(&self, file: usize, new: usize) -> bool {
        let is_same = self.file.items[file].id == self.new.items[new].id;
        is_same && !self.is_foreign_line(file) && self.file_to_old[file].or(self.new_to_old[new]).is_none()
    }

    /// Returns whether some line of the file lies in a range of tokens as a whole.
    pub(crate) fn has_whole_line(&self, tokens: Range<usize>) -> bool {
        tokens.clone().any(|index| encloses(&tokens, &self.file.line_of(index)))
    }
}

/// Gives a word of the old text all tokens of the file that spell it: `utf8` is `utf-8`, with another mark.
fn join_respelt(file: &Tokens<'_>, old: &Tokens<'_>, file_to_old: &mut [Option<usize>]) {
    for at in 0..file.len() {
        let Some(word) = file_to_old[at].filter(|&word| old.is_word(word) && old.items[word].id != file.items[at].id)
        else {
            continue;
        };
        let spelling: String = letters(old.get(word)).collect();
        let is_free = |index: &usize| file_to_old[*index].is_none();
        let before = (0..at).rev().take_while(|&index| file.is_glued(index + 1)).take_while(is_free).count();
        let after = (at + 1..file.len()).take_while(|&index| file.is_glued(index)).take_while(is_free).count();
        let start = if spelling.is_empty() { at } else { at - before };
        // The shortest run of words around the token that has the letters.
        let starts = (start..=at).rev().filter(|&from| file.is_word(from));
        let ends = (at + 1..=at + 1 + after).filter(|&to| file.is_word(to - 1));
        let runs = starts.flat_map(|from| ends.clone().map(move |to| from..to)).filter(|run| run.len() > 1);
        let mut runs = runs.filter(|run| run.clone().flat_map(|index| letters(file.get(index))).eq(spelling.chars()));
        let run = runs.next();
        for index in run.into_iter().flatten() {
            file_to_old[index] = Some(word);
        }
    }
}

/// Returns for every line whether none of its tokens has a partner.
fn unpaired_lines(tokens: &Tokens<'_>, partners: &[Option<usize>]) -> Vec<bool> {
    (0..tokens.lines()).map(|line| are_unpaired(&partners[tokens.on_line(line)])).collect()
}

/// Returns the token of the first text for each of the second's, from the second's for each of the first.
fn inverse(partners: &[Option<usize>], length: usize) -> Vec<Option<usize>> {
    let mut found = vec![None; length];
    for (index, partner) in partners.iter().enumerate() {
        if let Some(partner) = *partner {
            found[partner] = Some(index);
        }
    }
    found
}
