//! The merge of needle, replacement and file.

mod conflicts;
mod laws;
mod lines;
mod merge;
