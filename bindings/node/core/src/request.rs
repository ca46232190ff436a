//! The binary form of a request: numbers of a fixed width, then texts.

use fuzzy_pipeline::{Attempt, Document, Edit, Numbers, Pipeline, Similarity, Transfer, TransferKind};

use crate::bad_request::BadRequest;
use crate::ladders;

/// The size of the header in bytes: kind of request (1), flags (1), number of the ladder (1), unused (1), lengths of
/// the three texts (4 each), minimum confidence (8), budget (8). All numbers are little-endian.
const HEADER: usize = 32;

const REPLACE_ALL: u8 = 1;
const FIT_ENDINGS: u8 = 2;
const HAS_NEW: u8 = 4;
/// The content is an [`Excerpt`]; the budget is twice its start, and one more if it ends where the text does.
const EXCERPT: u8 = 8;
/// The old text is the quote that names the lines of the edit, as [`named`] reads it.
const NAMED: u8 = 16;
/// The old text has the base of the edit before it, after the length of the base in bytes and a NUL.
const BASED: u8 = 32;

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Applies the edit. A failure has only its code.
    Replace,
    /// Applies the edit. A failure has all details for the author.
    Apply,
    /// Locates the edit without applying it.
    Locate,
    /// Explains the decision about each candidate of the ladder.
    Explain,
    /// Applies a patch to files.
    Patch,
    /// Returns the unified diff from the content to the new text; the old text is the name of the file.
    Diff,
}

/// A request about one edit.
#[derive(Clone, Copy, Debug)]
pub struct Request<'b> {
    /// The kind of the request.
    pub what: What,
    /// The text to search; empty if the request is about a kept document.
    pub content: &'b str,
    /// The place of the content in the whole text, if it is an excerpt.
    pub excerpt: Option<Excerpt>,
    /// The text to replace, or the quote that names the lines.
    pub old: &'b str,
    /// The replacement, if there is one.
    pub new: Option<&'b str>,
    /// The edit without its options.
    edit: Edit<'b>,
    pipeline: &'static Pipeline,
    replace_all: bool,
    fit_endings: bool,
    least_confidence: Similarity,
    budget: Option<u64>,
}

/// The lines around the only exact occurrence of the old text in a longer text.
#[derive(Clone, Copy, Debug)]
pub struct Excerpt {
    /// Where it begins, in UTF-16 code units.
    pub start: usize,
    /// Whether it ends where the text ends.
    pub is_end: bool,
}

impl<'b> Request<'b> {
    /// Reads a request. Bytes after its end are ignored.
    ///
    /// # Errors
    ///
    /// Returns a [`BadRequest`] if the bytes are not a valid request.
    pub fn read(bytes: &'b [u8]) -> Result<Self, BadRequest> {
        let short = BadRequest::Short(bytes.len());
        let (header, mut texts) = bytes.split_first_chunk::<HEADER>().ok_or(short)?;
        let [what, flags, ladder, _, numbers @ ..] = *header;
        let mut numbers = numbers.as_slice();
        let mut bytes = || {
            let length = u32::from_le_bytes(take(&mut numbers).ok_or(short)?);
            texts.split_off(..usize::try_from(length).unwrap_or(usize::MAX)).ok_or(short)
        };
        let mut text = || Ok::<_, BadRequest>(std::str::from_utf8(bytes()?)?);
        let (content, old, new) = (text()?, text()?, text()?);
        let (base, old) = match flags & BASED {
            0 => (None, old),
            _ => based(old).ok_or(BadRequest::Based)?,
        };
        let confidence = f64::from_le_bytes(take(&mut numbers).ok_or(short)?);
        let budget = u64::from_le_bytes(take(&mut numbers).ok_or(short)?);
        let excerpt = (flags & EXCERPT != 0)
            .then(|| Excerpt { start: usize::try_from(budget / 2).unwrap_or(usize::MAX), is_end: budget % 2 == 1 });
        let given = if flags & HAS_NEW == 0 { "" } else { new };
        let edit = match flags & NAMED {
            0 => Edit::new(old, given),
            _ => named(old, given).ok_or(BadRequest::Named)?,
        };
        let edit = edit.with_base(base);
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
            excerpt,
            old,
            new: (flags & HAS_NEW != 0).then_some(new),
            edit,
            pipeline: ladders::pipeline(ladder).ok_or(BadRequest::Ladder(ladder))?,
            replace_all: flags & REPLACE_ALL != 0,
            fit_endings: flags & FIT_ENDINGS != 0,
            least_confidence: Similarity::new(confidence),
            budget: (budget > 0 && excerpt.is_none()).then_some(budget),
        })
    }

    /// Returns the pipeline of the ladder.
    pub(crate) const fn pipeline(&self) -> &'static Pipeline {
        self.pipeline
    }

    /// Returns whether all occurrences are replaced.
    pub(crate) const fn replace_all(&self) -> bool {
        self.replace_all
    }

    /// Returns the minimum confidence of an edit.
    #[cfg(feature = "patches")]
    pub(crate) const fn least_confidence(&self) -> Similarity {
        self.least_confidence
    }

    /// Prepares the edit of a document.
    pub(crate) fn attempt<'a>(&self, document: &'a Document<'a>) -> Attempt<'a>
    where
        'b: 'a,
    {
        let edit = self.edit.with_replace_all(self.replace_all);
        let attempt = edit.with_raw_endings(!self.fit_endings).attempt(self.pipeline, document);
        let attempt = attempt.with_least_confidence(self.least_confidence);
        let attempt = if self.new.is_none() { attempt.without_new() } else { attempt };
        match self.budget {
            Some(steps) => attempt.with_budget(steps),
            None => attempt,
        }
    }
}

/// Reads the quote that names the lines of an edit: `first`, `after` or `before`, the expected number of lines, the first and the
/// last line number, the lengths of both quotes in bytes, and the kind of a transfer, each with a NUL behind it; then both
/// quotes, and that of the new place. A number or a kind that is not given is empty.
fn named<'b>(place: &'b str, new: &'b str) -> Option<Edit<'b>> {
    let mut parts = place.splitn(8, '\0');
    let mut next = || parts.next();
    let (kind, expected, from, to, length) = (next()?, next()?, next()?, next()?, next()?);
    let (last_length, transfer) = (next()?, next()?);
    let (first, rest) = next()?.split_at_checked(length.parse().ok()?)?;
    let (last, anchor) = rest.split_at_checked(last_length.parse().ok()?)?;
    let transfer = match transfer {
        "" => None,
        "move after" => Some(Transfer::new(TransferKind::Move, anchor, true)),
        "move before" => Some(Transfer::new(TransferKind::Move, anchor, false)),
        "copy after" => Some(Transfer::new(TransferKind::Copy, anchor, true)),
        "copy before" => Some(Transfer::new(TransferKind::Copy, anchor, false)),
        _ => return None,
    };
    let number = |text: &str| text.parse::<usize>().ok();
    let numbers = number(from).zip(number(to)).map(|(from, to)| Numbers::new(&(from..=to)));
    match kind {
        "first" => {
            let edit = Edit::range(first, last, new).with_expected_lines(number(expected)).with_numbers(numbers);
            Some(edit.with_transfer(transfer))
        }
        "after" => Some(Edit::after(first, new)),
        "before" => Some(Edit::before(first, new)),
        _ => None,
    }
}

/// Splits the base of an edit from its old text.
fn based(old: &str) -> Option<(Option<&str>, &str)> {
    let (length, rest) = old.split_once('\0')?;
    let (base, old) = rest.split_at_checked(length.parse().ok()?)?;
    Some((Some(base), old))
}

/// Removes the bytes of a number from the start.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    bytes.split_off(..N).and_then(|number| number.try_into().ok())
}
