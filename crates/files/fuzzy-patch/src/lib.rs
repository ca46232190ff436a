//! Reads the patches that models write, and writes edits as patches. Text in, text out: no file is touched.
//!
//! [`parse`] finds every patch in a text, whatever is around it:
//!
//! - **SEARCH/REPLACE blocks**, in fences or not, several for one file. A marker has five to nine characters, or more if
//!   all three have the same number; `ORIGINAL` and `UPDATED` are other words for `SEARCH` and `REPLACE`. The file's name
//!   is alone on a line above the block or its fence, or in the fence's first line. A block with nothing to search for
//!   makes a file.
//! - **Unified diffs**, of git or not: with wrong counts or none, with `@@ @@` or `@@ ... @@` or nothing below the
//!   names, with lost blanks before empty lines and before tabs, with or without `a/` and `b/`; new, deleted and renamed
//!   files, quoted names, `\ No newline at end of file`.
//! - **Envelopes** (`*** Begin Patch`): files to add, delete, update and move, `@@` anchors, one inside another,
//!   `*** End of File`.
//!
//! What cannot be understood is an error that names the line, and nothing of the patch is handed out: half a patch is
//! worse than none. So is a line that looks as if it belonged to a patch and is outside, and a block without a name
//! below text that mentions another file than the one it would be for.
//!
//! An [`Edit`] is an old text and a new one, both whole lines, for an engine to find and to replace. What else the
//! patch says about the place is its [`Hint`]: a line number, the lines above, the end of the file. Models get these
//! wrong more often than the text, so **a hint never makes an engine accept a place**. It may only choose between
//! places that the engine finds equally good, and what it chooses has to pass the engine again, with the lines around
//! that place added to the text to find.
//!
//! Cost: a few passes over the text, and memory for the texts of the edits, at most about twice that of the patch.
//! Nothing panics on any input.
//!
//! ```
//! use fuzzy_patch::{Action, parse};
//!
//! let patch = parse(
//!     "Here it is:\n\
//!      @@ @@ fn total\n\
//!      -    let sum = 0;\n\
//!      +    let mut sum = 0;\n",
//!     Some("src/cart.rs"),
//! )?;
//! let [operation] = &patch.operations[..] else { panic!("one file") };
//! assert_eq!(operation.file, "src/cart.rs");
//! let Action::Update { edits, .. } = &operation.action else { panic!("an update") };
//! assert_eq!(edits[0].old, "    let sum = 0;\n");
//! assert_eq!(edits[0].hint.anchors, ["fn total"]);
//! # Ok::<(), fuzzy_patch::ParseError>(())
//! ```

mod bounds;
mod cursor;
mod envelope;
mod error;
mod fence;
mod format;
mod hunk;
mod name;
mod naming;
mod patch;
mod reverse;
mod scan;
mod search_replace;
mod unified;

use crate::name::Prefixes;

pub use error::{ParseError, Problem};
pub use format::{Format, FormatError, format};
pub use patch::{Action, Edit, Hint, Mark, Operation, Patch};
pub use reverse::NoWayBack;

/// Reads every patch in `text`, in order. `target` is the file of those that name none and follow none that does.
///
/// # Errors
///
/// [`ParseError`]: the first thing that is wrong, with its line. Nothing of the patch is returned then.
pub fn parse(text: &str, target: Option<&str>) -> Result<Patch, ParseError> {
    scan::read(text, target, &|_| false, Prefixes::Taken)
}

/// Reads every patch as [`parse`] does, for a caller that knows which files there are: a line above a block is also a
/// name if it does not look like one (`TODO`, `tool`), but `exists` returns true for it. `exists` is asked about relative
/// names without `.` and `..` alone, at most once for each line outside of the patches.
///
/// # Errors
///
/// [`ParseError`], as [`parse`].
pub fn parse_where(text: &str, target: Option<&str>, exists: &dyn Fn(&str) -> bool) -> Result<Patch, ParseError> {
    scan::read(text, target, exists, Prefixes::Taken)
}

/// Reads every patch as [`parse_where`] does, for a caller who says that the names of a diff have no prefixes: a single
/// `b/new` is a file in the folder `b`. Of two names that are one file but for `a/` and `b/` these go all the same.
///
/// # Errors
///
/// [`ParseError`], as [`parse`].
pub fn parse_without_prefixes(
    text: &str,
    target: Option<&str>,
    exists: &dyn Fn(&str) -> bool,
) -> Result<Patch, ParseError> {
    scan::read(text, target, exists, Prefixes::Part)
}
