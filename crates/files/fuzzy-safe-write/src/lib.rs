//! Writes files so that no one's text is lost.
//!
//! - Paths are walked by descriptor beneath a [`Root`]: no link, and no directory that is swapped for one meanwhile, leads
//!   out of it.
//! - A new file changes places with the old one, and what comes out is compared with what the plan saw. If it differs,
//!   someone saved the file a moment ago: it goes back.
//! - What is about to be done is written to a journal first. A process that is killed leaves each path old or new, and
//!   the next one finishes the rest or takes it back.
//! - [`Locks`] keep apart two processes that write one file, and [`State`] is where locks and journals are.
//!
//! There are two kinds of writing. A [`Batch`] is all or nothing: one file that changed, and none is written. It keeps the
//! old text in its journal, so that it can be taken back later. A [`Changeset`] brings many paths to a state, symbolic
//! links, modes, absence and directories that become files included: a path that changed is left to who changed it and
//! reported, and the others go on.
//!
//! ```
//! use fuzzy_safe_write::{Change, Changeset, Durability, Expected, Mode, Root, State, Wanted};
//!
//! let directory = tempfile::tempdir()?;
//! let files = directory.path().join("files");
//! std::fs::create_dir(&files)?;
//! std::fs::write(files.join("a"), "one")?;
//! std::fs::write(files.join("b"), "two")?;
//!
//! let root = Root::open(&files)?;
//! let state = State::at(directory.path().join("state"));
//! let changes = [
//!     // A file that gets another text and becomes executable, one that goes away, and a link that appears.
//!     Change {
//!         path: "a".into(),
//!         before: Some(Expected::file(b"one", Mode::Any)),
//!         after: Some(Wanted::File(Mode::Executable(true))),
//!         prune: 0,
//!     },
//!     Change { path: "b".into(), before: Some(Expected::file(b"two", Mode::Any)), after: None, prune: 0 },
//!     Change { path: "c".into(), before: None, after: Some(Wanted::Link), prune: 0 },
//! ];
//! let contents = ["ONE", "", "a"];
//! let mut changeset = Changeset::begin(&root, &state, &changes, Durability::PowerLoss, |index| {
//!     Ok(contents[index].as_bytes().to_vec())
//! })?;
//!
//! // Someone saves one of them a moment before it is written.
//! std::fs::write(files.join("b"), "two, and more")?;
//! assert_eq!(changeset.apply()?.changed, [std::path::PathBuf::from("b")]);
//! changeset.finish()?;
//! assert_eq!(std::fs::read(files.join("a"))?, b"ONE");
//! assert_eq!(std::fs::read(files.join("b"))?, b"two, and more");
//! assert_eq!(std::fs::read_link(files.join("c"))?, std::path::Path::new("a"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply_path;
mod attributes;
mod batch;
mod change;
mod changeset;
mod common_affixes;
mod directories;
mod error;
mod fault;
mod file;
mod git_name;
mod hash;
mod history;
mod item;
mod journal;
mod lock;
mod object;
mod open_writers;
mod place;
mod preflight;
mod record;
mod recovery;
mod root;
mod stage;
mod state;
mod step;
mod swap;

pub use apply_path::Outcome;
pub use attributes::Attributes;
pub use batch::{ASIDE, Batch, StepError};
pub use change::{Change, Durability, Expected, Mode, Wanted};
pub use changeset::Changeset;
pub use error::Error;
#[cfg(feature = "failpoints")]
pub use fault::{Fault, Held, hold, inject, keep_modes, meanwhile, passed};
pub use file::Snapshot;
pub use fuzzy_system::{allow_many_files, open_to_append, open_to_read};
pub use hash::{sha256, sha256_of};
pub use history::Done;
pub use lock::Locks;
pub use place::FilePlace;
pub use record::Record;
pub use recovery::{Recovered, recover};
pub use root::Root;
#[doc(hidden)]
pub use state::State;
pub use step::Step;

use fuzzy_system as sys;
