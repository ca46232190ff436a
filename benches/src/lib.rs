//! Timed scenarios, shared by the criterion bench and the tables of `cargo xtask bench`.
//!
//! - [`texts`]: haystacks, from a seed or from the workspace's dependencies.
//! - [`drift`]: differences between a needle and its source text.
//! - [`scenario`]: a timed scenario, its answer, and its comparisons.
//! - [`questions`]: the scenarios, one module per question.
//! - [`measure`]: the fastest of a few runs, compared with a substring pass over the same haystack.

pub mod drift;
pub mod measure;
pub mod questions;
pub mod scenario;
mod search;
pub mod texts;
