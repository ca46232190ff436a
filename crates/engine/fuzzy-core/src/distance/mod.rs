//! Edit distances: between two texts, and of one pattern to many places of a text.
//!
//! All distances are Levenshtein distances: the least number of insertions, deletions and
//! substitutions of one unit each. The unit is in the function's name: UTF-16 code units for
//! the rungs that count as JavaScript does, Unicode scalar values (`char`) for the others.
//!
//! Two texts at a time go to `rapidfuzz` after bounds that cost little ([`utf16_distance`] and
//! its kin). Many windows of one text are measured by a [`Pattern`], one pass for all of them.

mod band;
mod kernel;
mod pairwise;
mod pattern;
mod stops;
mod sweep;

pub use pairwise::{
    cost, scalar_distance, scalar_distance_within, scalar_len, time, utf16_distance, utf16_distance_within, utf16_len,
};
pub use pattern::Pattern;

#[cfg(test)]
mod tests;
