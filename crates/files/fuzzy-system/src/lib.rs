//! Everything that differs between Linux, macOS and Windows; the crates above have no `cfg` and no call of a system of
//! their own.
//!
//! Each system offers the same functions. Those that take a directory and a name look the name up in that directory and
//! nowhere else, and follow no link. Those that take a path are for files of our own, and for looking.
//!
//! Every error is the one of the system, unless a function says otherwise.
#![allow(clippy::missing_errors_doc, reason = "every error is the one of the system")]
#![allow(clippy::must_use_candidate, reason = "nearly every function answers a question")]

mod beneath;
mod identity;
mod stat;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use beneath::Beneath;
pub use identity::{Fingerprint, Identity};
pub use stat::{Kind, Stat};
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

use std::io;
use std::path::{Path, PathBuf};

/// Returns a path without links, spelled as the system spells it and as other programs read it.
pub fn canonical(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    std::fs::canonicalize(path).map(plain)
}
