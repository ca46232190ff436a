//! Everything that differs between systems; the rest of this crate has no `cfg` and no call of its own.
//!
//! Each system offers the same functions. Those that take a directory and a name look the name up in that directory and
//! nowhere else, and follow no link.

#[cfg(unix)]
mod flags;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(target_vendor = "apple")]
mod macos;
mod stat;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use linux::{make_all_durable, open_for_writing, spelling, spelling_of_file, state_base, sync_directory};
#[cfg(target_vendor = "apple")]
pub(crate) use macos::{make_all_durable, open_for_writing, spelling, spelling_of_file, state_base, sync_directory};
pub(crate) use stat::{Kind, Stat};
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(unix)]
pub use unix::{allow_many_files, open_to_append, open_to_read};
#[cfg(windows)]
pub(crate) use windows::*;
#[cfg(windows)]
pub use windows::{allow_many_files, open_to_append, open_to_read};
