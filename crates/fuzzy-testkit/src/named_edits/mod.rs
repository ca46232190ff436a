//! Edits that name lines by their ends, made from edits that quote all of them, and from blocks of real texts.
//!
//! The expected text comes from substring operations alone.

mod blocks;
mod generated;
mod slips;

use fuzzy_core::{Applied, Document, Edit, Failure, Pipeline};

pub use self::blocks::{Block, blocks};
pub use self::generated::cases;
pub use self::slips::slipped;

/// The lines of a first text, at most.
const FIRST: usize = 3;

/// The lines of a last text or an anchor, at most.
const LAST: usize = 6;

/// An edit that names lines, and the expected text.
#[derive(Clone, Debug)]
pub struct Named {
    /// The text to edit.
    pub content: String,
    /// The quote that names the lines.
    pub place: Place,
    /// The new text.
    pub new: String,
    /// The text after the edit.
    pub expected: String,
}

/// The quote that names the lines of an edit.
#[derive(Clone, Debug)]
pub enum Place {
    /// The first and the last lines of the replaced ones.
    Range {
        /// The first lines.
        first: String,
        /// The last lines.
        last: String,
    },
    /// The lines above the new ones.
    After(String),
    /// The lines below the new ones.
    Before(String),
    /// The numbers of the replaced lines, counted from 1, with guards.
    Numbers {
        /// The first and the last number.
        lines: (usize, usize),
        /// The first lines.
        first: String,
        /// The last lines; may be empty.
        last: String,
    },
}

impl Place {
    /// Returns the number of characters of the quotes.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.quotes().map(|quote| quote.chars().count()).sum()
    }

    /// Returns the quote of the first lines, or of those beside an insertion.
    #[must_use]
    pub fn quoted(&self) -> &str {
        self.quotes().next().unwrap_or_default()
    }

    fn quotes(&self) -> impl Iterator<Item = &str> {
        let quotes = match self {
            Self::Range { first, last } | Self::Numbers { first, last, .. } => [first.as_str(), last],
            Self::After(anchor) | Self::Before(anchor) => [anchor.as_str(), ""],
        };
        quotes.into_iter()
    }
}

impl Named {
    /// Returns the edit.
    #[must_use]
    pub fn edit(&self) -> Edit<'_> {
        match &self.place {
            Place::Range { first, last } => Edit::range(first, last, &self.new),
            Place::After(anchor) => Edit::after(anchor, &self.new),
            Place::Before(anchor) => Edit::before(anchor, &self.new),
            Place::Numbers { lines: (from, to), first, last } => {
                Edit::range(first, last, &self.new).lines(&(*from..=*to))
            }
        }
    }

    /// Returns whether the first quote is exactly the lines of some place.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        places(&self.content, &self.place.quoted().lines().collect::<Vec<_>>()) > 0
    }

    /// Applies the edit.
    ///
    /// # Errors
    ///
    /// Returns the [`Failure`] of the edit.
    pub fn apply(&self, pipeline: &Pipeline) -> Result<Applied, Failure> {
        self.edit().run(pipeline, &Document::new(self.content.as_str()))
    }
}

/// Returns the ways to name the lines of an edit that replaces `old` by its ends, the shortest quotes first; none if it
/// does not replace at least `least` whole lines, or if the two texts do not end alike.
#[must_use]
pub fn ranges(content: &str, old: &str, new: &str, least: usize) -> Vec<Named> {
    let Some((start, end)) = whole_lines(content, old) else { return Vec::new() };
    let is_alike = if new.is_empty() { old.ends_with('\n') } else { old.ends_with('\n') == new.ends_with('\n') };
    let lines: Vec<&str> = old.strip_suffix('\n').unwrap_or(old).split('\n').collect();
    let has_blank_end = |text: &str| {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let ends = [text.split('\n').next(), text.rsplit('\n').next()];
        ends.into_iter().flatten().any(|line| line.trim().is_empty())
    };
    if !is_alike || lines.len() < least || has_blank_end(old) {
        return Vec::new();
    }
    let expected = [&content[..start], new, &content[end..]].concat();
    let count = (1..=FIRST).find(|count| places(content, &lines[..*count]) == 1).unwrap_or(FIRST);
    let longest = LAST.min(lines.len() - count);
    // The author extends the last lines until they do not occur before the end.
    let is_first = |last: &usize| {
        let rest: Vec<&str> = lines[count..].iter().map(|line| line.trim()).collect();
        let end = &rest[rest.len() - last..];
        rest.windows(*last).position(|window| window == end) == Some(rest.len() - last)
    };
    let shortest = (1..=longest).find(is_first).unwrap_or(longest);
    let named = (shortest..=longest).map(|last| Named {
        content: content.to_owned(),
        place: Place::Range { first: lines[..count].join("\n"), last: lines[lines.len() - last..].join("\n") },
        new: new.to_owned(),
        expected: expected.clone(),
    });
    named.collect()
}

/// Returns the ways to name the place of an edit that only inserts lines by the lines beside it, the shortest quotes first;
/// none if it does not only insert whole lines.
#[must_use]
pub fn insertions(content: &str, old: &str, new: &str) -> Vec<Named> {
    let Some((start, end)) = whole_lines(content, old) else { return Vec::new() };
    if old.ends_with('\n') != new.ends_with('\n') {
        return Vec::new();
    }
    let split = |text: &'_ str| -> Vec<String> {
        text.strip_suffix('\n').unwrap_or(text).split('\n').map(str::to_owned).collect()
    };
    let (old, written) = (split(old), split(new));
    let above = old.iter().zip(&written).take_while(|(old, new)| old == new).count();
    if written.len() <= old.len() || !written.ends_with(&old[above..]) {
        return Vec::new();
    }
    let expected = [&content[..start], new, &content[end..]].concat();
    let added = written[above..written.len() - (old.len() - above)].join("\n") + "\n";
    let has_solid_end = |lines: &[String], at: Option<usize>| {
        at.and_then(|at| lines.get(at)).is_some_and(|line| !line.trim().is_empty())
    };
    let (up, down) = (&old[..above], &old[above..]);
    let mut all = Vec::new();
    for count in 1..=LAST {
        if count <= up.len() && has_solid_end(up, up.len().checked_sub(1)) && has_solid_end(up, Some(up.len() - count))
        {
            all.push(Place::After(up[up.len() - count..].join("\n")));
        }
        if count <= down.len() && has_solid_end(down, Some(0)) && has_solid_end(down, Some(count - 1)) {
            all.push(Place::Before(down[..count].join("\n")));
        }
    }
    let named = |place| Named { content: content.to_owned(), place, new: added.clone(), expected: expected.clone() };
    all.into_iter().map(named).collect()
}

/// Returns the only place of a text that consists of whole lines.
fn whole_lines(content: &str, old: &str) -> Option<(usize, usize)> {
    let mut places = content.match_indices(old);
    let ((start, _), None) = (places.next()?, places.next()) else { return None };
    let end = start + old.len();
    let is_begin = start == 0 || content[..start].ends_with('\n');
    let is_end = old.ends_with('\n') || content[end..].is_empty() || content[end..].starts_with('\n');
    (is_begin && is_end && !old.trim().is_empty()).then_some((start, end))
}

/// Returns the number of places of some lines.
fn places(content: &str, lines: &[&str]) -> usize {
    let all: Vec<&str> = content.lines().collect();
    all.windows(lines.len()).filter(|window| *window == lines).count()
}
