//! Merges an edit into the text that a file really has.
//!
//! An edit names an old text and a replacement. Where the old text was found only approximately, the
//! replacement was written against the wrong text: pasting it would undo whatever the old text got
//! wrong. So the replacement is read as a change of the old text, and that change is applied to the
//! text that the file really has.
//!
//! - What the edit keeps comes from the file, byte for byte: indentation, blanks at line ends,
//!   curly quotes, comments and lines that the old text forgot.
//! - What the edit changes or adds comes from the replacement, in the file's style: its step of
//!   indentation, its line ending, its kind of quotes where the old text consistently had another.
//! - What cannot be mapped without a guess is reported as a [`Doubt`]; a caller decides.
//!
//! Pure: text in, text out.

mod align;
mod cancel;
mod conflict;
mod input;
mod outcome;
mod pieces;
mod rules;
mod style;
mod text;
mod write;

use std::ops::Range;

pub use align::lines::{Alignment, Pair, align, align_while};
pub use conflict::{Conflict, Taken, take};
pub use input::ending;
pub use outcome::{Doubt, Evidence, Merged, Refusal};
pub use text::lines::{Line, information, is_elision};
pub use text::normalize::{Key, equal_but_blanks, fold, folded, is_blank, key, squeezed};

use cancel::Cancel;
use input::Input;
use pieces::contested::Contested;
use pieces::shown;

/// Merges the change from `old text` to `replacement` into the text of `document` around `region`.
///
/// `region` is where the old text was found; it is fitted to whole lines.
///
/// # Errors
///
/// [`Refusal`] when the texts cannot be merged at all. What can be merged only by guessing is
/// merged, and says so in [`Merged::doubts`].
///
/// # Examples
///
/// ```
/// let file = "fn f() {\n\tlet a = 1;\n\tlet b = 2;\n}\n";
/// let merged = fuzzy_merge::merge(
///     file,
///     9..33,
///     "let a = 1;\nlet b = 2;",
///     "let a = 1;\nif a > 0 {\n    go();\n}\nlet b = 2;",
/// )?;
/// assert_eq!(merged.text, "\tlet a = 1;\n\tif a > 0 {\n\t\tgo();\n\t}\n\tlet b = 2;\n");
/// # Ok::<(), fuzzy_merge::Refusal>(())
/// ```
///
/// # Complexity
///
/// O(n·m) in the lines of old text and region, and in the tokens of the lines that differ.
pub fn merge(document: &str, region: Range<usize>, old: &str, replacement: &str) -> Result<Merged, Refusal> {
    merge_while(document, region, old, replacement, &|| true)
}

/// Does as [`merge`] while `is_wanted` says that someone waits for the text; it is asked every few milliseconds.
///
/// # Errors
///
/// As [`merge`], and [`Refusal::Unwanted`] as soon as no one waits.
pub fn merge_while(
    document: &str,
    region: Range<usize>,
    old: &str,
    replacement: &str,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Merged, Refusal> {
    let cancel = Cancel(is_wanted);
    let input = Input::new(document, region, old, replacement, cancel)?;
    let texts = input.texts()?;
    let mut pieces = pieces::pieces(&texts, &Contested::default());
    cancel.check()?;
    let evidence = texts.weigh(&mut pieces.doubts);
    cancel.check()?;
    let text = input.render(&texts, &mut pieces);
    // What was broken off is no text.
    cancel.check()?;
    Ok(Merged { span: input.span, text, doubts: pieces.doubts, evidence })
}

/// Returns the pieces of a merge as text, one a line: what is kept, replaced, inserted and deleted, and what was
/// doubted. For people.
///
/// # Errors
///
/// As [`merge`].
pub fn pieces(document: &str, region: Range<usize>, old: &str, replacement: &str) -> Result<String, Refusal> {
    let input = Input::new(document, region, old, replacement, Cancel::ALWAYS)?;
    let texts = input.texts()?;
    let mut pieces = pieces::pieces(&texts, &Contested::default());
    texts.weigh(&mut pieces.doubts);
    input.render(&texts, &mut pieces);
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
