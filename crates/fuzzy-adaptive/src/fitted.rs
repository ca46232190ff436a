//! What places are worth.
//!
//! Made by `cargo xtask fit drift-train.jsonl.gz touch-train.jsonl.gz --write`; do not edit.

use std::borrow::Cow::Borrowed;

use crate::score::{Model, step};

impl Model {
    /// The model fitted to labelled edits.
    #[rustfmt::skip]
    pub const FITTED: Self = Self {
        perfect: 10.71,
        texts: 0.994,
        steps: [
            // lead: how much better the place explains the needle than the next one; below the limit costs
            Borrowed(&[]),
            // clearance: the share of the next place's flaws that this one has not; below the limit costs
            Borrowed(&[step(0.5, 2.93), step(0.6, 0.73)]),
            // alone: telling lines found as they are that stand nowhere else in the file; below the limit costs
            Borrowed(&[step(0.05, 1.94), step(0.6, 0.73), step(2.0, 0.65)]),
            // touched: the share of what the edit takes away that was found; below the limit costs
            Borrowed(&[step(0.3, 2.68), step(0.5, 5.69)]),
            // unlike: letters that differ in the lines found; above the limit costs
            Borrowed(&[step(0.3, 2.53), step(1.0, 0.49), step(2.0, 0.9), step(3.0, 0.82), step(12.0, 1.45), step(20.0, 1.96)]),
            // extra: the share of the needle's lines that the place lacks; above the limit costs
            Borrowed(&[step(0.3, 1.93)]),
            // breaks: lines hardly alike, and places where needle and file part, a wide one counted twice; above the limit costs
            Borrowed(&[step(0.0, 0.52), step(1.0, 1.65), step(2.0, 2.14)]),
        ],
    };
}
