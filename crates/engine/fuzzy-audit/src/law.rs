//! The laws, and the report of a broken one.

use std::fmt;

/// A law that every right merge keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Law {
    /// Every word and mark is from the file or the new text, as a whole, and follows its neighbour as in one of them.
    Words,
    /// The result repeats nothing that neither the file nor the new text repeats.
    Duplicates,
    /// The count of each word and mark lies between those of the file, the new text, and both changes together.
    Delta,
    /// Brackets are as balanced as after the changes of file and edit.
    Shape,
    /// New lines have the new text's indentation relative to the kept lines.
    Depth,
    /// Lines begin and end like lines of the file or the new text, and no lines are joined.
    Ends,
    /// Lines that file and new text share are kept, and no line of the old text alone comes back.
    Lines,
    /// New lines begin and end with the file's marks for those of the edit, as the kept lines show them.
    Marks,
}

impl Law {
    /// The laws, in the order in which they are checked.
    pub const ALL: &[Self] =
        &[Self::Words, Self::Duplicates, Self::Delta, Self::Shape, Self::Depth, Self::Ends, Self::Lines, Self::Marks];

    /// Returns the name of the law: `law-` and the name of its file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "law-words",
            Self::Duplicates => "law-duplicates",
            Self::Delta => "law-delta",
            Self::Shape => "law-shape",
            Self::Depth => "law-depth",
            Self::Ends => "law-ends",
            Self::Lines => "law-lines",
            Self::Marks => "law-marks",
        }
    }

    /// Returns what a broken law means, as a clause.
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            Self::Words => "a word would be put together from two texts",
            Self::Duplicates => "a change that the file already has would be made twice",
            Self::Delta => "a word would be there more or less often than the edit says",
            Self::Shape => "brackets would be opened or closed that the edit leaves alone",
            Self::Depth => "new lines would be indented otherwise than their neighbours say",
            Self::Ends => "a line would begin or end as no line of the file or the edit does",
            Self::Lines => {
                "a line that the file and the new text have would be lost, or a line of the old text would come back"
            }
            Self::Marks => "a new line would begin or end with other marks than the file's lines",
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why())
    }
}

/// A broken law and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {token:?} on line {} of the new text", .line + 1)]
pub struct Broken {
    /// The law.
    pub law: Law,
    /// The number of the result's line, from 0.
    pub line: usize,
    /// The word, mark or line that breaks it.
    pub token: String,
}
