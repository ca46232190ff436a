//! Ladders of matching strategies, chosen by cargo features.
//!
//! [`apply`] replaces a text, [`locate`] finds one:
//!
//! ```
//! # #[cfg(feature = "adaptive")] {
//! let file = "def total(cart):\n\treturn sum(cart)\n";
//! let applied = fuzzy_pipeline::apply(file, "    return sum(cart)", "    return max(cart)").unwrap();
//! assert_eq!(applied.output, "def total(cart):\n\treturn max(cart)\n");
//! # }
//! ```
//!
//! [`apply_with`] does so with another ladder. With limits or reports, an [`Edit`] is run by a [`Pipeline`]:
//!
//! ```
//! # #[cfg(feature = "full")] {
//! use fuzzy_pipeline::{Document, Edit, Pipeline, ladder};
//!
//! let pipeline = Pipeline::new(ladder::full());
//! let file = Document::new("a = 1;\nb = 1;\n");
//! let edit = Edit::new("  a = 1;", "a = 2;");
//! assert_eq!(edit.run(&pipeline, &file)?.output, "a = 2;\nb = 1;\n");
//!
//! let edit = Edit::new("= 1;", "= 2;");
//! let attempt = edit.attempt(&pipeline, &file);
//! let judgement = attempt.decide();
//! assert!(judgement.apply().is_err());
//! assert_eq!(judgement.places().count, 2);
//! # }
//! # Ok::<(), fuzzy_pipeline::Failure>(())
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
//! | `adaptive` (default) | exact, else the best alignment, accepted if it is probably right | see the measurements in `docs/accuracy.md` |
//! | `reference` | nine rungs | a window that is six tenths alike |
//!
//! Each strategy family has a feature of its own too, for ladders of your own and for [`ladder::registered`]. The
//! feature `merge` adds [`ThreeWay`], with which any of these ladders fits what it pastes to the file. With `serde`,
//! what is reported can be serialized. `texts` adds a module of that name: edits and patches of files that are texts in
//! memory. With `code-pages`, a default, `adaptive` restores texts that a terminal showed in a wrong code page. With
//! `tracing`, a default, each decision is a span and an event at the level
//! `debug`, so that `RUST_LOG=fuzzy_core=debug` shows strategy, rule and score in a program that reads the variable.
//!
//! Strategies of your own, and deciders, are written against `fuzzy_core`, which has what they search with.

#![warn(unused_crate_dependencies)]

pub mod ladder;
mod link;
#[cfg(feature = "merge")]
mod three_way;

// Used by the integration tests alone.
#[cfg(test)]
use {fuzzy_testkit as _, proptest as _, serde as _, serde_json as _, similar as _, toml as _};

pub use fuzzy_core::{
    Applied, Attempt, Candidate, Conflict, Document, Edit, Ends, Failure, Judgement, Ladder, LadderError, LineRange,
    LineTable, Match, Merge, Numbers, Pipeline, Policy, Query, Quote, RangeRefusal, Refusal, Registration, Registry,
    Replaced, ReversedRange, Similarity, Span, Splice, Strategy, Transfer, TransferKind,
};
pub use link::registry;
#[cfg(feature = "merge")]
pub use three_way::ThreeWay;

/// Types of reports: why an edit landed where it did, or did not, for people and programs that explain it.
pub mod report {
    pub use fuzzy_core::report::*;
    pub use fuzzy_report::{Code, ContestedLines, Failure, NearestLines, OfEdit, RangeEnd, Remedy, Status};
}

/// Edits and patches of files that are texts in memory, such as the buffers of an editor or files on another machine.
#[cfg(feature = "texts")]
pub mod texts {
    pub use fuzzy_plan::{Limits, Options, Texts};
    pub use fuzzy_report::{FileEdit, Operation, PatchOptions, Report, Success};
}

/// Replaces `old` by `new` in `text` with the ladder `adaptive` and without limits; reads and writes no file.
///
/// Line endings are fitted to the text. An [`Edit`] that a [`Pipeline`] runs has options, limits and reports.
///
/// # Errors
///
/// Returns the [`report::Failure`] that the other interfaces return: the old text is not found, its place or the new
/// text is uncertain, the new text has a placeholder for old lines, or the edit is already applied. It has the code, the
/// rule, the most similar lines with their difference, and the next step.
///
/// # Examples
///
/// ```
/// let file = "price = 10\ntax  =  2\n";
/// assert_eq!(fuzzy_pipeline::apply(file, "tax = 2", "tax = 3")?.output, "price = 10\ntax  =  3\n");
///
/// let refused = fuzzy_pipeline::apply(file, "price = 12", "price = 13").unwrap_err();
/// assert_eq!((refused.code.as_str(), refused.details.rule), ("conflict", Some("different-value")));
/// assert_eq!(refused.details.nearest.unwrap().lines.first, 1);
/// # Ok::<(), Box<fuzzy_pipeline::report::Failure>>(())
/// ```
///
/// # Complexity
///
/// A few substring passes over the text if it has the old one exactly; else one pass to index the lines, and alignments
/// of the old text with a few windows of its size.
#[cfg(feature = "adaptive")]
pub fn apply(text: &str, old: &str, new: &str) -> Result<Applied, Box<report::Failure>> {
    apply_with(&Pipeline::new(ladder::adaptive()), &Document::new(text), &Edit::new(old, new))
}

/// Carries out an edit of a text with any ladder; reads and writes no file.
///
/// # Errors
///
/// Returns the [`report::Failure`] of [`apply`].
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "conservative")] {
/// use fuzzy_pipeline::{Document, Edit, Pipeline, apply_with, ladder};
///
/// let pipeline = Pipeline::new(ladder::conservative());
/// let file = Document::new("price = 10\ntax  =  2\n");
/// assert_eq!(apply_with(&pipeline, &file, &Edit::new("tax = 2", "tax = 3"))?.output, "price = 10\ntax = 3\n");
///
/// let refused = apply_with(&pipeline, &file, &Edit::new("price = 12", "price = 13")).unwrap_err();
/// assert_eq!(refused.code.as_str(), "not_found");
/// assert_eq!(refused.details.nearest.as_ref().map(|nearest| nearest.lines.first), Some(1));
/// println!("{}", refused.for_model());
/// # }
/// # Ok::<(), Box<fuzzy_pipeline::report::Failure>>(())
/// ```
///
/// # Complexity
///
/// That of the ladder's strategies; a refusal also looks for the most similar lines.
pub fn apply_with(
    pipeline: &Pipeline,
    document: &Document<'_>,
    edit: &Edit<'_>,
) -> Result<Applied, Box<report::Failure>> {
    let attempt = edit.attempt(pipeline, document);
    let judgement = attempt.decide();
    fuzzy_report::apply_within(&judgement, u64::MAX).map_err(|cause| cause.failure(&judgement))
}

/// Finds the place of `old` in `text` with the ladder `adaptive` and without limits: where every edit that lands will
/// land.
///
/// # Errors
///
/// Returns the [`report::Failure`] of [`apply`], except those that depend on a new text.
///
/// # Examples
///
/// ```
/// let file = "price = 10\ntax  =  2\n";
/// let found = fuzzy_pipeline::locate(file, "tax = 2")?;
/// assert_eq!(found.span.text(file), "tax  =  2");
/// # Ok::<(), Box<fuzzy_pipeline::report::Failure>>(())
/// ```
///
/// # Complexity
///
/// As [`apply`].
#[cfg(feature = "adaptive")]
pub fn locate(text: &str, old: &str) -> Result<Match, Box<report::Failure>> {
    let (pipeline, document) = (Pipeline::new(ladder::adaptive()), Document::new(text));
    let attempt = Edit::new(old, "").attempt(&pipeline, &document).without_new();
    let judgement = attempt.decide();
    judgement.found().map_err(|failure| fuzzy_report::Cause::from(failure).failure(&judgement))
}
