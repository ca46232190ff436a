//! Changes of files that lose no one's text.

// These make modes, links and users as Unix has them.
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
