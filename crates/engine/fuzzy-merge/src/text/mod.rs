//! What texts are made of: lines, tokens, the whitespace between them, and their normal form.

pub(crate) mod characters;
pub(crate) mod lines;
pub(crate) mod normalize;
pub(crate) mod tokens;
pub(crate) mod vocabulary;
pub(crate) mod whitespace;
pub(crate) mod words;
