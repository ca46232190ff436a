//! Keeps the most similar window.

pub fn link() {}
