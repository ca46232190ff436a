//! What a store keeps besides what is reported of it.

/// A worktree known to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeRow {
    /// The engine's name for it.
    pub id: String,
    /// The user's git directory.
    pub git_dir: String,
    /// The root of the files.
    pub root: String,
    /// `sha1` or `sha256`.
    pub object_format: String,
}

/// What a transcript has at one place, without the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// The place.
    pub seq: i64,
    /// Whether `user` speaks.
    pub is_prompt: bool,
    /// How long the text is, in bytes, as the database keeps it.
    pub bytes: i64,
}
