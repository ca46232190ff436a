//! The laws, and what a broken one shows.

use std::fmt;

/// A law that every right merge keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Law {
    /// Every word and mark comes whole from the file or from the new text, and what touches in the result touches in
    /// one of them.
    Words,
    /// What file and new text both changed is changed once: nothing is doubled that neither has double.
    Duplicates,
    /// No word or mark is there more often, or more seldom, than file, new text and the sum of both changes allow.
    Delta,
    /// Brackets are as balanced as file and edit leave them.
    Shape,
    /// New lines are as deep, against the lines that were there, as the new text has them.
    Depth,
    /// Lines begin and end as lines of the file or of the new text do, and stay lines of their own.
    Ends,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Words => "a word would be put together from two texts",
            Self::Duplicates => "a change that the file already has would be made twice",
            Self::Delta => "a word would be there more or less often than the edit says",
            Self::Shape => "brackets would be opened or closed that the edit leaves alone",
            Self::Depth => "new lines would be indented otherwise than their neighbours say",
            Self::Ends => "a line would begin or end as no line of the file or the edit does",
        })
    }
}

/// The law that a landing breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {token:?} on line {} of the new text", .line + 1)]
pub struct Broken {
    /// The law.
    pub law: Law,
    /// The number of the result's line that shows it, from 0.
    pub line: usize,
    /// The word, mark or line that shows it.
    pub token: String,
}
