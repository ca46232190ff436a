//! The merge of old text, new text and file.

mod conflicts;
mod laws;
mod lines;
mod merge;
