//! Splits a text into tokens and gaps.
//!
//! A token is a word (letters, digits, underscores, the apostrophe of `we're`), an escaped character (`\n`, `\"`), a
//! comment mark of two characters, an ellipsis, or another character. A gap is the blanks before a token.

use std::ops::Range;

use fuzzy_core::blank::is_blank;
use fuzzy_core::line_start;
use rustc_hash::FxHashMap;

use crate::text::characters::{COMMENT_MARKS, END_WORDS, is_plain_quote, is_quote};
use crate::text::normalize::folded;
use crate::text::whitespace::{self, is_inside_line};

/// The role of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Letters and digits.
    Word,
    /// Opens a bracket: `(`, `[`, `{`.
    Opener,
    /// Closes a bracket: `)`, `]`, `}`.
    Closer,
    /// Ends an item or a statement: `,`, `;`.
    Separator,
    /// Continues the expression before it: `.`, `&&`, `+`, `?`.
    Continuer,
    /// A quote of any kind.
    Quote,
    /// Begins a comment: `#`, `//`, `--`, `/*`.
    Comment,
    /// Anything else.
    Other,
}

impl Class {
    fn of(text: &str) -> Self {
        match text {
            "(" | "[" | "{" => Self::Opener,
            ")" | "]" | "}" => Self::Closer,
            "," | ";" => Self::Separator,
            "." | "&" | "|" | "+" | "?" | "and" | "or" | "AND" | "OR" => Self::Continuer,
            _ if text.starts_with(is_word) => Self::Word,
            _ if is_quote(text) => Self::Quote,
            _ if COMMENT_MARKS.contains(&text) => Self::Comment,
            _ => Self::Other,
        }
    }
}

/// One token of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The number of its line, counted from 0.
    pub(crate) line: u32,
    /// Equal for equal texts.
    pub(crate) id: u32,
    /// Equal for texts that fold alike.
    pub(crate) fold: u32,
    pub(crate) class: Class,
    pub(crate) word: bool,
}

/// A token text: its number, that of its normal form, and its class.
#[derive(Clone, Copy, Debug)]
struct Interned {
    id: u32,
    fold: u32,
    class: Class,
}

/// Numbers the texts of tokens, which makes comparing them cheap.
#[derive(Debug, Default)]
pub(crate) struct Interner<'t> {
    ids: FxHashMap<&'t str, Interned>,
    folds: FxHashMap<Vec<u8>, u32>,
}

impl<'t> Interner<'t> {
    fn intern(&mut self, text: &'t str) -> Interned {
        if let Some(&found) = self.ids.get(text) {
            return found;
        }
        let mut bytes = folded(text);
        match bytes.as_slice() {
            [] => bytes = text.as_bytes().to_vec(),
            // A dash is often typed as two hyphens.
            b"--" => bytes.truncate(1),
            _ => {}
        }
        let next = small(self.folds.len());
        let fold = *self.folds.entry(bytes).or_insert(next);
        let id = small(self.ids.len());
        let interned = Interned { id, fold, class: Class::of(text) };
        self.ids.insert(text, interned);
        interned
    }
}

/// A text and its tokens.
#[derive(Debug)]
pub(crate) struct Tokens<'t> {
    pub(crate) text: &'t str,
    pub(crate) items: Vec<Token>,
    /// The index of the first token on each line, or after it.
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
                end += text[end..].find(|next| !is_word(next)).unwrap_or(text.len() - end);
                end += contraction(&text[start..end], &text[end..]);
                while chars.next_if(|(at, _)| *at < end).is_some() {}
            } else if text[start..].starts_with("...") {
                end = start + 3;
                chars.nth(1);
            } else if matches!(text.get(start..start + 2), Some("//" | "--" | "/*" | "*/")) {
                end = start + 2;
                chars.next();
            } else if c == '\\'
                && let Some(&(at, next)) = chars.peek()
                && !is_blank(next)
            {
                end = at + next.len_utf8();
                chars.next();
            }
            let Interned { id, fold, class } = interner.intern(&text[start..end]);
            items.push(Token { start: small(start), end: small(end), line, id, fold, class, word });
        }
        first.push(small(items.len()));
        Self { text, items, first }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn get(&self, index: usize) -> &'t str {
        let token = self.items[index];
        &self.text[token.start as usize..token.end as usize]
    }

    /// Returns the blanks before token `index`, or before the end of the text.
    pub(crate) fn gap(&self, index: usize) -> &'t str {
        let end = self.items.get(index).map_or(self.text.len(), |token| token.start as usize);
        &self.text[self.end_before(index)..end]
    }

    /// Returns the byte after the token before token `index`.
    pub(crate) fn end_before(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.items[before].end as usize)
    }

    /// Returns whether a line ends before token `index`, or before the end of the text.
    pub(crate) fn breaks_before(&self, index: usize) -> bool {
        self.gap(index).contains('\n')
    }

    /// Returns whether tokens begin after another token of their line.
    pub(crate) fn begins_inside_line(&self, range: &Range<usize>) -> bool {
        !range.is_empty() && !self.opens_line(range.start)
    }

    /// Returns whether tokens end before another token of their line.
    pub(crate) fn ends_inside_line(&self, range: &Range<usize>) -> bool {
        !range.is_empty() && !self.ends_line(range.end - 1)
    }

    pub(crate) fn on_line(&self, line: usize) -> Range<usize> {
        self.first[line] as usize..self.first[line + 1] as usize
    }

    /// Returns the tokens of each line that has any.
    pub(crate) fn full_lines(&self) -> impl DoubleEndedIterator<Item = Range<usize>> {
        (0..self.lines()).map(|line| self.on_line(line)).filter(|tokens| !tokens.is_empty())
    }

    /// Returns the ids of tokens: equal tokens of two texts have equal ids.
    pub(crate) fn ids(&self, range: Range<usize>) -> impl Iterator<Item = u32> {
        self.items[range].iter().map(|token| token.id)
    }

    /// Returns the number of the line of token `index`, counted from 0.
    pub(crate) fn line_number(&self, index: usize) -> usize {
        self.items[index].line as usize
    }

    /// Returns how many more brackets tokens open than close.
    pub(crate) fn depth(&self, range: Range<usize>) -> isize {
        let step = |token: &Token| match token.class {
            Class::Opener => 1,
            Class::Closer => -1,
            _ => 0,
        };
        self.items[range].iter().map(step).sum()
    }

    /// Returns by how much token `index` changes the number of open brackets of expressions.
    pub(crate) fn expression_step(&self, index: usize) -> isize {
        match self.get(index) {
            "(" | "[" => 1,
            ")" | "]" => -1,
            _ => 0,
        }
    }

    /// Returns how many brackets of expressions are open before token `end`.
    pub(crate) fn expression_depth(&self, end: usize) -> isize {
        (0..end).map(|index| self.expression_step(index)).sum()
    }

    pub(crate) fn line_of(&self, index: usize) -> Range<usize> {
        self.on_line(self.line_number(index))
    }

    pub(crate) fn is_word(&self, index: usize) -> bool {
        self.items[index].word
    }

    /// Returns the words among tokens.
    pub(crate) fn words(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = usize> {
        range.filter(|&index| self.is_word(index))
    }

    pub(crate) fn has_word(&self, range: Range<usize>) -> bool {
        self.words(range).next().is_some()
    }

    /// Returns the tokens of a range that begin a line.
    pub(crate) fn line_starts(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = usize> + Clone {
        range.filter(|&index| self.opens_line(index))
    }

    /// Returns whether tokens equal tokens of another text.
    pub(crate) fn equal(&self, range: Range<usize>, other: &Tokens<'_>, other_range: Range<usize>) -> bool {
        self.ids(range).eq(other.ids(other_range))
    }

    /// Returns the bytes from the first token to the last; none, after the token before, for an empty range.
    pub(crate) fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        match self.items.get(range.start).filter(|_| !range.is_empty()) {
            Some(first) => first.start as usize..self.end_before(range.end),
            None => self.end_before(range.start)..self.end_before(range.start),
        }
    }

    /// Returns whether token `index` is a mark, but no quote, between two blanks of its line.
    pub(crate) fn is_between_blanks(&self, index: usize) -> bool {
        let is_quote = is_plain_quote(self.get(index));
        let is_spaced = is_inside_line(self.gap(index)) && is_inside_line(self.gap(index + 1));
        is_spaced && !(is_quote || self.is_word(index))
    }

    /// Returns the token that begins a comment after other tokens of a line.
    pub(crate) fn comment(&self, line: Range<usize>) -> Option<usize> {
        let mut marks = line.skip(1).filter(|&index| self.items[index].class == Class::Comment);
        marks.find(|&index| !self.gap(index).is_empty())
    }

    /// Returns whether token `index` is in a comment that begins on its line.
    pub(crate) fn in_comment(&self, index: usize) -> bool {
        self.class(self.line_of(index).start) == Class::Comment || self.in_trailing_comment(index)
    }

    /// Returns whether token `index` is in a comment that begins after other tokens of its line.
    pub(crate) fn in_trailing_comment(&self, index: usize) -> bool {
        self.comment(self.line_of(index)).is_some_and(|comment| comment <= index)
    }

    /// Returns the whole text of the line with these tokens, without its `\n`.
    pub(crate) fn line_text(&self, on_line: Range<usize>) -> &'t str {
        let (first, last) = (self.items[on_line.start].start as usize, self.items[on_line.end - 1].end as usize);
        let end = self.text[last..].find('\n').map_or(self.text.len(), |at| last + at);
        &self.text[line_start(self.text, first)..end]
    }

    /// Returns whether a line only ends a block.
    pub(crate) fn is_block_end(&self, line: &Range<usize>) -> bool {
        let is_mark = |token| matches!(self.class(token), Class::Opener | Class::Closer | Class::Separator);
        let first = self.get(line.start);
        let is_bracket = self.class(line.start) == Class::Closer;
        (is_bracket && line.clone().all(is_mark)) || END_WORDS.iter().any(|end| first.eq_ignore_ascii_case(end))
    }

    /// Returns the class of token `index`; [`Class::Other`] for the end of the text.
    pub(crate) fn class(&self, index: usize) -> Class {
        self.items.get(index).map_or(Class::Other, |token| token.class)
    }

    /// Returns the number of lines: one more than the number of `\n`.
    pub(crate) fn lines(&self) -> usize {
        self.first.len() - 1
    }

    pub(crate) fn opens_line(&self, index: usize) -> bool {
        index == 0 || self.items[index].line != self.items[index - 1].line
    }

    pub(crate) fn ends_line(&self, index: usize) -> bool {
        index + 1 >= self.len() || self.opens_line(index + 1)
    }

    /// Returns the tokens of the line of token `index`, without the comment after it unless the token is in it.
    pub(crate) fn code_of(&self, index: usize) -> Range<usize> {
        let line = self.line_of(index);
        let end = self.comment(line.clone()).filter(|&comment| index < comment);
        line.start..end.unwrap_or(line.end)
    }

    /// Returns whether no blank is between token `index` and the token before it.
    pub(crate) fn is_glued(&self, index: usize) -> bool {
        (1..self.len()).contains(&index) && self.gap(index).is_empty()
    }

    /// Returns the indentation of token `index`, the first one on its line.
    pub(crate) fn indent(&self, index: usize) -> &'t str {
        whitespace::indent(self.gap(index))
    }
}

/// Returns how many bytes of `rest` belong to the word before it: the apostrophe and the letters of `we're`. Only the
/// endings of prose count, because a quote after a letter may also begin a string (`b'raw'`).
fn contraction(word: &str, rest: &str) -> usize {
    const ENDINGS: &[&str] = &["t", "s", "re", "ve", "ll", "d", "m"];
    let prose = word == "I" || (word.len() > 1 && word.ends_with(char::is_alphabetic));
    let mark = rest.chars().next().filter(|_| prose);
    let Some(mark @ ('\'' | '\u{2019}')) = mark else { return 0 };
    let tail = &rest[mark.len_utf8()..];
    let end = tail.find(|next| !is_word(next)).unwrap_or(tail.len());
    if tail[end..].starts_with(mark) {
        return 0;
    }
    let is_known = ENDINGS.iter().any(|ending| tail[..end].eq_ignore_ascii_case(ending));
    if is_known { mark.len_utf8() + end } else { 0 }
}

/// Returns whether one range contains another.
pub(crate) fn encloses(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Returns whether a character is a part of words: a letter, a digit or an underscore.
#[must_use]
pub fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Converts an offset; [`Input`](crate::input::Input) refuses longer texts.
pub(crate) fn small(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
