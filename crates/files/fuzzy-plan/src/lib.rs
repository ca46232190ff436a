//! Plans operations on files: edits, hunks of patches, files that are created, removed and moved. Text in, text out.
//!
//! - A [`Planner`] takes operations one by one. A later one sees what the earlier ones made of its file, and may touch
//!   what they wrote only where it occurs exactly.
//! - Where files are kept is the business of [`Drafts`]. [`Texts`] keeps them in memory; `fuzzy-edit` keeps them on a disk.
//! - A hunk lands line by line where its lines occur, whatever was lost or is between them; else it is found like any
//!   other edit, by the pipeline of [`Rules`].
//!
//! Nothing here reads a file or speaks to a network, and nothing needs a clock: where there is none, the budget of a
//! search bounds it, and no [`Limits::timeout`] does.
//!
//! ```
//! use fuzzy_patch::parse;
//! use fuzzy_pipeline::{Pipeline, ladder};
//! use fuzzy_plan::{Limits, Rules, Texts};
//! use fuzzy_report::operations_of;
//!
//! let pipeline = Pipeline::new(ladder::adaptive());
//! let rules = Rules::new(&pipeline, Limits::default());
//! let patch = parse("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", None)?;
//!
//! let mut texts = Texts::default().with("a.txt", "one\ntwo\nthree\n");
//! let reports = texts.apply(&rules, &operations_of(&patch));
//! assert_eq!(texts.changes().collect::<Vec<_>>(), [("a.txt".as_ref(), Some("one\n2\nthree\n"))]);
//! # assert_eq!(reports.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod diff;
mod drafts;
mod edited_ranges;
mod glyphs;
mod hunk;
mod hunk_match;
mod hunk_order;
mod insertion_side;
mod landing;
mod line_hint;
mod line_script;
mod missing;
mod operation;
mod planner;
pub mod refusal;
mod restate;
mod rules;
mod sanity;
mod splice_lines;
mod texts;

pub use diff::unified_diff;
pub use drafts::{Drafts, ModeChange, Text, without_mark};
pub use operation::Outcome;
pub use planner::{Decision, Planner};
pub use restate::{is_unique, restated};
pub use rules::{Limits, Rules};
pub use texts::Texts;
