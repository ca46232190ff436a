//! Writes files without losing concurrent saves of other programs.
//!
//! - Paths are walked by descriptor beneath a [`Root`]: no link leads out of it, nor a directory that is replaced by a
//!   link meanwhile.
//! - A new file is exchanged with the old one, and the old one is then compared with the plan. If it differs, another
//!   program saved it a moment before, and it is exchanged back.
//! - A journal records the planned changes first. A process that is killed leaves each path old or new, and the next
//!   process finishes the changes or rolls them back.
//! - [`Locks`] serialize the processes that write one file; [`State`] is the directory of locks and journals.
//!
//! There are two kinds of writes. A [`Batch`] is all or nothing: if one file changed meanwhile, none is written. Its
//! journal keeps the old text, so that it can be undone later. A [`Changeset`] brings many paths to a wanted state,
//! including symbolic links, modes, deletions and directories that become files: it skips and reports a path that
//! another program changed, and changes the others.
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
//!     // A file with another text that becomes executable, a deleted file, and a new link.
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
//! // Another program saves one of them a moment before it is written.
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
mod file_ops;
mod git_name;
mod hash;
mod history;
mod id;
mod in_turn;
mod item;
mod journal;
mod lock;
mod object;
mod open_writers;
mod place;
mod preflight;
mod record;
mod recovery;
mod remainder;
mod root;
mod stage;
mod state;
mod step;

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
pub use in_turn::InTurn;
pub use lock::Locks;
pub use place::FilePlace;
pub use record::{Merge, Record};
pub use recovery::{Recovered, recover, unreadable};
pub use remainder::Remainder;
pub use root::Root;
#[doc(hidden)]
pub use state::State;
pub use step::Step;

use fuzzy_system as sys;
