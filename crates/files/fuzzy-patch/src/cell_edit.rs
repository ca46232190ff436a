//! The cell of a notebook that an edit is about.

use crate::{LineTransfer, PlaceError};

/// A side of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Above it.
    Before,
    /// Below it.
    After,
}

/// The kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CellType {
    /// Code, which has outputs.
    Code,
    /// Text in Markdown.
    Markdown,
    /// Text as it is.
    Raw,
}

impl CellType {
    /// Returns the name in the format of notebooks.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Markdown => "markdown",
            Self::Raw => "raw",
        }
    }
}

/// The name of a cell in JSON: its id, or its number from 1.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(untagged)]
pub enum CellName {
    /// An id, or a number in quotation marks.
    Text(String),
    /// A number.
    Number(usize),
}

// A derived schema is three times as long, and each tool that a model reads repeats it.
#[cfg(feature = "schemars")]
impl schemars::JsonSchema for CellName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CellName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["string", "integer"] })
    }
}

impl From<CellName> for String {
    fn from(name: CellName) -> Self {
        match name {
            CellName::Text(text) => text,
            CellName::Number(number) => number.to_string(),
        }
    }
}

/// The cell of a notebook that an edit is about. With an old text or a quote of lines, these are searched in its source;
/// otherwise the edit replaces all of the source, or inserts, deletes or moves a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct CellEdit {
    /// The id of the cell, or its number from 1. It may be missing for a new cell at an end of the notebook.
    pub cell: Option<String>,
    /// The side of the cell on which a new one is inserted; without a cell, the end of the notebook.
    pub insert: Option<Side>,
    /// The kind of a new cell; by default code.
    pub cell_type: Option<CellType>,
    /// Whether the cell is deleted.
    pub delete: bool,
}

impl CellEdit {
    /// Makes an edit of the cell with this id or number.
    #[must_use]
    pub fn of(cell: impl Into<String>) -> Self {
        Self { cell: Some(cell.into()), ..Self::default() }
    }

    /// Makes the insertion of a new cell beside this one, or at an end of the notebook.
    #[must_use]
    pub const fn inserted(side: Side, cell: Option<String>, cell_type: CellType) -> Self {
        Self { cell, insert: Some(side), cell_type: Some(cell_type), delete: false }
    }

    /// Checks that the parts of an edit belong together; `has_place` is whether an old text or a quote says where in the
    /// cell, and `has_new` whether there is a new text.
    ///
    /// # Errors
    ///
    /// Returns the contradiction, or the missing part.
    pub fn check(&self, has_place: bool, has_new: bool, transfer: Option<&LineTransfer>) -> Result<(), PlaceError> {
        let whole = match (self.insert, self.delete) {
            (Some(_), true) => return Err(PlaceError::Both("insert_cell", "delete_cell")),
            (Some(_), false) => Some("insert_cell"),
            (None, true) => Some("delete_cell"),
            (None, false) => None,
        };
        if self.cell.is_none() && self.insert.is_none() {
            return Err(PlaceError::Missing("delete_cell", "cell", "give the id of the cell, or its number from 1"));
        }
        if self.cell_type.is_some() && self.insert.is_none() {
            return Err(PlaceError::Missing("cell_type", "insert_cell", "the kind of a cell does not change"));
        }
        match (whole, transfer) {
            (Some(whole), _) if has_place => Err(PlaceError::Unwanted("old_string", whole)),
            (Some(whole), Some(transfer)) => Err(PlaceError::Unwanted(transfer.name(), whole)),
            (Some("delete_cell"), _) if has_new => Err(PlaceError::Unwanted("new_string", "delete_cell")),
            (Some("delete_cell"), _) | (_, Some(_)) => Ok(()),
            _ if !has_new => Err(PlaceError::NoNew),
            _ => Ok(()),
        }
    }
}
