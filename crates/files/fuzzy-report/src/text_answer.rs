//! The result of one edit of a text in memory, as one flat row.

use fuzzy_core::report::Proposal;
use fuzzy_core::{Applied, Failure as Search, Judgement};
use serde::Serialize;

use crate::{Cause, Code};

/// The result of one edit of a text in memory, as one flat row.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TextAnswer {
    /// Whether `output` is the edited text.
    pub ok: bool,
    /// The new text; the unchanged text if the edit was already applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The reason why there is no output, or [`Code::AlreadyApplied`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// The rule that rejected the edit, as in [`OfEdit`](crate::OfEdit).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The strategy that found the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<&'static str>,
    /// The similarity of old text and place under that strategy's rule, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The confidence that this is the right place, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The edit that the caller probably intended, if this one was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
}

impl TextAnswer {
    /// Converts a judgement and the result of [`apply_within`](crate::apply_within).
    #[must_use]
    pub fn of(judgement: &Judgement<'_>, result: Result<Applied, Cause>) -> Self {
        let cause = match result {
            Ok(applied) => {
                return Self {
                    ok: true,
                    output: Some(applied.output),
                    strategy: Some(applied.found.strategy),
                    similarity: Some(applied.found.similarity.get()),
                    confidence: Some(applied.found.confidence_or_similarity().get()),
                    ..Self::default()
                };
            }
            Err(cause) => cause,
        };
        let refusal = Self::refused(cause.code());
        let Cause::Search(failure) = cause else { return refusal };
        let refusal = Self { rule: judgement.rule(), ..refusal };
        match failure {
            Search::AlreadyApplied { .. } => {
                Self { ok: true, output: Some(judgement.document().text().to_owned()), ..refusal }
            }
            Search::Ambiguous { .. } | Search::Refused(_) | Search::NotFound => {
                Self { proposal: judgement.proposal(), ..refusal }
            }
            _ => refusal,
        }
    }

    /// Makes the result of an edit that was not applied.
    #[must_use]
    pub fn refused(code: Code) -> Self {
        Self { code: Some(code), ..Self::default() }
    }
}
