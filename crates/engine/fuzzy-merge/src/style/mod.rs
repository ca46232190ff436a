//! How the file writes things: indentation, line endings, quotes and names.

pub(crate) mod indent_unit;
pub(crate) mod indentation;
pub(crate) mod spelling;

use indentation::Indentation;
use spelling::Spelling;

/// What a merge is fitted to.
pub(crate) struct Style<'t> {
    pub(crate) indents: Indentation<'t>,
    pub(crate) spelling: Spelling<'t>,
    /// The line ending of new lines.
    pub(crate) ending: &'static str,
    /// Whether a blank line follows in the file.
    pub(crate) blank_after: bool,
}
