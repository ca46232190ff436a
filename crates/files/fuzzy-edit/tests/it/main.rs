//! Tests of edits of files on the disk.
//!
//! Tests of modes, owners, pipes and inodes are skipped on systems without them, and tests of symbolic links on
//! Windows, where few accounts may create them.

mod batches;
mod code_pages;
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
