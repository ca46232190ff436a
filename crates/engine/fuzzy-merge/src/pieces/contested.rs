//! The lines on which file and new text are in conflict.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::align::three_way::Texts;
use crate::pieces::piece::{Part, Pieces};
use crate::text::tokens::Tokens;

/// Lines of file and new text that differ from the old text, each in its own way. The side that has the say has it for
/// whole lines: half of one and half of the other is a line that nobody wrote.
#[derive(Debug, Default)]
pub(crate) struct Contested {
    file: BTreeSet<usize>,
    new: BTreeSet<usize>,
}

impl Contested {
    /// Returns the lines of what a merge found to be in conflict.
    pub(crate) fn of(texts: &Texts<'_>, pieces: &Pieces) -> Self {
        let mut contested = Self::default();
        for part in &pieces.conflicts {
            contested.file.extend(lines(&texts.file, &part.file));
            contested.new.extend(lines(&texts.new, &part.new));
        }
        contested
    }

    /// Adds the lines of some tokens of the new text.
    pub(crate) fn add(&mut self, texts: &Texts<'_>, new: &[usize]) {
        self.new.extend(new.iter().map(|&index| texts.new.line_number(index)));
    }

    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.file.is_empty() && self.new.is_empty()
    }

    /// Returns whether a part has tokens on these lines.
    pub(crate) fn has(&self, texts: &Texts<'_>, part: &Part) -> bool {
        if self.is_empty() {
            return false;
        }
        lines(&texts.file, &part.file).any(|line| self.file.contains(&line))
            || lines(&texts.new, &part.new).any(|line| self.new.contains(&line))
    }
}

/// Returns the lines of some tokens.
fn lines(tokens: &Tokens<'_>, range: &Range<usize>) -> impl Iterator<Item = usize> {
    tokens.items[range.clone()].iter().map(|token| token.line as usize)
}
