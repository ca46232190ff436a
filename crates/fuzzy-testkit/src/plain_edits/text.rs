//! A real text, and an edit of it.

/// A real text.
#[derive(Debug)]
pub(super) struct Text {
    /// The extension of its file.
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
    /// The file, if it differs from the text.
    pub(super) content: Option<String>,
    pub(super) old: String,
    pub(super) new: String,
    /// The whole file after the edit; `None` if the edit must be rejected.
    pub(super) expected: Option<String>,
}
