//! The new place of lines that an edit moves or copies.

use std::path::PathBuf;

use crate::{LineQuote, PlaceError};

/// The new place of lines: beside a line of a file, or in a file that does not exist or is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct NewPlace {
    /// The file; by default that of the lines. Without `after` and `before` it must not exist, or be empty.
    #[serde(alias = "path", alias = "filePath", skip_serializing_if = "Option::is_none")]
    pub file_path: Option<PathBuf>,
    /// The line below which the lines are inserted, or as many as make it unique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The line above which the lines are inserted, or as many as make it unique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

/// What an edit does with its lines instead of replacing them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LineTransfer {
    /// Whether the lines also stay where they are.
    pub is_copy: bool,
    /// Their new place.
    pub to: NewPlace,
}

impl NewPlace {
    /// Makes the place below a line of the same file.
    #[must_use]
    pub fn after(anchor: impl Into<String>) -> Self {
        Self { after: Some(anchor.into()), ..Self::default() }
    }

    /// Makes the place above a line of the same file.
    #[must_use]
    pub fn before(anchor: impl Into<String>) -> Self {
        Self { before: Some(anchor.into()), ..Self::default() }
    }

    /// Sets the file.
    #[must_use]
    pub fn of_file(self, file_path: impl Into<PathBuf>) -> Self {
        Self { file_path: Some(file_path.into()), ..self }
    }

    /// Returns the quote of the line beside the place; none for a file without lines.
    #[must_use]
    pub fn quote(&self) -> Option<LineQuote> {
        let Self { after, before, .. } = self.clone();
        (after.is_some() || before.is_some()).then(|| LineQuote { after, before, ..LineQuote::default() })
    }
}

impl LineTransfer {
    /// Makes a move, or a copy if `is_copy`.
    #[must_use]
    pub const fn new(to: NewPlace, is_copy: bool) -> Self {
        Self { is_copy, to }
    }

    /// Returns the name of the argument.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        if self.is_copy { "copy_to" } else { "move_to" }
    }

    /// Checks that there is one new place, and that the edit has lines and no new text.
    ///
    /// # Errors
    ///
    /// Returns the contradiction, or the missing part.
    pub fn check(&self, quote: Option<&LineQuote>, replace_all: bool, has_new: bool) -> Result<(), PlaceError> {
        let name = self.name();
        if quote.is_some_and(|quote| quote.after.is_some() || quote.before.is_some()) {
            return Err(PlaceError::Missing(name, "first", "an insertion has no lines to move or copy"));
        }
        if replace_all {
            return Err(PlaceError::Unwanted("replace_all", name));
        }
        if has_new {
            return Err(PlaceError::Unwanted("new_string", name));
        }
        match (&self.to.after, &self.to.before, &self.to.file_path) {
            (Some(_), Some(_), _) => Err(PlaceError::Both("after", "before")),
            (None, None, None) => {
                Err(PlaceError::Missing(name, "after", "quote the line beside the new place in `after` or `before`"))
            }
            _ => Ok(()),
        }
    }
}
