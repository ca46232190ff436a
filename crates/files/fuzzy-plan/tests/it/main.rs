//! Plans in memory.

mod diff;
mod texts;
