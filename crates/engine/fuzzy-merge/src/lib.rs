//! Merges an edit into a file that differs from the old text of the edit.
//!
//! An edit replaces an old text by a new one. If the file has the old text only approximately, pasting the new text
//! would undo the differences. Instead, the merge applies the change from old to new text to the file:
//!
//! - Kept text is the file's, byte for byte: indentation, trailing blanks, curly quotes, comments, forgotten lines.
//! - Inserted text is the new text's, in the file's style: indentation, line endings, quotes, names.
//! - A guess is refused: the merge has a [`Finding`] of each of the [`RULES`] that refuses it.
//!
//! It is pure: it reads and writes no files.
//!
//! # Steps
//!
//! | module | step |
//! |---|---|
//! | `readings` | reads the texts without wide spaces and elisions at their ends |
//! | `input`, `widen` | widens the place to whole lines, and to forgotten lines at its ends |
//! | `text` | splits file, old text and new text into tokens; a gap is the whitespace between two |
//! | `align` | pairs tokens: old text with file and new text, then new text with file in changed regions |
//! | `columns` | lays the three texts side by side |
//! | `hunks` | finds the changes: deleted, replaced and inserted tokens |
//! | `map` | reads the texts in the file's marks, as kept words show them; if they change, merges again |
//! | `rules` | refuses guesses, one file a rule |
//! | `style` | learns the file's indentation and spelling |
//! | `write` | writes slots (kept and new tokens) and the gaps between them |
//! | `conflict` | merges again with the new text's version of lines in conflict, and reports these |
//!
//! # Columns
//!
//! A column has a token of each text, or none. The texts that have one are its kind:
//!
//! | file | old | new | kind | meaning |
//! |:-:|:-:|:-:|---|---|
//! | x | x | x | kept | the edit keeps it |
//! | x | x | – | deleted | the edit deletes it |
//! | x | – | x | forgotten | the old text forgot it, the new text has it |
//! | x | – | – | file only | the old text forgot it |
//! | – | x | x | shared slip | old and new text have the same slip |
//! | – | x | – | old slip | a slip of the old text, or a deletion that the file has already |
//! | – | – | x | inserted | the edit inserts it |
//!
//! A token of the file is *known* if the old text has it. A *forgotten line* of the file has no known token; a *lost
//! line* of the old text has no token in the file. An *elision* is a line for any number of others: `// ...`.
//!
//! # Rules
//!
//! Reports name the rule that refused an edit, for example `different-value`. Its file and its cases, from the root of
//! the repository (`find crates -path '*different[-_]value*'` lists both):
//!
//! | rule | file | cases |
//! |---|---|---|
//! | of the merge | `crates/engine/fuzzy-merge/src/rules/different_value.rs` | `crates/engine/fuzzy-adaptive/tests/rules/different-value/` |
//! | of the decision, before any merge | `crates/engine/fuzzy-adaptive/src/rules/equal_place.rs` | `crates/engine/fuzzy-adaptive/tests/rules/equal-place/` |
//! | of the audit: `law-depth` | `crates/engine/fuzzy-audit/src/laws/depth.rs` | `crates/engine/fuzzy-adaptive/tests/rules/law-depth/` |
//!
//! `crates/engine/fuzzy-adaptive/src/rules/README.md` lists all of them with their reasons, and with the edits that each
//! prevents and costs.

mod align;
mod columns;
mod conflict;
mod conflict_lines;
mod evidence;
mod hunks;
mod input;
mod map;
mod mechanisms;
mod merge;
mod outcome;
mod readings;
mod regions;
mod rules;
mod run;
mod style;
mod text;
mod widen;
mod write;

use std::ops::Range;

pub use align::lines::{Alignment, Pair, align, align_while};
pub use conflict::{Taken, take};
pub use input::{NEARBY_BYTES, ending};
pub use mechanisms::{MECHANISMS, Mechanism, Phase};
pub use outcome::{Evidence, Finding, Kind, Merged, Refusal, Rule};
pub use rules::RULES;
pub use run::{LeftOut, Run};
pub use text::brackets::{Brackets, comment};
pub use text::characters::{END_WORDS, comment_mark};
pub use text::lines::{Line, adds_placeholder, information, is_elision};
pub use text::normalize::{Key, equal_but_blanks, equal_but_marks, key, squeezed};
pub use text::tokens::is_word;

use fuzzy_core::blank::is_blank;
use fuzzy_core::line_start;

use conflict_lines::ConflictLines;
use input::Input;
use merge::Merge;
use text::lines::without_leading_break;

/// Merges the change from `old` to `new` into the place `region` of `document`.
///
/// `region` is in bytes. It is widened to whole lines.
///
/// # Errors
///
/// [`Refusal`] if the texts cannot be merged. A guess is returned, with [`Merged::findings`].
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
/// O(n·m) in the lines of old text and place, and in the tokens of the lines that differ.
pub fn merge(document: &str, region: Range<usize>, old: &str, new: &str) -> Result<Merged, Refusal> {
    merge_while(document, region, old, new, Run::WHOLE)
}

/// Merges as [`merge`](fn@merge) does, under the conditions of `run`.
///
/// # Errors
///
/// As [`merge`](fn@merge), and [`Refusal::Cancelled`] after `is_needed` of the run has returned false.
pub fn merge_while(
    document: &str,
    region: Range<usize>,
    old: &str,
    new: &str,
    run: Run<'_>,
) -> Result<Merged, Refusal> {
    let place = region.clone();
    let input = Input::new(document, region, old, new, run)?;
    let texts = input.texts()?;
    let merge = Merge::new(&texts, &ConflictLines::default());
    run.check()?;
    let evidence = texts.evidence();
    let Some(read) = merge.map.texts(&texts) else { return merged(&input, &merge, evidence) };
    let undone: Vec<_> = merge.map.undone.iter().map(|slip| slip.name).chain(input.undone.iter().copied()).collect();
    let [old, new] = read;
    // Lines beside the place may be the new ones in the file's terms.
    let mut input = Input::new(document, place, &old, &new, run)?;
    input.undone.extend(undone);
    let texts = input.texts()?;
    merged(&input, &Merge::new(&texts, &ConflictLines::default()), evidence)
}

/// Writes a merge, and asks the rules.
fn merged(input: &Input<'_>, merge: &Merge<'_, '_>, evidence: Evidence) -> Result<Merged, Refusal> {
    let run = merge.texts.run;
    let written = input.write(merge);
    run.check()?;
    let findings = rules::findings(merge, &written);
    run.check()?;
    let undone = input.undone.iter().chain(&written.undone).copied().collect();
    let (texts, span) = (input.merged_texts(), input.span.clone());
    Ok(Merged { span, text: without_leading_break(written.text), findings, evidence, undone, texts })
}

/// Leaves blank lines that span and new text share at their ends out of both, so that reports name the changed lines.
/// Cost: one pass over these blanks.
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
    let before = line_start(old, before);
    (span.start + before..end, text.split_off(before))
}

/// Returns the number of bytes of the blanks that two texts begin with.
fn common_blanks(old: impl Iterator<Item = char>, new: impl Iterator<Item = char>) -> usize {
    old.zip(new).take_while(|(old, new)| old == new && is_blank(*old)).map(|(old, _)| old.len_utf8()).sum()
}
