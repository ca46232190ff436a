//! Accepts windows within a small edit distance.

pub fn link() {}
