//! Undoes escape sequences.

pub fn link() {}
