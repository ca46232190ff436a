//! The fitted accuracies of texts.
//!
//! Made by `cargo xtask fit drift-train.jsonl.gz touch-train.jsonl.gz --generated 2000 --write`; do not edit.

use std::borrow::Cow::Borrowed;

use crate::score::{Model, accuracy};

impl Model {
    /// The model fitted to labelled edits.
    #[rustfmt::skip]
    pub const FITTED: Self = Self {
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
    };
}
