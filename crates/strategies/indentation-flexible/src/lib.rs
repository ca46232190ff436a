//! Compares blocks without their indentation.

pub fn link() {}
