//! Plans operations on files: edits, hunks, and creating, removing and moving files. It works on texts and accesses no
//! files.
//!
//! - A [`Planner`] takes operations one by one. A later one sees the results of the earlier ones, and may touch their
//!   new text only where it matches exactly.
//! - [`Drafts`] stores the files. [`Texts`] keeps them in memory; `fuzzy-edit` keeps them on a disk.
//! - A hunk is applied line by line if its lines match, even with lost or omitted lines; otherwise the pipeline of
//!   [`Options`] finds its place like that of any other edit.
//!
//! The crate accesses no files and no network, and needs no clock: without one, the budget of a search bounds it
//! instead of [`Limits::timeout`].
//!
//! ```
//! use fuzzy_patch::parse;
//! use fuzzy_pipeline::{Pipeline, ladder};
//! use fuzzy_plan::{Limits, Options, Texts};
//!
//! let pipeline = Pipeline::new(ladder::adaptive());
//! let options = Options::new(&pipeline, Limits::default());
//! let patch = parse("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", None)?;
//!
//! let mut texts = Texts::default().with("a.txt", "one\ntwo\nthree\n");
//! let reports = texts.apply(&options, &patch.operations());
//! assert_eq!(texts.changes().collect::<Vec<_>>(), [("a.txt".as_ref(), Some("one\n2\nthree\n"))]);
//! # assert_eq!(reports.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod diff;
mod drafts;
mod edited_ranges;
mod hunk;
mod hunk_match;
mod hunk_order;
mod insertion_side;
mod landing;
mod line_hint;
mod line_script;
mod missing;
mod notebook;
mod notebook_edit;
mod operation;
mod options;
mod planner;
pub mod refusal;
mod restate;
mod splice_lines;
mod texts;
mod transfer;
mod transfer_parts;

pub use diff::unified_diff;
pub use drafts::{Drafts, ModeChange, Text, without_mark};
pub use notebook::Sources;
pub use operation::Outcome;
pub use options::{Limits, Options};
pub use planner::{Planner, Timing};
pub use restate::{is_unique, restated};
pub use texts::Texts;
