//! Tests of plans in memory.

mod diff;
mod moves;
mod texts;
