//! Checks what an edit is about to write against laws that every right merge keeps.
//!
//! A text that was fitted to a place that is not the needle byte for byte is made by rules, and rules err.
//! This crate looks at the outcome alone: the place, the needle, the new text, and what would be written. It shares no
//! code with what made it, so that both seldom err in the same way. A broken law says that the text is wrong; that all
//! are kept does not say that it is right.
//!
//! Pure: text in, verdict out.

mod align;
mod copy;
mod depth;
mod dress;
mod laws;
mod once;
mod text;

use std::fmt;

use copy::Forgotten;
use text::Text;

pub use dress::Dress;

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

/// A law that every right merge keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Law {
    /// Every word and mark comes whole from the file or from the new text, and what touches in the result touches in
    /// one of them.
    Words,
    /// What file and new text both changed is changed once: nothing is doubled that neither has double.
    Once,
    /// No word or mark is there more often, or more seldom, than file, new text and the sum of both changes allow.
    Delta,
    /// Brackets are as balanced as file and edit leave them.
    Shape,
    /// New lines are as deep, against the lines that were there, as the new text has them.
    Depth,
    /// Lines begin and end as lines of the file or of the new text do, and stay lines of their own.
    Ends,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Words => "a word would be put together from two texts",
            Self::Once => "a change that the file already has would be made twice",
            Self::Delta => "a word would be there more or less often than the edit says",
            Self::Shape => "brackets would be opened or closed that the edit leaves alone",
            Self::Depth => "new lines would be indented otherwise than their neighbours say",
            Self::Ends => "a line would begin or end as no line of the file or the edit does",
        })
    }
}

/// The law that a landing breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {token:?} on line {} of the new text", .line + 1)]
pub struct Broken {
    /// The law.
    pub law: Law,
    /// The number of the result's line that shows it, from 0.
    pub line: usize,
    /// The word, mark or line that shows it.
    pub token: String,
}

/// What the laws are asked about.
struct Case<'t> {
    before: Text<'t>,
    place: Text<'t>,
    after: Text<'t>,
    needle: Text<'t>,
    new: Text<'t>,
    result: Text<'t>,
    forgotten: Forgotten,
}

impl<'t> Case<'t> {
    /// Reads the four texts, with slips of the needle's words taken for the file's words.
    fn new(landing: &Landing<'t>, dress: Dress) -> Self {
        let mut case = Self {
            before: Text::new(landing.before, dress),
            place: Text::new(landing.place, dress),
            after: Text::new(landing.after, dress),
            needle: Text::new(landing.needle, dress),
            new: Text::new(landing.new, dress),
            result: Text::new(landing.result, dress),
            forgotten: Forgotten::default(),
        };
        let like = copy::like_lines(&case.needle, &case.place);
        let names = copy::names(&case.needle, &case.place, &like);
        let Self { before, place, after, needle, new, result, .. } = &mut case;
        for text in [before, place, after, needle, new, result] {
            text.rename(&names);
        }
        case.forgotten = Forgotten::new(&case.needle, &case.place, &case.new, &like);
        case
    }

    /// Returns a law broken at a token of the result.
    fn at_token(&self, law: Law, token: usize) -> Broken {
        let line = self.result.lines.partition_point(|line| line.tokens.end <= token);
        let line = self.result.lines.get(line).map_or(0, |line| line.number);
        Broken { law, line, token: self.result.tokens[token].text.to_owned() }
    }

    /// Returns a law broken by a line of the result.
    fn at_line(&self, law: Law, line: usize) -> Broken {
        // As many tokens as a message has room for.
        let on: Vec<&str> = self.result.on(line).iter().map(|token| token.text).take(12).collect();
        Broken { law, line: self.result.lines[line].number, token: on.join(" ") }
    }
}

/// Checks a landing against every law.
///
/// # Examples
///
/// ```
/// use fuzzy_audit::{Dress, Landing, Law, audit};
///
/// let landing =
///     Landing { place: "a: 1,\n", needle: "a: 1", new: "a: 2,", result: "a: 2,,\n", ..Landing::default() };
/// assert_eq!(audit(&landing, Dress::default()).unwrap_err().law, Law::Words);
/// let landing = Landing { result: "a: 2,\n", ..landing };
/// assert_eq!(audit(&landing, Dress::default()), Ok(()));
/// ```
///
/// # Complexity
///
/// Close to linear in the texts: what would cost more is left out beyond a bound, and then less is found.
///
/// # Errors
///
/// [`Broken`]: the first law that is broken.
pub fn audit(landing: &Landing<'_>, dress: Dress) -> Result<(), Broken> {
    let case = Case::new(landing, dress);
    laws::words(&case)?;
    once::once(&case)?;
    laws::delta(&case)?;
    laws::shared_lines(&case)?;
    laws::shape(&case)?;
    depth::depth(&case)?;
    laws::ends(&case)?;
    laws::last_break(landing)
}
