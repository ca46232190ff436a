//! The result of an edit of settings.

/// Edited settings.
pub(crate) struct Edited {
    pub(crate) text: String,
    /// The paths of the objects and lists that exist for our entries.
    pub(crate) made: Vec<Vec<String>>,
}
