//! Writes the merged text: kept tokens as in the file, new ones in the file's spelling, and the gaps between them.

mod gaps;
mod slots;

pub(crate) use gaps::{Written, write};
