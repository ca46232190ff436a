//! Tests of batches and changesets with concurrent saves and crashes.

// These tests use modes, links and users of Unix.
#[cfg(unix)]
mod changesets;
mod everywhere;
#[cfg(unix)]
mod permissions;
#[cfg(unix)]
mod random_changesets;
#[cfg(unix)]
mod support;
#[cfg(windows)]
mod windows;
