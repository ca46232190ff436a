//! How the text of a file is encoded.
//!
//! UTF-8, and UTF-16 that its mark announces, are told from the bytes; any other encoding has to be named. A file is
//! text only if encoding its text gives its bytes again, so that what an edit leaves alone stays as it is.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::{DecoderResult, EncoderResult};

/// What a marked text begins with.
const MARK: &str = "\u{feff}";

/// How the text of a file is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Utf8,
    Utf16 { big_endian: bool },
    Other(&'static encoding_rs::Encoding),
}

/// Why bytes are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// There is a NUL byte, and no byte order mark that would explain it.
    #[error("is binary: it has a NUL byte at offset {offset}")]
    Binary {
        /// Offset of the first NUL, in bytes.
        offset: usize,
    },
    /// The bytes begin with the mark of an encoding that cannot be edited.
    #[error("is encoded as {encoding}, which cannot be edited")]
    Marked {
        /// The encoding's name.
        encoding: &'static str,
    },
    /// A byte is wrong in the encoding.
    #[error("is not valid {encoding}: line {line} has a wrong byte at offset {offset}")]
    Wrong {
        /// The encoding that was tried.
        encoding: Encoding,
        /// Offset of the first wrong byte in the file.
        offset: usize,
        /// The line it is on, counted from 1.
        line: usize,
    },
    /// The text would be written with other bytes than these.
    #[error("would not keep its bytes as {encoding}: the first that changes is at offset {offset}")]
    OtherBytes {
        /// The encoding that was tried.
        encoding: Encoding,
        /// Offset of the first byte that would change.
        offset: usize,
    },
}

/// An encoding is not known, or not one that can be edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// No encoding has this name.
    #[error("no encoding is called `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// What occurs in one place of such a text changes the bytes of other places.
    #[error("texts in {name} cannot be edited in one place alone")]
    Stateful {
        /// The name.
        name: &'static str,
    },
}

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(Kind::Utf8);

    /// Returns the encoding that web pages know by `name`, in any letter case: `windows-1252`, `Shift_JIS`, `utf-16le`.
    ///
    /// # Errors
    ///
    /// [`EncodingError`] if there is none, or none that can be edited.
    pub fn named(name: &str) -> Result<Self, EncodingError> {
        let known = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
        let known = known.ok_or_else(|| EncodingError::Unknown { name: name.to_owned() })?;
        Ok(Self(match known {
            it if it == encoding_rs::UTF_8 => Kind::Utf8,
            it if it == encoding_rs::UTF_16LE => Kind::Utf16 { big_endian: false },
            it if it == encoding_rs::UTF_16BE => Kind::Utf16 { big_endian: true },
            it if it == encoding_rs::ISO_2022_JP => return Err(EncodingError::Stateful { name: it.name() }),
            it => Kind::Other(it),
        }))
    }

    /// Returns the encoding's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Utf8 => "UTF-8",
            Kind::Utf16 { big_endian: false } => "UTF-16LE",
            Kind::Utf16 { big_endian: true } => "UTF-16BE",
            Kind::Other(encoding) => encoding.name(),
        }
    }

    /// Returns the bytes of `text`, which begins with a mark if they shall.
    ///
    /// # Errors
    ///
    /// The offset in `text` of the first character that the encoding does not have.
    pub(crate) fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, usize> {
        match self.0 {
            Kind::Utf8 => Ok(Cow::Borrowed(text.as_bytes())),
            Kind::Utf16 { big_endian: false } => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Kind::Utf16 { big_endian: true } => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            Kind::Other(known) => encode_other(known, text).map(Cow::Owned),
        }
    }

    /// Returns how many bytes `text` takes, none of whose characters the encoding lacks.
    pub(crate) fn length(self, text: &str) -> usize {
        self.encode(text).map_or(0, |bytes| bytes.len())
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text of a file and where it comes from.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) encoding: Encoding,
    /// The text, with the mark if there is one.
    pub(crate) text: String,
    /// The bytes, if they are not those of `text`.
    raw: Option<Vec<u8>>,
}

impl Decoded {
    /// Makes an empty text in UTF-8.
    pub(crate) const fn empty() -> Self {
        Self { encoding: Encoding::UTF_8, text: String::new(), raw: None }
    }

    /// Decodes `bytes`; `named` is what the caller says they are.
    pub(crate) fn new(bytes: Vec<u8>, named: Option<Encoding>) -> Result<Self, NotText> {
        let encoding = match named {
            Some(named) => named,
            // The mark of UTF-32 begins as that of UTF-16 does.
            None if bytes.starts_with(b"\xff\xfe\0\0") => return Err(NotText::Marked { encoding: "UTF-32" }),
            None if bytes.starts_with(b"\xff\xfe") => Encoding(Kind::Utf16 { big_endian: false }),
            None if bytes.starts_with(b"\xfe\xff") => Encoding(Kind::Utf16 { big_endian: true }),
            None => Encoding::UTF_8,
        };
        if let Kind::Utf16 { big_endian } = encoding.0 {
            let (text, read) = utf16(&bytes, big_endian);
            if read < bytes.len() {
                return Err(NotText::Wrong { encoding, offset: read, line: line_after(text.as_bytes()) });
            }
            return Ok(Self { encoding, text, raw: Some(bytes) });
        }
        if let Some(offset) = memchr::memchr(0, &bytes) {
            return Err(NotText::Binary { offset });
        }
        let Kind::Other(known) = encoding.0 else {
            let text = String::from_utf8(bytes).map_err(|error| {
                let offset = error.utf8_error().valid_up_to();
                NotText::Wrong { encoding, offset, line: line_after(&error.as_bytes()[..offset]) }
            })?;
            return Ok(Self { encoding, text, raw: None });
        };
        // Where a character has several bytes, a newline byte need not be a newline.
        let text = decode_other(known, &bytes).map_err(|(text, offset)| NotText::Wrong {
            encoding,
            offset,
            line: line_after(text.as_bytes()),
        })?;
        let again = encoding.encode(&text).unwrap_or_default();
        if *again != bytes {
            let offset = again.iter().zip(&bytes).take_while(|(again, byte)| again == byte).count();
            return Err(NotText::OtherBytes { encoding, offset });
        }
        Ok(Self { encoding, text, raw: Some(bytes) })
    }

    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.raw.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// Returns the mark that the text begins with, or nothing.
    pub(crate) fn mark(&self) -> &'static str {
        if self.text.starts_with(MARK) { MARK } else { "" }
    }
}

/// Returns the line, counted from 1, of what comes after these bytes.
fn line_after(bytes: &[u8]) -> usize {
    1 + memchr::memchr_iter(b'\n', bytes).count()
}

/// Decodes UTF-16 up to the first wrong byte; returns how many were read.
fn utf16(bytes: &[u8], big_endian: bool) -> (String, usize) {
    let read_unit = if big_endian { u16::from_be_bytes } else { u16::from_le_bytes };
    let units = bytes.as_chunks().0.iter().map(|pair| read_unit(*pair));
    let mut text = String::with_capacity(bytes.len());
    let mut read = 0;
    // Half of a pair means nothing, and could not be written again.
    for c in char::decode_utf16(units).map_while(Result::ok) {
        text.push(c);
        read += 2 * c.len_utf16();
    }
    (text, read)
}

/// Decodes everything; an error is what was read before the wrong byte, and where that is.
fn decode_other(known: &'static encoding_rs::Encoding, bytes: &[u8]) -> Result<String, (String, usize)> {
    let mut decoder = known.new_decoder_without_bom_handling();
    let room = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
    let mut text = String::with_capacity(room.unwrap_or(0));
    match decoder.decode_to_string_without_replacement(bytes, &mut text, true) {
        (DecoderResult::InputEmpty, _) => Ok(text),
        (DecoderResult::Malformed(length, behind), read) => {
            Err((text, read.saturating_sub(usize::from(length) + usize::from(behind))))
        }
        (DecoderResult::OutputFull, read) => Err((text, read)),
    }
}

fn encode_other(known: &'static encoding_rs::Encoding, text: &str) -> Result<Vec<u8>, usize> {
    let mut encoder = known.new_encoder();
    let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len()).ok_or(0_usize)?;
    let mut bytes = Vec::with_capacity(room);
    match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true) {
        (EncoderResult::InputEmpty, _) => Ok(bytes),
        (EncoderResult::Unmappable(c), read) => Err(read - c.len_utf8()),
        (EncoderResult::OutputFull, read) => Err(read),
    }
}
