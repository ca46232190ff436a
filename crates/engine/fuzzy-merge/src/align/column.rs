//! A token of file, old text and new text side by side.

/// At most one token of each text, by its index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) file: Option<usize>,
    pub(crate) old: Option<usize>,
    pub(crate) new: Option<usize>,
}

/// A kind of column, by the texts that have a token in it: the [crate]'s page explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Kept,
    Deleted,
    Forgotten,
    FileOnly,
    SharedSlip,
    OldSlip,
    Inserted,
}

impl Column {
    /// Returns the kind of the column; an empty column has the one of an old slip.
    pub(crate) fn kind(self) -> ColumnKind {
        match (self.file.is_some(), self.old.is_some(), self.new.is_some()) {
            (true, true, true) => ColumnKind::Kept,
            (true, true, false) => ColumnKind::Deleted,
            (true, false, true) => ColumnKind::Forgotten,
            (true, false, false) => ColumnKind::FileOnly,
            (false, true, true) => ColumnKind::SharedSlip,
            (false, true | false, false) => ColumnKind::OldSlip,
            (false, false, true) => ColumnKind::Inserted,
        }
    }
}

/// Returns whether none of some tokens has a partner.
pub(crate) fn are_unpaired(partners: &[Option<usize>]) -> bool {
    partners.iter().all(Option::is_none)
}
