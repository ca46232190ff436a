//! Tests of plans in memory.

mod diff;
mod like_apply;
mod moves;
mod notebooks;
mod texts;
