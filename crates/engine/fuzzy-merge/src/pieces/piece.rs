//! The pieces of a merge, and a part that becomes pieces.

use std::mem;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::Doubt;
use crate::text::tokens::Tokens;

/// One piece of what lands; ranges are tokens of the file's place and of the new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The file's tokens stay, byte for byte.
    Keep {
        /// The tokens that stay.
        file: Range<usize>,
    },
    /// Tokens of the new text take the place of some of the file's.
    Replace {
        /// The tokens that go.
        file: Range<usize>,
        /// The tokens that come.
        new: Vec<usize>,
    },
    /// Tokens of the new text come in before a token of the file.
    Insert {
        /// The file's token that follows.
        at: usize,
        /// The tokens that come.
        new: Vec<usize>,
    },
    /// The file's tokens go.
    Delete {
        /// The tokens that go.
        file: Range<usize>,
    },
}

/// A list of pieces, and what had to be guessed to make it.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    pub(crate) list: Vec<Piece>,
    pub(crate) doubts: Vec<Doubt>,
    /// The new text's token for each of the file's that stay, where it has that token, too.
    pub(crate) file_to_new: Vec<Option<usize>>,
    /// The parts in conflict: those of which the doubt is, or in whose lines the new text was given the say.
    pub(crate) conflicts: Vec<Part>,
    /// Whether the doubt was raised since this was last asked.
    is_in_conflict: bool,
}

impl Pieces {
    /// Makes an empty list for a place of `file` tokens.
    pub(crate) fn new(file: usize) -> Self {
        Self { file_to_new: vec![None; file], ..Self::default() }
    }

    pub(crate) fn keep(&mut self, file: Range<usize>) {
        if file.is_empty() {
            return;
        }
        if let Some(Piece::Keep { file: last }) = self.list.last_mut()
            && last.end == file.start
        {
            last.end = file.end;
            return;
        }
        self.list.push(Piece::Keep { file });
    }

    pub(crate) fn doubt(&mut self, doubt: Doubt) {
        self.is_in_conflict |= doubt == Doubt::Conflict;
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// Returns the first token of the new text that takes the place of tokens of the file, by the first of these.
    pub(crate) fn replacements(&self) -> FxHashMap<usize, usize> {
        let replaced = self.list.iter().filter_map(|piece| match piece {
            Piece::Replace { file, new } => Some((file.start, *new.first()?)),
            _ => None,
        });
        replaced.collect()
    }

    /// Keeps a part that is merged, if it is in conflict.
    pub(crate) fn settle(&mut self, part: Part) {
        if mem::take(&mut self.is_in_conflict) {
            self.conflicts.push(part);
        }
    }
}

/// What lies between two tokens that file and new text share.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) file: Range<usize>,
    /// The old text's tokens that belong between the two.
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

impl Part {
    /// Returns the tokens of this part that are on a line with what goes, before it and after it.
    pub(crate) fn beside(&self, file: &Tokens<'_>, gone: &Range<usize>) -> (Range<usize>, Range<usize>) {
        let (first, last) = (file.line_of(gone.start), file.line_of(gone.end - 1));
        (self.file.start.max(first.start)..gone.start, gone.end..self.file.end.min(last.end))
    }
}

/// Returns the token of the new text that is paired with one of the file; the pairs ascend.
pub(crate) fn partner(pairs: &[(usize, usize)], file: usize) -> Option<usize> {
    pairs.binary_search_by_key(&file, |pair| pair.0).ok().map(|at| pairs[at].1)
}
