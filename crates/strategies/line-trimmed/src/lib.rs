//! Compares lines without the blanks at their ends.

pub fn link() {}
