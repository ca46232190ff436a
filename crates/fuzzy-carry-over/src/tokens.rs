//! Splits a text into tokens and the blanks between them.
//!
//! A token is a word (letters, digits, underscores), an escaped character (`\n`, `\"`), or one
//! other character that is not blank. The blanks before a token are its attribute, not a token:
//! texts that differ only in blanks have equal token sequences.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::fold::{folded, is_blank};

/// Holds one token of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Counts the `\n` before it in its text.
    pub(crate) line: u32,
    /// Is equal for equal texts.
    pub(crate) id: u32,
    /// Is equal for texts that fold alike.
    pub(crate) fold: u32,
    pub(crate) word: bool,
}

/// Numbers token texts, so that comparing tokens is comparing numbers.
#[derive(Debug, Default)]
pub(crate) struct Interner<'t> {
    ids: FxHashMap<&'t str, (u32, u32)>,
    folds: FxHashMap<Vec<u8>, u32>,
}

impl<'t> Interner<'t> {
    fn intern(&mut self, text: &'t str) -> (u32, u32) {
        if let Some(&found) = self.ids.get(text) {
            return found;
        }
        let mut bytes = folded(text);
        if bytes.is_empty() {
            bytes = text.as_bytes().to_vec();
        }
        let next = u32::try_from(self.folds.len()).unwrap_or(u32::MAX);
        let fold = *self.folds.entry(bytes).or_insert(next);
        let id = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
        self.ids.insert(text, (id, fold));
        (id, fold)
    }
}

/// Holds a text and its tokens.
#[derive(Debug)]
pub(crate) struct Tokens<'t> {
    pub(crate) text: &'t str,
    pub(crate) items: Vec<Token>,
    /// Holds, for every line, the index of the first token on it or after it.
    first: Vec<u32>,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str, interner: &mut Interner<'t>) -> Self {
        let mut items = Vec::with_capacity(text.len() / 4);
        let mut first = vec![0];
        let mut line = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            if c == '\n' {
                line += 1;
                first.push(small(items.len()));
                continue;
            }
            if is_blank(c) {
                continue;
            }
            let word = is_word(c);
            let mut end = start + c.len_utf8();
            if word {
                while let Some(&(at, next)) = chars.peek() {
                    if !is_word(next) {
                        break;
                    }
                    end = at + next.len_utf8();
                    chars.next();
                }
            } else if c == '\\'
                && let Some(&(at, next)) = chars.peek()
                && !is_blank(next)
            {
                end = at + next.len_utf8();
                chars.next();
            }
            let (id, fold) = interner.intern(&text[start..end]);
            items.push(Token { start: small(start), end: small(end), line, id, fold, word });
        }
        first.push(small(items.len()));
        Self { text, items, first }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Gives the text of token `index`.
    pub(crate) fn get(&self, index: usize) -> &'t str {
        let token = self.items[index];
        &self.text[token.start as usize..token.end as usize]
    }

    /// Gives the text of token `index`; nothing at the end.
    pub(crate) fn at(&self, index: usize) -> &'t str {
        if index < self.len() { self.get(index) } else { "" }
    }

    /// Gives the blanks before token `index`; before the end, those that close the text.
    pub(crate) fn gap(&self, index: usize) -> &'t str {
        let start = match index {
            0 => 0,
            _ => self.items[index - 1].end as usize,
        };
        let end = self.items.get(index).map_or(self.text.len(), |token| token.start as usize);
        &self.text[start..end]
    }

    /// Gives the tokens of line `line`.
    pub(crate) fn on_line(&self, line: usize) -> Range<usize> {
        self.first[line] as usize..self.first[line + 1] as usize
    }

    /// Tells whether token `index` is a mark, no quote, that has blanks on both sides on its line.
    pub(crate) fn is_alone(&self, index: usize) -> bool {
        let mark = !self.items[index].word && !matches!(self.get(index), "\"" | "'" | "`");
        mark && [self.gap(index), self.gap(index + 1)].iter().all(|gap| !gap.is_empty() && !gap.contains('\n'))
    }

    /// Finds the token that opens a comment behind other tokens of a line.
    pub(crate) fn comment(&self, line: Range<usize>) -> Option<usize> {
        line.skip(1).find(|&index| {
            let two = index + 1 < self.len() && self.gap(index + 1).is_empty();
            let next = if two { self.get(index + 1) } else { "" };
            !self.gap(index).is_empty() && matches!((self.get(index), next), ("#", _) | ("/", "/" | "*") | ("-", "-"))
        })
    }

    /// Counts the lines: one more than the `\n`.
    pub(crate) fn lines(&self) -> usize {
        self.first.len() - 1
    }

    /// Tells whether token `index` is the first one on its line.
    pub(crate) fn opens_line(&self, index: usize) -> bool {
        index == 0 || self.items[index].line != self.items[index - 1].line
    }

    /// Gives the blanks between the start of its line and token `index`, the first one on it.
    pub(crate) fn indent(&self, index: usize) -> &'t str {
        let gap = self.gap(index);
        gap.rfind('\n').map_or(gap, |at| &gap[at + 1..])
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Converts an offset; texts beyond 4 GiB are refused before they come here.
pub(crate) fn small(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
