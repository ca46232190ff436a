//! Edits of texts in memory.

use fuzzy_pipeline::{
    Applied, Document, Edit, Failure as Search, Judgement, Match, Replaced, Span, Transfer, TransferKind,
};
use fuzzy_report::{Cause, Failure, LineQuote, LineTransfer, apply_within, named_edit};

use crate::error::too_large;
use crate::offsets::{Offsets, Spot};
use crate::request::Settings;

/// A requested edit of a text.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) text: &'a str,
    pub(crate) old: &'a str,
    /// `None` to search for the old text only.
    pub(crate) new: Option<&'a str>,
    pub(crate) replace_all: bool,
    /// The line on which the old text probably begins, counted from 1.
    pub(crate) line: Option<usize>,
    /// The quote that names the lines, instead of the old text.
    pub(crate) quote: Option<&'a LineQuote>,
    /// The new place of the lines, if they are moved or copied.
    pub(crate) transfer: Option<&'a LineTransfer>,
    /// The text when the edit was written, if the caller knows it.
    pub(crate) base: Option<&'a str>,
}

/// The result of a requested edit.
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    /// The replaced places, the place of a new text that is there already, or the matches of an ambiguous old text.
    pub(crate) spots: Vec<Spot>,
    /// Whether the text changes; `None` without a new text, or after a refusal.
    pub(crate) changed: Option<bool>,
    pub(crate) failure: Option<Box<Failure>>,
    /// A note for the caller, if the edit did not fail.
    pub(crate) message: Option<String>,
}

/// The kinds of results.
pub(crate) enum Outcome {
    /// The edit is applied.
    Lands {
        output: String,
        found: Match,
        /// The replacement for each place.
        texts: Vec<String>,
    },
    /// The edit was applied earlier.
    IsThere,
    /// The edit is refused.
    Refused,
}

impl Asked<'_> {
    /// Decides, and makes the edited text.
    pub(crate) fn answer(self, settings: &Settings) -> Result<Answer, Box<Failure>> {
        self.check_size(settings.max_bytes)?;
        let document = Document::new(self.text);
        self.with_judgement(settings, &document, |judgement| match apply_within(judgement, settings.max_bytes) {
            Ok(applied) => Ok(self.lands(judgement, applied)),
            Err(Cause::Search(Search::AlreadyApplied { span })) => {
                let message = Some("the new text is already there; there is nothing to do".to_owned());
                let spots = self.spots([span]);
                Ok(Answer { outcome: Outcome::IsThere, spots, changed: Some(false), failure: None, message })
            }
            Err(cause) => self.refused(judgement, cause.failure(judgement)),
        })?
    }

    /// Returns a refusal.
    ///
    /// # Errors
    ///
    /// The failure itself, if the edit could not be tried.
    fn refused(&self, judgement: &Judgement<'_>, failure: Box<Failure>) -> Result<Answer, Box<Failure>> {
        if failure.code.exit_code() > 1 {
            return Err(failure);
        }
        let (spots, failure) = (self.spots(judgement.places().spans.iter().copied()), Some(failure));
        Ok(Answer { outcome: Outcome::Refused, spots, changed: None, failure, message: None })
    }

    /// Decides, and returns the name of the strategy that found the match, or the matches of an ambiguous edit.
    pub(crate) fn decided_by(self, settings: &Settings) -> Result<Option<&'static str>, Box<Failure>> {
        self.check_size(settings.max_bytes)?;
        let document = Document::new(self.text);
        self.with_judgement(settings, &document, |judgement| match judgement.found() {
            Ok(found) => Some(found.strategy),
            Err(Search::Ambiguous { strategy, .. }) => Some(strategy),
            Err(_) => None,
        })
    }

    /// Fails if one of the texts is larger than the limit.
    pub(crate) fn check_size(&self, limit: u64) -> Result<(), Box<Failure>> {
        let texts = [self.text, self.old, self.new.unwrap_or_default(), self.base.unwrap_or_default()];
        let longest = texts.map(str::len).into_iter().max().unwrap_or_default();
        if longest as u64 > limit { Err(too_large(limit)) } else { Ok(()) }
    }

    /// Decides, and passes the judgement to `told`. The time limit starts here.
    ///
    /// # Errors
    ///
    /// The failure of a quote that does not say where in exactly one way.
    pub(crate) fn with_judgement<T>(
        &self,
        settings: &Settings,
        document: &Document<'_>,
        told: impl FnOnce(&Judgement<'_>) -> T,
    ) -> Result<T, Box<Failure>> {
        let new = self.new.unwrap_or_default();
        let edit = match self.quote {
            Some(quote) => named_edit(quote, ("", self.text), new, false)?,
            None => Edit::new(self.old, new).with_replace_all(self.replace_all),
        };
        let edit = edit.with_line(self.line).with_base(self.base);
        let attempt = settings.attempt(edit.with_transfer(self.transfer()), document);
        let attempt = if self.new.is_some() { attempt } else { attempt.without_new() };
        Ok(told(&attempt.decide()))
    }

    /// Returns the new place for the engine.
    fn transfer(&self) -> Option<Transfer<'_>> {
        let LineTransfer { is_copy, to } = self.transfer?;
        let kind = if *is_copy { TransferKind::Copy } else { TransferKind::Move };
        let below = to.after.as_ref().map(|anchor| Transfer::new(kind, anchor, true));
        below.or_else(|| to.before.as_ref().map(|anchor| Transfer::new(kind, anchor, false)))
    }

    fn lands(&self, judgement: &Judgement<'_>, Applied { output, found, replaced, .. }: Applied) -> Answer {
        let place = found.span.text(judgement.document().text());
        let message = fuzzy_report::note(&found, judgement.edit().old, place);
        let splice = |place: Replaced| (place.before, place.after.text(&output).to_owned());
        let (spans, texts): (Vec<Span>, Vec<String>) = replaced.into_iter().map(splice).unzip();
        let changed = self.new.map(|_| output != self.text);
        let spots = self.spots(spans);
        Answer { outcome: Outcome::Lands { output, found, texts }, spots, changed, failure: None, message }
    }

    fn spots(&self, spans: impl IntoIterator<Item = Span>) -> Vec<Spot> {
        let mut offsets = Offsets::new(self.text);
        spans.into_iter().map(|span| offsets.of(span)).collect()
    }
}
