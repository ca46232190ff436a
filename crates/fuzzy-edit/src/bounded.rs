//! Edits whose result has a bounded size.

use fuzzy_pipeline::{Applied, Attempt, Failure};

/// The new text would be larger than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the new text would be larger than the limit of {limit} bytes")]
pub struct TooLarge {
    /// The limit, in bytes.
    pub limit: u64,
}

/// Carries out an attempt if the new text has at most `limit` bytes.
///
/// A short needle in a large text and a long replacement can ask for more memory than there is; the engine would try.
///
/// # Errors
///
/// [`TooLarge`] if the new text would be, without making it; the inner error is the engine's failure.
pub fn apply_within(attempt: &Attempt<'_>, limit: u64) -> Result<Result<Applied, Failure>, TooLarge> {
    let (edit, text) = (attempt.edit(), attempt.document().text());
    let too_large = |length: u64| if length > limit { Err(TooLarge { limit }) } else { Ok(()) };
    // Line endings that are fitted to the file may double a line break.
    let pasted = 2 * edit.replacement.len() as u64;
    let length = text.len() as u64;
    let places_at_most = if edit.replace_all { length + 1 } else { 1 };
    if length.saturating_add(places_at_most.saturating_mul(pasted)) > limit {
        let found = match attempt.locate() {
            Ok(found) => found.span.text(text),
            Err(failure) => return Ok(Err(failure)),
        };
        let places = if edit.replace_all { text.matches(found).count() as u64 } else { 1 };
        let removed = places * found.len() as u64;
        too_large((length - removed).saturating_add(places.saturating_mul(edit.replacement.len() as u64)))?;
    }
    let applied = attempt.apply();
    if let Ok(applied) = &applied {
        too_large(applied.output.len() as u64)?;
    }
    Ok(applied)
}
