//! The lines on which file and new text are in conflict.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::align::three_way::Texts;
use crate::text::tokens::Tokens;

/// Lines of file and new text on which the new text wins. It wins on whole lines: half of one text and half of the
/// other is a line that neither author wrote.
#[derive(Debug, Default)]
pub(crate) struct ConflictLines {
    file: BTreeSet<usize>,
    new: BTreeSet<usize>,
}

impl ConflictLines {
    /// Adds the lines of tokens of the file and of the new text.
    pub(crate) fn add(&mut self, texts: &Texts<'_>, file: Range<usize>, new: impl Iterator<Item = usize>) {
        self.file.extend(lines(&texts.file, file));
        self.new.extend(lines(&texts.new, new));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.file.is_empty() && self.new.is_empty()
    }

    /// Returns whether some of the tokens are on these lines.
    pub(crate) fn has(&self, texts: &Texts<'_>, file: &Range<usize>, new: &Range<usize>) -> bool {
        lines(&texts.file, file.clone()).any(|line| self.file.contains(&line))
            || lines(&texts.new, new.clone()).any(|line| self.new.contains(&line))
    }
}

fn lines(tokens: &Tokens<'_>, indices: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    indices.map(|index| tokens.line_number(index))
}
