//! Compares texts with their runs of blanks collapsed.

pub fn link() {}
