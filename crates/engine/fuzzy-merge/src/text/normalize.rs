//! Folds a text to a normal form that careless copies share, and hashes it.
//!
//! Texts with equal keys differ only in blanks, letter case, the kind of quote or dash, accents, width, escapes, HTML
//! entities, commas and semicolons. Equal keys make two lines candidates; they do not prove the texts equal.

use fuzzy_core::blank::is_blank;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use crate::text::characters::ascii;

/// The factor of the running hash: odd, so that every power of it is invertible.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of a folded text; hashes can be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The folded bytes as the digits of a number, modulo 2^64.
    pub hash: u64,
    /// The number of folded bytes.
    pub len: u32,
    /// The number of letters and digits among them.
    pub word: u32,
}

impl Key {
    /// The key of the empty text.
    pub const EMPTY: Self = Self { hash: 0, len: 0, word: 0 };

    /// Returns the key of this text followed by `next`, folded as one text.
    #[must_use]
    pub fn join(self, next: Self) -> Self {
        Self {
            hash: self.hash.wrapping_mul(BASE.wrapping_pow(next.len)).wrapping_add(next.hash),
            len: self.len + next.len,
            word: self.word + next.word,
        }
    }

    fn push(&mut self, byte: u8) {
        self.hash = self.hash.wrapping_mul(BASE).wrapping_add(u64::from(byte) + 1);
        self.len += 1;
        self.word += u32::from(byte.is_ascii_alphanumeric() || byte >= 0x80);
    }
}

/// The folded byte for each byte of ASCII; 0 drops it.
const TABLE: [u8; 128] = table();
/// Marks a byte that begins an escape or an entity.
const SPECIAL: u8 = 1;

const fn table() -> [u8; 128] {
    let mut table = [0; 128];
    let mut byte = 0x21;
    while byte < 0x7f {
        table[byte as usize] = match byte {
            b',' | b';' => 0,
            b'\\' | b'&' => SPECIAL,
            b'"' | b'`' => b'\'',
            b'A'..=b'Z' => byte + 32,
            other => other,
        };
        byte += 1;
    }
    table
}

/// HTML entities that models write for characters, and the folded characters.
const ENTITIES: &[(&str, &str)] = &[
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
    ("&quot;", "'"),
    ("&apos;", "'"),
    ("&#39;", "'"),
    ("&#x27;", "'"),
    ("&#34;", "'"),
    ("&nbsp;", ""),
];

/// Folds a character outside ASCII into any number of bytes.
fn fold_wide(c: char, mut sink: impl FnMut(u8)) {
    if let Some(byte) = ascii(c) {
        match TABLE[usize::from(byte)] {
            0 => {}
            SPECIAL => sink(byte),
            folded => sink(folded),
        }
        return;
    }
    match c {
        '…' => (0..3).for_each(|_| sink(b'.')),
        '\u{200b}'..='\u{200d}' | '\u{2060}' => {}
        c if is_blank(c) => {}
        // An accent may be a part of its letter, or a character after it.
        c => decompose_canonical(c, |part| {
            if !is_combining_mark(part) {
                for lower in part.to_lowercase() {
                    lower.encode_utf8(&mut [0; 4]).bytes().for_each(&mut sink);
                }
            }
        }),
    }
}

/// Sends the folded bytes of `text` to `sink`, in order.
pub(crate) fn fold(text: &str, mut sink: impl FnMut(u8)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte >= 0x80 {
            let Some(c) = text[at..].chars().next() else { return };
            fold_wide(c, &mut sink);
            at += c.len_utf8();
            continue;
        }
        at += 1;
        match TABLE[usize::from(byte)] {
            0 => {}
            SPECIAL if byte == b'\\' => {
                // Drops all backslashes and the letter of a control character: escaping twice changes nothing.
                while bytes.get(at) == Some(&b'\\') {
                    at += 1;
                }
                if matches!(bytes.get(at), Some(b'n' | b't' | b'r')) {
                    at += 1;
                }
            }
            SPECIAL => {
                let rest = &text[at - 1..];
                let entity = ENTITIES.iter().find(|(name, _)| rest.starts_with(name));
                let (name, folded) = entity.unwrap_or(&("&", "&"));
                at += name.len() - 1;
                folded.bytes().for_each(&mut sink);
            }
            folded => sink(folded),
        }
    }
}

/// Folds `text` and hashes the result. Cost: one pass over the bytes, no allocation.
#[must_use]
pub fn key(text: &str) -> Key {
    let mut key = Key::EMPTY;
    fold(text, |byte| key.push(byte));
    key
}

/// Folds `text` into bytes.
pub(crate) fn folded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    fold(text, |byte| bytes.push(byte));
    bytes
}

/// Removes the blanks of `text`. Cost: one pass, and a copy.
#[must_use]
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|&c| !is_blank(c)).collect()
}

/// Returns whether two texts differ in the kinds of their quotes and dashes, and in the composition and the width of
/// their letters, alone. Cost: one pass over both.
#[must_use]
pub fn equal_but_marks(left: &str, right: &str) -> bool {
    left == right || unmarked(left) == unmarked(right)
}

/// Returns the characters of a text with one kind of quotes, dashes and widths, each accent after its letter.
///
/// The iterator of the crate also serves the compatibility forms, whose tables are 62 kB of the engine in WebAssembly.
fn unmarked(text: &str) -> Vec<char> {
    let mut parts = Vec::with_capacity(text.len());
    for c in text.chars() {
        decompose_canonical(c, |part| {
            parts.push(match ascii(part).map_or(part, char::from) {
                '"' | '`' => '\'',
                part => part,
            });
        });
    }
    parts
}

/// Returns whether two texts differ in blanks alone. Cost: one pass over both, no allocation.
#[must_use]
pub fn equal_but_blanks(left: &str, right: &str) -> bool {
    left == right || left.chars().filter(|&c| !is_blank(c)).eq(right.chars().filter(|&c| !is_blank(c)))
}
