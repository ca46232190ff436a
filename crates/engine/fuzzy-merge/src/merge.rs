//! A merge: the aligned texts and the changes of the file.

use crate::align::three_way::Texts;
use crate::columns::Columns;
use crate::conflict_lines::ConflictLines;
use crate::hunks::Hunk;
use crate::map::Map;

/// The aligned texts of an edit and its changes.
pub(crate) struct Merge<'m, 't> {
    pub(crate) texts: &'m Texts<'t>,
    pub(crate) columns: Columns,
    pub(crate) hunks: Vec<Hunk>,
    pub(crate) map: Map,
}

impl<'m, 't> Merge<'m, 't> {
    /// Merges the texts. On the lines of a conflict the new text wins. Finds fewer hunks once the merge is cancelled.
    pub(crate) fn new(texts: &'m Texts<'t>, conflict: &ConflictLines) -> Self {
        let columns = Columns::of(texts);
        let hunks = Hunk::all(texts, &columns, conflict);
        let map = Map::of(texts, &columns, &hunks);
        Self { texts, columns, hunks, map }
    }
}
