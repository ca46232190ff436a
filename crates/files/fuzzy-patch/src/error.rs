//! Errors of reading patches.

/// The reason why a patch cannot be read; no part of it is applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the patch: {problem}")]
pub struct ParseError {
    /// The line of the patch with the problem, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: Problem,
}

/// The problem of a patch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text has no patch.
    #[error("there is no SEARCH/REPLACE block, no hunk of a diff and no `*** Begin Patch`")]
    NoPatch,
    /// The patch does not name its file.
    #[error("the patch does not name its file")]
    NoFile,
    /// A patch names no file, and the text above it mentions another file than the one that would be assumed.
    #[error(
        "no line above has only a file name, and the text mentions `{other}`: this may belong to it or to `{file}`"
    )]
    UnclearFile {
        /// The file that would be assumed.
        file: String,
        /// The mentioned file.
        other: String,
    },
    /// The name is not a valid file name.
    #[error("`{name}` cannot be the name of a file: {why}")]
    BadName {
        /// The name as in the patch.
        name: String,
        /// The problem of the name.
        why: &'static str,
    },
    /// A block has no end.
    #[error("the block that begins on line {begin} has no `>>>>>>> REPLACE`")]
    UnclosedBlock {
        /// The line where the block begins.
        begin: usize,
    },
    /// A block has no divider between old and new text.
    #[error("the block that begins on line {begin} has no `=======` between its two texts")]
    NoDivider {
        /// The line where the block begins.
        begin: usize,
    },
    /// A block has several possible dividers.
    #[error("the block that begins on line {begin} has several lines of `=`: it is unclear which one divides it")]
    SeveralDividers {
        /// The line where the block begins.
        begin: usize,
    },
    /// A marker is outside all blocks.
    #[error("`{marker}` is outside all blocks")]
    StrayMarker {
        /// The line.
        marker: String,
    },
    /// The first line of a patch has text before its marker.
    #[error("`{text}` looks like the start of a patch, but is indented, quoted or decorated, so it was not read")]
    Shifted {
        /// The line.
        text: String,
    },
    /// A marker of an envelope is unknown or misplaced.
    #[error("`{marker}` is not a valid marker here")]
    UnknownMarker {
        /// The line.
        marker: String,
    },
    /// An envelope has no end.
    #[error("the patch that begins on line {begin} has no `*** End Patch`: it may have been cut off")]
    UnclosedEnvelope {
        /// The line where the envelope begins.
        begin: usize,
    },
    /// A line looks like a line of a hunk but belongs to none.
    #[error("this line belongs to no hunk: it does not begin with a space, `+` or `-`, or it is outside all hunks")]
    StrayLine,
    /// A line of a new file does not begin with `+`.
    #[error("each line of a new file must begin with `+`")]
    NoPlus,
    /// A hunk has no lines.
    #[error("this hunk is empty")]
    EmptyHunk,
    /// An update has no change.
    #[error("the update of `{file}` has no change")]
    EmptyUpdate {
        /// The file.
        file: String,
    },
    /// A diff has two names without a rename.
    #[error("the hunks are for `{old}` and for `{new}`, and no line renames one to the other")]
    NamesDiffer {
        /// The name after `---`.
        old: String,
        /// The name after `+++`.
        new: String,
    },
    /// A line follows the one that is marked as the last of its file.
    #[error("this line follows the last line of the file, which is marked as having no line break")]
    LineAfterEnd,
    /// A hunk of a new file has context or removed lines.
    #[error("a new file cannot have context or removed lines")]
    OldLinesOfNewFile,
    /// A hunk of a deleted file has context or added lines.
    #[error("a deleted file cannot have context or added lines")]
    NewLinesOfDeletedFile,
    /// The patch has a mode other than those of executable and other regular files.
    #[error("{mode} is the mode of {kind}, but only regular files, executable or not, are supported")]
    Mode {
        /// The mode as in the patch.
        mode: String,
        /// The kind of object with that mode.
        kind: &'static str,
    },
    /// The patch has a change that is not a change of text.
    #[error("{what} is not supported")]
    Unsupported {
        /// The unsupported change.
        what: &'static str,
    },
}

impl Problem {
    pub(crate) const fn at(self, line: usize) -> ParseError {
        ParseError { line, problem: self }
    }
}

impl ParseError {
    /// Returns the next step for the writer of the patch, in one sentence.
    #[must_use]
    pub const fn next_step(&self) -> &'static str {
        match self.problem {
            Problem::NoPatch => {
                "Send the change as a SEARCH/REPLACE block, a unified diff, or a patch between *** Begin Patch and *** \
                 End Patch."
            }
            Problem::NoFile => "Write the path of the file alone on the line above, or name the file with the patch.",
            Problem::UnclearFile { .. } => "Write the path of the file alone on the line above the block.",
            Problem::Shifted { .. } => "Resend the patch with nothing before the markers of its lines.",
            Problem::BadName { .. } => "Write the exact path of the file, relative to the root.",
            Problem::UnclosedBlock { .. } | Problem::UnclosedEnvelope { .. } => "Resend the whole patch.",
            Problem::NoDivider { .. } => "Put a line ======= between the old and the new text.",
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
                "Put @@ above the lines of a hunk, begin each line with a space, + or -, and put nothing between them."
            }
            Problem::NoPlus => "Begin every line of the new file with +.",
            Problem::EmptyHunk => "Give the hunk its lines, or leave it out.",
            Problem::EmptyUpdate { .. } => "Give the file a hunk, or leave it out.",
            Problem::NamesDiffer { .. } => {
                "Write the same path after --- and +++, or add lines with rename from and rename to."
            }
            Problem::LineAfterEnd => "Leave out the line about the missing newline, or move it below the last line.",
            Problem::OldLinesOfNewFile => {
                "Begin every line with +, or write the path instead of /dev/null if the file exists."
            }
            Problem::NewLinesOfDeletedFile => {
                "Begin every line with -, or write the path instead of /dev/null if the file must remain."
            }
            Problem::Mode { .. } => "Leave this file out of the patch, and change it by other means.",
            Problem::Unsupported { .. } => "Leave this out of the patch and do it by other means.",
        }
    }
}
