//! The vocabulary and the machinery of the fuzzy-edit engine.
//!
//! A [`Ladder`] lists [`Strategy`] values and a [`Decider`], most often a [`Policy`]. A [`Pipeline`] uses it to decide
//! once about a [`Query`] (a [`Document`] and a needle). The [`Judgement`] holds one [`Match`] or a [`Failure`], and
//! computes every report. An [`Edit`] fits line endings. Strategies live in crates of their own and register themselves
//! with [`register!`].
//!
//! This crate depends on no strategy, reads no file and converts text only on request. All offsets are bytes. Nothing
//! here panics on any input text.

mod anchors;
mod attempt;
pub mod blank;
mod collapsed;
mod decider;
pub mod distance;
mod document;
mod edit;
mod finder;
mod judgement;
mod ladder;
mod ladder_error;
mod landing;
mod line_ending;
mod nearest;
mod outcome;
mod pipeline;
mod policy;
mod query;
pub mod rarity;
mod registry;
mod score;
pub mod sequence;
mod side_by_side;
mod similar_windows;
mod similarity;
mod span;
mod strategy;
mod trace;
mod walk;
mod windows;

pub use anchors::{AnchorBlock, AnchorBlocks, LinesTrimmedTo};
pub use attempt::Attempt;
pub use collapsed::{CollapsedPattern, Gap};
pub use decider::{Decided, Decider, Explanation, Places, Question, REPORTED, Reason, Trace, Verdict};
pub use document::{Document, LineTable, line_end, line_start};
pub use edit::{Applied, Edit, LineRange, Replaced};
#[doc(hidden)]
pub use inventory;
pub use judgement::Judgement;
pub use ladder::Ladder;
pub use ladder_error::LadderError;
pub use landing::{Landing, Merge, Proposal, Splice};
pub use line_ending::to_lf;
pub use nearest::Nearest;
pub use outcome::{Adjustment, Conflict, Failure, Match, Refusal};
pub use pipeline::Pipeline;
pub use policy::Policy;
pub use query::{Occurrences, Query, Stop};
pub use registry::{Registration, Registry};
pub use score::{Feature, ScoreBreakdown};
pub use side_by_side::{LandedLine, NumberedLine, Origin, Row, SideBySide};
pub use similar_windows::{SimilarWindow, SimilarWindows};
pub use similarity::Similarity;
pub use span::{ReversedRange, Span};
pub use strategy::{Candidate, Found, Strategy};
pub use windows::{LineForm, Stripped, Trimmed, TrimmedEnd};
