//! Knows which words a document has.

use std::cell::{Cell, OnceCell};

use memchr::memmem;
use rustc_hash::FxHashSet;

use crate::text::tokens::is_word;

/// How many words are searched for one by one: finding all words of a document takes about as long.
const FEW: usize = 16;

/// The words of a document.
pub(crate) struct Vocabulary<'t> {
    text: &'t str,
    asked: Cell<usize>,
    /// Every run of word characters, once enough words were asked for.
    words: OnceCell<FxHashSet<&'t str>>,
}

impl<'t> Vocabulary<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Self { text, asked: Cell::new(0), words: OnceCell::new() }
    }

    /// Returns whether the document has a mark, or a word that is no part of a longer one.
    pub(crate) fn knows(&self, token: &str) -> bool {
        if token.starts_with(char::is_alphanumeric) { self.has_word(token) } else { self.text.contains(token) }
    }

    /// Returns whether the document has a word that is no part of a longer one.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.asked.set(self.asked.get() + 1);
        // An apostrophe ends a run, and is a part of `we're`.
        if self.asked.get() <= FEW || !word.chars().all(is_word) {
            return stands_in(self.text, word);
        }
        self.words.get_or_init(|| self.text.split(|c| !is_word(c)).collect()).contains(word)
    }
}

fn stands_in(text: &str, word: &str) -> bool {
    memmem::find_iter(text.as_bytes(), word)
        .any(|at| !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::{FEW, Vocabulary, stands_in};

    #[test]
    fn a_word_is_known_however_many_were_asked_for() {
        let text = "let we_re = don't(x1, \"é-ß\");\nxx x";
        for word in ["let", "we", "re", "we_re", "don", "don't", "x", "x1", "1", "é", "ß", "xx", "é-ß"] {
            let vocabulary = Vocabulary::of(text);
            for _ in 0..=FEW {
                assert_eq!(vocabulary.has_word(word), stands_in(text, word), "{word}");
            }
        }
    }
}
