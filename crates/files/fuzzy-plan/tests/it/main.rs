//! Plans in memory.

mod diff;
mod moves;
mod texts;
