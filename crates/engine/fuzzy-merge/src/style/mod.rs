//! The file's style: indentation, line endings, quotes and names.

pub(crate) mod indent_unit;
pub(crate) mod indentation;
pub(crate) mod spelling;

use indentation::Indentation;
use spelling::Spelling;

/// The style of a place.
pub(crate) struct Style<'t> {
    pub(crate) indentation: Indentation<'t>,
    pub(crate) spelling: Spelling<'t>,
    /// The line ending of new lines.
    pub(crate) ending: &'static str,
    /// Whether a blank line follows in the file.
    pub(crate) blank_after: bool,
}
