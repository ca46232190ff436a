//! Splits texts into lines and tokens.

use std::hash::{Hash as _, Hasher as _};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHasher};

use crate::Equivalences;

/// The number for a missing token in a pair; those of tokens are odd.
const NO_TOKEN: u64 = 0;

/// The numbers of two tokens, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pair {
    pub(crate) before: u64,
    pub(crate) after: u64,
}

/// A token: a word or one mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) text: &'t str,
    /// A number, the same for equal tokens.
    pub(crate) id: u64,
    /// Whether it follows the previous token on its line without a blank.
    pub(crate) is_adjacent: bool,
    /// Whether its line has a token before it.
    pub(crate) has_previous: bool,
}

impl Token<'_> {
    /// Returns whether the token is a word rather than a mark.
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(is_word)
    }
}

/// A line of a text.
#[derive(Clone, Debug)]
pub(crate) struct Line<'t> {
    /// The blanks before its first token.
    pub(crate) indent: &'t str,
    /// Its tokens among those of the text; at least one.
    pub(crate) tokens: Range<usize>,
    /// A number, the same for lines of equal tokens.
    pub(crate) key: u64,
    /// Its number in the text, from 0; lines without tokens count.
    pub(crate) number: usize,
}

/// A text as its lines with tokens.
#[derive(Debug)]
pub(crate) struct Text<'t> {
    pub(crate) tokens: Vec<Token<'t>>,
    pub(crate) lines: Vec<Line<'t>>,
}

impl<'t> Text<'t> {
    pub(crate) fn new(text: &'t str, equivalences: Equivalences) -> Self {
        let mut tokens = Vec::with_capacity(text.len() / 4);
        let mut lines = Vec::new();
        for (number, line) in text.split('\n').enumerate() {
            let body = line.trim_start_matches(is_blank);
            let start = tokens.len();
            split(body, equivalences, &mut tokens);
            if tokens.len() > start {
                let indent = &line[..line.len() - body.len()];
                lines.push(Line { indent, tokens: start..tokens.len(), key: 0, number });
            }
        }
        let mut text = Self { tokens, lines };
        text.rename(&FxHashMap::default());
        text
    }

    /// Gives every misspelled token the number of its correction, and every line its key.
    pub(crate) fn rename(&mut self, corrections: &FxHashMap<u64, u64>) {
        for token in &mut self.tokens {
            token.id = corrections.get(&token.id).copied().unwrap_or(token.id);
        }
        for line in &mut self.lines {
            let mut hasher = FxHasher::default();
            for token in &self.tokens[line.tokens.clone()] {
                hasher.write_u64(token.id);
            }
            line.key = hasher.finish();
        }
    }

    /// Returns the tokens of a line.
    pub(crate) fn on(&self, line: usize) -> &[Token<'t>] {
        &self.tokens[self.lines[line].tokens.clone()]
    }

    /// Returns the keys of all lines.
    pub(crate) fn keys(&self) -> Vec<u64> {
        self.lines.iter().map(|line| line.key).collect()
    }

    /// Returns the tokens of a line as numbers.
    pub(crate) fn ids_on(&self, line: usize) -> Vec<u64> {
        self.on(line).iter().map(|token| token.id).collect()
    }

    /// Returns every token that follows another on its line: its index, and both tokens.
    pub(crate) fn neighbours(&self) -> impl Iterator<Item = (usize, Pair)> + '_ {
        let pairs = self.tokens.windows(2).enumerate().filter(|(_, pair)| pair[1].has_previous);
        pairs.map(|(at, pair)| (at + 1, Pair { before: pair[0].id, after: pair[1].id }))
    }

    /// Returns the last token of each line with the first of the next.
    pub(crate) fn breaks(&self) -> impl Iterator<Item = Pair> + '_ {
        let pairs = self.tokens.windows(2).filter(|pair| !pair[1].has_previous);
        pairs.map(|pair| Pair { before: pair[0].id, after: pair[1].id })
    }

    /// Returns the first two tokens of each line. A repeated mark, such as `//`, counts as one.
    pub(crate) fn heads(&self) -> impl Iterator<Item = Pair> + '_ {
        let lines = (0..self.lines.len()).map(|line| self.on(line));
        lines.map(|tokens| {
            let first = tokens[0];
            let again =
                tokens[1..].iter().take_while(|token| !first.is_word() && token.is_adjacent && token.id == first.id);
            let next = tokens.get(again.count() + 1);
            Pair { before: first.id, after: next.map_or(NO_TOKEN, |token| token.id) }
        })
    }

    /// Returns the last two tokens of each line.
    pub(crate) fn tails(&self) -> impl Iterator<Item = Pair> + '_ {
        let lines = (0..self.lines.len()).map(|line| self.on(line));
        lines.map(|tokens| match tokens {
            [.., before, last] => Pair { before: before.id, after: last.id },
            _ => Pair { before: NO_TOKEN, after: tokens[0].id },
        })
    }
}

/// The count of each token or line.
pub(crate) type Counts = FxHashMap<u64, usize>;

/// Counts each element.
pub(crate) fn counts(elements: impl IntoIterator<Item = u64>) -> Counts {
    let mut counts = Counts::default();
    for element in elements {
        *counts.entry(element).or_default() += 1;
    }
    counts
}

/// Returns whether a character separates tokens.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

/// Returns whether a character is part of a word.
fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Returns whether a mark joins letters to one word.
fn joins(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '"')
}

/// Returns whether a word is a prefix of strings, as in `rb"…"`.
fn is_prefix(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "f" | "r" | "b" | "u" | "l" | "rb" | "br" | "fr" | "rf" | "u8" | "n" | "s"
    )
}

/// Adds the tokens of a line.
fn split<'t>(line: &'t str, equivalences: Equivalences, tokens: &mut Vec<Token<'t>>) {
    let mut chars = line.char_indices().peekable();
    let mut end_before = None;
    while let Some((start, c)) = chars.next() {
        if is_blank(c) {
            continue;
        }
        let mut end = start + c.len_utf8();
        if c == '\\' && equivalences.escapes {
            end += line[end..].len() - line[end..].trim_start_matches('\\').len();
            while chars.next_if(|(at, _)| *at < end).is_some() {}
        } else if is_word(c) {
            let mut last = c;
            while let Some(&(at, next)) = chars.peek() {
                let inside = joins(next)
                    && last.is_alphabetic()
                    && line[at + next.len_utf8()..].starts_with(char::is_alphabetic)
                    && !is_prefix(&line[start..at]);
                if !is_word(next) && !inside {
                    break;
                }
                (last, end) = (next, at + next.len_utf8());
                chars.next();
            }
        }
        let text = &line[start..end];
        tokens.push(Token {
            text,
            id: id(text, equivalences),
            is_adjacent: end_before == Some(start),
            has_previous: end_before.is_some(),
        });
        end_before = Some(end);
    }
}

/// Returns a number, the same for equal tokens.
fn id(text: &str, equivalences: Equivalences) -> u64 {
    let mut hasher = FxHasher::default();
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        // A mark.
        (Some('\\'), _) => '\\'.hash(&mut hasher),
        (Some(c), None) if !is_word(c) => equivalences.canonical(c).hash(&mut hasher),
        _ if equivalences.typography && !text.is_ascii() => {
            text.chars().for_each(|c| equivalences.to_ascii(c).hash(&mut hasher));
        }
        _ => text.chars().for_each(|c| c.hash(&mut hasher)),
    }
    hasher.finish() | 1
}
