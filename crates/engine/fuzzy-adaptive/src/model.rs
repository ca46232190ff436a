//! The fitted model of a place's probability.
//!
//! Made by `cargo xtask fit drift-train.jsonl.gz touch-train.jsonl.gz --without conflict --texts hand_written.jsonl --write`; do not edit.

use std::borrow::Cow::Borrowed;

use crate::score::{Model, accuracy, step};

impl Model {
    /// The model fitted to labelled edits.
    #[rustfmt::skip]
    pub const FITTED: Self = Self {
        perfect: 14.08,
        text_accuracy: Borrowed(&[accuracy(0.0, 0.995), accuracy(0.05, 0.986), accuracy(0.2, 0.976), accuracy(0.4, 0.956), accuracy(0.8, 0.903), accuracy(1.6, 0.7)]),
        steps: [
            // lead: how much better the place explains the needle than the next one; below the limit costs
            Borrowed(&[step(0.5, 0.61)]),
            // clearance: the share of the next place's flaws that this place lacks; below the limit costs
            Borrowed(&[step(0.5, 1.98), step(0.9, 1.58)]),
            // alone: information in lines that occur unchanged, and only once in the file; below the limit costs
            Borrowed(&[step(0.05, 1.33), step(0.5, 1.04), step(0.6, 1.09), step(2.0, 1.3)]),
            // touched: the share of the deleted text that was found; below the limit costs
            Borrowed(&[step(0.3, 2.35), step(0.5, 5.77), step(0.97, 0.75)]),
            // unlike: letters that differ in the aligned lines; above the limit costs
            Borrowed(&[step(0.3, 3.16), step(12.0, 2.15), step(20.0, 2.0)]),
            // extra: the share of the needle's lines that the place lacks; above the limit costs
            Borrowed(&[step(0.2, 0.6), step(0.3, 1.13)]),
            // breaks: barely similar lines and gaps in the alignment; a wide gap counts twice; above the limit costs
            Borrowed(&[step(0.0, 2.75), step(1.0, 1.79), step(2.0, 2.68)]),
        ],
    };
}
