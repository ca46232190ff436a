//! One token of file, old text and new text side by side. Which of the texts have one says all about the column.

/// One token of each text at most, by its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) file: Option<usize>,
    pub(crate) old: Option<usize>,
    pub(crate) new: Option<usize>,
}

/// A kind of column: the texts that have a token in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// All three texts.
    Stays,
    /// File and old text: the edit deletes it.
    Deleted,
    /// File and new text: the old text forgot it.
    Forgotten,
    /// The file alone.
    FileOnly,
    /// Old and new text: a slip that both share.
    SharedSlip,
    /// The old text alone: a slip, or a deletion that the file has already.
    OldSlip,
    /// The new text alone: the edit inserts it.
    Inserted,
}

impl Column {
    /// Returns the kind of the column. One without a token is a slip of no text.
    pub(crate) fn kind(self) -> ColumnKind {
        match (self.file.is_some(), self.old.is_some(), self.new.is_some()) {
            (true, true, true) => ColumnKind::Stays,
            (true, true, false) => ColumnKind::Deleted,
            (true, false, true) => ColumnKind::Forgotten,
            (true, false, false) => ColumnKind::FileOnly,
            (false, true, true) => ColumnKind::SharedSlip,
            (false, true, false) | (false, false, false) => ColumnKind::OldSlip,
            (false, false, true) => ColumnKind::Inserted,
        }
    }
}

/// Returns whether none of some tokens has a partner.
pub(crate) fn are_unpaired(partners: &[Option<usize>]) -> bool {
    partners.iter().all(Option::is_none)
}
