//! Captures and restores of real worktrees, by a real git.

mod copied;
mod diffs;
mod directories;
mod hostile;
mod moved;
mod pipes;
mod probes;
mod properties;
mod random;
mod rough;
mod sidecar;
mod source;
mod staged;
mod store;
mod support;
mod swapped;
mod together;
