//! Options that edit a cell of a notebook.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fuzzy_edit::{CellEdit, CellType, Side};
use serde::de::DeserializeOwned;

/// The cell of a notebook.
#[derive(Args)]
pub(crate) struct Cells {
    /// The cell of a notebook, by its id or its number from 1: the place is searched in it, or --new replaces all of it;
    /// --move-after and --move-before name another cell
    #[arg(long, value_name = "ID|N")]
    cell: Option<String>,
    /// Insert a new cell with the source --new on this side of --cell, or at this end of the notebook
    #[arg(long, value_name = "SIDE", value_parser = one_of::<Side>(&["before", "after"]), conflicts_with = "delete_cell")]
    insert_cell: Option<Side>,
    /// The kind of the new cell [default: code]
    #[arg(long, value_name = "KIND", value_parser = one_of::<CellType>(&["code", "markdown", "raw"]))]
    #[arg(requires = "insert_cell")]
    cell_type: Option<CellType>,
    /// Delete --cell
    #[arg(long, requires = "cell", conflicts_with = "new")]
    delete_cell: bool,
}

/// Parses one of the words that a type has in JSON.
fn one_of<T>(words: &[&'static str]) -> impl TypedValueParser<Value = T> + use<T>
where
    T: Clone + Send + Sync + DeserializeOwned + 'static,
{
    PossibleValuesParser::new(words.to_vec()).try_map(|word| serde_json::from_value(word.into()))
}

impl Cells {
    /// Returns the cell of the edit, if there is one.
    pub(crate) fn read(&self) -> Option<CellEdit> {
        let edit = CellEdit {
            cell: self.cell.clone(),
            insert: self.insert_cell,
            cell_type: self.cell_type,
            delete: self.delete_cell,
        };
        (edit != CellEdit::default()).then_some(edit)
    }
}
