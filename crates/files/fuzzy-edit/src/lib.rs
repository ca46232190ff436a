//! Edits text files: reads them, plans edits, previews changes and writes safely.
//!
//! - Only the replaced places change: byte order mark, line endings, a missing final newline and the file's mode are
//!   kept.
//! - A write is atomic: a reader sees the old text or the new one. A file that changed since it was read is not
//!   overwritten.
//! - Several edits succeed or fail together: if one fails, no file is written.
//! - Reading is bounded and never blocks: everything except regular text files is rejected.
//!
//! A [`Workspace`] finds, reads, writes and restores files; an [`Editor`] plans and applies operations in it. The crate
//! has no asynchronous code and no network access.
//!
//! ```
//! use fuzzy_edit::{Editor, FileEdit, Limits, Operation, Report, Root, Session, Workspace};
//! use fuzzy_pipeline::{Pipeline, ladder};
//!
//! let directory = tempfile::tempdir()?;
//! std::fs::write(directory.path().join("a.txt"), "one\r\ntwo\r\n")?;
//! let workspace = Workspace::new(Limits::default()).within(Root::open(directory.path())?);
//! # let state = tempfile::tempdir()?;
//! # let workspace = workspace.with_state(fuzzy_edit::State::at(state.path().join("state")));
//! let editor = Editor::new(workspace, Pipeline::new(ladder::conservative()));
//! let mut session = Session::default();
//!
//! // Edits, and files that are created, removed and moved, are one batch.
//! let operations = [
//!     FileEdit::new("a.txt".as_ref(), "two", "2").into(),
//!     Operation::Move { from: "a.txt".into(), to: "b.txt".into() },
//!     Operation::Create { path: "new/c.txt".into(), text: "three\n".to_owned(), executable: None },
//! ];
//! let reports = editor.apply(&mut session, &operations);
//! assert!(reports.iter().all(|report| matches!(report, Report::Success(_))));
//! assert_eq!(std::fs::read(directory.path().join("b.txt"))?, b"one\r\n2\r\n");
//! assert!(!directory.path().join("a.txt").exists());
//!
//! // One of them fails, so that none is done; no path leads out of the root.
//! let operations = [
//!     Operation::Delete { path: "b.txt".into(), text: None },
//!     Operation::Create { path: "../d.txt".into(), text: String::new(), executable: None },
//! ];
//! let reports = editor.apply(&mut session, &operations);
//! assert!(matches!(&reports[1], Report::Failure(failure) if failure.code.as_str() == "outside_root"));
//! assert!(directory.path().join("b.txt").exists());
//!
//! editor.workspace().undo()?;
//! assert_eq!(std::fs::read(directory.path().join("a.txt"))?, b"one\r\ntwo\r\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decoded;
mod detect;
mod draft;
mod editor;
mod encoding;
mod error;
mod locate;
mod log;
mod merge_lines;
mod new_text;
mod patch;
mod plan;
mod planner;
mod session;
mod suggest_path;
mod text_file;
mod tools;
mod trim_diff;
mod undo;
mod verbatim;
mod workspace;

pub use editor::Editor;
pub use encoding::{Encoding, EncodingError, NotText};
pub use error::FileError;
pub use fuzzy_plan::{Limits, Options, unified_diff};
pub use fuzzy_report::{
    Batches, Cause, CellEdit, CellLines, CellType, Code, Edits, Explained, Failure, FileEdit, Hunk, LineQuote,
    LineTransfer, ListReport, Located, LogRecord, Lookup, NearestLines, NewPlace, OfEdit, Operation, PastBatch,
    PatchOptions, Place, Report, Side, Status, Success, TextAnswer, Undone, UndoneAction, UndoneFile, apply_within,
    common_start, excerpt, read_edits, visible_blanks,
};
pub use fuzzy_safe_write::{Error as PathError, Recovered, Root, State, allow_many_files};
#[cfg(feature = "failpoints")]
pub use fuzzy_safe_write::{Fault, Held, hold, inject, keep_modes, passed};
pub use locate::Searched;
pub use log::Log;
pub use plan::Plan;
pub use session::{Patience, Session};
pub use text_file::TextFile;
pub use tools::Tools;
pub use trim_diff::trim_diff;
pub use workspace::Workspace;
