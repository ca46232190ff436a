//! Trims the needle at both ends.

pub fn link() {}
