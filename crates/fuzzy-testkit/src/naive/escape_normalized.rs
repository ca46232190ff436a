//! `escape-normalized`.

use fuzzy_core::Candidate;

use super::places::{equal, occurrences, windows};

/// Finds the needle without its escapes, then every window of lines that equals it without the window's escapes.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let wanted = unescaped(needle);
    let mut found = occurrences(haystack, &wanted);
    found.extend(windows(haystack, wanted.split('\n').count()).into_iter().filter(|window| {
        let text = window.text(haystack);
        text != wanted && unescaped(text) == wanted
    }));
    equal(found)
}

/// Removes the escapes.
#[must_use]
pub fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escape = if c == '\\' { chars.peek().and_then(|c| escape(*c)) } else { None };
        plain.push(escape.unwrap_or(c));
        if escape.is_some() {
            chars.next();
        }
    }
    plain
}

fn escape(c: char) -> Option<char> {
    match c {
        'n' | '\n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '\'' | '"' | '`' | '\\' | '$' => Some(c),
        _ => None,
    }
}
