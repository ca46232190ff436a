//! Mends lines of a needle that were torn: copied without their beginning or their end.
//!
//! A line of the file that goes on where the needle's ends may be another line, or one that somebody has changed since.
//! It is the line that was meant where what it becomes in the new text goes on in the same way, or is torn at the same
//! word: who wrote that has read it.
//!
//! Cost: one pass over needle and new text; where a line is torn, an alignment of the two.

use std::borrow::Cow;

use fuzzy_carry_over::{Line, align_while};
use fuzzy_core::Query;
use fuzzy_core::blank::{self, is_blank};
use rustc_hash::FxHashMap;

use crate::needle::full_lines;
use crate::place::Place;
use crate::readings::Reading;
use crate::search::{Located, Search};

/// What a line lacks, from the torn word on, or up to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lacking<'l> {
    Start(&'l str),
    End(&'l str),
}

impl<'l> Lacking<'l> {
    /// Returns what a line lacks that is the beginning or the end of another.
    fn of(ours: &str, theirs: &'l str) -> Option<Self> {
        let (ours, theirs) = (ours.trim_matches(is_blank), theirs.trim_matches(is_blank));
        let lacking = if let Some(rest) = theirs.strip_prefix(ours) {
            let torn = if rest.starts_with(is_word) { ours.len() - ours.trim_end_matches(is_word).len() } else { 0 };
            Self::End(theirs[ours.len() - torn..].trim_matches(is_blank))
        } else {
            let rest = theirs.strip_suffix(ours)?;
            let torn = if rest.ends_with(is_word) { ours.len() - ours.trim_start_matches(is_word).len() } else { 0 };
            Self::Start(theirs[..rest.len() + torn].trim_matches(is_blank))
        };
        // Marks at the end of a line are many lines' ends.
        let (Self::Start(text) | Self::End(text)) = lacking;
        text.contains(is_word).then_some(lacking)
    }

    /// Returns whether a line begins or ends so, and with no other word.
    fn is_of(self, line: &str) -> bool {
        let line = line.trim_matches(is_blank);
        match self {
            Self::Start(text) => {
                line.strip_prefix(text).is_some_and(|rest| !(text.ends_with(is_word) && rest.starts_with(is_word)))
            }
            Self::End(text) => {
                line.strip_suffix(text).is_some_and(|rest| !(text.starts_with(is_word) && rest.ends_with(is_word)))
            }
        }
    }
}

/// Returns the word that is torn at the end of a line, and what the whole line has more.
fn torn_word<'l>(ours: &'l str, theirs: &'l str) -> Option<(&'l str, &'l str)> {
    let ours = ours.trim_matches(is_blank);
    let rest = theirs.trim_matches(is_blank).strip_prefix(ours).filter(|rest| rest.starts_with(is_word))?;
    let word = &ours[ours.trim_end_matches(is_word).len()..];
    (!word.is_empty()).then_some((word, rest))
}

/// Returns whether a line ends with a word, whatever its letter case.
fn ends_with_word(line: &str, word: &str) -> bool {
    let line = line.trim_matches(is_blank);
    let split = line.len().checked_sub(word.len()).and_then(|at| line.split_at_checked(at));
    split.is_some_and(|(rest, last)| last.eq_ignore_ascii_case(word) && !rest.ends_with(is_word))
}

impl Search<'_> {
    /// Returns the reading of what was found with its torn lines as the file has them; `None` where none is torn.
    #[must_use]
    pub fn mended(&self, query: &Query<'_>, located: &Located) -> Option<Reading<'static>> {
        if located.best.pairs.iter().all(|pair| pair.similarity >= 1.0) {
            return None;
        }
        let reading = &self.readings[located.reading];
        let needle = self.needle(located.reading);
        let new = full_lines(&reading.replacement);
        let torn: Vec<_> = singles(&located.best)
            .filter(|(at, _)| self.is_to_mend(&needle.lines[*at], &new))
            .filter_map(|(at, theirs)| {
                let theirs = self.index.line(theirs);
                Some((at, theirs, Lacking::of(needle.lines[at].text, theirs)?))
            })
            .collect();
        if torn.is_empty() {
            return None;
        }
        let pairs = align_while(&needle.lines, &new, false, &|| !query.is_over()).pairs;
        let (mut old_lines, mut new_lines) = (FxHashMap::default(), FxHashMap::default());
        for (at, theirs, lacking) in torn {
            // What the line becomes; where no line is like it, it may be any that is like none of the needle's.
            let becomes = pairs.iter().find(|pair| (pair.left.0..pair.left.0 + pair.left.1).contains(&at));
            let is_it = |line: usize| match becomes {
                Some(pair) => (pair.right.0..pair.right.0 + pair.right.1).contains(&line),
                None => !pairs.iter().any(|pair| (pair.right.0..pair.right.0 + pair.right.1).contains(&line)),
            };
            let mut counterparts = (0..new.len()).filter(|line| is_it(*line));
            if counterparts.clone().any(|line| lacking.is_of(new[line].text)) {
                old_lines.insert(at, theirs.trim_matches(is_blank).to_owned());
            } else if let Some((word, rest)) = torn_word(needle.lines[at].text, theirs)
                && let Some(line) = counterparts.find(|line| ends_with_word(new[*line].text, word))
            {
                // Whoever tears a word in one text and keeps it in the other tears it there, too.
                old_lines.insert(at, theirs.trim_matches(is_blank).to_owned());
                new_lines.insert(line, format!("{}{rest}", new[line].text.trim_matches(is_blank)));
            }
        }
        (!old_lines.is_empty()).then(|| Reading {
            needle: Cow::Owned(with_lines(&reading.needle, &old_lines)),
            replacement: Cow::Owned(with_lines(&reading.replacement, &new_lines)),
            undone: "torn lines",
        })
    }

    /// Returns whether a line of the needle is one that the edit changes, and that is nowhere in the file.
    fn is_to_mend(&self, line: &Line<'_>, new: &[Line<'_>]) -> bool {
        let is_found = self.places.get(&line.key).is_some_and(|found| found.count > 0);
        let text = line.text.trim_matches(is_blank);
        !line.elision && !is_found && !new.iter().any(|new| new.text.trim_matches(is_blank) == text)
    }
}

/// Returns the lines of needle and file that are paired one by one.
fn singles(place: &Place) -> impl Iterator<Item = (usize, usize)> {
    place.pairs.iter().filter(|pair| pair.left.1 == 1 && pair.right.1 == 1).map(|pair| (pair.left.0, pair.right.0))
}

/// Puts other lines in the place of some that are not blank, which are counted; their indentation stays.
fn with_lines(text: &str, others: &FxHashMap<usize, String>) -> String {
    let mut number = 0;
    let lines = text.split('\n').map(|line| {
        if line.chars().all(is_blank) {
            return Cow::Borrowed(line);
        }
        number += 1;
        others
            .get(&(number - 1))
            .map_or(Cow::Borrowed(line), |other| Cow::Owned(format!("{}{other}", &line[..blank::leading(line)])))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::Lacking;

    #[test]
    fn a_torn_end_is_known_by_its_words() {
        for (ours, theirs, new, known) in [
            ("  # Publish cont", "# Publish container image", "# Build container image", true),
            ("call(a)", "call(a)  # once", "other(a) # once", true),
            ("a = min", "a = mins", "b = max_mins", false),
            ("a = min", "a = mins", "b = mins", true),
            ("f(a", "f(a)", "g(a)", false),
            ("send(x)", "return send(x)", "return put(x)", true),
            ("send(x)", "resend(x)", "resend(y)", true),
            ("send(x)", "resend(x)", "resends(y)", false),
            ("send(x)", "return send(x)", "returned(x)", false),
        ] {
            let lacking = Lacking::of(ours, theirs);
            assert_eq!(lacking.is_some_and(|lacking| lacking.is_of(new)), known, "{ours:?} {theirs:?} {new:?}");
        }
    }
}
