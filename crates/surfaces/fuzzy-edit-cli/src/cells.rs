//! Options that edit a cell of a notebook.

use clap::{Args, ValueEnum};
use fuzzy_edit::{CellEdit, CellType, Side};

/// The cell of a notebook.
#[derive(Args)]
pub(crate) struct Cells {
    /// The cell of a notebook, by its id or its number from 1: the place is searched in it, or --new replaces all of it;
    /// --move-after and --move-before name another cell
    #[arg(long, value_name = "ID|N")]
    cell: Option<String>,
    /// Insert a new cell with the source --new on this side of --cell, or at this end of the notebook
    #[arg(long, value_name = "SIDE", conflicts_with = "delete_cell")]
    insert_cell: Option<SideName>,
    /// The kind of the new cell [default: code]
    #[arg(long, value_name = "KIND", requires = "insert_cell")]
    cell_type: Option<KindName>,
    /// Delete --cell
    #[arg(long, requires = "cell", conflicts_with = "new")]
    delete_cell: bool,
}

/// A side of a cell.
#[derive(Clone, Copy, ValueEnum)]
enum SideName {
    Before,
    After,
}

/// The kind of a cell.
#[derive(Clone, Copy, ValueEnum)]
enum KindName {
    Code,
    Markdown,
    Raw,
}

impl Cells {
    /// Returns the cell of the edit, if there is one.
    pub(crate) fn read(&self) -> Option<CellEdit> {
        let edit = CellEdit {
            cell: self.cell.clone(),
            insert: self.insert_cell.map(|side| match side {
                SideName::Before => Side::Before,
                SideName::After => Side::After,
            }),
            cell_type: self.cell_type.map(|kind| match kind {
                KindName::Code => CellType::Code,
                KindName::Markdown => CellType::Markdown,
                KindName::Raw => CellType::Raw,
            }),
            delete: self.delete_cell,
        };
        (edit != CellEdit::default()).then_some(edit)
    }
}
