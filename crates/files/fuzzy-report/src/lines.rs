//! Line ranges in reports.

use std::fmt;

use fuzzy_core::LineRange;
use serde::Serialize;

/// Lines of a file, counted from 1, both ends included; two numbers in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Lines(pub usize, pub usize);

impl From<LineRange> for Lines {
    fn from(range: LineRange) -> Self {
        Self(range.first, range.last)
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == self.1 { write!(f, "line {}", self.0) } else { write!(f, "lines {}-{}", self.0, self.1) }
    }
}
