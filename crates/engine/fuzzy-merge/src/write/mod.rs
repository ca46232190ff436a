//! Writes the merged text: the file's tokens as they are, new ones in the file's style, and the gaps between them.

mod deleted_gaps;
mod gaps;
mod slots;

pub(crate) use gaps::{Written, write};
