//! One record of the input, a line of a log or a row of a table, with its position.

use std::sync::Arc;

use super::case::Case;

/// A line or a row, with its position.
pub(super) struct Line {
    pub(super) at: At,
    pub(super) record: Record,
}

/// The contents of a record.
pub(super) enum Record {
    /// A line that is not parsed yet.
    Json(Vec<u8>),
    /// A row of a table or an edit in the log of a host, with the values of the columns to group by.
    Case(Box<Case<'static>>, Vec<String>),
}

/// The position of a record.
#[derive(Clone)]
pub(super) struct At {
    /// The index of the file among the named ones.
    pub(super) file: usize,
    pub(super) source: Arc<str>,
    /// The line or row, counted from 1.
    pub(super) line: u64,
}

/// An item that a reader finds.
pub(super) enum Item {
    Line(Line),
    /// A row of a log without texts.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only of rows it is known this early"))]
    WithoutTexts,
    /// An edit in the log of a host that cannot be repeated, and why.
    LeftOut(&'static str),
    /// An unreadable record; without a line, the rest of the file.
    Unreadable(At, String),
}
