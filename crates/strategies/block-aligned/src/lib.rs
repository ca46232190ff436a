//! Shifts the needle to the indentation of the place.

pub fn link() {}
