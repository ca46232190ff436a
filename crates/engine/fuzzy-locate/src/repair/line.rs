//! Lines of a needle beside the file's lines.

use std::borrow::Cow;

use fuzzy_core::blank::{self, is_blank};
use fuzzy_merge::is_word;
use rustc_hash::FxHashMap;

use crate::bounds::tears_word;

/// A line of a needle that is the beginning or the end of a line of the file; both without the blanks around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TruncatedLine<'l> {
    /// The index of the needle's line.
    pub(super) at: usize,
    pub(super) ours: &'l str,
    pub(super) theirs: &'l str,
    pub(super) missing: Missing<'l>,
}

/// The part of the file's line that the needle's line lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing<'l> {
    Before(&'l str),
    After(&'l str),
}

impl<'l> TruncatedLine<'l> {
    /// Compares a line of the needle with one of the file; none if it is not truncated.
    pub(super) fn of(at: usize, ours: &'l str, theirs: &'l str) -> Option<Self> {
        let (ours, theirs) = (ours.trim_matches(is_blank), theirs.trim_matches(is_blank));
        let missing = match theirs.strip_prefix(ours) {
            Some(rest) => Missing::After(rest),
            None => Missing::Before(theirs.strip_suffix(ours)?),
        };
        // A word is completed at its end alone: `read_timeout` is another name than `timeout`.
        let is_torn = matches!(missing, Missing::Before(rest) if tears_word(theirs, rest.len()));
        (ours.len() < theirs.len() && !is_torn).then_some(Self { at, ours, theirs, missing })
    }

    /// Returns the truncated word; none if the line is truncated between words.
    pub(super) fn word(&self) -> Option<&'l str> {
        let Missing::After(rest) = self.missing else { return None };
        let word = &self.ours[self.ours.trim_end_matches(is_word).len()..];
        (rest.starts_with(is_word) && !word.is_empty()).then_some(word)
    }

    /// Returns whether a line has this line's word or mark at the truncated end.
    pub(super) fn may_be_same(&self, line: &str) -> bool {
        let line = line.trim_matches(is_blank);
        match self.missing {
            Missing::Before(_) => first_word(line) == first_word(self.ours),
            Missing::After(_) => last_word(line) == last_word(self.ours),
        }
    }

    /// Returns whether the line lacks only marks.
    pub(super) fn lacks_marks(&self) -> bool {
        let (Missing::Before(rest) | Missing::After(rest)) = self.missing;
        !rest.contains(is_word)
    }

    /// Returns whether the line lacks only the mark at its end.
    pub(super) fn lacks_mark(&self) -> bool {
        matches!(self.missing, Missing::After(";" | ","))
    }

    /// Returns whether a line has the missing part at the same end, with the whole truncated word.
    pub(super) fn shares_missing(&self, line: &str) -> bool {
        let line = line.trim_matches(is_blank);
        match self.missing {
            // Many lines have the same marks at their ends.
            Missing::Before(rest) | Missing::After(rest) if !rest.contains(is_word) => false,
            Missing::Before(rest) => {
                let rest = rest.trim_matches(is_blank);
                line.starts_with(rest) && !tears_word(line, rest.len())
            }
            Missing::After(rest) => {
                let truncated = self.word().map_or(0, str::len);
                let rest = self.theirs[self.theirs.len() - rest.len() - truncated..].trim_matches(is_blank);
                line.ends_with(rest) && !tears_word(line, line.len() - rest.len())
            }
        }
    }
}

/// Returns the first word of a text, with the marks before it.
fn first_word(text: &str) -> &str {
    let marks = text.len() - text.trim_start_matches(|c| !is_word(c)).len();
    let word = text[marks..].find(|c| !is_word(c)).map_or(text.len(), |length| marks + length);
    &text[..word]
}

/// Returns the last word of a text, with the marks after it.
fn last_word(text: &str) -> &str {
    let marks = text.trim_end_matches(|c| !is_word(c)).len();
    &text[text[..marks].trim_end_matches(is_word).len()..]
}

/// Returns a text with the indentation of a line.
pub(super) fn indented_as(line: &str, text: &str) -> String {
    format!("{}{}", &line[..blank::leading(line)], text.trim_matches(is_blank))
}

/// Replaces lines by their index among those that are not blank; keeps their indentation.
pub(super) fn replace_lines(text: &str, others: &FxHashMap<usize, String>) -> String {
    let mut number = 0;
    let lines = text.split('\n').map(|line| {
        if line.chars().all(is_blank) {
            return Cow::Borrowed(line);
        }
        number += 1;
        others.get(&(number - 1)).map_or(Cow::Borrowed(line), |other| Cow::Owned(indented_as(line, other)))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::TruncatedLine;

    #[test]
    fn a_missing_part_is_known_by_its_words() {
        for (ours, theirs, new, known) in [
            ("  # Publish cont", "# Publish container image", "# Build container image", true),
            ("call(a)", "call(a)  # once", "other(a) # once", true),
            ("a = min", "a = mins", "b = max_mins", false),
            ("a = min", "a = mins", "b = mins", true),
            ("f(a", "f(a)", "g(a)", false),
            ("send(x)", "return send(x)", "return put(x)", true),
            ("send(x)", "resend(x)", "resend(y)", false),
            ("send(x)", "return send(x)", "returned(x)", false),
        ] {
            let truncated = TruncatedLine::of(0, ours, theirs);
            assert_eq!(
                truncated.is_some_and(|truncated| truncated.shares_missing(new)),
                known,
                "{ours:?} {theirs:?} {new:?}"
            );
        }
    }
}
