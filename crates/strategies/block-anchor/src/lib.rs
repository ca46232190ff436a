//! Finds a block by its first and last line.

pub fn link() {}
