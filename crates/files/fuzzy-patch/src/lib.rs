//! Reads the patches that models write, and writes edits as patches. It works on texts and accesses no files.
//!
//! [`parse`] finds every patch in a text, with any text around it:
//!
//! - **SEARCH/REPLACE blocks**, with or without fences, several for one file. A marker has five to nine characters, or
//!   more if all three have the same length; `ORIGINAL` and `UPDATED` are accepted for `SEARCH` and `REPLACE`. The
//!   file's name is alone on a line above the block or its fence, or in the fence's first line. A block with an empty
//!   old text creates a file.
//! - **Unified diffs**, of git and others: with wrong or missing counts, with `@@ @@`, `@@ ... @@` or nothing below the
//!   names, with lost blanks before empty lines and before tabs, with or without `a/` and `b/`; new, deleted and
//!   renamed files, quoted names, `\ No newline at end of file`.
//! - **Envelopes** (`*** Begin Patch`): files to add, delete, update and move, nested `@@` anchors, `*** End of File`.
//!
//! A patch that cannot be understood is an error with its line, and no part of it is returned: half a patch is worse
//! than none. Other errors are a line outside all patches that looks like a line of a patch, and a block without a name
//! below text that mentions another file than the one that would be assumed.
//!
//! [`Patch::operations`] returns what to do, one [`Operation`] for each edit and for each file that is created, deleted or
//! moved. An [`Edit`] has an old and a new text of whole lines, for an engine to find and replace. Everything else that the
//! patch says about the place is its [`Hint`]: a line number, the lines above, the end of the file. Models get hints
//! wrong more often than texts, so **a hint never makes an engine accept a place**. It only chooses between places that
//! the engine rates equal, and the engine checks the chosen place again, with the lines around it added to the old
//! text.
//!
//! Cost: a few passes over the text, and memory for the texts of the edits, at most about twice that of the patch. No
//! input causes a panic.
//!
//! ```
//! use fuzzy_patch::{Change, parse};
//!
//! let patch = parse(
//!     "Here it is:\n\
//!      @@ @@ fn total\n\
//!      -    let sum = 0;\n\
//!      +    let mut sum = 0;\n",
//!     Some("src/cart.rs"),
//! )?;
//! let [part] = &patch.files[..] else { panic!("one file") };
//! assert_eq!(part.file, "src/cart.rs");
//! let Change::Update { edits, .. } = &part.change else { panic!("an update") };
//! assert_eq!(edits[0].old, "    let sum = 0;\n");
//! assert_eq!(edits[0].hint.anchors, ["fn total"]);
//! # Ok::<(), fuzzy_patch::ParseError>(())
//! ```

mod bounds;
mod cell_edit;
mod cursor;
mod envelope;
mod error;
mod fence;
mod format;
mod hunk;
mod line_quote;
mod line_transfer;
mod name;
mod naming;
mod operation;
mod patch;
mod reverse;
mod scan;
mod search_replace;
mod unified;

use crate::name::Prefixes;

pub use cell_edit::{CellEdit, CellName, CellType, Side};
pub use error::{ParseError, Problem};
pub use format::{Format, FormatError, format};
pub use line_quote::{LineQuote, PlaceError};
pub use line_transfer::{LineTransfer, NewPlace};
pub use operation::{FileEdit, Hunk, Operation};
pub use patch::{Change, Edit, FilePatch, Hint, Mark, Patch};
pub use reverse::Irreversible;

/// Reads every patch in `text`, in order. `target` is the file of patches that name none and follow none with a name.
///
/// # Errors
///
/// Returns a [`ParseError`] with the first problem and its line; no part of the patch is returned then.
pub fn parse(text: &str, target: Option<&str>) -> Result<Patch, ParseError> {
    scan::read(text, target, &|_| false, Prefixes::Taken)
}

/// Reads every patch like [`parse`], with a callback that knows the existing files: an unusual line above a block
/// (`TODO`, `tool`) is also a name if `exists` returns true for it. `exists` is only called with relative names without
/// `.` and `..`, at most once per line outside the patches.
///
/// # Errors
///
/// Returns the [`ParseError`] of [`parse`].
pub fn parse_where(text: &str, target: Option<&str>, exists: &dyn Fn(&str) -> bool) -> Result<Patch, ParseError> {
    scan::read(text, target, exists, Prefixes::Taken)
}

/// Reads every patch like [`parse_where`], for diffs without prefixes: a single `b/new` is a file in the directory `b`.
/// If two names differ only in `a/` and `b/`, these are removed all the same.
///
/// # Errors
///
/// Returns the [`ParseError`] of [`parse`].
pub fn parse_without_prefixes(
    text: &str,
    target: Option<&str>,
    exists: &dyn Fn(&str) -> bool,
) -> Result<Patch, ParseError> {
    scan::read(text, target, exists, Prefixes::Part)
}
