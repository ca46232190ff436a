//! What a merge is fitted to.

use crate::render::dialect::Dialect;
use crate::render::indent::Indents;

/// What a merge is fitted to.
pub(crate) struct Style<'t> {
    pub(crate) indents: Indents<'t>,
    pub(crate) dialect: Dialect<'t>,
    /// The line ending of new lines.
    pub(crate) ending: &'static str,
    /// Whether a blank line follows in the file.
    pub(crate) blank_after: bool,
}
