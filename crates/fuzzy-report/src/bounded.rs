//! Edits whose result has a bounded size.

use fuzzy_core::{Applied, Failure as Search, Judgement};

use crate::{Code, Failure};

/// The new text would be larger than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the new text would be larger than the limit of {limit} bytes")]
pub struct TooLarge {
    /// The limit, in bytes.
    pub limit: u64,
}

/// Carries out what was decided if the new text has at most `limit` bytes.
///
/// A short needle in a large text and a long replacement can ask for more memory than there is; the engine would try.
///
/// # Errors
///
/// [`TooLarge`] if the new text would be, without making it; the inner error is the engine's failure.
pub fn apply_within(judgement: &Judgement<'_>, limit: u64) -> Result<Result<Applied, Search>, TooLarge> {
    let mut length = judgement.document().text().len() as u64;
    match judgement.splices() {
        Ok(splices) => {
            for (span, text) in splices {
                length = length - span.len() as u64 + text.len() as u64;
            }
        }
        Err(failure) => return Ok(Err(failure)),
    }
    if length > limit { Err(TooLarge { limit }) } else { Ok(judgement.apply()) }
}

impl From<TooLarge> for Box<Failure> {
    fn from(error: TooLarge) -> Self {
        let next_step = "Raise the size limit or replace less at a time.";
        Box::new(Failure::new(Code::TooLarge, error.to_string(), next_step))
    }
}
