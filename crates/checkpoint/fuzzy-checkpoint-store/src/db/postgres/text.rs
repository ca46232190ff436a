//! Texts that Postgres cannot hold: it knows every character but U+0000, which output of programs does contain.

use std::borrow::Cow;

/// Begins an escape. No text has this noncharacter, but a text that does is kept, too.
const ESCAPE: char = '\u{10FFFF}';

/// Returns a text without U+0000: it is written as the escape and `0`, and the escape as itself and `E`. Equal texts stay
/// equal and different ones different.
pub(super) fn encoded(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', ESCAPE]) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '\0' => out.extend([ESCAPE, '0']),
            ESCAPE => out.extend([ESCAPE, 'E']),
            letter => out.push(letter),
        }
    }
    Cow::Owned(out)
}

/// Returns what was encoded; `None` for what never was.
pub(super) fn decoded(text: String) -> Option<String> {
    if !text.contains(ESCAPE) {
        return Some(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter == ESCAPE).then(|| letters.next()) {
            None => out.push(letter),
            Some(Some('0')) => out.push('\0'),
            Some(Some('E')) => out.push(ESCAPE),
            Some(_) => return None,
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{decoded, encoded};

    #[test]
    fn every_text_comes_back() {
        for text in ["", "plain", "a\0b", "\0\0", "\u{10FFFF}", "\u{10FFFF}0\0E\u{10FFFF}", "caf\u{e9}\u{FFFF}"] {
            let stored = encoded(text);
            assert!(!stored.contains('\0'));
            assert_eq!(decoded(stored.into_owned()).as_deref(), Some(text));
        }
        assert_eq!(decoded("\u{10FFFF}x".into()), None);
        assert_eq!(decoded("\u{10FFFF}".into()), None);
    }
}
