//! The fitted model of a place's probability.
//!
//! Made by `cargo xtask fit drift-train.jsonl.gz touch-train.jsonl.gz --generated 2000 --only-texts --write`; do not edit.

use std::borrow::Cow::Borrowed;

use crate::score::{Model, accuracy, step};

impl Model {
    /// The model fitted to labelled edits.
    #[rustfmt::skip]
    pub const FITTED: Self = Self {
        perfect: 14.08,
        plain: 0.9991,
        repairs: Borrowed(&[
            accuracy("absent-lines", 0.9939),
            accuracy("blank-lines", 0.9948),
            accuracy("edge-quotes", 0.9804),
            accuracy("escaped-text", 0.9921),
            accuracy("escapes", 0.9977),
            accuracy("fence", 0.9879),
            accuracy("html-entities", 0.9959),
            accuracy("indentation", 0.9956),
            accuracy("indentation-step", 0.9806),
            accuracy("last-item", 0.9913),
            accuracy("line-ends", 0.9886),
            accuracy("line-numbers", 0.9979),
            accuracy("new-depth", 0.9951),
            accuracy("no-equal-line", 0.9945),
            accuracy("other-words", 0.9812),
            accuracy("outer-elisions", 0.9841),
            accuracy("spelling", 0.9811),
            accuracy("truncated-lines", 0.998),
            accuracy("typographic-marks", 0.9818),
            accuracy("unquoted-lines", 0.9958),
            accuracy("unquoted-words", 0.9973),
            accuracy("wrapped-lines", 0.9961),
        ]),
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
