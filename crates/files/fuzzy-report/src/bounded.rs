//! Edits whose result has a bounded size and loses nothing that no one meant to remove.

use fuzzy_core::{Applied, Candidate, Edit, Failure as Search, Judgement, Match, Replaced, Similarity, Span};

use crate::{Code, Failure, Placeholder};

/// Why the new text of an edit whose place is found must not be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The new text would be larger than the limit.
    #[error("the new text would be larger than the limit of {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The new text has a line that only holds the place of old lines.
    #[error(transparent)]
    Placeholder(Box<Failure>),
}

impl Unfit {
    /// Checks that an edit of `text`, made by whatever means, writes no line that only holds the place of old ones.
    ///
    /// # Errors
    ///
    /// [`Unfit::Placeholder`] if it does.
    pub fn check(text: &str, old: &str, applied: &Applied) -> Result<(), Self> {
        match Placeholder::find(text, old, applied) {
            Some(placeholder) => Err(Self::Placeholder(Box::new(placeholder.failure(text)))),
            None => Ok(()),
        }
    }

    /// Returns the code that reports use.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::TooLarge { .. } => Code::TooLarge,
            Self::Placeholder(failure) => failure.code,
        }
    }
}

/// Carries out what was decided if the new text has at most `limit` bytes, and no line that only holds the place of old
/// ones.
///
/// A short needle in a large text and a long replacement can ask for more memory than there is; the engine would try.
///
/// # Errors
///
/// [`Unfit`], for a text that is too large without making it; the inner error is the engine's failure.
pub fn apply_within(judgement: &Judgement<'_>, limit: u64) -> Result<Result<Applied, Search>, Unfit> {
    let text = judgement.document().text();
    let mut length = text.len() as u64;
    match judgement.splices() {
        Ok(splices) => {
            for (span, text) in splices {
                length = length - span.len() as u64 + text.len() as u64;
            }
        }
        Err(failure) => {
            // The report names the lines that would be lost.
            if judgement.rule() == Some("placeholder")
                && let Some(applied) = pasted(text, &judgement.edit())
            {
                Unfit::check(text, judgement.edit().old, &applied)?;
            }
            return Ok(Err(failure));
        }
    }
    if length > limit {
        return Err(Unfit::TooLarge { limit });
    }
    let applied = judgement.apply();
    if let Ok(applied) = &applied {
        Unfit::check(text, judgement.edit().old, applied)?;
    }
    Ok(applied)
}

/// Returns what an edit would make if it were pasted where its old text first occurs exactly.
fn pasted(text: &str, edit: &Edit<'_>) -> Option<Applied> {
    let start = text.find(edit.old)?;
    let end = start + edit.old.len();
    let output = [&text[..start], edit.new, &text[end..]].concat();
    let before = Span::new(start, end);
    let found = Match::new("exact", Candidate::new(before, Similarity::ONE));
    let after = Span::new(start, start + edit.new.len());
    Some(Applied::new(output, found, vec![Replaced { before, after }]))
}

impl From<Unfit> for Box<Failure> {
    fn from(error: Unfit) -> Self {
        let next_step = "Raise the size limit or replace less at a time.";
        match error {
            Unfit::Placeholder(failure) => failure,
            error @ Unfit::TooLarge { .. } => Box::new(Failure::new(Code::TooLarge, error.to_string(), next_step)),
        }
    }
}
