//! A real text, and an edit of it.

/// A real text.
#[derive(Debug)]
pub(super) struct Text {
    /// The end of its file's name.
    pub(super) extension: String,
    pub(super) text: String,
}

impl Text {
    /// Returns the lines without their breaks.
    pub(super) fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }
}

/// An edit of a text.
pub(super) struct Edit {
    /// The file, where it is not the text.
    pub(super) content: Option<String>,
    pub(super) old: String,
    pub(super) new: String,
    /// The whole file afterwards; none where the edit must be refused.
    pub(super) expected: Option<String>,
}
