//! The three texts of a merge and their alignments.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::Refusal;
use crate::align::tokens::{Likeness, pair};
use crate::align::vetoes::{self, are_unpaired};
use crate::mechanisms::RESPELT_MARKS;
use crate::run::Run;
use crate::text::characters::BINARY_WORDS;
use crate::text::lines::is_elision;
use crate::text::tokens::{Class, Interner, Tokens, encloses};
use crate::text::words::{is_number, is_slip, minus};

/// The file's place, the old text and the new text, with the alignments of the old text with the other two.
///
/// The third alignment, of new text and file, is made in each changed [`Region`](crate::regions::Region).
pub(crate) struct Texts<'t> {
    pub(crate) file: Tokens<'t>,
    pub(crate) old: Tokens<'t>,
    pub(crate) new: Tokens<'t>,
    /// The partner in the second text of each token of the first.
    pub(crate) old_to_file: Vec<Option<usize>>,
    pub(crate) old_to_new: Vec<Option<usize>>,
    pub(crate) file_to_old: Vec<Option<usize>>,
    pub(crate) new_to_old: Vec<Option<usize>>,
    /// Whether the edit deletes a token of each line of the old text.
    pub(crate) touched: Vec<bool>,
    /// Whether each line of the old text is lost: the file has no token of it.
    lost: Vec<bool>,
    /// Whether each line of the file is forgotten: the old text has no token of it.
    forgotten: Vec<bool>,
    /// Whether each line of the new text is an elision.
    pub(crate) elisions: Vec<bool>,
    /// The document before the place.
    pub(crate) before: &'t str,
    /// The document after the place.
    pub(crate) after: &'t str,
    /// Whether the file has a different word for each token of the old text, and the token's word elsewhere.
    pub(crate) elsewhere: Vec<bool>,
    /// Whether each token of the old text is a word that the document lacks, and the edit inserts.
    pub(crate) absent: Vec<bool>,
    pub(crate) run: Run<'t>,
}

impl<'t> Texts<'t> {
    /// Splits and aligns three texts. `before` and `after` are the document around the place; `is_known` returns
    /// whether the document has a whole word.
    pub(crate) fn new(
        file: &'t str,
        old: &'t str,
        new: &'t str,
        [before, after]: [&'t str; 2],
        is_known: impl Fn(&str) -> bool,
        run: Run<'t>,
    ) -> Result<Self, Refusal> {
        let mut interner = Interner::default();
        let file = Tokens::new(file, &mut interner);
        run.check()?;
        let old = Tokens::new(old, &mut interner);
        run.check()?;
        let new = Tokens::new(new, &mut interner);
        run.check()?;
        // The old text is a careless copy of the file, but the new text differs from the old text on purpose.
        let old_to_file = pair(&old, &file, Likeness::Miscopied, run)?;
        let mut old_to_new = pair(&old, &new, Likeness::Equal, run)?;
        let file_to_old = inverse(&old_to_file, file.len());
        if run.uses(&RESPELT_MARKS) {
            vetoes::respelt_marks(&file, &old, &old_to_file, &new, &mut old_to_new);
        }
        vetoes::forgotten_lines(&file, &file_to_old, &new, &mut old_to_new, run);
        run.check()?;
        let mut touched = vec![false; old.lines()];
        for (token, partner) in old.items.iter().zip(&old_to_new) {
            touched[token.line as usize] |= partner.is_none();
        }
        let new_to_old = inverse(&old_to_new, new.len());
        let mut elsewhere = vec![false; old.len()];
        for index in old.words(0..old.len()) {
            let other = old_to_file[index].filter(|&partner| file.items[partner].fold != old.items[index].fold);
            elsewhere[index] = other.is_some_and(|_| is_known(old.get(index)));
        }
        let mut absent = vec![false; old.len()];
        // Most words of the old text are not new ones: the document is not searched for them.
        let is_unpaired = |&new_word: &usize| new_to_old[new_word].is_none();
        let inserted: FxHashSet<u32> =
            new.words(0..new.len()).filter(is_unpaired).map(|word| new.items[word].id).collect();
        let is_used = |&index: &usize| old_to_file[index].is_none() && inserted.contains(&old.items[index].id);
        for index in old.words(0..old.len()).filter(is_used) {
            absent[index] = !is_known(old.get(index));
        }
        let (lost, forgotten) = (unpaired_lines(&old, &old_to_file), unpaired_lines(&file, &file_to_old));
        let elisions = new.text.split('\n').map(is_elision).collect();
        run.check()?;
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
            forgotten,
            elisions,
            before,
            after,
            elsewhere,
            absent,
            run,
        })
    }

    /// Returns whether the file has a different word for a token of the old text: another number, a word that is no
    /// miscopy, or any word if the document has the token's word elsewhere.
    pub(crate) fn is_different_word(&self, index: usize) -> bool {
        let Some(partner) = self.old_to_file[index] else { return false };
        let (token, other) = (self.old.items[index], self.file.items[partner]);
        if token.fold == other.fold {
            return is_number(self.old.get(index)) && self.has_other_sign(index, partner);
        }
        token.word && (self.elsewhere[index] || !is_slip(self.old.get(index), self.file.get(partner)))
    }

    /// Returns whether only one of old text and file has a minus before a number.
    fn has_other_sign(&self, old: usize, file: usize) -> bool {
        let in_old = minus(&self.old, old).filter(|&minus| self.old_to_file[minus].is_none());
        let in_file = minus(&self.file, file).filter(|&minus| self.is_unknown(minus));
        in_old.or(in_file).is_some()
    }

    /// Returns whether the file has less than half of the letters in the words of the line of a token of the old text.
    pub(crate) fn is_mostly_lost(&self, old: usize) -> bool {
        let (mut found, mut all) = (0, 0);
        for index in self.old.words(self.old.line_of(old)) {
            let length = self.old.get(index).len();
            all += length;
            let is_found = self.old_to_file[index].is_some() && !self.is_different_word(index);
            found += if is_found { length } else { 0 };
        }
        2 * found < all
    }

    /// Returns whether the edit keeps the line of a token of the old text, and the file lacks it.
    pub(crate) fn is_kept_lost_line(&self, old: usize) -> bool {
        self.is_lost_line(old) && self.old.line_of(old).all(|index| self.is_kept(index))
    }

    /// Returns whether the line of a token of the old text is lost.
    pub(crate) fn is_lost_line(&self, old: usize) -> bool {
        self.lost[self.old.line_number(old)]
    }

    /// Returns whether a token of the file is unknown.
    pub(crate) fn is_unknown(&self, file: usize) -> bool {
        self.file_to_old[file].is_none()
    }

    /// Returns the unknown words among tokens of the file.
    pub(crate) fn unknown_words(&self, file: Range<usize>) -> impl DoubleEndedIterator<Item = usize> {
        self.file.words(file).filter(|&index| self.is_unknown(index))
    }

    /// Returns whether the line of a token of the file is forgotten.
    pub(crate) fn is_forgotten_line(&self, file: usize) -> bool {
        self.forgotten[self.file.line_number(file)]
    }

    /// Returns whether the edit keeps a token of the old text.
    pub(crate) fn is_kept(&self, old: usize) -> bool {
        self.old_to_new[old].is_some()
    }

    /// Returns whether the edit inserts a token on the line of a token of the new text.
    pub(crate) fn inserts_on_line(&self, new: usize) -> bool {
        self.new_to_old[self.new.line_of(new)].contains(&None)
    }

    /// Returns whether the edit deletes a token of the line of a token of the old text.
    pub(crate) fn is_on_touched_line(&self, old: usize) -> bool {
        self.touched[self.old.line_number(old)]
    }

    /// Returns whether partners in old and new text share a neighbour and are at the same ends of their lines.
    pub(crate) fn is_kept_in_place(&self, old: usize, new: usize) -> bool {
        let before = match (old.checked_sub(1), new.checked_sub(1)) {
            (Some(old), Some(new)) => self.are_partners(old, new),
            (old, new) => old == new,
        };
        let ends = (self.old.opens_line(old), self.old.ends_line(old));
        ends == (self.new.opens_line(new), self.new.ends_line(new)) && (before || self.are_partners(old + 1, new + 1))
    }

    fn are_partners(&self, old: usize, new: usize) -> bool {
        self.old_to_new.get(old).copied().flatten() == Some(new)
    }

    /// Returns whether the edit inserts a token of the new text. A slip that old and new text share is not inserted.
    pub(crate) fn is_inserted(&self, new: usize) -> bool {
        match self.new_to_old[new] {
            Some(old) if self.old_to_file[old].is_none() => !self.is_kept_in_place(old, new),
            _ => true,
        }
    }

    /// Returns whether a token of the new text is a mark, or an operator in letters.
    pub(crate) fn is_mark(&self, new: usize) -> bool {
        !self.new.is_word(new) || BINARY_WORDS.contains(&self.new.get(new))
    }

    /// Returns whether a mark of the new text joins its line to the next one, as in the old text, and the file lacks it.
    /// A separator that ends the line belongs to the sequence.
    pub(crate) fn is_lost_joint(&self, new: usize) -> bool {
        let is_lost = |old: usize| self.old_to_file[old].is_none() && !self.is_lost_line(old);
        let is_elision = self.elisions[self.new.line_number(new)];
        let is_joint = match self.new.class(new) {
            Class::Separator => !self.new.ends_line(new),
            Class::Opener | Class::Closer | Class::Quote => false,
            _ => true,
        };
        !is_elision && is_joint && self.new_to_old[new].is_some_and(is_lost)
    }

    /// Returns whether one token of the old text is paired with this one of the new text and this one of the file.
    pub(crate) fn is_same_old_token(&self, new: usize, file: usize) -> bool {
        self.new_to_old[new].and_then(|old| self.old_to_file[old]) == Some(file)
    }

    /// Returns whether the tokens are equal, have no partner in the old text, and the file's is on no forgotten line.
    pub(crate) fn is_forgotten_token(&self, file: usize, new: usize) -> bool {
        let is_same = self.file.items[file].id == self.new.items[new].id;
        is_same && !self.is_forgotten_line(file) && self.file_to_old[file].or(self.new_to_old[new]).is_none()
    }

    /// Returns whether the new text is in more brackets of expressions before token `new` than the old text before token
    /// `old`: a mark that ends an item or a statement there is never moved into them.
    pub(crate) fn is_in_expression(&self, old: usize, new: usize) -> bool {
        self.new.expression_depth(new) > self.old.expression_depth(old)
    }

    /// Returns whether an expression of [`is_in_expression`](Self::is_in_expression) is in the head of a block: then no
    /// mark ends the line.
    pub(crate) fn becomes_head(&self, old: usize, new: usize) -> bool {
        let (outer, mut depth) = (self.old.expression_depth(old), self.new.expression_depth(new));
        let is_outside = |&index: &usize| {
            depth += self.new.expression_step(index);
            depth <= outer
        };
        let end = (new..self.new.len()).find(is_outside).filter(|_| self.is_in_expression(old, new));
        end.is_some_and(|end| self.new.class(self.new.line_of(end).end - 1) == Class::Opener)
    }

    /// Returns whether tokens of the file contain a whole line.
    pub(crate) fn has_whole_line(&self, tokens: Range<usize>) -> bool {
        tokens.clone().any(|index| encloses(&tokens, &self.file.line_of(index)))
    }
}

/// Returns for every line whether none of its tokens has a partner.
fn unpaired_lines(tokens: &Tokens<'_>, partners: &[Option<usize>]) -> Vec<bool> {
    (0..tokens.lines()).map(|line| are_unpaired(&partners[tokens.on_line(line)])).collect()
}

/// Returns the partner in the first text of each token of the second.
pub(crate) fn inverse(partners: &[Option<usize>], length: usize) -> Vec<Option<usize>> {
    let mut found = vec![None; length];
    for (index, partner) in partners.iter().enumerate() {
        if let Some(partner) = *partner {
            found[partner] = Some(index);
        }
    }
    found
}
