//! The Rust of [the guide](../../../docs/guide.md), run as doc tests: its blocks are compiled against the crates as they
//! are, so that none of them can grow old.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide.md")]
mod guide {}
