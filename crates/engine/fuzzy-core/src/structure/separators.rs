//! The separators of a sequence, which belong to positions: its last item has none, in many languages.
//!
//! A line that becomes the end of its sequence, or no longer is, gives its separator or takes one. A sequence whose last item
//! ends with a separator needs nothing, and neither do lines that no separator parts.

use super::Outline;
use super::heads::Kind;
use super::strings::outside_strings;
use crate::landing::Splice;
use crate::ranges::lines::is_word_part;
use crate::{RangeRefusal, Span};

const SEPARATOR: char = ',';

/// The lines around a place in a sequence.
pub(crate) struct Sequence<'a, 't> {
    pub(crate) outline: &'a Outline<'t>,
    /// The depth of its items.
    pub(crate) depth: usize,
    /// The line before which the place is.
    pub(crate) at: usize,
    /// Returns whether the edit leaves a line in the text.
    pub(crate) stays: &'a dyn Fn(usize) -> bool,
}

/// The separators that lines need at their new place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Separation {
    /// The line above that gets a separator.
    pub(crate) above: Option<usize>,
    /// Whether the lines end with one; none if that does not matter.
    pub(crate) own: Option<bool>,
}

impl Sequence<'_, '_> {
    fn solid_above(&self, from: usize) -> Option<usize> {
        (0..from).rev().find(|at| (self.stays)(*at) && !self.outline.lines.is_blank(*at))
    }

    fn item_above(&self, from: usize) -> Option<usize> {
        (0..from).rev().find(|at| (self.stays)(*at) && self.outline.is_item(*at))
    }

    fn item_below(&self, from: usize) -> Option<usize> {
        (from..self.outline.lines.len()).find(|at| (self.stays)(*at) && self.outline.is_item(*at))
    }

    /// Returns whether the place is below all items.
    fn is_end(&self) -> bool {
        // At the end of a text, prose would be a sequence.
        self.item_below(self.at).is_some_and(|below| {
            let depth = self.outline.depth(below);
            depth < self.depth || (depth == self.depth && self.outline.is_closing(below))
        })
    }

    /// Returns the last line of the item above, if there is one.
    fn last_item(&self) -> Option<usize> {
        self.item_above(self.at).filter(|above| self.outline.depth(*above) >= self.depth)
    }

    /// Returns whether the nearest end of an item that is not the last one has a separator; none if there is no such item.
    fn is_separated(&self) -> Option<bool> {
        let ends = |end: usize, next: usize| {
            let is_item = self.outline.depth(end) == self.depth && self.outline.depth(next) == self.depth;
            (is_item && !self.outline.is_closing(next)).then(|| has_separator(self.outline.body(end)))
        };
        let mut next = self.last_item();
        while let Some(line) = next {
            let above = self.item_above(line).filter(|above| self.outline.depth(*above) >= self.depth);
            if let Some(ends) = above.and_then(|above| ends(above, line)) {
                return Some(ends);
            }
            next = above;
        }
        let mut line = self.item_below(self.at)?;
        while self.outline.depth(line) >= self.depth {
            let below = self.item_below(line + 1)?;
            if let Some(ends) = ends(line, below) {
                return Some(ends);
            }
            line = below;
        }
        None
    }

    /// Returns what new lines need, of which `first` is the first one. `was_separated` says whether they were in a
    /// sequence with separators.
    ///
    /// # Errors
    ///
    /// Refuses a separator that cannot be added for certain: beside a comment or a string, or if separators begin the lines.
    pub(crate) fn separation(&self, first: &str, was_separated: bool) -> Result<Separation, RangeRefusal> {
        let above = self.last_item();
        let below = if self.is_end() { None } else { self.item_below(self.at) };
        let below = below.filter(|below| self.outline.depth(*below) == self.depth);
        let line = above.or(below);
        let Some(line) = line.filter(|line| !is_prose(self.outline.body(*line)) && !is_prose(first)) else {
            return Ok(Separation { above: None, own: (self.is_empty(first) && was_separated).then_some(false) });
        };
        let begins = |at: Option<usize>| at.is_some_and(|at| self.outline.body(at).starts_with(SEPARATOR));
        let next = below.and_then(|below| self.item_below(below + 1));
        if begins(below) || begins(above) || begins(next) || first.starts_with(SEPARATOR) {
            // The first one has none.
            let fits = above.is_some() && first.starts_with(SEPARATOR);
            return if fits { Ok(Separation::default()) } else { Err(self.refusal(line)) };
        }
        let ends_above = above.is_some_and(|above| has_separator(self.outline.body(above)));
        let is_separated = if below.is_some() && above.is_some() {
            ends_above && self.is_separated() != Some(false)
        } else if ends_above && self.is_end() {
            true
        } else {
            self.is_separated().unwrap_or_else(|| was_separated || self.are_members(line, first))
        };
        if !is_separated || (below.is_none() && !self.is_end()) {
            return Ok(Separation::default());
        }
        match above {
            Some(above) if below.is_none() && !ends_above => {
                let is_beside = self.solid_above(self.at) == Some(above);
                if !is_beside || has_comment(self.outline.body(above)) {
                    return Err(self.refusal(above));
                }
                if !can_be_item(self.outline.body(above)) {
                    return Ok(Separation::default());
                }
                Ok(Separation { above: Some(above), own: Some(false) })
            }
            _ => Ok(Separation { above: None, own: Some(true) }),
        }
    }

    /// Returns the line that loses its separator when the lines from `at` to `end` leave.
    ///
    /// # Errors
    ///
    /// Refuses a separator that cannot be removed for certain.
    pub(crate) fn left_behind(&self, end: usize) -> Result<Option<usize>, RangeRefusal> {
        let last = (self.at..end).rev().find(|at| !self.outline.lines.is_blank(*at));
        let gone = Sequence { at: end, ..*self };
        let Some(above) = self.last_item().filter(|above| has_separator(self.outline.body(*above))) else {
            return Ok(None);
        };
        let Some(last) = last.filter(|_| gone.is_end()) else { return Ok(None) };
        if has_separator(self.outline.body(last)) || is_prose(self.outline.body(above)) {
            return Ok(None);
        }
        let is_known = self.outline.is_item(last) && self.solid_above(self.at) == Some(above);
        if !is_known || has_comment(self.outline.body(above)) {
            return Err(self.refusal(above));
        }
        Ok(Some(above))
    }

    fn is_empty(&self, first: &str) -> bool {
        let opening = self.item_above(self.at).filter(|above| self.outline.depth(*above) < self.depth);
        let is_open = opening.is_some_and(|above| self.outline.body(above).ends_with(['{', '[']));
        is_open && self.is_end() && first.starts_with(['"', '\''])
    }

    /// Returns whether a single item and a new one are members of a list or an object.
    fn are_members(&self, item: usize, new: &str) -> bool {
        let opening = (0..item).rev().find(|at| self.outline.is_code(*at) && self.outline.depth(*at) < self.depth);
        let Some(opening) = opening.and_then(|at| self.outline.body(at).chars().next_back()) else { return false };
        let first = (0..=item).rev().find(|at| self.outline.depth(*at) == self.depth && !self.outline.is_closing(*at));
        let Some(one) = first.map(|at| self.outline.body(at)) else { return false };
        let is_literal = |line: &str| line.starts_with(|c: char| c == '"' || c == '\'' || c.is_ascii_digit());
        let is_key = |line: &str| Kind::of(line).is_key();
        // Beside a key, a name alone is one, too.
        let is_name = |line: &str| line.trim_end_matches(SEPARATOR).trim_start_matches("...").chars().all(is_word_part);
        let are_keys = (is_key(one) && (is_key(new) || is_name(new))) || (is_key(new) && is_name(one));
        match opening {
            '{' => are_keys && !one.ends_with(';') && !new.ends_with(';'),
            '[' => is_literal(one) && is_literal(new),
            _ => false,
        }
    }

    fn refusal(&self, line: usize) -> RangeRefusal {
        RangeRefusal::Separator { line: self.outline.lines.span(&(line..line + 1)) }
    }
}

/// Returns the change that gives a line a separator, or takes it.
pub(crate) fn changed(outline: &Outline<'_>, line: usize, adds: bool) -> Splice {
    let start = outline.lines.start(line) + outline.lead(line).len();
    let end = start + outline.body(line).len();
    if adds {
        Splice { span: Span::new(end, end), text: SEPARATOR.to_string() }
    } else {
        Splice { span: Span::new(end - 1, end), text: String::new() }
    }
}

/// Returns lines with a separator at their end, or without one; none if a comment is there. Behind a semicolon or an open
/// bracket no separator stands.
pub(crate) fn fitted(text: &str, is_separated: bool) -> Option<String> {
    let solid = text.trim_end();
    let (body, rest) = (solid.rsplit('\n').next().unwrap_or(solid), &text[solid.len()..]);
    if has_separator(body) == is_separated || (is_separated && code(body).ends_with([';', '{', '[', '('])) {
        return Some(text.to_owned());
    }
    if has_comment(body) || super::is_comment(body.trim_start()) {
        return None;
    }
    Some(if is_separated {
        format!("{solid}{SEPARATOR}{rest}")
    } else {
        format!("{}{rest}", &solid[..solid.len() - 1])
    })
}

/// Returns whether a line can end an item: after another mark, such as a semicolon, no separator stands.
fn can_be_item(body: &str) -> bool {
    code(body).ends_with(|c: char| c.is_alphanumeric() || "_)]}>\"'`".contains(c))
}

/// Returns whether the code of a line ends with a separator.
pub(crate) fn has_separator(body: &str) -> bool {
    code(body).ends_with(SEPARATOR)
}

fn has_comment(body: &str) -> bool {
    code(body).len() < body.trim_end().len()
}

/// Returns a line without a comment at its end.
fn code(body: &str) -> &str {
    let comment = outside_strings(body).find(|(at, _)| {
        let is_apart = body[..*at].ends_with(char::is_whitespace);
        let begins = |mark| body[*at..].starts_with(mark);
        begins("/*") || begins("//") && !body[..*at].ends_with(':') || is_apart && (begins("#") || begins("-- "))
    });
    body[..comment.map_or(body.len(), |(at, _)| at)].trim_end()
}

/// Returns whether a line is an item of prose, where a separator is only a mark.
fn is_prose(body: &str) -> bool {
    ["- ", "* ", "+ ", "> ", "|", "#"].iter().any(|mark| body.starts_with(mark))
}
