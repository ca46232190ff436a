//! Vetoes: undoes pairs of tokens that belong apart.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::mechanisms::FORGOTTEN_LINES;
use crate::run::Run;
use crate::text::characters::plain;
use crate::text::lines::is_elision;
use crate::text::tokens::Tokens;
use crate::text::words::MIN_CHANGED_LIKENESS;

/// The least paired share of a line's bytes. In a rewritten line less is paired, by chance: brackets and commas.
pub(crate) const MIN_SHARE: f32 = 0.35;

/// Returns whether none of some tokens has a partner.
pub(crate) fn are_unpaired(partners: &[Option<usize>]) -> bool {
    partners.iter().all(Option::is_none)
}

/// Removes the partners that are vetoed.
fn free(partners: &mut [Option<usize>], is_vetoed: impl Fn(usize) -> bool) {
    for partner in partners {
        *partner = partner.filter(|&partner| !is_vetoed(partner));
    }
}

/// The tokens of an elision have no partners, unless the other text has just that line.
pub(crate) fn elisions(left: &Tokens<'_>, right: &Tokens<'_>, partners: &mut [Option<usize>]) {
    let elisions = left.text.split('\n').enumerate().filter(|(_, text)| is_elision(text));
    for (number, _) in elisions {
        let tokens = left.on_line(number);
        if !is_whole_line(left, right, partners, tokens.clone()) {
            partners[tokens].fill(None);
        }
    }
}

/// Returns whether the partners of a line's tokens are equal tokens of a whole line.
fn is_whole_line(left: &Tokens<'_>, right: &Tokens<'_>, partners: &[Option<usize>], line: Range<usize>) -> bool {
    let Some(first) = partners[line.clone()].first().copied().flatten() else { return false };
    let other = right.line_of(first);
    left.equal(line.clone(), right, other.clone()) && partners[line].iter().copied().eq(other.map(Some))
}

/// New lines that are forgotten lines of the file, equal or changed, have no partners in the old text: a line of the
/// old text that is less similar did not become one of these.
pub(crate) fn forgotten_lines(
    file: &Tokens<'_>,
    file_to_old: &[Option<usize>],
    new: &Tokens<'_>,
    old_to_new: &mut [Option<usize>],
    run: Run<'_>,
) {
    if !run.uses(&FORGOTTEN_LINES) {
        return;
    }
    let is_forgotten = |tokens: &Range<usize>| are_unpaired(&file_to_old[tokens.clone()]);
    let forgotten: Vec<_> = file.full_lines().filter(is_forgotten).map(|line| Letters::of(file, line)).collect();
    if forgotten.is_empty() {
        return;
    }
    let mut paired = vec![Vec::new(); new.lines()];
    for &token in old_to_new.iter().flatten() {
        paired[new.line_number(token)].push(token);
    }
    let is_forgotten_line = |line: &usize| {
        let kept: usize = paired[*line].iter().map(|&token| new.get(token).len()).sum();
        let letters = Letters::of(new, new.on_line(*line));
        forgotten.iter().any(|other| letters.is_changed(other, kept))
    };
    let is_open = |line: &usize| paired[*line].len() < new.on_line(*line).len();
    let lines = (0..new.lines()).filter(is_open).take_while(|_| run.is_needed());
    let vetoed: FxHashSet<usize> = lines.filter(is_forgotten_line).collect();
    free(old_to_new, |partner| vetoed.contains(&new.line_number(partner)));
}

/// Marks of the old text for which the file has others have no partners in the new text where that means another mark:
/// quotes on a line that puts the file's kind between them, where the new text needs its own kind at both ends of the
/// string; and a dash between words, which is no hyphen inside one.
pub(crate) fn respelt_marks(
    file: &Tokens<'_>,
    old: &Tokens<'_>,
    old_to_file: &[Option<usize>],
    new: &Tokens<'_>,
    old_to_new: &mut [Option<usize>],
) {
    let is_quote = |text: &str| matches!(text, "\"" | "'");
    for (index, partner) in old_to_file.iter().enumerate() {
        let (Some(in_file), Some(in_new)) = (*partner, old_to_new[index]) else { continue };
        let (of_old, of_file) = (old.get(index), file.get(in_file));
        if of_old == of_file {
            continue;
        }
        let has_file_mark =
            |text: &Tokens<'_>, token: usize| text.line_of(token).any(|other| text.get(other) == of_file);
        let is_around_others =
            is_quote(of_old) && is_quote(of_file) && has_file_mark(new, in_new) && !has_file_mark(old, index);
        let is_dash_or_hyphen =
            plain(of_file) == Some("-") && old.is_between_blanks(index) != new.is_between_blanks(in_new);
        if is_around_others || is_dash_or_hyphen {
            old_to_new[index] = None;
        }
    }
}

/// The number of bytes of a line in each of its tokens, and in all.
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

    /// Returns whether a line is a changed form of another one, with more than `kept` bytes in common.
    fn is_changed(&self, other: &Self, kept: usize) -> bool {
        let least = MIN_CHANGED_LIKENESS * self.all.max(other.all) as f32;
        if (self.all.min(other.all) as f32) < least {
            return false;
        }
        let in_other = |id| other.of.get(id).copied().unwrap_or(0);
        let common: usize = self.of.iter().map(|(id, bytes)| in_other(id).min(*bytes)).sum();
        common > kept && common as f32 >= least
    }
}
