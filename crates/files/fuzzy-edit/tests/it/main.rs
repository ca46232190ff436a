//! Edits of files on the disk.
//!
//! Tests of modes, owners, pipes and inodes are left out where the system has none, and so are those of symbolic links on
//! Windows, where few accounts may make them.

mod batches;
mod crashes;
mod damaged;
mod encodings;
#[cfg(unix)]
mod escapes;
mod events;
mod files;
mod hunks;
mod operations;
mod plans;
mod sessions;
mod support;
mod writers;
