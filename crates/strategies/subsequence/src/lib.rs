//! Finds the needle's lines in order, with gaps.

pub fn link() {}
