//! A range that an edit may mean, for refusals.

use fuzzy_core::LineRange;
use serde::Serialize;

/// A range that an edit may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RangeEnd {
    /// The lines of the range.
    pub lines: LineRange,
    /// The number of these lines, which chooses the range.
    pub expected_lines: usize,
}
