//! Edits whose texts come from a terminal in another code page.

mod damaged;
mod edits;
