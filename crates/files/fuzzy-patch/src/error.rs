//! Why a patch cannot be read.

/// Why a patch cannot be read: nothing of it is carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the patch: {problem}")]
pub struct ParseError {
    /// The line of the patch where the problem shows, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a patch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text has no patch in it.
    #[error("there is no SEARCH/REPLACE block, no hunk of a diff and no `*** Begin Patch`")]
    NoPatch,
    /// Nothing says which file is meant.
    #[error("nothing says which file this is for")]
    NoFile,
    /// A patch names no file, and the text above it mentions another one than the file that it would be for.
    #[error("no line above names the file alone, and the text mentions `{other}`: this may be for it or for `{file}`")]
    UnclearFile {
        /// The file that it would be for.
        file: String,
        /// The file that is mentioned.
        other: String,
    },
    /// The name of a file is not one.
    #[error("`{name}` cannot be the name of a file: {why}")]
    BadName {
        /// The name as it occurs.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A block has no end.
    #[error("the block that begins on line {begin} has no `>>>>>>> REPLACE`")]
    UnclosedBlock {
        /// Where the block begins.
        begin: usize,
    },
    /// A block does not say where the new text begins.
    #[error("the block that begins on line {begin} has no `=======` between its two texts")]
    NoDivider {
        /// Where the block begins.
        begin: usize,
    },
    /// A block has more than one line that may divide its two texts.
    #[error("this is a further line of `=` in the block that begins on line {begin}: which one divides it is not said")]
    SeveralDividers {
        /// Where the block begins.
        begin: usize,
    },
    /// A marker is where it means nothing.
    #[error("`{marker}` belongs to no block")]
    StrayMarker {
        /// The line.
        marker: String,
    },
    /// What begins a patch does not begin its line.
    #[error("`{text}` begins a patch, and is indented, quoted or decorated, so it was not read")]
    Shifted {
        /// The line.
        text: String,
    },
    /// A marker of an envelope is not known, or is where it means nothing.
    #[error("`{marker}` means nothing here")]
    UnknownMarker {
        /// The line.
        marker: String,
    },
    /// An envelope has no end.
    #[error("the patch that begins on line {begin} has no `*** End Patch`: it may have been cut off")]
    UnclosedEnvelope {
        /// Where the envelope begins.
        begin: usize,
    },
    /// A line belongs to no hunk, though it looks as if it should.
    #[error("this line belongs to no hunk: it begins with neither a blank nor `+` nor `-`, or stands outside")]
    StrayLine,
    /// A line of a new file lacks its mark.
    #[error("each line of a new file has to begin with `+`")]
    NoPlus,
    /// A hunk has no line.
    #[error("this hunk is empty")]
    EmptyHunk,
    /// An update has nothing to do.
    #[error("nothing is to be done to `{file}`")]
    EmptyUpdate {
        /// The file.
        file: String,
    },
    /// A diff names two files and does not say that one becomes the other.
    #[error("the hunks are for `{old}` and for `{new}`, and no line says that one is renamed to the other")]
    NamesDiffer {
        /// The name after `---`.
        old: String,
        /// The name after `+++`.
        new: String,
    },
    /// A line follows one that is said to be the last of its file.
    #[error("this line follows one that is said to end its file without a line break")]
    LineAfterEnd,
    /// A new file has lines that would have to be in the file before.
    #[error("a new file has no lines to keep or to remove")]
    OldLinesOfNewFile,
    /// A deleted file has lines that would have to stay.
    #[error("a deleted file has no lines to keep or to add")]
    NewLinesOfDeletedFile,
    /// The patch is about another mode than those of regular files that can be run, or cannot.
    #[error(
        "{mode} is the mode of {kind}, and only regular files are changed, made or removed, which can be run or not"
    )]
    Mode {
        /// The mode, as it occurs.
        mode: String,
        /// What has that mode.
        kind: &'static str,
    },
    /// The patch asks for something else than text that changes.
    #[error("{what} cannot be carried out")]
    Unsupported {
        /// What it asks for.
        what: &'static str,
    },
}

impl Problem {
    pub(crate) const fn at(self, line: usize) -> ParseError {
        ParseError { line, problem: self }
    }
}

impl ParseError {
    /// Returns, in one sentence, what the writer of the patch should do next.
    #[must_use]
    pub const fn next_step(&self) -> &'static str {
        match self.problem {
            Problem::NoPatch => {
                "Send the change as a SEARCH/REPLACE block, a unified diff, or a patch between *** Begin Patch and *** \
                 End Patch."
            }
            Problem::NoFile => "Write the path of the file alone on the line above, or name the file with the patch.",
            Problem::UnclearFile { .. } => "Write the path of the file alone on the line above the block.",
            Problem::Shifted { .. } => "Send the patch again, with nothing before the marks of its lines.",
            Problem::BadName { .. } => "Write the path of the file as it is, relative to the root.",
            Problem::UnclosedBlock { .. } | Problem::UnclosedEnvelope { .. } => "Send the whole patch again.",
            Problem::NoDivider { .. } => "Put a line of ======= between the old text and the new one.",
            Problem::SeveralDividers { .. } => {
                "Write all three markers of this block with ten characters, so that no line of the text looks like one."
            }
            Problem::StrayMarker { .. } => {
                "Begin each block with <<<<<<< SEARCH, divide it with =======, and end it with >>>>>>> REPLACE."
            }
            Problem::UnknownMarker { .. } => {
                "Use *** Add File:, *** Delete File:, *** Update File: with *** Move to: below it, *** End of File and \
                 *** End Patch."
            }
            Problem::StrayLine => {
                "Put @@ above the lines of a hunk, begin each with a blank, + or -, and put nothing between them."
            }
            Problem::NoPlus => "Begin every line of the new file with +.",
            Problem::EmptyHunk => "Give the hunk its lines, or leave it out.",
            Problem::EmptyUpdate { .. } => "Give the file a hunk, or leave it out.",
            Problem::NamesDiffer { .. } => {
                "Write the same path behind --- and +++, or add lines with rename from and rename to."
            }
            Problem::LineAfterEnd => "Leave out the line about the missing newline, or move it below the last line.",
            Problem::OldLinesOfNewFile => {
                "Begin every line with +, or write the path instead of /dev/null if the file exists."
            }
            Problem::NewLinesOfDeletedFile => {
                "Begin every line with -, or write the path instead of /dev/null if the file is to stay."
            }
            Problem::Mode { .. } => "Leave this file out of the patch, and do to it what is meant by other means.",
            Problem::Unsupported { .. } => "Leave this out of the patch and do it by other means.",
        }
    }
}
