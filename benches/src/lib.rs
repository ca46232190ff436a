//! Scenarios that are timed: criterion's benches and the tables of `cargo xtask bench` share one list.
//!
//! - [`texts`]: haystacks, from a seed or from the workspace's dependencies.
//! - [`drift`]: how a needle differs from what occurs in the haystack.
//! - [`scenario`]: one thing to time, its answer, and what it is compared with.
//! - [`questions`]: the scenarios, one module per question.
//! - [`measure`]: the fastest of a few runs, beside a substring pass over the same haystack.
//! - [`timed`]: the same scenarios in criterion.

pub mod drift;
pub mod measure;
pub mod questions;
pub mod scenario;
mod search;
pub mod texts;
pub mod timed;
