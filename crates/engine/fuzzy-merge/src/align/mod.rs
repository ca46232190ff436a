//! Pairs the lines and tokens of the texts.

mod affine_gap;
pub(crate) mod anchors;
mod line_similarity;
pub(crate) mod lines;
mod slide;
pub(crate) mod three_way;
pub(crate) mod tokens;
pub(crate) mod vetoes;
