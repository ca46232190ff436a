//! Which lines and tokens of two texts belong together.

mod affine_gap;
mod line_similarity;
pub(crate) mod lines;
mod slide;
pub(crate) mod three_way;
pub(crate) mod tokens;
