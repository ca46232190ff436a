//! What is asked of fuzzy-edit and what it answers, whichever way it is asked: from the command line, by a tool of the
//! MCP server, over HTTP, in a library.
//!
//! - Whatever fails is one [`Failure`] with one [`Code`], which has an exit code and an HTTP status.
//! - What fails in a search is told from the engine's judgement: [`Failure::of_search`]. What is said to models is worded
//!   here, not in the engine.
//! - Nothing here reads a file, a clock or the environment. Everything is JSON; with the feature `schemars` there are
//!   schemas of it.
//!
//! ```
//! use fuzzy_report::{Code, Failure};
//!
//! let failure = Failure::new(Code::Stale, "`a.rs` changed since it was read", "Read it again.").about("a.rs");
//! assert_eq!((failure.code.exit_code(), failure.code.http_status()), (1, 409));
//! let json = serde_json::to_value(&failure)?;
//! assert_eq!((&json["code"], &json["file_path"]), (&"stale".into(), &"a.rs".into()));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod alignment;
mod answer;
mod arguments;
mod blanks;
mod bounded;
pub mod checkpoint;
mod code;
mod contested;
mod context;
mod explained;
mod failure;
mod lines;
mod patch;
mod placeholder;
mod printable;
mod reason;
mod report;
mod request;
mod status;
mod text_answer;
mod words;

pub use alignment::{Alignment, Beside, Landed, Numbered};
pub use answer::{Batches, Located, LogRecord, PastBatch, Place, Undone, UndoneAction, UndoneFile};
pub use arguments::{Edits, read_arguments, read_edits};
pub use blanks::{common_start, excerpt, visible_blanks};
pub use bounded::{Unfit, apply_within};
pub use code::Code;
pub use contested::ContestedLines;
pub use explained::{Ending, Explained, Proposed, Tried, Weight, Weights};
pub use failure::{Failure, NearestLines, OfCheckpoint, OfEdit, ProposedEdit, Surface, note};
pub use lines::Lines;
pub use patch::{PatchOptions, operations_of};
pub use placeholder::Placeholder;
pub use printable::{printable, printable_lines};
pub use report::{ListReport, Report, Success};
pub use request::{Asked, FileEdit, Hunk, Operation};
pub use status::Status;
pub use text_answer::TextAnswer;
