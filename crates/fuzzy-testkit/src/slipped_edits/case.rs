//! Edits with their expected results.

use super::texts::Text;

/// An edit and its expected result.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The seed and the number, which reproduce the case.
    pub id: String,
    /// The kind of mistake.
    pub kind: String,
    /// The whole file.
    pub content: String,
    /// The text to find.
    pub old: String,
    /// The text to put there.
    pub new: String,
    /// The whole file after the edit; `None` if the edit must be rejected.
    pub expected: Option<String>,
}

/// Makes an edit of a whole text.
pub(super) fn edit(text: &Text, old: String, new: String, expected: Option<String>) -> Case {
    Case { content: text.text.clone(), old, new, expected, ..Case::default() }
}
