//! The new text of a file, which must be possible in the file's encoding.

use std::borrow::Cow;
use std::collections::HashSet;

use fuzzy_pipeline::Replaced;

use crate::decoded::decode;
use crate::detect::Basis;
use crate::encoding::Kind;
use crate::verbatim::{Verbatims, WRONG};
use crate::{Encoding, FileError, TextFile};

/// The new text of a file, without its byte order mark.
#[derive(Clone, Debug)]
pub(crate) struct NewText {
    pub(crate) text: String,
    verbatims: Verbatims,
}

impl NewText {
    /// Makes the text of a new file.
    pub(crate) fn new(text: String) -> Self {
        Self { text, verbatims: Verbatims::default() }
    }
}

impl TextFile {
    /// Returns a text made by replacing places in `last`, or in the file's own text.
    ///
    /// # Errors
    ///
    /// Returns [`FileError::Unencodable`] if the encoding lacks a character, [`FileError::Unsure`] if the encoding is
    /// not certain, [`FileError::Unclear`] for a U+FFFD whose bytes are unclear, and [`FileError::Joined`] if wrong
    /// bytes would form a character with the bytes beside them.
    ///
    /// # Complexity
    ///
    /// Linear in both texts; constant for UTF-8 without wrong bytes.
    pub(crate) fn replaced(
        &self,
        last: Option<&NewText>,
        text: String,
        replaced: &[Replaced],
    ) -> Result<NewText, FileError> {
        let before = last.map_or(self.text(), |last| &last.text);
        let verbatims = last.map_or(&self.decoded.verbatims, |last| &last.verbatims);
        let (path, encoding) = (|| self.path().to_owned(), self.encoding());
        let line = |at: usize| 1 + text[..at].matches('\n').count();
        let character = |at: usize| text[at..].chars().next().unwrap_or_default();
        let lacked = |at| FileError::Unencodable { path: path(), encoding, character: character(at), line: line(at) };
        let verbatims = verbatims
            .moved(before, &text, replaced)
            .map_err(|at| FileError::Unclear { path: path(), line: line(at) })?;
        let bytes = verbatims.encode(encoding, &text).map_err(lacked)?;
        if self.decoded.basis == Basis::Unsure
            && let Some(at) = self.first_new(before, &text, replaced)
        {
            return Err(FileError::Unsure { path: path(), encoding, character: character(at), line: line(at) });
        }
        if let Some(at) = self.first_misread(&text, replaced, &verbatims, &bytes) {
            let is_joined = character(at) == WRONG || is_kept(encoding, &character(at).to_string());
            return Err(if is_joined { FileError::Joined { path: path(), line: line(at) } } else { lacked(at) });
        }
        drop(bytes);
        Ok(NewText { text, verbatims })
    }

    /// Returns the offset of the first new character beyond ASCII in the places that the file has not had before.
    fn first_new(&self, before: &str, text: &str, replaced: &[Replaced]) -> Option<usize> {
        let known: HashSet<char> = before.chars().chain(self.text().chars()).filter(|c| !c.is_ascii()).collect();
        replaced.iter().find_map(|place| {
            let at = place.after.text(text).find(|c: char| !c.is_ascii() && !known.contains(&c))?;
            Some(place.after.start() + at)
        })
    }

    /// Returns the offset of the first place that would decode to another text.
    fn first_misread(&self, text: &str, replaced: &[Replaced], verbatims: &Verbatims, bytes: &[u8]) -> Option<usize> {
        let encoding = self.encoding();
        // Without wrong bytes, each character decodes by itself, and outside the places nothing changes.
        let is_safe = match encoding.0 {
            _ if !verbatims.is_empty() => false,
            Kind::Utf8 | Kind::Utf16 { .. } => true,
            Kind::Other(_) => {
                !replaced.is_empty() && replaced.iter().all(|place| is_kept(encoding, place.after.text(text)))
            }
        };
        if is_safe {
            return None;
        }
        let (again, _) = decode(encoding, bytes);
        let same = again.bytes().zip(text.bytes()).take_while(|(again, byte)| again == byte).count();
        (again != text).then(|| text.floor_char_boundary(same))
    }

    /// Returns the bytes of a text made from the file's, with the file's byte order mark.
    pub(crate) fn encode<'t>(&self, new: &'t NewText) -> Cow<'t, [u8]> {
        // The encoding has every character of both.
        let encoded = new.verbatims.encode(self.encoding(), &new.text).unwrap_or_default();
        let mark = self.encoding().encode(self.mark()).unwrap_or_default();
        if mark.is_empty() { encoded } else { Cow::Owned([mark, encoded].concat()) }
    }
}

/// Returns whether a text survives encoding and decoding: some encodings share bytes between a few characters.
fn is_kept(encoding: Encoding, text: &str) -> bool {
    encoding.encode(text).is_ok_and(|bytes| decode(encoding, &bytes).0 == text)
}
