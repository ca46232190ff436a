//! Which lines and tokens of two texts belong together.

pub(crate) mod lines;
pub(crate) mod pair;
mod settle;
mod similar;
mod table;
pub(crate) mod texts;
