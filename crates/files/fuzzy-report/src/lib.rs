//! Request and response types of fuzzy-edit, shared by the command line, the MCP server, the HTTP server and the
//! libraries.
//!
//! - Every failure is a [`Failure`] with a [`Code`], which has an exit code and an HTTP status.
//! - [`Failure::of_search`] words the failures of a search from the engine's judgement. This crate, not the engine, has
//!   the texts that models read.
//! - This crate reads no file, no clock and no environment variable. Every type converts to JSON; the feature
//!   `schemars` adds the schemas.
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
#[cfg(feature = "requests")]
mod arguments;
mod blanks;
mod bounded;
mod code;
mod compared;
mod contested;
mod context;
mod difference;
mod explained;
mod failure;
mod for_model;
#[cfg(feature = "requests")]
mod log_record;
mod look_alikes;
#[cfg(feature = "requests")]
mod named_edit;
mod named_lines;
#[cfg(feature = "requests")]
mod patch;
mod placeholder;
mod printable;
mod range_end;
mod range_failure;
mod reason;
mod report;
#[cfg(feature = "requests")]
mod request;
mod search_failure;
mod status;
mod text_answer;
pub mod verdict;
mod words;

pub use answer::{Batches, CellLines, Located, PastBatch, Place, Undone, UndoneAction, UndoneFile};
#[cfg(feature = "requests")]
pub use arguments::{Edits, read_arguments, read_edits};
pub use blanks::{common_start, excerpt, visible_blanks};
pub use bounded::{Cause, apply_within};
pub use code::Code;
pub use compared::marked_blanks;
pub use contested::ContestedLines;
pub use explained::{Ending, Explained, Proposed};
pub use failure::{Details, Failure, NearestLines, OfEdit, Remedy, Surface, note};
pub use for_model::{add_note, line_numbers};
#[cfg(feature = "requests")]
pub use fuzzy_patch::{
    CellEdit, CellName, CellType, FileEdit, Hunk, LineQuote, LineTransfer, NewPlace, Operation, PlaceError, Side,
};
#[cfg(feature = "requests")]
pub use log_record::LogRecord;
#[cfg(feature = "requests")]
pub use named_edit::named_edit;
pub use named_lines::{NewLines, ReplacedLines, arranged_note};
#[cfg(feature = "requests")]
pub use patch::PatchOptions;
pub use placeholder::Placeholder;
pub use printable::{printable, printable_lines};
pub use range_end::RangeEnd;
pub use report::{ListReport, Report, Success};
#[cfg(feature = "requests")]
pub use request::Lookup;
pub use status::Status;
pub use text_answer::TextAnswer;
pub use verdict::{Labelled, Verdict};
