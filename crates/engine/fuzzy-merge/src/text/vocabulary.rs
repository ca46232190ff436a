//! The words of a document.

use std::cell::{Cell, OnceCell};

use memchr::memmem;
use rustc_hash::FxHashSet;

use crate::text::tokens::is_word;

/// The most words that are searched for one by one: more searches take longer than finding all words once.
const FEW: usize = 16;

pub(crate) struct Vocabulary<'t> {
    text: &'t str,
    lookups: Cell<usize>,
    /// All runs of word characters, found after [`FEW`] lookups.
    words: OnceCell<FxHashSet<&'t str>>,
}

impl<'t> Vocabulary<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Self { text, lookups: Cell::new(0), words: OnceCell::new() }
    }

    /// Returns whether the document has a mark, or a whole word.
    pub(crate) fn has(&self, token: &str) -> bool {
        if token.starts_with(char::is_alphanumeric) { self.has_word(token) } else { self.text.contains(token) }
    }

    /// Returns whether the document has a word that is no part of a longer one.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.lookups.set(self.lookups.get() + 1);
        // An apostrophe ends a run, and is a part of `we're`.
        if self.lookups.get() <= FEW || !word.chars().all(is_word) {
            return has_whole_word(self.text, word);
        }
        self.words.get_or_init(|| self.text.split(|c| !is_word(c)).collect()).contains(word)
    }
}

fn has_whole_word(text: &str, word: &str) -> bool {
    memmem::find_iter(text.as_bytes(), word)
        .any(|at| !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::{FEW, Vocabulary, has_whole_word};

    #[test]
    fn a_word_is_found_after_any_number_of_lookups() {
        let text = "let we_re = don't(x1, \"é-ß\");\nxx x";
        for word in ["let", "we", "re", "we_re", "don", "don't", "x", "x1", "1", "é", "ß", "xx", "é-ß"] {
            let vocabulary = Vocabulary::of(text);
            for _ in 0..=FEW {
                assert_eq!(vocabulary.has_word(word), has_whole_word(text, word), "{word}");
            }
        }
    }
}
