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
//! - A text that would be a guess is refused: each of the [`RULES`] that refuses it is a [`Finding`].
//!
//! The steps, one folder or file each: `text` splits the texts into tokens, `align` pairs these, `columns` lays the
//! texts side by side, `hunks` finds the changes, `rules` refuse, `style` learns the file's, `write` writes.
//!
//! Pure: text in, text out.

mod align;
mod cancel;
mod columns;
mod conflict;
mod conflict_lines;
mod display;
mod evidence;
mod hunks;
mod input;
mod line_affixes;
mod merge;
mod outcome;
mod rules;
mod style;
mod text;
mod widen;
mod write;

use std::ops::Range;

pub use align::lines::{Alignment, Pair, align, align_while};
pub use conflict::{Conflict, Taken, take};
pub use input::ending;
pub use outcome::{Evidence, Finding, Kind, Merged, Refusal, Rule};
pub use rules::RULES;
pub use text::lines::{Line, information, is_elision};
pub use text::normalize::{Key, equal_but_blanks, fold, folded, is_blank, key, squeezed};

use cancel::Cancel;
use conflict_lines::ConflictLines;
use display::Hunks;
use input::Input;
use merge::Merge;

/// Merges the change from `old` to `new` into the text of `document` around `region`.
///
/// `region` is the place of the old text, in bytes; it is widened to whole lines.
///
/// # Errors
///
/// [`Refusal`] when the texts cannot be merged at all. A text that is a guess is made, with
/// [`Merged::findings`].
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
pub fn merge(document: &str, region: Range<usize>, old: &str, new: &str) -> Result<Merged, Refusal> {
    merge_while(document, region, old, new, &|| true)
}

/// Merges as [`merge`](fn@merge) while `is_wanted` returns true. It is called every few milliseconds.
///
/// # Errors
///
/// As [`merge`](fn@merge), and [`Refusal::Cancelled`] as soon as `is_wanted` returns false.
pub fn merge_while(
    document: &str,
    region: Range<usize>,
    old: &str,
    new: &str,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Merged, Refusal> {
    let cancel = Cancel(is_wanted);
    let input = Input::new(document, region, old, new, cancel)?;
    let texts = input.texts()?;
    let merge = Merge::new(&texts, &ConflictLines::default());
    cancel.check()?;
    let written = input.write(&merge);
    // A text that was broken off is none.
    cancel.check()?;
    let findings = rules::findings(&merge, &written);
    let evidence = texts.evidence();
    cancel.check()?;
    Ok(Merged { span: input.span, text: input::without_opening(written.text), findings, evidence })
}

/// Returns the hunks of a merge as text, one a line: the kept, replaced, inserted and deleted text, and the rules that
/// refuse it. For people.
///
/// # Errors
///
/// As [`merge`](fn@merge).
pub fn hunks(document: &str, region: Range<usize>, old: &str, new: &str) -> Result<String, Refusal> {
    let input = Input::new(document, region, old, new, Cancel::NEVER)?;
    let texts = input.texts()?;
    let merge = Merge::new(&texts, &ConflictLines::default());
    let findings = rules::findings(&merge, &input.write(&merge));
    Ok(Hunks { merge: &merge, findings: &findings }.to_string())
}

/// Leaves out the blank lines around a span that its new text keeps, so that reports name the changed lines.
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
