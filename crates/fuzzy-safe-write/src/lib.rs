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
//! A [`Batch`] is all or nothing: one file that changed, and none is written. It keeps the old text in its journal, so that
//! it can be taken back later.

#[cfg(not(unix))]
compile_error!("fuzzy-safe-write keeps modes, owners and links, which it knows on Unix only");

mod attributes;
mod batch;
mod directories;
mod error;
mod fault;
mod file;
mod git_name;
mod hash;
mod history;
mod journal;
mod lock;
mod place;
mod record;
mod recovery;
mod root;
mod shared;
mod state;
mod step;
mod swap;

pub use attributes::Attributes;
pub use batch::{ASIDE, Batch, StepError};
pub use error::Error;
#[cfg(feature = "failpoints")]
pub use fault::{Fault, Held, hold, inject, meanwhile, passed};
pub use file::Snapshot;
pub use hash::{sha256, sha256_of};
pub use history::Done;
pub use lock::Locks;
pub use place::FilePlace;
pub use record::Record;
pub use recovery::{Recovered, recover};
pub use root::Root;
#[doc(hidden)]
pub use shared::{prefix, suffix};
pub use state::State;
pub use step::Step;
