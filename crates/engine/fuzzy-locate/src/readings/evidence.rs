//! Undoes a slip in a new text by the new text's own evidence.
//!
//! A slip is a distortion of lines: line numbers, escapes, a gutter. The file shows which slip the needle has. The new
//! text has the slip where it shares lines with the needle, and everywhere if no line lacks it that could have it.
//! Other lines are the author's own: `404` is no line number because the needle has some.
//!
//! Cost: one pass over both texts; a comparison of the words of each pair of changed lines with the slip.

use std::borrow::Cow;

use fuzzy_merge::{is_word, squeezed};
use rustc_hash::FxHashSet;

/// The evidence of a line for a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// It has the slip.
    Slipped,
    /// It could have the slip, and lacks it.
    Clean,
    /// It has the slip in one part, and lacks it in another.
    Mixed,
    /// It cannot have the slip.
    Free,
}

use Evidence::{Clean, Free, Mixed, Slipped};

/// Whether a line of a new text has a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// It has the slip, or a part of it, and may have it on purpose.
    Open,
}

/// A slip of lines.
pub(crate) struct Slip<'s> {
    /// Returns the evidence of a line of a text, from all its lines and the line's index.
    pub(crate) evidence: &'s dyn Fn(&[&str], usize) -> Evidence,
    /// Undoes the slip in a line.
    pub(crate) undo: &'s dyn Fn(&str) -> String,
    /// Returns the part of a line that is the slip, if two lines have it only because one is a copy of the other.
    pub(crate) token: &'s dyn for<'l> Fn(&'l str) -> Option<&'l str>,
}

impl Slip<'_> {
    /// Undoes the slip in a new text where its own evidence says so; none if a line leaves it open.
    pub(crate) fn undo_in_new<'t>(&self, needle: &str, new: &'t str) -> Option<Cow<'t, str>> {
        let (old, lines): (Vec<&str>, Vec<&str>) = (needle.split('\n').collect(), new.split('\n').collect());
        let answers = self.answers(&old, &lines);
        let undone = lines.iter().zip(answers).map(|(&line, answer)| match answer {
            Answer::Yes => Some(Cow::Owned((self.undo)(line))),
            Answer::No => Some(Cow::Borrowed(line)),
            Answer::Open => None,
        });
        Some(Cow::Owned(undone.collect::<Option<Vec<_>>>()?.join("\n")))
    }

    /// Returns whether each line of a new text has the slip, by the evidence of all lines.
    fn answers(&self, old: &[&str], lines: &[&str]) -> Vec<Answer> {
        let evidence: Vec<Evidence> = (0..lines.len()).map(|at| (self.evidence)(lines, at)).collect();
        // A kept line is a copy like the needle, and no evidence of the author's own writing.
        let of_old: FxHashSet<String> = old.iter().map(|line| squeezed(line)).collect();
        let kept: Vec<bool> = lines.iter().map(|line| of_old.contains(&squeezed(line))).collect();
        let own = || (0..lines.len()).filter(|&at| !kept[at]);
        let slipped: Vec<usize> = (0..lines.len()).filter(|&at| evidence[at] == Slipped).collect();
        let is_clean = own().any(|at| matches!(evidence[at], Clean | Mixed));
        let mut changed = FxHashSet::default();
        if own().any(|at| matches!(evidence[at], Slipped | Mixed)) {
            changed.extend(self.changed_lines(old, lines, &kept));
        }
        // In a text without the slip, a line that begins like one with it has another meaning.
        if !is_clean || slipped.iter().any(|at| kept[*at]) {
            changed.extend(self.lines_with_token(old, lines));
        }
        let is_shared = slipped.iter().any(|at| kept[*at] || changed.contains(at));
        let is_everywhere = !is_clean && (is_shared || slipped.len() > 1);
        let answer = |at: usize| match evidence[at] {
            _ if kept[at] || is_everywhere => Answer::Yes,
            Slipped if changed.contains(&at) => Answer::Yes,
            // One line that has the slip, and none that lacks it, is no evidence for either.
            Slipped if is_shared || !is_clean => Answer::Open,
            Mixed if is_shared || changed.contains(&at) => Answer::Open,
            Slipped | Mixed | Clean | Free => Answer::No,
        };
        (0..lines.len()).map(answer).collect()
    }

    /// Returns the lines of the new text that are changed lines of the needle with the slip: they share half of their
    /// words with it.
    fn changed_lines(&self, old: &[&str], new: &[&str], kept: &[bool]) -> Vec<usize> {
        let is_slipped = |at: &usize| matches!((self.evidence)(old, *at), Slipped | Mixed);
        let slipped: Vec<String> = (0..old.len()).filter(is_slipped).map(|at| (self.undo)(old[at])).collect();
        let slipped: Vec<FxHashSet<&str>> = slipped.iter().map(|line| words(line).collect()).collect();
        let is_changed = |line: &str| {
            let line = (self.undo)(line);
            let count = words(&line).count();
            let shared = |of_old: &FxHashSet<&str>| words(&line).filter(|word| of_old.contains(word)).count();
            count > 0 && slipped.iter().any(|of_old| 2 * shared(of_old) >= count)
        };
        (0..new.len()).filter(|&at| !kept[at] && is_changed(new[at])).collect()
    }

    /// Returns the lines of the new text whose slip a line of the needle has.
    fn lines_with_token(&self, old: &[&str], new: &[&str]) -> Vec<usize> {
        let of_old: FxHashSet<&str> = old.iter().filter_map(|line| (self.token)(line)).collect();
        (0..new.len()).filter(|&at| (self.token)(new[at]).is_some_and(|token| of_old.contains(token))).collect()
    }
}

/// Returns the words of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}
