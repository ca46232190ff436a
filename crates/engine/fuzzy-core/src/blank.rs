//! Blanks: the one set of characters that every ladder trims, collapses and strips.
//!
//! The set is that of ECMAScript's white space and line terminators, because `full` has to agree with an engine
//! written in that language. Rust's own sets differ: they hold U+0085 and lack U+FEFF.

/// Returns whether `c` is a blank: U+0009–000D, 0020, 00A0, 1680, 2000–200A, 2028, 2029, 202F, 205F, 3000, FEFF.
#[must_use]
pub const fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{d}'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// Returns whether the ASCII byte `b` is a blank.
#[must_use]
pub const fn is_blank_byte(b: u8) -> bool {
    matches!(b, b'\t'..=b'\r' | b' ')
}

/// Returns whether `c` is a blank that ends no line: any but `\n`.
#[must_use]
pub const fn is_inline(c: char) -> bool {
    c != '\n' && is_blank(c)
}

/// Returns the number of bytes of the blanks at the start of `text`.
#[must_use]
pub fn leading(text: &str) -> usize {
    leading_by(text, is_blank_byte, is_blank)
}

/// Returns the number of bytes of the blanks at the end of `text`.
#[must_use]
pub fn trailing(text: &str) -> usize {
    trailing_by(text, is_blank_byte, is_blank)
}

/// Returns the number of bytes of the blanks other than `\n` at the start of `text`.
#[must_use]
pub fn leading_inline(text: &str) -> usize {
    leading_by(text, |b| b != b'\n' && is_blank_byte(b), is_inline)
}

/// Returns the number of bytes of the blanks other than `\n` at the end of `text`.
#[must_use]
pub fn trailing_inline(text: &str) -> usize {
    trailing_by(text, |b| b != b'\n' && is_blank_byte(b), is_inline)
}

/// Returns the number of bytes at the start of `text` whose characters `is_char` holds of; `is_byte` says the same of
/// ASCII.
///
/// Blanks outside ASCII are rare, so decoding starts only where a byte could begin one.
fn leading_by(text: &str, is_byte: impl Fn(u8) -> bool, is_char: fn(char) -> bool) -> usize {
    let bytes = text.as_bytes();
    let ascii = bytes.iter().take_while(|b| is_byte(**b)).count();
    match bytes.get(ascii) {
        Some(b) if !b.is_ascii() => text.len() - text[ascii..].trim_start_matches(is_char).len(),
        _ => ascii,
    }
}

/// Returns the number of bytes at the end of `text` in the same way.
fn trailing_by(text: &str, is_byte: impl Fn(u8) -> bool, is_char: fn(char) -> bool) -> usize {
    let bytes = text.as_bytes();
    let ascii = bytes.iter().rev().take_while(|b| is_byte(**b)).count();
    let rest = bytes.len() - ascii;
    match rest.checked_sub(1).map(|last| bytes[last]) {
        Some(b) if !b.is_ascii() => text.len() - text[..rest].trim_end_matches(is_char).len(),
        _ => ascii,
    }
}

/// Returns `text` without the blanks at its start.
#[must_use]
pub fn trim_start(text: &str) -> &str {
    &text[leading(text)..]
}

/// Returns `text` without the blanks at its end.
#[must_use]
pub fn trim_end(text: &str) -> &str {
    &text[..text.len() - trailing(text)]
}

/// Returns `text` without the blanks at both ends.
#[must_use]
pub fn trim(text: &str) -> &str {
    trim_end(trim_start(text))
}

/// Returns whether `text` holds nothing but blanks; an empty text does.
#[must_use]
pub fn is_blank_text(text: &str) -> bool {
    leading(text) == text.len()
}

/// Returns the words of `text`: its maximal runs of characters that are no blanks.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|word| !word.is_empty())
}
