//! Finds the new version of a line that is truncated in both texts: an author who omits a keyword, a comment or the end
//! of a line in one text omits it in the other, too.

use std::ops::Range;

use fuzzy_core::blank::{self, is_blank};
use fuzzy_merge::{Brackets, Line, Pair, comment_mark, is_word};

use super::line::{Missing, TruncatedLine};

/// The aligned lines of a needle and its new text.
pub(super) struct Rewrite<'t> {
    pub(super) old: &'t [Line<'t>],
    pub(super) new: &'t [Line<'t>],
    pub(super) pairs: &'t [Pair],
}

/// The lines of needle and new text between two common lines.
pub(super) struct Hunk {
    old: Range<usize>,
    pub(super) new: Range<usize>,
}

impl Rewrite<'_> {
    /// Finds the line of the new text that is truncated like one of the needle's; returns its index and its repaired
    /// text. `hunk` has the lines around it, `counterparts` the possible new versions among them.
    pub(super) fn truncated_in_both(
        &self,
        truncated: &TruncatedLine<'_>,
        hunk: &Hunk,
        counterparts: &[usize],
    ) -> Option<(usize, String)> {
        let text = |line: usize| self.new[line].text.trim_matches(is_blank);
        let one = (hunk.new.len() == 1).then_some(hunk.new.start);
        if (0..self.new.len()).any(|line| text(line) == truncated.theirs) {
            return None;
        }
        // A kept line that moves to another indentation.
        if let Some(line) = hunk.new.clone().find(|line| text(*line) == truncated.ours) {
            // No mark ends the argument of a call.
            let is_argument = truncated.lacks_mark() && self.is_in_expression(hunk.new.start..line);
            return (!is_argument).then(|| (line, truncated.theirs.to_owned()));
        }
        match (truncated.missing, truncated.word()) {
            (Missing::After(rest), Some(word)) => {
                let line = counterparts.iter().copied().find(|line| ends_with_word(text(*line), word))?;
                Some((line, format!("{}{rest}", text(line))))
            }
            (Missing::After(rest), None) => {
                if let Some(mark) = comment_after(rest)
                    && Brackets::of(truncated.ours) == Brackets::of(truncated.theirs)
                {
                    // An author who writes the comment after another line has read it.
                    let is_known = self.new.iter().any(|line| truncated.shares_missing(line.text));
                    let line = one.filter(|line| !is_known && !text(*line).contains(mark))?;
                    return Some((line, format!("{}{rest}", text(line))));
                }
                let line = self.unclosed_in_both(truncated, hunk).or_else(|| self.unended_in_both(truncated, hunk))?;
                let ours = self.new[line].text.trim_start_matches(is_blank);
                // Only one of the two adds the blanks between them.
                let rest = if ours.ends_with(is_blank) || text(line).ends_with(['(', '[', '{']) {
                    rest.trim_start_matches(is_blank)
                } else {
                    rest
                };
                Some((line, format!("{ours}{rest}")))
            }
            // The longer line may be the sibling's: `read_timeout: 10` for `timeout: 10`.
            (Missing::Before(_), _) => None,
        }
    }

    /// Returns whether lines of the new text leave a bracket of an expression open.
    fn is_in_expression(&self, lines: Range<usize>) -> bool {
        let mut open = Brackets::default();
        self.new[lines].iter().for_each(|line| open.read(line.text, |_, _| {}));
        open.unclosed.last().is_some_and(|bracket| matches!(*bracket, "(" | "["))
    }

    /// Returns the only new line around a truncated one with the same unclosed brackets, which the file's line closes.
    fn unclosed_in_both(&self, truncated: &TruncatedLine<'_>, hunk: &Hunk) -> Option<usize> {
        let open = Brackets::of(truncated.ours);
        if open.unclosed.is_empty() || open == Brackets::of(truncated.theirs) {
            return None;
        }
        let (old, new) = (&self.old[hunk.old.clone()], &self.new[hunk.new.clone()]);
        let is_open = |line: &Line<'_>| Brackets::of(line.text) == open;
        let only = |lines: &[Line<'_>]| lines.iter().filter(|line| is_open(line)).count() == 1;
        // Other lines of the same text may close the brackets.
        let depth = |lines: &[Line<'_>]| lines.iter().map(|line| Brackets::of(line.text).depth()).sum::<isize>();
        if !only(old) || !only(new) || depth(old) != depth(new) {
            return None;
        }
        hunk.new.clone().find(|line| is_open(&self.new[*line]))
    }

    /// Returns the only line around a truncated one with the same end, without the missing mark, and without a deeper
    /// line after it. No other changed line may have this end.
    fn unended_in_both(&self, truncated: &TruncatedLine<'_>, hunk: &Hunk) -> Option<usize> {
        if !truncated.lacks_mark() {
            return None;
        }
        let end = truncated.ours.chars().next_back()?;
        let ends = |line: &&Line<'_>| line.text.trim_matches(is_blank).ends_with(end);
        let depth = |line: usize| blank::leading(self.new[line].text);
        let mut found = hunk.new.clone().filter(|line| ends(&&self.new[*line]));
        let line = found.next()?;
        let becomes = self.pairs.iter().find(|pair| pair.left.contains(&truncated.at));
        let is_another = becomes.is_some_and(|pair| !pair.right.contains(&line));
        let is_only = found.next().is_none() && self.old[hunk.old.clone()].iter().filter(ends).count() == 1;
        let goes_on = line + 1 < self.new.len() && depth(line + 1) > depth(line);
        (is_only && !is_another && !goes_on).then_some(line)
    }

    /// Returns the lines of needle and new text around one of the needle's, up to the next common lines.
    pub(super) fn hunk(&self, at: usize) -> Hunk {
        let kept = || self.pairs.iter().filter(|pair| pair.similarity >= 1.0 && !pair.left.contains(&at));
        let before = kept().rfind(|pair| pair.left.start < at);
        let after = kept().find(|pair| pair.left.start > at);
        let (from, start) = before.map_or((0, 0), |pair| (pair.left.end, pair.right.end));
        let (to, end) = after.map_or((self.old.len(), self.new.len()), |pair| (pair.left.start, pair.right.start));
        Hunk { old: from..to, new: start..end }
    }
}

/// Returns the mark of the comment that follows a line after a blank.
pub(super) fn comment_after(rest: &str) -> Option<&'static str> {
    comment_mark(rest.trim_start_matches(is_blank)).filter(|_| rest.starts_with(is_blank))
}

/// Returns whether a line ends with a word, in any letter case.
fn ends_with_word(line: &str, word: &str) -> bool {
    let split = line.len().checked_sub(word.len()).and_then(|at| line.split_at_checked(at));
    split.is_some_and(|(rest, last)| last.eq_ignore_ascii_case(word) && !rest.ends_with(is_word))
}
