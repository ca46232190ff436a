//! The case that the laws are asked about: an edit at its place, read.

use crate::equivalences::Equivalences;
use crate::law::{Broken, Law};
use crate::misspellings::{self, Omissions};
use crate::text::Text;

/// An edit at its place, and what would be written there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Landing<'t> {
    /// The file's lines before the place: as many as a repetition is to be looked for in.
    pub before: &'t str,
    /// The file's text that is replaced, as whole lines.
    pub place: &'t str,
    /// The file's lines after the place, as [`before`](Self::before).
    pub after: &'t str,
    /// The edit's old text, without the line numbers, escapes and fences that are not the file's.
    pub needle: &'t str,
    /// The edit's new text, read in the same way.
    pub new: &'t str,
    /// The text that would be written.
    pub result: &'t str,
}

/// What the laws are asked about.
pub(crate) struct Case<'t> {
    pub(crate) before: Text<'t>,
    pub(crate) place: Text<'t>,
    pub(crate) after: Text<'t>,
    pub(crate) needle: Text<'t>,
    pub(crate) new: Text<'t>,
    pub(crate) result: Text<'t>,
    pub(crate) omissions: Omissions,
}

impl<'t> Case<'t> {
    /// Reads the four texts, with slips of the needle's words taken for the file's words.
    pub(crate) fn new(landing: &Landing<'t>, equivalences: Equivalences) -> Self {
        let mut case = Self {
            before: Text::new(landing.before, equivalences),
            place: Text::new(landing.place, equivalences),
            after: Text::new(landing.after, equivalences),
            needle: Text::new(landing.needle, equivalences),
            new: Text::new(landing.new, equivalences),
            result: Text::new(landing.result, equivalences),
            omissions: Omissions::default(),
        };
        let similar = misspellings::similar_lines(&case.needle, &case.place);
        let corrections = misspellings::corrections(&case.needle, &case.place, &similar);
        let Self { before, place, after, needle, new, result, .. } = &mut case;
        for text in [before, place, after, needle, new, result] {
            text.rename(&corrections);
        }
        case.omissions = Omissions::new(&case.needle, &case.place, &case.new, &similar);
        case
    }

    /// Returns a law broken at a token of the result.
    pub(crate) fn at_token(&self, law: Law, token: usize) -> Broken {
        let line = self.result.lines.partition_point(|line| line.tokens.end <= token);
        let line = self.result.lines.get(line).map_or(0, |line| line.number);
        Broken { law, line, token: self.result.tokens[token].text.to_owned() }
    }

    /// Returns a law broken by a line of the result.
    pub(crate) fn at_line(&self, law: Law, line: usize) -> Broken {
        // As many tokens as a message has room for.
        let on: Vec<&str> = self.result.on(line).iter().map(|token| token.text).take(12).collect();
        Broken { law, line: self.result.lines[line].number, token: on.join(" ") }
    }
}
