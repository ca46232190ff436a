//! Applies edits within a size limit and rejects placeholders for old lines.

use fuzzy_core::{Applied, Candidate, Edit, Failure as Search, Judgement, Match, Quote, Replaced, Similarity, Span};

use crate::failure::Remedy;
use crate::{Code, Failure, Placeholder};

/// Why the new text of an edit must not be written although its place was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The new text would be larger than the limit.
    #[error("the new text would be larger than the limit of {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The new text has a placeholder instead of old lines.
    #[error(transparent)]
    Placeholder(Box<Failure>),
}

impl Unfit {
    /// Checks that an applied edit of `text` writes no placeholder instead of old lines.
    ///
    /// # Errors
    ///
    /// Returns [`Unfit::Placeholder`] if it does.
    pub fn check(text: &str, old: &str, applied: &Applied) -> Result<(), Self> {
        match Placeholder::find(text, old, applied) {
            Some(placeholder) => Err(Self::Placeholder(Box::new(placeholder.failure(text)))),
            None => Ok(()),
        }
    }

    /// Checks that an applied edit of `text` that names lines writes no placeholder, whatever it deletes.
    fn check_lines(text: &str, applied: &Applied) -> Result<(), Self> {
        let old = applied.replaced.first().map_or("", |place| place.before.text(text));
        let inserted = || Placeholder::inserted(text, applied);
        // An insertion deletes nothing.
        let found = if old.is_empty() { inserted() } else { Placeholder::find(text, old, applied).or_else(inserted) };
        found.map_or(Ok(()), |placeholder| Err(Self::Placeholder(Box::new(placeholder.failure(text)))))
    }

    /// Returns the code for reports.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::TooLarge { .. } => Code::TooLarge,
            Self::Placeholder(failure) => failure.code,
        }
    }
}

/// Applies a judgement if the new text has at most `limit` bytes and no placeholder for old lines.
///
/// The size is checked first: a short old text in a large text with a long new text could need more memory than
/// exists.
///
/// # Errors
///
/// Returns [`Unfit`]. A too large text is detected without building it. The inner error is the engine's failure.
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
            // The rule only rejects; this report also names the lines that would be lost.
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
        match judgement.edit().quote {
            // All lines are those of the file.
            _ if judgement.edit().transfer.is_some() => {}
            Quote::Whole => Unfit::check(text, judgement.edit().old, applied)?,
            _ => Unfit::check_lines(text, applied)?,
        }
    }
    Ok(applied)
}

/// Returns the result of pasting the new text over the first exact occurrence of the old text.
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
            error @ Unfit::TooLarge { .. } => {
                Box::new(Failure::new(Code::TooLarge, error.to_string(), next_step).with_remedy(Remedy::SizeLimit))
            }
        }
    }
}
