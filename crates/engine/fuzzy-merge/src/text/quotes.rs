//! Quotes of a line.

use crate::text::characters::plain;
use crate::text::tokens::{Class, Tokens};

/// Returns whether a token is a quote on a line with two kinds of quotes, which needs both.
pub(crate) fn has_two_quotes(tokens: &Tokens<'_>, index: usize) -> bool {
    let straight = |at: usize| plain(tokens.get(at)).unwrap_or(tokens.get(at));
    let is_quote = |at: &usize| tokens.class(*at) == Class::Quote;
    is_quote(&index) && tokens.line_of(index).filter(is_quote).any(|at| straight(at) != straight(index))
}

/// Returns whether a line means the same with other quotes: its strings are no single characters, and have none with
/// another meaning in some quotes.
pub(crate) fn has_words_in_quotes(tokens: &Tokens<'_>, index: usize) -> bool {
    let line = tokens.line_text(tokens.line_of(index));
    let mut strings = line.split(tokens.get(index)).skip(1).step_by(2);
    strings.all(|text| text.chars().count() != 1) && !line.contains(['$', '\\', '`', '#'])
}
