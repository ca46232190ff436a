//! Encodes texts for Postgres, which cannot store U+0000; output of programs does contain it.

use std::borrow::Cow;

/// The start of an escape. Texts do not usually contain this noncharacter, but those that do are preserved, too.
const ESCAPE: char = '\u{10FFFF}';

/// Returns a text without U+0000, which becomes the escape character and `0`; the escape character itself becomes
/// itself and `E`. The encoding is injective.
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

/// Decodes a text; `None` if it is not an encoded text.
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
    fn every_text_is_preserved() {
        for text in ["", "plain", "a\0b", "\0\0", "\u{10FFFF}", "\u{10FFFF}0\0E\u{10FFFF}", "caf\u{e9}\u{FFFF}"] {
            let stored = encoded(text);
            assert!(!stored.contains('\0'));
            assert_eq!(decoded(stored.into_owned()).as_deref(), Some(text));
        }
        assert_eq!(decoded("\u{10FFFF}x".into()), None);
        assert_eq!(decoded("\u{10FFFF}".into()), None);
    }
}
