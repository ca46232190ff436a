//! Which lines and tokens of two texts belong together.

mod affine_gap;
pub(crate) mod anchors;
pub(crate) mod column;
mod line_similarity;
pub(crate) mod lines;
pub(crate) mod shared;
mod slide;
pub(crate) mod three_way;
pub(crate) mod tokens;
pub(crate) mod vetoes;
