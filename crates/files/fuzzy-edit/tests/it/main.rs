//! Edits of files on the disk.

mod batches;
mod crashes;
mod damaged;
mod encodings;
mod escapes;
mod events;
mod files;
mod hunks;
mod operations;
mod plans;
mod sessions;
mod support;
mod writers;
