//! Changes of files that lose no one's text.

mod changesets;
mod permissions;
mod random_changesets;
mod support;
