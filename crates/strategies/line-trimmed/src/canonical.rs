//! A common spelling for characters that look alike.

use std::borrow::Cow;

use fuzzy_core::blank;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// Invisible characters.
pub(crate) const HIDDEN: [char; 5] = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'];

/// Returns the common spelling of `c`, if it differs from `c`.
fn plain(c: char) -> Option<&'static str> {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' => Some("'"),
        '“' | '”' | '„' | '‟' | '″' => Some("\""),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some("-"),
        '…' => Some("..."),
        '\t' | '\n' | '\r' | ' ' => None,
        c if HIDDEN.contains(&c) => Some(""),
        c if blank::is_blank(c) => Some(" "),
        _ => None,
    }
}

/// Returns `text` in the common spelling: characters replaced by the table, then composed (NFC).
///
/// The table is applied first because an invisible character would keep a letter and its accent apart. Composition
/// creates no character of the table, so the result is its own normal form.
pub(crate) fn canonical(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        match plain(c) {
            Some(plain) => written.push_str(plain),
            None => written.push(c),
        }
    }
    Cow::Owned(if is_nfc_quick(written.chars()) == IsNormalized::Yes { written } else { composed(&written) })
}

/// Returns `text` composed (NFC), like `UnicodeNormalization::nfc`.
///
/// That iterator also serves the compatibility forms, so that every caller links their tables: 62 kB of the engine in
/// WebAssembly that no code reads.
fn composed(text: &str) -> String {
    let mut parts = Vec::with_capacity(text.len());
    for c in text.chars() {
        decompose_canonical(c, |part| parts.push((canonical_combining_class(part), part)));
    }
    for marks in parts.chunk_by_mut(|left, right| left.0 != 0 && right.0 != 0) {
        marks.sort_by_key(|(class, _)| *class);
    }
    let mut written: Vec<char> = Vec::with_capacity(parts.len());
    // The last character that starts a sequence, and the class of the text between it and the next character.
    let mut starter = None;
    let mut between = None;
    for (class, part) in parts {
        if let Some(at) = starter
            && between.is_none_or(|between| between < class)
            && let Some(whole) = compose(written[at], part)
        {
            written[at] = whole;
            continue;
        }
        (starter, between) = if class == 0 { (Some(written.len()), None) } else { (starter, Some(class)) };
        written.push(part);
    }
    written.into_iter().collect()
}

/// Returns whether `text` obviously is its own normal form: all ASCII, without the two blanks that become spaces.
pub(crate) fn is_plain(text: &str) -> bool {
    text.is_ascii() && memchr::memchr2(0xb, 0xc, text.as_bytes()).is_none()
}

/// Returns whether `b` occurs in a normal form only where it occurs in the text itself.
///
/// False for the characters that the table produces, and for those that composition makes of one other character.
pub(crate) const fn is_literal(b: u8) -> bool {
    b.is_ascii_graphic() && !matches!(b, b'\'' | b'"' | b'-' | b'.' | b';' | b'`' | b'K')
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::composed;

    fn assert_composes(text: &str) {
        assert_eq!(composed(text), text.nfc().collect::<String>(), "{}", text.escape_unicode());
    }

    #[test]
    fn every_character_is_composed_as_the_standard_says() {
        for c in '\0'..=char::MAX {
            assert_composes(c.encode_utf8(&mut [0; 4]));
        }
    }

    #[test]
    fn marks_are_ordered_and_composed_as_the_standard_says() {
        // Letters, marks of several classes, characters that decompose into two or three others, Hangul, and ASCII.
        let alphabet: Vec<char> = "aeoAuxK1 \u{300}\u{301}\u{304}\u{308}\u{30a}\u{323}\u{327}\u{328}\u{345}\u{338}\
                                   \u{1e69}\u{1ea5}\u{1fa7}\u{212b}\u{212a}\u{387}\u{958}\u{9c7}\u{9be}\u{9d7}\
                                   \u{1100}\u{1161}\u{11a8}\u{ac00}\u{ac01}\u{d7a3}\u{fb2c}\u{1d15e}\u{2f800}\u{5d0}\u{5bc}"
            .chars()
            .collect();
        for first in &alphabet {
            for second in &alphabet {
                for third in &alphabet {
                    let text: String = [first, second, third].into_iter().collect();
                    assert_composes(&text);
                }
            }
        }
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let text: String = (0..random.usize(4..12)).filter_map(|_| random.choice(&alphabet)).collect();
            assert_composes(&text);
        }
    }
}
