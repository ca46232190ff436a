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
mod conflict;
mod outcome;
mod pieces;
mod place;
mod render;
mod text;
mod wanted;

use std::ops::Range;

pub use align::lines::{Alignment, Pair, align, align_while};
pub use conflict::{Conflict, Taken, take};
pub use outcome::{Carried, Doubt, Evidence, Refusal};
pub use place::ending;
pub use text::fold::{Key, equal_but_blanks, fold, folded, is_blank, key, squeezed};
pub use text::lines::{Line, information, is_elision};

use pieces::contested::Contested;
use pieces::shown;
use place::Place;
use wanted::Wanted;

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
    carry_over_while(document, region, needle, replacement, &|| true)
}

/// Does as [`carry_over`] while `is_wanted` says that someone waits for the text; it is asked every few milliseconds.
///
/// # Errors
///
/// As [`carry_over`], and [`Refusal::Unwanted`] as soon as no one waits.
pub fn carry_over_while(
    document: &str,
    region: Range<usize>,
    needle: &str,
    replacement: &str,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Carried, Refusal> {
    let wanted = Wanted(is_wanted);
    let place = Place::new(document, region, needle, replacement, wanted)?;
    let texts = place.texts()?;
    let mut pieces = pieces::pieces(&texts, &Contested::default());
    wanted.check()?;
    let evidence = texts.weigh(&mut pieces.doubts);
    wanted.check()?;
    let text = place.render(&texts, &mut pieces);
    // What was broken off is no text.
    wanted.check()?;
    Ok(Carried { span: place.span, text, doubts: pieces.doubts, evidence })
}

/// Returns the pieces of a merge as text, one a line: what is kept, replaced, inserted and deleted, and what was
/// doubted. For people.
///
/// # Errors
///
/// As [`carry_over`].
pub fn pieces(document: &str, region: Range<usize>, needle: &str, replacement: &str) -> Result<String, Refusal> {
    let place = Place::new(document, region, needle, replacement, Wanted::ALWAYS)?;
    let texts = place.texts()?;
    let mut pieces = pieces::pieces(&texts, &Contested::default());
    texts.weigh(&mut pieces.doubts);
    place.render(&texts, &mut pieces);
    Ok(shown::Shown(&pieces, &texts).to_string())
}

/// Leaves out the blank lines around a span that its new text keeps, so that reports name the lines that were meant.
///
/// # Panics
///
/// Panics if `span` is not a range of the document.
#[must_use]
pub fn narrowed(document: &str, span: Range<usize>, mut text: String) -> (Range<usize>, String) {
    let old = &document[span.clone()];
    let after = common_blanks(old.chars().rev(), text.chars().rev());
    let (old, end) = (&old[..old.len() - after], span.end - after);
    text.truncate(text.len() - after);
    let before = common_blanks(old.chars(), text.chars());
    // The indentation of the first line that is not blank belongs to the place.
    let before = old[..before].rfind('\n').map_or(0, |newline| newline + 1);
    (span.start + before..end, text.split_off(before))
}

/// Returns the number of bytes of the blanks that two texts begin with.
fn common_blanks(old: impl Iterator<Item = char>, new: impl Iterator<Item = char>) -> usize {
    old.zip(new).take_while(|(old, new)| old == new && is_blank(*old)).map(|(old, _)| old.len_utf8()).sum()
}
