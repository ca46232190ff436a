//! One record of the input: a line of a log or a row of a table, and where it is.

use std::sync::Arc;

use super::case::Case;

/// A line or a row, and where it is.
pub(super) struct Line {
    pub(super) at: At,
    pub(super) record: Record,
}

/// What is recorded there.
pub(super) enum Record {
    /// A line that nobody has looked into.
    Json(Vec<u8>),
    /// A row of a table.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only tables have rows"))]
    Case(Box<Case<'static>>),
}

/// Where a line is.
#[derive(Clone)]
pub(super) struct At {
    /// The file's place among those that were named.
    pub(super) file: usize,
    pub(super) source: Arc<str>,
    /// The line or row, counted from 1.
    pub(super) line: u64,
}

/// What a reader finds.
pub(super) enum Item {
    Line(Line),
    /// A row of a log without texts.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only of rows it is known this early"))]
    WithoutTexts,
    /// Something that cannot be read; without a line, the rest of the file.
    Unreadable(At, String),
}
