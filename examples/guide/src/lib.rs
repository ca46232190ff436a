//! The Rust code of [the guide](../../../docs/guide.md) as doc tests: its blocks are compiled against the current
//! crates, so that they cannot become outdated.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide.md")]
mod guide {}
