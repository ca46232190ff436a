//! What places are worth.
//!
//! Made by `cargo xtask fit drift-train.jsonl.gz touch-train.jsonl.gz --without conflict --write`; do not edit.

use std::borrow::Cow::Borrowed;

use crate::score::{Model, step};

impl Model {
    /// The model fitted to labelled edits.
    #[rustfmt::skip]
    pub const FITTED: Self = Self {
        perfect: 14.36,
        texts: 0.929,
        steps: [
            // lead: how much better the place explains the needle than the next one; below the limit costs
            Borrowed(&[step(0.6, 1.09)]),
            // clearance: the share of the next place's flaws that this one has not; below the limit costs
            Borrowed(&[step(0.5, 2.15), step(0.6, 0.8), step(0.9, 0.8)]),
            // alone: telling lines found as they are that stand nowhere else in the file; below the limit costs
            Borrowed(&[step(0.05, 2.49), step(0.5, 0.47), step(0.6, 1.7), step(0.97, 0.98), step(3.0, 0.58)]),
            // touched: the share of what the edit takes away that was found; below the limit costs
            Borrowed(&[step(0.3, 2.27), step(0.97, 1.08)]),
            // unlike: letters that differ in the lines found; above the limit costs
            Borrowed(&[step(0.3, 1.63), step(2.0, 1.25), step(8.0, 0.67), step(12.0, 2.03), step(20.0, 2.2)]),
            // extra: the share of the needle's lines that the place lacks; above the limit costs
            Borrowed(&[step(0.3, 2.27)]),
            // breaks: lines hardly alike, and places where needle and file part, a wide one counted twice; above the limit costs
            Borrowed(&[step(0.0, 2.53), step(1.0, 2.36), step(2.0, 2.49)]),
        ],
    };
}
