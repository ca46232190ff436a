//! The merge of needle, replacement and file.

mod carry_over;
mod conflicts;
mod laws;
mod lines;
