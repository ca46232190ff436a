//! The search.

mod equal_runs;
