//! What places are worth.
//!
//! Made by `cargo xtask fit drift-train.jsonl.gz touch-train.jsonl.gz --without conflict --write`; do not edit.

use std::borrow::Cow::Borrowed;

use crate::score::{Model, step};

impl Model {
    /// The model fitted to labelled edits.
    #[rustfmt::skip]
    pub const FITTED: Self = Self {
        perfect: 14.19,
        texts: 0.994,
        steps: [
            // lead: how much better the place explains the needle than the next one; below the limit costs
            Borrowed(&[step(0.6, 1.56)]),
            // clearance: the share of the next place's flaws that this one has not; below the limit costs
            Borrowed(&[step(0.5, 2.82), step(0.6, 0.52), step(0.9, 0.45)]),
            // alone: telling lines found as they are that stand nowhere else in the file; below the limit costs
            Borrowed(&[step(0.05, 1.83), step(0.5, 0.93), step(0.6, 2.0), step(2.0, 1.28)]),
            // touched: the share of what the edit takes away that was found; below the limit costs
            Borrowed(&[step(0.3, 4.68), step(0.5, 3.01), step(0.97, 0.97)]),
            // unlike: letters that differ in the lines found; above the limit costs
            Borrowed(&[step(0.3, 1.49), step(2.0, 0.91), step(5.0, 0.41), step(12.0, 1.85), step(20.0, 3.38)]),
            // extra: the share of the needle's lines that the place lacks; above the limit costs
            Borrowed(&[step(0.3, 1.43)]),
            // breaks: lines hardly alike, and places where needle and file part, a wide one counted twice; above the limit costs
            Borrowed(&[step(0.0, 2.43), step(1.0, 2.97), step(2.0, 1.96)]),
        ],
    };
}
