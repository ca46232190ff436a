//! Carries a replacement over to the file's own text.
//!
//! An edit names a needle and a replacement. Where the needle was found only approximately, the
//! replacement was written against the wrong text: pasting it would undo whatever the needle got
//! wrong. So the replacement is read as a change of the needle, and that change is applied to the
//! text that the file really has.
//!
//! - What the edit keeps comes from the file, byte for byte: indentation, blanks at line ends,
//!   curly quotes, comments and lines that the needle forgot.
//! - What the edit changes or adds comes from the replacement, in the file's style: its step of
//!   indentation, its line ending, its kind of quotes where the needle consistently had another.
//! - What cannot be mapped without a guess is reported as a [`Doubt`]; a caller decides.
//!
//! Pure: text in, text out.

mod align;
mod pieces;
mod render;
mod text;

use std::ops::Range;

pub use align::lines::{Alignment, Pair, align};
pub use text::fold::{Key, equal_but_blanks, fold, folded, is_blank, key, squeezed};
pub use text::lines::{Line, information, is_elision};

use align::texts::Texts;
use pieces::{Pieces, extent, shown};
use render::dialect::Dialect;
use render::indent::Indents;
use render::{Style, render, scale};

/// A text longer than this is refused: offsets are kept in 32 bits.
const LONGEST: usize = u32::MAX as usize / 2;

/// Names a reason to doubt a carried-over text: a guess was needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Doubt {
    /// What the edit replaces does not stand in the file.
    Absent,
    /// File and new text differ from the needle at the same place, each in its own way.
    Conflict,
    /// Lines that the needle does not have stand among those that the edit deletes.
    ForgottenLines,
    /// New lines have lost the indentation that they need, as the whole needle has.
    Indentation,
    /// The change reaches an end of the needle that does not stand in the file.
    Unpinned,
    /// New lines belong somewhere among lines that the needle does not have.
    InsertionPoint,
}

/// Sums, in characters, how much of the needle stands in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Evidence {
    /// Counts the needle's characters that are not blank.
    pub needle: f32,
    /// Counts those of them that the file has, a miscopied word in part.
    pub needle_found: f32,
    /// Counts the characters of the lines from which the edit takes something away.
    pub touched: f32,
    /// Counts those of them that the file has.
    pub touched_found: f32,
    /// Counts the words of the needle where the file has quite another word, or another number.
    pub another: usize,
    /// Counts the characters of the region that the needle does not have.
    pub file_only: f32,
}

/// Holds a replacement carried over to a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Carried {
    /// Gives the bytes of the document that the text replaces: whole lines, with as many of the blank ones
    /// around the region as the needle has.
    pub span: Range<usize>,
    /// Holds what to write there.
    pub text: String,
    /// Lists what had to be guessed; empty when nothing had to.
    pub doubts: Vec<Doubt>,
    /// Sums what was found.
    pub evidence: Evidence,
}

/// Says why nothing was carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The region does not lie in the document on char boundaries.
    #[error("the region is not a range of the document")]
    Region,
    /// A text is too long to be merged.
    #[error("a text of {0} bytes is too long to be carried over")]
    TooLong(usize),
    /// The replacement leaves something out by a placeholder that the needle does not have.
    #[error("the replacement says \"and so on\" where the needle does not")]
    Placeholder,
}

/// Merges the change from `needle` to `replacement` into the text of `document` around `region`.
///
/// `region` is where the needle was found; it is fitted to whole lines.
///
/// # Errors
///
/// [`Refusal`] when the texts cannot be merged at all. What can be merged only by guessing is
/// merged, and says so in [`Carried::doubts`].
///
/// # Examples
///
/// ```
/// let file = "fn f() {\n\tlet a = 1;\n\tlet b = 2;\n}\n";
/// let carried = fuzzy_carry_over::carry_over(
///     file,
///     9..33,
///     "let a = 1;\nlet b = 2;",
///     "let a = 1;\nif a > 0 {\n    go();\n}\nlet b = 2;",
/// )?;
/// assert_eq!(carried.text, "\tlet a = 1;\n\tif a > 0 {\n\t\tgo();\n\t}\n\tlet b = 2;\n");
/// # Ok::<(), fuzzy_carry_over::Refusal>(())
/// ```
///
/// # Complexity
///
/// O(n·m) in the lines of needle and region, and in the tokens of the lines that differ.
pub fn carry_over(document: &str, region: Range<usize>, needle: &str, replacement: &str) -> Result<Carried, Refusal> {
    let place = Place::new(document, region, needle, replacement)?;
    let texts = place.texts();
    let mut pieces = pieces::pieces(&texts);
    let evidence = texts.weigh(&mut pieces.doubts);
    let text = place.render(&texts, &mut pieces);
    Ok(Carried { span: place.span, text, doubts: pieces.doubts, evidence })
}

/// Returns the pieces of a merge as text, one a line: what is kept, replaced, inserted and deleted, and what was
/// doubted. For people.
///
/// # Errors
///
/// As [`carry_over`].
pub fn pieces(document: &str, region: Range<usize>, needle: &str, replacement: &str) -> Result<String, Refusal> {
    let place = Place::new(document, region, needle, replacement)?;
    let texts = place.texts();
    let mut pieces = pieces::pieces(&texts);
    texts.weigh(&mut pieces.doubts);
    place.render(&texts, &mut pieces);
    Ok(shown::Shown(&pieces, &texts).to_string())
}

/// A place in a document and the edit that lands there.
struct Place<'t> {
    document: &'t str,
    span: Range<usize>,
    /// The file's lines, the needle and the new text. Each begins with a line break, so that its first line begins
    /// like any other.
    file: String,
    needle: String,
    new: String,
}

impl<'t> Place<'t> {
    fn new(document: &'t str, region: Range<usize>, needle: &str, replacement: &str) -> Result<Self, Refusal> {
        if document.get(region.clone()).is_none() {
            return Err(Refusal::Region);
        }
        let longest = document.len().max(needle.len()).max(replacement.len());
        if longest > LONGEST {
            return Err(Refusal::TooLong(longest));
        }
        if adds_placeholder(needle, replacement) {
            return Err(Refusal::Placeholder);
        }
        let (needle, replacement) = without_open_ends(needle, replacement);
        let goes = replacement.chars().all(is_blank);
        let span = widened(document, region, blank_lines(needle), goes);
        let span = extent::extended(document, span, needle, replacement);
        let file = [ending(document, &span), &document[span.clone()]].concat();
        let [needle, new] = [needle, replacement].map(|text| ["\n", text].concat());
        Ok(Self { document, span, file, needle, new })
    }

    fn texts(&self) -> Texts<'_> {
        let behind = &self.document[self.span.end..];
        Texts::new(&self.file, &self.needle, &self.new, behind, |word| has_word(self.document, word))
    }

    fn render(&self, texts: &Texts<'_>, pieces: &mut Pieces) -> String {
        let nearby = nearby(self.document, &self.span);
        let after = self.document[self.span.end..].split_inclusive('\n').next();
        let style = Style {
            indents: Indents::learn(texts, pieces, &scale::unit(nearby.lines())),
            dialect: Dialect::learn(texts, pieces, |text| is_known(self.document, text)),
            ending: ending(self.document, &self.span),
            blank_after: after.is_some_and(|line| line.chars().all(is_blank)),
        };
        let mut text = render(texts, pieces, &style);
        let opening = text.find('\n').map_or(0, |at| at + 1);
        text.drain(..opening);
        text
    }
}

/// Tells whether a text has a mark, or a word that is no part of a longer one.
fn is_known(text: &str, token: &str) -> bool {
    if token.starts_with(char::is_alphanumeric) { has_word(text, token) } else { text.contains(token) }
}

/// Tells whether a text has a word that is no part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |c: char| c == '_' || c.is_alphanumeric();
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter))
}

/// Leaves out the blank lines around a span that its new text keeps, so that reports name the lines that were meant.
///
/// # Panics
///
/// Panics if `span` is not a range of the document.
#[must_use]
pub fn narrowed(document: &str, span: Range<usize>, mut text: String) -> (Range<usize>, String) {
    let old = &document[span.clone()];
    let common = |old: &mut dyn Iterator<Item = char>, new: &mut dyn Iterator<Item = char>| -> usize {
        old.zip(new).take_while(|(old, new)| old == new && is_blank(*old)).map(|(old, _)| old.len_utf8()).sum()
    };
    let behind = common(&mut old.chars().rev(), &mut text.chars().rev());
    let (old, end) = (&old[..old.len() - behind], span.end - behind);
    text.truncate(text.len() - behind);
    let before = common(&mut old.chars(), &mut text.chars());
    // The indentation of the first line that is not blank belongs to the place.
    let before = old[..before].rfind('\n').map_or(0, |newline| newline + 1);
    (span.start + before..end, text.split_off(before))
}

/// Cuts an "and so on" line off the ends where both texts have it: it stands for text beyond the
/// region.
fn without_open_ends<'t>(needle: &'t str, replacement: &'t str) -> (&'t str, &'t str) {
    let last = |text: &'t str| -> Option<(&'t str, &'t str)> {
        let body = text.trim_end_matches(is_blank);
        let at = body.rfind('\n')?;
        is_elision(&body[at + 1..]).then(|| (&text[..at], &body[at + 1..]))
    };
    let first = |text: &'t str| -> Option<(&'t str, &'t str)> {
        let body = text.trim_start_matches(is_blank);
        let (line, rest) = body.split_once('\n')?;
        is_elision(line).then_some((rest, line))
    };
    let (mut a, mut b) = (needle, replacement);
    if let (Some((x, one)), Some((y, other))) = (last(a), last(b))
        && one.trim_matches(is_blank) == other.trim_matches(is_blank)
    {
        (a, b) = (x, y);
    }
    if let (Some((x, one)), Some((y, other))) = (first(a), first(b))
        && one.trim_matches(is_blank) == other.trim_matches(is_blank)
    {
        (a, b) = (x, y);
    }
    (a, b)
}

/// Tells whether the replacement has more "and so on" lines than the needle.
fn adds_placeholder(needle: &str, replacement: &str) -> bool {
    let count =
        |text: &str| text.split('\n').filter(|line| is_elision(line) && line.trim_matches(is_blank) != "...").count();
    count(replacement) > count(needle)
}

/// Counts the blank lines that a needle begins with, and those that it ends with.
fn blank_lines(needle: &str) -> (usize, usize) {
    let body = needle.trim_start_matches(is_blank);
    let (before, behind) = (&needle[..needle.len() - body.len()], &body[body.trim_end_matches(is_blank).len()..]);
    let breaks = |text: &str| text.matches('\n').count();
    (breaks(before), breaks(behind) - usize::from(behind.ends_with('\n')))
}

/// Widens a range to whole lines, and to as many of the blank lines around them as the needle has: of more it
/// knows nothing. Where the whole text `goes`, blank lines that are not behind it may go before it.
fn widened(document: &str, region: Range<usize>, (mut before, behind): (usize, usize), goes: bool) -> Range<usize> {
    let line_start = |at: usize| document[..at].rfind('\n').map_or(0, |at| at + 1);
    let line_end = |at: usize| document[at..].find('\n').map_or(document.len(), |end| at + end + 1);
    let body = document[region.clone()].trim_start_matches(is_blank);
    let (mut start, mut end) = (line_start(region.start), line_end(region.end));
    if !body.is_empty() {
        start = line_start(region.end - body.len());
        end = line_end(region.end - body.len() + body.trim_end_matches(is_blank).len());
    }
    for _ in 0..behind {
        let below = line_end(end);
        if below > end && document[end..below].chars().all(is_blank) {
            end = below;
        } else {
            before += usize::from(goes);
        }
    }
    for _ in 0..before {
        let above = line_start(start.saturating_sub(1));
        if above < start && document[above..start].chars().all(is_blank) {
            start = above;
        }
    }
    start..end
}

/// Gives the lines around a span, from which its style is learnt.
fn nearby<'t>(document: &'t str, span: &Range<usize>) -> &'t str {
    const REACH: usize = 6_000;
    let mut start = span.start.saturating_sub(REACH);
    while !document.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (span.end + REACH).min(document.len());
    while !document.is_char_boundary(end) {
        end += 1;
    }
    &document[start..end]
}

/// Finds the line ending in use at a span: that of its own lines, else of the lines around it.
///
/// # Panics
///
/// Panics if the span does not lie in the document on char boundaries.
#[must_use]
pub fn ending(document: &str, span: &Range<usize>) -> &'static str {
    let count = |text: &str| {
        let breaks = text.matches('\n').count();
        let wide = text.matches("\r\n").count();
        (wide, breaks - wide)
    };
    for text in [&document[span.clone()], nearby(document, span)] {
        let (wide, narrow) = count(text);
        if wide != narrow {
            return if wide > narrow { "\r\n" } else { "\n" };
        }
    }
    "\n"
}
