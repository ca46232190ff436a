//! The vocabulary and the machinery of the fuzzy-edit engine.
//!
//! A [`Ladder`] lists [`Strategy`] values and a [`Decider`], most often a [`Policy`]. A [`Pipeline`] uses it to decide
//! once about a [`Query`] (a [`Document`] and an old text). The [`Judgement`] holds one [`Match`] or a [`Failure`], and
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
#[cfg(feature = "tracing")]
mod events;
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
mod quote;
mod range_refusal;
mod ranges;
pub mod rarity;
mod registry;
mod score;
pub mod sequence;
mod side_by_side;
mod similar_windows;
mod similarity;
mod span;
mod strategy;
mod structure;
mod trace;
mod transfer;
mod walk;
mod windows;

pub use anchors::{AnchorBlock, AnchorBlocks, LinesTrimmedTo};
pub use attempt::Attempt;
pub use collapsed::{CollapsedPattern, Gap};
pub use decider::{Decided, Decider, Question, Restored, Trace};
pub use document::{Document, LineTable, line_end, line_start};
pub use edit::{Applied, Edit, LineRange, Replaced};
#[doc(hidden)]
pub use inventory;
pub use judgement::Judgement;
pub use ladder::Ladder;
pub use ladder_error::LadderError;
pub use landing::{Landing, Merge, Splice};
pub use line_ending::to_lf;
pub use outcome::{Adjustment, Conflict, Failure, Match, Refusal};
pub use pipeline::Pipeline;
pub use policy::Policy;
pub use query::{Occurrences, Query, Stop};
pub use quote::{Ends, Numbers, Quote};
pub use range_refusal::RangeRefusal;
pub use registry::{Registration, Registry};
pub use similar_windows::{SimilarWindow, SimilarWindows};
pub use similarity::Similarity;
pub use span::{ReversedRange, Span};
pub use strategy::{Candidate, Found, Strategy};
pub use structure::Arranged;
pub use transfer::{Beside, Destination, Transfer, TransferKind, Transferred, transfer};
pub use windows::{LineForm, Stripped, Trimmed, TrimmedEnd};

/// Types of reports: why an edit landed where it did, or did not, for people and programs that explain it.
///
/// A [`Judgement`] computes them from the decider's [`Trace`], on demand.
pub mod report {
    pub use crate::decider::{Explanation, Places, REPORTED, Reason, Verdict};
    pub use crate::landing::Proposal;
    pub use crate::nearest::Nearest;
    pub use crate::ranges::{EndReason, NamedLines};
    pub use crate::score::{Feature, Repair, ScoreBreakdown};
    pub use crate::side_by_side::{LandedLine, NumberedLine, Origin, Row, SideBySide};
}
