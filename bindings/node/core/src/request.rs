//! A request as it crosses: numbers of a fixed width, then texts.

use std::borrow::Cow;

use fuzzy_pipeline::{Attempt, Document, Edit, Pipeline, Similarity};

use crate::bad_request::BadRequest;
use crate::ladders;
use crate::utf16::Utf16;

/// Bytes of a header: what is asked (1), flags (1), the ladder's number (1), a blank (1), the lengths of the three texts
/// (4 each), the least confidence (8), the budget (8). All numbers are little-endian.
const HEADER: usize = 32;

const REPLACE_ALL: u8 = 1;
const FIT_ENDINGS: u8 = 2;
const HAS_NEW: u8 = 4;
const UTF_16: u8 = 8;

/// What is asked about an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The new text, and of a failure only its code.
    Replace,
    /// The new text, or all that helps where there is none.
    Apply,
    /// Where the edit would land.
    Locate,
    /// What every strategy of the ladder makes of it, and why.
    Explain,
    /// What becomes of files that a patch changes.
    Patch,
    /// The unified diff from the text to the new one; the old text is the file's name.
    Diff,
}

/// One edit, and what is asked about it.
#[derive(Clone, Copy, Debug)]
pub struct Request<'b> {
    /// What is asked.
    pub what: What,
    /// The text that is searched; empty if the question is about a document that is known.
    pub content: Content<'b>,
    /// The text to replace.
    pub old: &'b str,
    /// The text to put there, if the caller has one.
    pub new: Option<&'b str>,
    pipeline: &'static Pipeline,
    replace_all: bool,
    fit_endings: bool,
    least_confidence: Similarity,
    budget: Option<u64>,
}

/// A text as it crossed.
#[derive(Clone, Copy, Debug)]
pub enum Content<'b> {
    /// In UTF-8.
    Utf8(&'b str),
    /// As JavaScript holds it.
    Utf16(Utf16<'b>),
}

impl<'b> Content<'b> {
    /// Returns the text. Cost: one in UTF-16 is converted.
    #[must_use]
    pub fn text(self) -> Cow<'b, str> {
        match self {
            Self::Utf8(text) => Cow::Borrowed(text),
            Self::Utf16(units) => Cow::Owned(units.text(0..units.len())),
        }
    }
}

impl<'b> Request<'b> {
    /// Reads a request; bytes behind it are ignored.
    ///
    /// # Errors
    ///
    /// Any [`BadRequest`].
    pub fn read(bytes: &'b [u8]) -> Result<Self, BadRequest> {
        let short = BadRequest::Short(bytes.len());
        let (header, mut texts) = bytes.split_first_chunk::<HEADER>().ok_or(short)?;
        let [what, flags, ladder, _, numbers @ ..] = *header;
        let mut numbers = numbers.as_slice();
        let mut bytes = || {
            let length = u32::from_le_bytes(take(&mut numbers).ok_or(short)?);
            texts.split_off(..usize::try_from(length).unwrap_or(usize::MAX)).ok_or(short)
        };
        let content = match flags & UTF_16 {
            0 => Content::Utf8(std::str::from_utf8(bytes()?)?),
            _ => Content::Utf16(Utf16::read(bytes()?)?),
        };
        let (old, new) = (std::str::from_utf8(bytes()?)?, std::str::from_utf8(bytes()?)?);
        let confidence = f64::from_le_bytes(take(&mut numbers).ok_or(short)?);
        let budget = u64::from_le_bytes(take(&mut numbers).ok_or(short)?);
        if !(0.0..=1.0).contains(&confidence) {
            return Err(BadRequest::Confidence(confidence));
        }
        Ok(Self {
            what: match what {
                0 => What::Replace,
                1 => What::Apply,
                2 => What::Locate,
                3 => What::Explain,
                4 => What::Patch,
                5 => What::Diff,
                _ => return Err(BadRequest::Unknown(what)),
            },
            content,
            old,
            new: (flags & HAS_NEW != 0).then_some(new),
            pipeline: ladders::pipeline(ladder).ok_or(BadRequest::Ladder(ladder))?,
            replace_all: flags & REPLACE_ALL != 0,
            fit_endings: flags & FIT_ENDINGS != 0,
            least_confidence: Similarity::new(confidence),
            budget: (budget > 0).then_some(budget),
        })
    }

    /// Returns the pipeline that decides.
    pub(crate) const fn pipeline(&self) -> &'static Pipeline {
        self.pipeline
    }

    /// Returns whether every place is meant.
    pub(crate) const fn replace_all(&self) -> bool {
        self.replace_all
    }

    /// Returns whether the search may take only so many steps.
    pub(crate) const fn has_budget(&self) -> bool {
        self.budget.is_some()
    }

    /// Returns the least confidence with which an edit may land.
    #[cfg(feature = "patches")]
    pub(crate) const fn least_confidence(&self) -> Similarity {
        self.least_confidence
    }

    /// Prepares the decision about a document.
    pub(crate) fn attempt<'a>(&self, document: &'a Document<'a>) -> Attempt<'a>
    where
        'b: 'a,
    {
        let edit = Edit::new(self.old, self.new.unwrap_or_default()).with_replace_all(self.replace_all);
        let attempt = edit.with_raw_endings(!self.fit_endings).attempt(self.pipeline, document);
        let attempt = attempt.with_least_confidence(self.least_confidence);
        let attempt = if self.new.is_none() { attempt.without_new() } else { attempt };
        match self.budget {
            Some(steps) => attempt.with_budget(steps),
            None => attempt,
        }
    }
}

/// Takes the bytes of a number from the front.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    bytes.split_off(..N).and_then(|number| number.try_into().ok())
}
