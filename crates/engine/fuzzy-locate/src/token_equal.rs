//! Finds a needle by its tokens in their order, whatever the blanks and line breaks between them.
//!
//! A piece of a line, a re-wrapped statement and other blanks inside a line are one search. Equal are also quotes of any
//! kind, typographic marks with plain ones, letters in any composition, and a comma more or less before a closing
//! bracket inside the needle. Letter case, numbers and other marks are not.
//!
//! Cost: one substring pass over the haystack for the needle's longest word, then work on the needle's tokens for each
//! of its places.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use fuzzy_core::Query;
use fuzzy_core::blank::is_blank;
use fuzzy_merge::{Pair, equal_but_marks, is_word};

use crate::bounds::{tears, tears_word};

/// A place with the tokens of a needle.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenPlace {
    /// The bytes from the first token to the last.
    pub at: Range<usize>,
    /// The bytes of the needle from its first token to the last.
    pub needle: Range<usize>,
    /// Pairs lines of the needle with lines of the place, both without blank ones, counted from the first: those between
    /// two line breaks that both texts have.
    pub pairs: Vec<Pair>,
}

/// Finds the places with the tokens of the query's needle, from top to bottom; none for a needle without a word of
/// ASCII letters.
#[must_use]
pub fn token_places(query: &Query<'_>) -> Vec<TokenPlace> {
    let (haystack, needle) = (query.text(), query.old());
    let ours: Vec<Range<usize>> = tokens(needle, 0).collect();
    let is_plain_word =
        |token: &Range<usize>| needle[token.clone()].is_ascii() && needle[token.start..].starts_with(is_word);
    let longest = (0..ours.len()).filter(|&at| is_plain_word(&ours[at])).max_by_key(|&at| ours[at].len());
    let Some(longest) = longest else { return Vec::new() };
    let word = &needle[ours[longest].clone()];
    let words_before = ours[..longest].iter().filter(|token| needle[token.start..].starts_with(is_word)).count();
    let mut found: Vec<TokenPlace> = Vec::new();
    for at in query.occurrences(word) {
        if query.spend(needle.len()).is_break() {
            return Vec::new();
        }
        if tears_word(haystack, at) || tears_word(haystack, at + word.len()) {
            continue;
        }
        let place = place_at(haystack, needle, &ours, (longest, at), words_before);
        let place = place.filter(|place| found.last().is_none_or(|last| last.at != place.at));
        found.extend(place.filter(|place| !tears(query, &place.at)));
    }
    found
}

/// Returns the place of the needle with its token `anchor.0` at byte `anchor.1` of the haystack.
fn place_at(
    haystack: &str,
    needle: &str,
    ours: &[Range<usize>],
    anchor: (usize, usize),
    words_before: usize,
) -> Option<TokenPlace> {
    let word_end = |at: usize| haystack[..at].trim_end_matches(|c| !is_word(c)).len();
    let word_start = |at: usize| haystack[..word_end(at)].trim_end_matches(is_word).len();
    // The marks before the first word follow the word before it.
    let from = word_end((0..words_before).fold(anchor.1, |at, _| word_start(at)));
    for token in tokens(haystack, from) {
        let found = compare(haystack, needle, ours, token.start, anchor);
        if found.is_some() || haystack[token.start..].starts_with(is_word) {
            return found;
        }
    }
    None
}

/// Compares the needle's tokens with those of the haystack from byte `start` on.
fn compare(
    haystack: &str,
    needle: &str,
    ours: &[Range<usize>],
    start: usize,
    anchor: (usize, usize),
) -> Option<TokenPlace> {
    let (mut theirs, mut lines) = (tokens(haystack, start), Lines::default());
    // The first token of the haystack, and the ends of the last ones of both.
    let mut compared: Option<(usize, [usize; 2])> = None;
    let mut rest = ours.iter().enumerate();
    while let Some((mut number, mut one)) = rest.next() {
        let mut other = theirs.next()?;
        if compared.is_some() {
            let commas = [&needle[one.clone()], &haystack[other.clone()]].map(|token| token == ",");
            // A comma before a closing bracket is no difference.
            match commas {
                [true, false] if closes(&haystack[other.clone()]) => (number, one) = rest.next()?,
                [false, true] if closes(&needle[one.clone()]) => other = theirs.next()?,
                _ => {}
            }
        }
        let (mut text, mut end) = (Cow::Borrowed(&needle[one.clone()]), one.end);
        let file_text = &haystack[other.clone()];
        // One mark several times in a row is the same with blanks between.
        while is_repeated(file_text)
            && let Some(next) = ours.get(number + 1)
            && let Some(marks) = file_text.strip_prefix(&*text)
            && !marks.is_empty()
            && marks.starts_with(&needle[next.clone()])
        {
            text.to_mut().push_str(&needle[next.clone()]);
            (number, end) = (number + 1, next.end);
            rest.next();
        }
        // At its ends, the needle may have a part of the marks.
        let is_mark = !file_text.starts_with(is_word);
        if is_mark && number == 0 && file_text.ends_with(&*text) {
            other.start = other.end - text.len();
        } else if is_mark && number + 1 == ours.len() && file_text.starts_with(&*text) {
            other.end = other.start + text.len();
        }
        if !equal_but_marks(&text, &haystack[other.clone()]) || (number == anchor.0 && other.start != anchor.1) {
            return None;
        }
        if let Some((_, [our_end, their_end])) = compared {
            let gaps = [&needle[our_end..one.start], &haystack[their_end..other.start]];
            lines.end(gaps.map(|gap| gap.contains('\n')), is_mark && !closes(&text))?;
        }
        compared = Some((compared.map_or(other.start, |(first, _)| first), [end, other.end]));
    }
    let (first, [_, last]) = compared?;
    Some(TokenPlace { at: first..last, needle: ours[0].start..ours[ours.len() - 1].end, pairs: lines.pairs() })
}

/// The lines of two texts with the same tokens, paired between common line breaks.
#[derive(Debug, Default)]
struct Lines {
    /// The lines of needle and place before the last token.
    counts: [usize; 2],
    /// Whether each text has a line break before the last token, which is a mark.
    before_mark: Option<[bool; 2]>,
    /// Where the last pair ended.
    ended: [usize; 2],
    pairs: Vec<Pair>,
}

impl Lines {
    /// Counts the line breaks of needle and place before the next token; none if a mark ends a line of the one text, and
    /// begins a line of the other.
    fn end(&mut self, breaks: [bool; 2], is_mark: bool) -> Option<()> {
        if self.before_mark.is_some_and(|before| before[0] != before[1] && before == [breaks[1], breaks[0]]) {
            return None;
        }
        self.before_mark = is_mark.then_some(breaks);
        self.counts = [0, 1].map(|text| self.counts[text] + usize::from(breaks[text]));
        if breaks == [true, true] {
            self.add(self.counts);
        }
        Some(())
    }

    /// Adds the pair of the lines before these.
    fn add(&mut self, [left, right]: [usize; 2]) {
        self.pairs.push(Pair { left: self.ended[0]..left, right: self.ended[1]..right, similarity: 1.0 });
        self.ended = [left, right];
    }

    /// Returns all pairs.
    fn pairs(mut self) -> Vec<Pair> {
        self.add(self.counts.map(|count| count + 1));
        self.pairs
    }
}

/// Returns whether a token is one mark several times.
fn is_repeated(token: &str) -> bool {
    let mut marks = token.chars();
    marks.next().is_some_and(|first| !is_word(first) && marks.all(|mark| mark == first))
}

/// Returns whether a token is a closing bracket.
fn closes(token: &str) -> bool {
    matches!(token, ")" | "]" | "}")
}

/// Returns the tokens of a text from a byte on: words, single brackets, separators and quotes, and runs of other marks.
///
/// # Panics
///
/// Panics if `from` is not on a char boundary of the text.
pub fn tokens(text: &str, from: usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = from;
    iter::from_fn(move || {
        let rest = &text[at..];
        let start = at + rest.len() - rest.trim_start_matches(is_blank).len();
        let first = text[start..].chars().next()?;
        let end = if is_word(first) {
            text[start..].find(|c| !is_word(c))
        } else if is_single(first) {
            Some(first.len_utf8())
        } else {
            text[start..].find(|c| is_word(c) || is_blank(c) || is_single(c))
        };
        at = end.map_or(text.len(), |length| start + length);
        Some(start..at)
    })
}

/// Returns whether a mark is a token of its own beside any other mark.
fn is_single(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '"' | '\'' | '`' | '‘' | '’' | '“' | '”' | '„' | '‚')
}
