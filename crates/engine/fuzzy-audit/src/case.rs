//! The input of the laws: an edit at its place, as tokens.

use crate::equivalences::Equivalences;
use crate::law::{Broken, Law};
use crate::misspellings::{self, Omissions};
use crate::text::Text;

/// An edit at its place, and the text to write there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Landing<'t> {
    /// The file's lines before the place, to search for repetitions.
    pub before: &'t str,
    /// The replaced text of the file, as whole lines.
    pub place: &'t str,
    /// The file's lines after the place, as [`before`](Self::before).
    pub after: &'t str,
    /// The edit's old text, without line numbers, escapes and fences that the file lacks.
    pub needle: &'t str,
    /// The edit's new text, after the same conversions.
    pub new: &'t str,
    /// Old and new text before their marks were read as the file's; empty if they are not known.
    pub given: [&'t str; 2],
    /// The text to write.
    pub result: &'t str,
}

/// A landing, and the tokens of its texts.
pub(crate) struct Case<'t> {
    pub(crate) landing: Landing<'t>,
    pub(crate) before: Text<'t>,
    pub(crate) place: Text<'t>,
    pub(crate) after: Text<'t>,
    pub(crate) needle: Text<'t>,
    pub(crate) new: Text<'t>,
    pub(crate) result: Text<'t>,
    pub(crate) omissions: Omissions,
}

impl<'t> Case<'t> {
    /// Splits the texts into tokens, with the needle's misspelled words as the file's words.
    pub(crate) fn new(landing: &Landing<'t>, equivalences: Equivalences) -> Self {
        let Landing { before, place, after, needle, new, result, .. } = *landing;
        let mut texts = [needle, place, before, after, new, result].map(|text| Text::new(text, equivalences));
        let similar = misspellings::similar_lines(&texts[0], &texts[1]);
        let corrections = misspellings::corrections(&texts[0], &texts[1], &similar);
        for text in &mut texts {
            text.rename(&corrections);
        }
        let [needle, place, before, after, new, result] = texts;
        let omissions = Omissions::new(&needle, &place, &new, &similar);
        Self { landing: *landing, before, place, after, needle, new, result, omissions }
    }

    /// Returns whether place and needle have the same tokens, apart from commas, on other lines.
    pub(crate) fn has_other_breaks(&self) -> bool {
        let tokens = |text: &Text<'_>| -> Vec<u64> {
            text.tokens.iter().filter(|token| token.text != ",").map(|token| token.id).collect()
        };
        self.place.keys() != self.needle.keys() && tokens(&self.place) == tokens(&self.needle)
    }

    /// Returns the counts of a mark in place, needle, new text and result.
    pub(crate) fn counts(&self, mark: &str) -> [isize; 4] {
        [&self.place, &self.needle, &self.new, &self.result]
            .map(|text| text.tokens.iter().map(|token| isize::from(token.text == mark)).sum())
    }

    /// Returns a law broken at a token of the result.
    pub(crate) fn at_token(&self, law: Law, token: usize) -> Broken {
        let line = self.result.lines.partition_point(|line| line.tokens.end <= token);
        let line = self.result.lines.get(line).map_or(0, |line| line.number);
        Broken { law, line, token: self.result.tokens[token].text.to_owned() }
    }

    /// Returns a law broken by a line of the result.
    pub(crate) fn at_line(&self, law: Law, line: usize) -> Broken {
        // Enough tokens for a message.
        let on: Vec<&str> = self.result.on(line).iter().map(|token| token.text).take(12).collect();
        Broken { law, line: self.result.lines[line].number, token: on.join(" ") }
    }
}
