//! One spelling for characters that look alike.

use std::borrow::Cow;

use fuzzy_core::blank;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Characters that show nothing.
pub(crate) const HIDDEN: [char; 5] = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'];

/// Returns what `c` is written as, if not as itself.
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

/// Returns `text` in the one spelling: characters by the table, then composed (NFC).
///
/// The table comes first because a character that shows nothing would keep a letter and its accent apart. Composing
/// makes no character that the table knows, so the result is its own normal form.
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
    Cow::Owned(if is_nfc(&written) { written } else { written.nfc().collect() })
}

/// Returns whether `text` is its own normal form at sight: all of it ASCII, without the two blanks that become spaces.
pub(crate) fn is_plain(text: &str) -> bool {
    text.is_ascii() && memchr::memchr2(0xb, 0xc, text.as_bytes()).is_none()
}

/// Returns whether `b` is in a normal form only where it occurs in the text itself.
///
/// Not so the characters that the table writes, nor those that composing makes of one other character.
pub(crate) const fn is_literal(b: u8) -> bool {
    b.is_ascii_graphic() && !matches!(b, b'\'' | b'"' | b'-' | b'.' | b';' | b'`' | b'K')
}
