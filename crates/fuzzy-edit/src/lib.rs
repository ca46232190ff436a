//! Edits of text files: reads them, plans edits, shows what would change and writes it safely.
//!
//! - Only the replaced places change: a byte order mark, line endings, a missing final newline and the file's mode
//!   stay as they are.
//! - A write is atomic: whoever reads the file sees the old text or the new one. A file that changed since it was
//!   read is left alone.
//! - Several edits are one: if one of them fails, no file is written.
//! - Reading is bounded and never waits: what is not a regular file of text is refused.
//!
//! [`Editor`] is where to begin. Nothing here is asynchronous, and nothing speaks to a network.
//!
//! ```
//! use fuzzy_edit::{Editor, FileEdit, Limits, Report};
//! use fuzzy_pipeline::{Ladder, Pipeline, Policy};
//!
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("a.txt");
//! std::fs::write(&path, "one\r\ntwo\r\n")?;
//!
//! // A real caller names a ladder; this one has no rung and finds exact places only where all are meant.
//! let ladder = Ladder::new("none", Policy::Refuse, Vec::new());
//! let editor = Editor::new(Pipeline::new(ladder), Limits::default());
//! let edit = FileEdit::new(&path, "two", "2").everywhere(Some(1));
//! let reports = editor.plan(&[edit]).write();
//! assert!(matches!(reports[..], [Report::Success(_)]));
//! assert_eq!(std::fs::read(&path)?, b"one\r\n2\r\n");
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(not(unix))]
compile_error!("fuzzy-edit keeps modes, owners and links, which it knows on Unix only");

mod attributes;
mod blanks;
mod bounded;
mod code;
mod context;
mod diff;
mod editor;
mod encoding;
mod error;
mod failure;
mod file;
mod locate;
mod plan;
mod report;
mod write;

pub use blanks::{common_start, excerpt, visible_blanks};
pub use bounded::{TooLarge, apply_within};
pub use code::Code;
pub use diff::unified_diff;
pub use editor::{Editor, FileEdit, Limits};
pub use encoding::{Encoding, EncodingError, NotText};
pub use error::FileError;
pub use failure::{Failure, NearestLines, ProposedEdit};
pub use file::TextFile;
pub use locate::{Asked, Located, Place};
pub use plan::Plan;
pub use report::{Lines, ListReport, Report, Status, Success};
pub use write::{Change, write_all};
