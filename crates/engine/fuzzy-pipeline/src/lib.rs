//! Ladders of matching strategies, chosen by cargo features.
//!
//! ```
//! # #[cfg(feature = "adaptive")] {
//! use fuzzy_pipeline::{Document, Edit, Pipeline};
//!
//! let pipeline = Pipeline::default();
//! let file = Document::new("fn main() {\n\tlet a = 1;\n}\n");
//! let edit = Edit::new("    let a = 1;", "    let a = 2;");
//! let applied = edit.run(&pipeline, &file)?;
//! assert_eq!(applied.output, "fn main() {\n\tlet a = 2;\n}\n");
//! assert_eq!(applied.found.strategy, "alignment");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! A ladder's feature links its strategies and adds its constructor to [`ladder`]. Cargo unifies features across a
//! build, so more strategies may be linked than one crate asked for; a ladder lists its own by name and is the same
//! whatever else is there.
//!
//! | feature | ladder | may accept wrongly |
//! |---|---|---|
//! | `conservative` | four strict rungs, each unique | blanks that matter inside strings; indentation that matters |
//! | `opencode` | three rungs | a block with the right first and last line and anything between |
//! | `full` | nine rungs, plain and guarded | the same, and the first of several such blocks |
//! | `boocode` | four rungs | a window that is two thirds alike |
//! | `adaptive` (default) | exact, else the best alignment, accepted with margin | see the measurements in `docs/accuracy.md` |
//! | `reference` | nine rungs | a window that is six tenths alike |
//!
//! Each strategy family has a feature of its own too, for ladders of your own and for [`ladder::registered`]. The
//! feature `merge` adds [`ThreeWay`], with which any of these ladders fits what it pastes to the file. With `serde`,
//! what is reported can be serialized.
//!
//! Strategies of your own, and deciders, are written against `fuzzy_core`, which has what they search with.

#![warn(unused_crate_dependencies)]

pub mod ladder;
mod link;
mod pipeline;
#[cfg(feature = "merge")]
mod three_way;

// Used by the integration tests alone.
#[cfg(test)]
use {fuzzy_report as _, fuzzy_testkit as _, proptest as _, serde as _, serde_json as _, similar as _, toml as _};

pub use fuzzy_core::{
    Applied, Attempt, Candidate, Document, Edit, Explanation, Failure, Feature, Judgement, Ladder, LadderError,
    LandedLine, LineRange, LineTable, Match, Merge, Nearest, NumberedLine, Origin, Places, Policy, Proposal, Query,
    REPORTED, Refusal, Registration, Registry, Replaced, ReversedRange, Row, ScoreBreakdown, SideBySide, Similarity,
    Span, Splice, Strategy, Verdict, blank, line_end, line_start,
};
pub use pipeline::Pipeline;
#[cfg(feature = "merge")]
pub use three_way::ThreeWay;

/// Returns every strategy that is linked, plug-ins included, strict to loose.
///
/// Read the registry here rather than from the core: this function keeps the chosen strategies in the program.
#[must_use]
pub fn registry() -> &'static Registry {
    link::link();
    Registry::linked()
}
