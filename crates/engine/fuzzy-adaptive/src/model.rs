//! The fitted model of a place's probability.
//!
//! Made by `cargo xtask fit drift-train.jsonl.gz touch-train.jsonl.gz --without conflict --write`; do not edit.

use std::borrow::Cow::Borrowed;

use crate::score::{Model, step};

impl Model {
    /// The model fitted to labelled edits.
    #[rustfmt::skip]
    pub const FITTED: Self = Self {
        perfect: 14.15,
        text_accuracy: 0.994,
        steps: [
            // lead: how much better the place explains the needle than the next one; below the limit costs
            Borrowed(&[step(0.5, 0.55), step(0.6, 1.28)]),
            // clearance: the share of the next place's flaws that this place lacks; below the limit costs
            Borrowed(&[step(0.5, 2.27), step(0.6, 0.9), step(0.9, 0.43)]),
            // alone: information in lines that occur unchanged, and only once in the file; below the limit costs
            Borrowed(&[step(0.05, 1.56), step(0.5, 0.87), step(0.6, 2.03), step(2.0, 0.99)]),
            // touched: the share of the deleted text that was found; below the limit costs
            Borrowed(&[step(0.3, 3.58), step(0.5, 3.92), step(0.97, 1.02)]),
            // unlike: letters that differ in the aligned lines; above the limit costs
            Borrowed(&[step(0.3, 1.91), step(2.0, 0.8), step(8.0, 1.05), step(12.0, 1.12), step(20.0, 2.77)]),
            // extra: the share of the needle's lines that the place lacks; above the limit costs
            Borrowed(&[step(0.3, 1.4)]),
            // breaks: barely similar lines and gaps in the alignment; a wide gap counts twice; above the limit costs
            Borrowed(&[step(0.0, 2.47), step(1.0, 2.54), step(2.0, 2.78)]),
        ],
    };
}
