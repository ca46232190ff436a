//! What texts are made of: lines, tokens, the gaps between them, and what survives careless copying.

pub(crate) mod fold;
pub(crate) mod gap;
pub(crate) mod lines;
pub(crate) mod tokens;
pub(crate) mod vocabulary;
