//! Applies edits within a size limit and rejects placeholders for old lines.

use fuzzy_core::{Applied, Candidate, Edit, Failure as Search, Judgement, Match, Quote, Replaced, Similarity, Span};

use crate::{Code, Failure, Placeholder, Remedy};

/// The reason why an edit is not applied.
///
/// The enum is exhaustive on purpose: a caller that treats each reason in its own way must see a new one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The engine finds no place, or refuses the edit.
    #[error(transparent)]
    Search(#[from] Search),
    /// The new text would be larger than the limit.
    #[error("the new text would be larger than the limit of {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The new text has a placeholder instead of old lines.
    #[error("the new text has `{}` instead of other lines", .0.line)]
    Placeholder(Placeholder),
}

impl Cause {
    /// Returns the code for reports.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Search(failure) => failure.into(),
            Self::TooLarge { .. } => Code::TooLarge,
            Self::Placeholder(_) => Code::Placeholder,
        }
    }

    /// Makes the failure for reports; `judgement` is the one that was not applied. Computes the nearest lines or all
    /// places.
    #[must_use]
    pub fn failure(&self, judgement: &Judgement<'_>) -> Box<Failure> {
        let failure = match self {
            Self::Search(failure) => Failure::of_search(judgement, failure),
            Self::Placeholder(placeholder) => placeholder.failure(judgement.document().text()),
            Self::TooLarge { .. } => {
                let next_step = "Raise the size limit or replace less at a time.";
                Failure::new(Code::TooLarge, self.to_string(), next_step).with_remedy(Remedy::SizeLimit)
            }
        };
        failure.into()
    }
}

/// Applies a judgement if the new text has at most `limit` bytes and no placeholder for old lines.
///
/// The size is checked first: a short old text in a large text with a long new text could need more memory than
/// exists.
///
/// # Errors
///
/// Returns the [`Cause`]. A too large text is detected without building it.
pub fn apply_within(judgement: &Judgement<'_>, limit: u64) -> Result<Applied, Cause> {
    let (text, edit) = (judgement.document().text(), judgement.edit());
    let refused = |placeholder: Option<Placeholder>| placeholder.map_or(Ok(()), |found| Err(Cause::Placeholder(found)));
    let mut length = text.len() as u64;
    match judgement.splices() {
        Ok(splices) => {
            for (span, text) in splices {
                length = length - span.len() as u64 + text.len() as u64;
            }
        }
        Err(failure) => {
            // The rule only rejects; this report also names the lines that would be lost.
            let pasted = (judgement.rule() == Some("placeholder")).then(|| pasted(text, &edit)).flatten();
            refused(pasted.and_then(|applied| Placeholder::find(text, edit.old, &applied)))?;
            return Err(failure.into());
        }
    }
    if length > limit {
        return Err(Cause::TooLarge { limit });
    }
    let applied = judgement.apply()?;
    // All lines that are moved or copied are those of the file.
    if edit.transfer.is_none() {
        refused(match edit.quote {
            Quote::Whole => Placeholder::find(text, edit.old, &applied),
            _ => Placeholder::in_lines(text, &applied),
        })?;
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
