//! The roles of marks: their places relative to the words of a line.

use std::ops::Range;

use crate::text::tokens::{Class, Tokens};

/// The place of marks and blanks in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// All between the start of a line and a word.
    Prefix,
    /// The marks that begin a line, without those that file and author share after them.
    Start,
    /// All between two words of a line.
    Between,
    /// Right before a word, after a blank or the start of the line.
    Before,
    /// Right after a word, before a blank or the end of the line.
    After,
    /// All between a word and the end of a line.
    End,
    /// The marks that end a line after a token of this kind, without those that file and author share before them.
    Last(Kind),
}

/// The kind of a token: lines end alike after alike tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Word,
    Quote,
    Mark(u32),
}

impl Role {
    /// Returns the role of the marks that end a line after the token that ends at a byte; none without such a token.
    pub(super) fn last(tokens: &Tokens<'_>, end: usize) -> Option<Self> {
        let token = tokens.items.partition_point(|token| (token.end as usize) < end);
        let found = tokens.items.get(token).filter(|token| token.end as usize == end)?;
        Some(Self::Last(match found.class {
            _ if found.word => Kind::Word,
            Class::Quote => Kind::Quote,
            _ => Kind::Mark(found.id),
        }))
    }
}

/// The boundaries of the parts of a line: its start, its words, and the end of its code.
pub(super) struct Boundaries {
    code: Range<usize>,
    words: Vec<usize>,
}

impl Boundaries {
    /// Returns the boundaries of a line with tokens.
    pub(super) fn of(tokens: &Tokens<'_>, line: &Range<usize>) -> Self {
        let code = tokens.code_of(line.start);
        let words: Vec<usize> = tokens.words(code.clone()).collect();
        Self { code, words }
    }

    /// Returns the number of boundaries; none for a line without words.
    pub(super) fn len(&self) -> usize {
        if self.words.is_empty() { 0 } else { self.words.len() + 2 }
    }

    /// Returns the word of a boundary.
    fn word(&self, at: usize) -> Option<usize> {
        at.checked_sub(1).and_then(|at| self.words.get(at).copied())
    }

    /// Returns the tokens between two boundaries.
    pub(super) fn tokens(&self, from: usize, to: usize) -> Range<usize> {
        let start = self.word(from).map_or(self.code.start, |word| word + 1);
        start..self.word(to).unwrap_or(self.code.end).max(start)
    }

    /// Returns whether all tokens between two boundaries are inserted, and one of the words beside them.
    pub(super) fn is_inserted(&self, from: usize, to: usize, inserted: &[bool]) -> bool {
        let is_inserted = |at| self.word(at).is_some_and(|word| inserted[word]);
        inserted[self.tokens(from, to)].iter().all(|&inserted| inserted) && (is_inserted(from) || is_inserted(to))
    }

    /// Returns the role and the bytes of the part between two boundaries.
    pub(super) fn part(&self, tokens: &Tokens<'_>, from: usize, to: usize) -> (Role, Range<usize>) {
        let (before, after) = (self.word(from), self.word(to));
        let role = match (before, after) {
            (None, _) => Role::Prefix,
            (_, None) => Role::End,
            _ => Role::Between,
        };
        (role, bytes(tokens, &self.code, before, after))
    }
}

/// Returns the bytes between two words of a line: from its first token, or to its last one, without a word.
pub(super) fn bytes(
    tokens: &Tokens<'_>,
    code: &Range<usize>,
    before: Option<usize>,
    after: Option<usize>,
) -> Range<usize> {
    let start = before.map_or(tokens.items[code.start].start, |word| tokens.items[word].end);
    let end = after.map_or(tokens.items[code.end - 1].end, |word| tokens.items[word].start);
    start as usize..end.max(start) as usize
}

/// Returns the parts of a text between words that are right beside them, if blanks part these, or it is at an end of the
/// line.
pub(super) fn glued(role: Role, text: &str) -> Vec<(Role, Range<usize>)> {
    let (first, last) = (text.find([' ', '\t']), text.rfind([' ', '\t']).map(|at| at + 1));
    let before = || (Role::Before, last.unwrap_or(0)..text.len());
    let after = || (Role::After, 0..first.unwrap_or(text.len()));
    match role {
        Role::Prefix => vec![before()],
        Role::End => vec![after()],
        Role::Between if first.is_some() => vec![after(), before()],
        _ => Vec::new(),
    }
}
