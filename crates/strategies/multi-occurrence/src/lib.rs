//! Finds every occurrence of the needle.

pub fn link() {}
