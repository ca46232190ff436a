//! The three texts of a merge, as tokens, and how they belong together.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Refusal;
use crate::align::pair::{Likeness, likeness, pair};
use crate::text::lines::is_elision;
use crate::text::tokens::{Class, Interner, Tokens};
use crate::wanted::Wanted;

/// The file's place, the needle and the new text, with the alignments needle–file and needle–new.
///
/// The third alignment, new–file, is made where the first two leave something open: see
/// [`stretch`](crate::pieces::stretch).
pub(crate) struct Texts<'t> {
    pub(crate) file: Tokens<'t>,
    pub(crate) needle: Tokens<'t>,
    pub(crate) new: Tokens<'t>,
    /// The file's token for each of the needle's.
    pub(crate) in_file: Vec<Option<usize>>,
    /// The new text's token for each of the needle's.
    pub(crate) in_new: Vec<Option<usize>>,
    /// The needle's token for each of the file's.
    pub(crate) of_file: Vec<Option<usize>>,
    /// The needle's token for each of the new text's.
    pub(crate) of_new: Vec<Option<usize>>,
    /// Whether the edit takes something away from each of the needle's lines.
    pub(crate) touched: Vec<bool>,
    /// Whether each line of the new text says "and so on".
    pub(crate) elided: Vec<bool>,
    /// What comes before the place in the file.
    pub(crate) before: &'t str,
    /// What follows the place in the file.
    pub(crate) after: &'t str,
    /// Whether the file has another word for each of the needle's tokens, though it knows this one.
    pub(crate) elsewhere: Vec<bool>,
    /// Whether a bracket of the new text may be the file's: not where the needle is as deep in brackets as the new text
    /// and the file is not, for then the new text has the needle's slip.
    pub(crate) has_closed: bool,
    /// Who is to get what comes of it.
    pub(crate) wanted: Wanted<'t>,
}

impl<'t> Texts<'t> {
    /// Splits and aligns three texts. `before` and `after` are what is around them in the file, `known` tells whether a
    /// word occurs in the file on its own.
    ///
    /// # Errors
    ///
    /// [`Refusal::Unwanted`] when no one waits any more.
    pub(crate) fn new(
        file: &'t str,
        needle: &'t str,
        new: &'t str,
        [before, after]: [&'t str; 2],
        known: impl Fn(&str) -> bool,
        wanted: Wanted<'t>,
    ) -> Result<Self, Refusal> {
        let mut interner = Interner::default();
        let file = Tokens::new(file, &mut interner);
        wanted.check()?;
        let needle = Tokens::new(needle, &mut interner);
        wanted.check()?;
        let new = Tokens::new(new, &mut interner);
        wanted.check()?;
        // The needle is a careless copy of the file, and the new text was written after the needle: what differs
        // there was meant.
        let in_file = pair(&needle, &file, Likeness::Miscopied, wanted)?;
        let mut in_new = pair(&needle, &new, Likeness::Equal, wanted)?;
        let mut of_file = inverse(&in_file, file.len());
        join_respelt(&file, &needle, &mut of_file);
        leave_forgotten_lines(&file, &of_file, &new, &mut in_new, wanted);
        wanted.check()?;
        let mut touched = vec![false; needle.lines()];
        for (token, partner) in needle.items.iter().zip(&in_new) {
            touched[token.line as usize] |= partner.is_none();
        }
        let of_new = inverse(&in_new, new.len());
        let elsewhere = (0..needle.len())
            .map(|index| {
                let other = in_file[index].is_some_and(|partner| file.items[partner].fold != needle.items[index].fold);
                other && needle.items[index].word && known(needle.get(index))
            })
            .collect();
        let elided = new.text.split('\n').map(is_elision).collect();
        let has_closed = file.depth(0..file.len()) == needle.depth(0..needle.len())
            || new.depth(0..new.len()) != needle.depth(0..needle.len());
        wanted.check()?;
        Ok(Self {
            file,
            needle,
            new,
            in_file,
            in_new,
            of_file,
            of_new,
            touched,
            elided,
            before,
            after,
            elsewhere,
            has_closed,
            wanted,
        })
    }

    /// Returns whether the file has another word where the needle has this one: not the same one miscopied, but
    /// another number, or a word too unlike, or one where the file knows the needle's word, too.
    pub(crate) fn is_another(&self, index: usize) -> bool {
        let Some(partner) = self.in_file[index].filter(|&partner| self.parts(partner).len() == 1) else { return false };
        let (ours, theirs) = (self.needle.items[index], self.file.items[partner]);
        let (a, b) = (self.needle.get(index), self.file.get(partner));
        if ours.fold == theirs.fold {
            return is_number(a) && self.has_other_sign(index, partner);
        }
        ours.word && (self.elsewhere[index] || !is_slip(a, b))
    }

    /// Returns whether needle or file has a minus before a number that the other one lacks.
    fn has_other_sign(&self, needle: usize, file: usize) -> bool {
        let ours = minus(&self.needle, needle).is_some_and(|minus| self.in_file[minus].is_none());
        let theirs = minus(&self.file, file).is_some_and(|minus| self.is_unknown(minus));
        ours || theirs
    }

    /// Returns the tokens of the file, this one among them, that are one of the needle's, spelt otherwise: all of `utf-8`
    /// for `utf8`; else this one alone.
    pub(crate) fn parts(&self, file: usize) -> Range<usize> {
        let Some(word) = self.of_file[file] else { return file..file + 1 };
        let is_same = |other: &usize| self.of_file[*other] == Some(word);
        let before = (0..file).rev().take_while(is_same).count();
        file - before..file + (file..self.file.len()).take_while(is_same).count()
    }

    /// Returns whether the file has less than half of the letters in the words of a line of the needle: that of this
    /// token.
    pub(crate) fn is_mostly_lost(&self, needle: usize) -> bool {
        let (mut found, mut all) = (0, 0);
        for index in self.needle.line_of(needle).filter(|&index| self.needle.items[index].word) {
            let length = self.needle.get(index).len();
            all += length;
            found += if self.in_file[index].is_some() && !self.is_another(index) { length } else { 0 };
        }
        2 * found < all
    }

    /// Returns whether the edit keeps the line of this token of the needle, and the file lacks it.
    pub(crate) fn is_kept_and_lost(&self, needle: usize) -> bool {
        self.is_lost_line(needle) && self.needle.line_of(needle).all(|index| self.is_kept(index))
    }

    /// Returns whether the file has no token of the line of this token of the needle.
    pub(crate) fn is_lost_line(&self, needle: usize) -> bool {
        self.needle.line_of(needle).all(|index| self.in_file[index].is_none())
    }

    /// Returns whether no token of the needle is paired with this token of the file.
    pub(crate) fn is_unknown(&self, file: usize) -> bool {
        self.of_file[file].is_none()
    }

    /// Returns whether the needle knows no token of the line that this token of the file is on.
    pub(crate) fn is_foreign_line(&self, file: usize) -> bool {
        self.file.line_of(file).all(|token| self.is_unknown(token))
    }

    /// Returns whether the needle's token stays in the new text.
    pub(crate) fn is_kept(&self, needle: usize) -> bool {
        self.in_new[needle].is_some()
    }

    /// Returns whether the edit takes something away from the line of a token of the needle.
    pub(crate) fn is_on_touched_line(&self, needle: usize) -> bool {
        self.touched[self.needle.line_number(needle)]
    }

    /// Returns whether a token that the needle has too much is the one of the new text that it is paired with, and not
    /// another one like it.
    pub(crate) fn is_same_place(&self, needle: usize, new: usize) -> bool {
        let before = match (needle.checked_sub(1), new.checked_sub(1)) {
            (Some(needle), Some(new)) => self.are_partners(needle, new),
            (needle, new) => needle == new,
        };
        self.needle.opens_line(needle) == self.new.opens_line(new)
            && self.needle.ends_line(needle) == self.new.ends_line(new)
            && (before || self.are_partners(needle + 1, new + 1))
    }

    /// Returns whether a token of the needle stays as this one of the new text.
    fn are_partners(&self, needle: usize, new: usize) -> bool {
        self.in_new.get(needle).copied().flatten() == Some(new)
    }

    /// Returns whether a token of the new text is one that the edit brings. What the needle has too much, and the new
    /// text keeps in its place, is not: the file has not got it.
    pub(crate) fn is_fresh(&self, new: usize) -> bool {
        self.of_new[new].is_none_or(|needle| self.in_file[needle].is_some() || !self.is_same_place(needle, new))
    }

    /// Returns whether the needle has a token that is both this one of the new text and this one of the file.
    pub(crate) fn goes_through_needle(&self, new: usize, file: usize) -> bool {
        self.of_new[new].is_some_and(|needle| self.in_file[needle] == Some(file))
    }

    /// Returns whether file and new text have the same token, and the needle has forgotten it on a line that it knows.
    pub(crate) fn is_forgotten(&self, file: usize, new: usize) -> bool {
        self.of_new[new].is_none()
            && self.file.items[file].id == self.new.items[new].id
            && self.is_unknown(file)
            && !self.is_foreign_line(file)
    }

    /// Returns whether some line of the file lies in a range of tokens as a whole.
    pub(crate) fn has_whole_line(&self, tokens: Range<usize>) -> bool {
        tokens.clone().any(|index| {
            let line = self.file.line_of(index);
            tokens.start <= line.start && line.end <= tokens.end
        })
    }
}

/// Gives a word of the needle all tokens of the file that spell it: `utf8` is `utf-8`, with another mark.
fn join_respelt(file: &Tokens<'_>, needle: &Tokens<'_>, of_file: &mut [Option<usize>]) {
    for at in 0..file.len() {
        let Some(word) =
            of_file[at].filter(|&word| needle.items[word].word && needle.items[word].id != file.items[at].id)
        else {
            continue;
        };
        let wanted: String = letters(needle.get(word)).collect();
        let (mut start, mut end) = (at, at + 1);
        while file.is_glued(start) && of_file[start - 1].is_none() && !wanted.is_empty() {
            start -= 1;
        }
        while file.is_glued(end) && of_file[end].is_none() {
            end += 1;
        }
        // The shortest run around the token that has the letters.
        let run = (start..=at).rev().flat_map(|from| (at + 1..=end).map(move |to| from..to)).find(|run| {
            let ends = file.items[run.start].word && file.items[run.end - 1].word;
            run.len() > 1 && ends && run.clone().flat_map(|index| letters(file.get(index))).eq(wanted.chars())
        });
        for index in run.into_iter().flatten() {
            of_file[index] = Some(word);
        }
    }
}

/// Returns the letters and digits of a text, in lower case.
pub(crate) fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Frees the tokens of new lines that are lines of the file, which the needle has forgotten, as they are or changed: they
/// are not what has become of a line of the needle that is less like them.
fn leave_forgotten_lines(
    file: &Tokens<'_>,
    of_file: &[Option<usize>],
    new: &Tokens<'_>,
    in_new: &mut [Option<usize>],
    wanted: Wanted<'_>,
) {
    let is_forgotten = |tokens: &Range<usize>| of_file[tokens.clone()].iter().all(Option::is_none);
    let forgotten: Vec<_> = file.full_lines().filter(is_forgotten).map(|line| Letters::of(file, line)).collect();
    if forgotten.is_empty() {
        return;
    }
    let mut paired = vec![Vec::new(); new.lines()];
    for &token in in_new.iter().flatten() {
        paired[new.line_number(token)].push(token);
    }
    let is_theirs = |line: &usize| {
        let kept: usize = paired[*line].iter().map(|&token| new.get(token).len()).sum();
        let ours = Letters::of(new, new.on_line(*line));
        forgotten.iter().any(|theirs| {
            let least = MIN_CHANGED_LIKENESS * ours.all.max(theirs.all) as f32;
            ours.all.min(theirs.all) as f32 >= least && {
                let common = ours.common(theirs);
                common > kept && common as f32 >= least
            }
        })
    };
    let brings = |line: &usize| paired[*line].len() < new.on_line(*line).len();
    let lines = (0..new.lines()).filter(brings).take_while(|_| wanted.is_still());
    let theirs: FxHashSet<usize> = lines.filter(is_theirs).collect();
    for partner in in_new.iter_mut() {
        if partner.is_some_and(|token| theirs.contains(&new.line_number(token))) {
            *partner = None;
        }
    }
}

/// The bytes that a line has in each of its tokens.
struct Letters {
    of: FxHashMap<u32, usize>,
    all: usize,
}

impl Letters {
    fn of(tokens: &Tokens<'_>, line: Range<usize>) -> Self {
        let mut of = FxHashMap::default();
        let mut all = 0;
        for index in line {
            let length = tokens.get(index).len();
            *of.entry(tokens.items[index].id).or_default() += length;
            all += length;
        }
        Self { of, all }
    }

    /// Returns the number of bytes in tokens that two lines have in common.
    fn common(&self, other: &Self) -> usize {
        self.of.iter().map(|(id, bytes)| other.of.get(id).map_or(0, |theirs| *bytes.min(theirs))).sum()
    }
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

/// Returns the digits of a word, and what is left without them.
fn without_digits(word: &str) -> (String, String) {
    word.chars().partition(char::is_ascii_digit)
}

/// The least share that two lines have in common of which one may be the other, changed.
pub(crate) const MIN_CHANGED_LIKENESS: f32 = 0.6;

/// The least likeness of two words of which one is the other, miscopied: two thirds of their letters.
const MIN_SLIP_LIKENESS: f32 = 0.66;

/// Returns whether a word is another one, miscopied. Words that differ in digits alone are two values.
pub(crate) fn is_slip(a: &str, b: &str) -> bool {
    let (our_digits, ours) = without_digits(a);
    let (their_digits, theirs) = without_digits(b);
    if is_number(a) || is_number(b) || (our_digits != their_digits && ours == theirs) {
        return false;
    }
    // Of `i32` and `u32` the digits are no letters alike.
    has_most_letters(a, b) && (our_digits.is_empty() || has_most_letters(&ours, &theirs))
}

/// Returns the minus of a number: the one right before it, unless that is right behind something that it is subtracted
/// from.
fn minus(tokens: &Tokens<'_>, number: usize) -> Option<usize> {
    let minus = number.checked_sub(1).filter(|&minus| tokens.is_glued(number) && tokens.get(minus) == "-")?;
    let subtracts =
        tokens.is_glued(minus) && (tokens.items[minus - 1].word || tokens.class(minus - 1) == Class::Closer);
    (!subtracts).then_some(minus)
}

/// Returns whether a word begins with a digit.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns whether two words are as alike as a word and its miscopy, whatever the case of their letters.
fn has_most_letters(a: &str, b: &str) -> bool {
    likeness(&a.to_lowercase(), &b.to_lowercase()) >= MIN_SLIP_LIKENESS
}
