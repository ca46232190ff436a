//! Detects placeholders in the new text: `// ... rest of code unchanged`.
//!
//! Models write such a line instead of copying unchanged lines. Pasted as it is, it replaces lines that the model did
//! not intend to remove.

mod kind;

use std::collections::{HashMap, HashSet};

use fuzzy_core::{Applied, LineRange, Span, line_end, line_start};

use crate::{Code, Failure, excerpt};
use kind::{Kind, is_dots};

/// Statements without effect, which `...` may replace.
const NOTHING: &[&str] = &["pass", "raise NotImplementedError", "raise NotImplementedError()", "return NotImplemented"];

/// A placeholder line in the new text, and the old lines that it would delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The line, without the blanks at its ends.
    pub line: String,
    /// The old lines that it would delete, from the first to the last.
    pub lost: Span,
}

impl Placeholder {
    /// Returns the first placeholder in the result of an edit of `text`.
    ///
    /// Returns `None` if the old text or the file has such a line itself, or if no line would be deleted: then the line
    /// is not a placeholder.
    ///
    /// # Complexity
    ///
    /// One pass over the new text; one over the file only if the new text has such a line.
    #[must_use]
    pub fn find(text: &str, old: &str, applied: &Applied) -> Option<Self> {
        let place = applied.replaced.first()?;
        let new = lines_around(&applied.output, place.after).text(&applied.output);
        let held: Vec<usize> = positions(new, |line| Kind::of(line).is_some());
        if held.is_empty() || old.lines().any(|line| Kind::of(line).is_some()) {
            return None;
        }
        let span = lines_around(text, place.before);
        let (old, new): (Vec<&str>, Vec<&str>) = (span.text(text).lines().collect(), new.lines().collect());
        held.into_iter().find_map(|at| {
            let line = new[at].trim();
            let gone = lost(&old, &new, at);
            let (first, end) = (*gone.first()?, *gone.last()?);
            let is_intended = match Kind::of(line) {
                Some(Kind::Ellipsis) => has_ellipsis(text) || gone.iter().all(|at| NOTHING.contains(&old[*at].trim())),
                _ => text.lines().any(|other| other.trim() == line),
            };
            (!is_intended).then(|| Self { line: line.to_owned(), lost: lines_of(text, span, first, end) })
        })
    }

    /// Returns the first placeholder of an edit of `text` that names lines, whatever it deletes.
    #[must_use]
    pub fn in_lines(text: &str, applied: &Applied) -> Option<Self> {
        // An insertion deletes nothing.
        let old = applied.replaced.first().map(|place| place.before.text(text)).filter(|old| !old.is_empty());
        old.and_then(|old| Self::find(text, old, applied)).or_else(|| Self::inserted(text, applied))
    }

    /// Returns the first placeholder among the new lines of an edit of `text`, whether it deletes lines or not; none if the
    /// file has such a line itself.
    fn inserted(text: &str, applied: &Applied) -> Option<Self> {
        let place = applied.replaced.first()?;
        let is_placeholder = |line: &&str| match Kind::of(line) {
            Some(Kind::Ellipsis) => !has_ellipsis(text),
            Some(_) => text.lines().all(|other| other.trim() != line.trim()),
            None => false,
        };
        let line = place.after.text(&applied.output).lines().find(is_placeholder)?.trim().to_owned();
        Some(Self { line, lost: Span::new(place.before.start(), place.before.start()) })
    }

    /// Makes the failure; `text` is the file's text.
    #[must_use]
    pub fn failure(&self, text: &str) -> Failure {
        if self.lost.is_empty() {
            let message = format!("the new text has `{}`, which stands for other lines", excerpt(&self.line, 0, 60));
            return Failure::new(Code::Placeholder, message, "Write these lines out, or leave the placeholder out.");
        }
        let lines = LineRange::of(text, self.lost);
        let line = excerpt(&self.line, 0, 60);
        let message = format!("the new text has `{line}` instead of {lines}, which would be lost");
        let next_step = format!("Write {lines} out in the new text, or leave them out of both texts.");
        let mut failure = Failure::new(Code::Placeholder, message, next_step).at(vec![lines], 1);
        failure.details.lost = Some(self.lost.text(text).to_owned());
        failure
    }
}

/// Returns whether a file has an ellipsis as a statement or as a paragraph.
fn has_ellipsis(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| is_dots(line) || line.ends_with(": ..."))
}

/// Returns the numbers of the lines for which `is` holds.
fn positions(text: &str, is: impl Fn(&str) -> bool) -> Vec<usize> {
    text.lines().enumerate().filter(|(_, line)| is(line)).map(|(at, _)| at).collect()
}

/// Returns the lines of `old` that the placeholder at line `at` of `new` replaces: the lines between the kept line
/// above and the kept line below, except those that the new text has unchanged or rewritten.
fn lost(old: &[&str], new: &[&str], at: usize) -> Vec<usize> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, line) in old.iter().enumerate() {
        places.entry(line.trim()).or_default().push(number);
    }
    let mut above = new[..at].iter().rev().filter(|line| has_words(line));
    let above = above.find_map(|line| places.get(line.trim())?.first().copied());
    let from = above.map_or(0, |number| number + 1);
    let below = new[at + 1..].iter().filter(|line| has_words(line));
    let mut below = below.filter_map(|line| places.get(line.trim()));
    let to = below.find_map(|numbers| numbers.iter().copied().find(|number| *number >= from)).unwrap_or(old.len());
    let kept: HashSet<&str> = new.iter().map(|line| line.trim()).collect();
    let brought: Vec<&str> = new
        .iter()
        .map(|line| line.trim())
        .filter(|line| !places.contains_key(line) && Kind::of(line).is_none())
        .collect();
    let mut gone: Vec<usize> = (from..to).collect();
    gone.retain(|number| {
        let line = old[*number].trim();
        has_words(line) && !kept.contains(line) && !brought.iter().any(|new| is_alike(line, new))
    });
    gone
}

fn has_words(line: &str) -> bool {
    line.contains(char::is_alphanumeric)
}

/// Returns whether one line is the other rewritten: they share half of their words.
fn is_alike(one: &str, other: &str) -> bool {
    let (one, mut other) = (words(one), words(other));
    let longest = one.len().max(other.len());
    let shared = one.iter().filter(|word| {
        let at = other.iter().position(|theirs| theirs == *word);
        at.map(|at| other.swap_remove(at)).is_some()
    });
    shared.count() * 2 >= longest
}

fn words(line: &str) -> Vec<&str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect()
}

/// Widens a span to whole lines, without the last line break.
fn lines_around(text: &str, span: Span) -> Span {
    let start = line_start(text, span.start());
    let last = if span.end() > start && text[..span.end()].ends_with('\n') { span.end() - 1 } else { span.end() };
    Span::new(start, line_end(text, last.max(start)))
}

/// Returns the span of the lines `first` to `last` of a part of the text.
fn lines_of(text: &str, part: Span, first: usize, last: usize) -> Span {
    let mut starts = vec![part.start()];
    starts.extend(memchr::memchr_iter(b'\n', part.text(text).as_bytes()).map(|at| part.start() + at + 1));
    Span::new(starts[first], line_end(text, starts[last]))
}
