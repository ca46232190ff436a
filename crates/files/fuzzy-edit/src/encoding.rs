//! Encodings by name, and the encoding of texts.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::EncoderResult;

/// The encoding of a file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(pub(crate) Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Utf8,
    Utf16 { big_endian: bool },
    Other(&'static encoding_rs::Encoding),
}

/// The reason why bytes are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// The bytes have a NUL and no byte order mark that would explain it.
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
        /// The line of that byte, counted from 1.
        line: usize,
    },
}

/// The encoding is unknown or cannot be edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// No encoding has this name.
    #[error("there is no encoding `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// A change in one place of such a text changes the bytes of other places.
    #[error("texts in {name} cannot be edited in one place alone")]
    Stateful {
        /// The name.
        name: &'static str,
    },
}

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(Kind::Utf8);

    /// Returns the encoding with the web name `name`, in any letter case: `windows-1252`, `Shift_JIS`, `utf-16le`.
    ///
    /// # Errors
    ///
    /// Returns [`EncodingError`] if there is no such encoding, or if it cannot be edited.
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

    /// Returns the encoding for the option `name`: `None` for `auto`, otherwise as [`named`](Self::named).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`named`](Self::named).
    pub fn from_option(name: &str) -> Result<Option<Self>, EncodingError> {
        if name.trim().eq_ignore_ascii_case("auto") { Ok(None) } else { Self::named(name).map(Some) }
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

    /// Returns the bytes of `text`; a byte order mark is only written if `text` begins with one.
    ///
    /// # Errors
    ///
    /// Returns the offset in `text` of the first character that the encoding lacks.
    pub(crate) fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, usize> {
        match self.0 {
            Kind::Utf8 => Ok(Cow::Borrowed(text.as_bytes())),
            Kind::Utf16 { big_endian: false } => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Kind::Utf16 { big_endian: true } => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            Kind::Other(known) => encode_other(known, text).map(Cow::Owned),
        }
    }

    /// Returns the number of bytes of `text`, all of whose characters the encoding has.
    pub(crate) fn length(self, text: &str) -> usize {
        self.encode(text).map_or(0, |bytes| bytes.len())
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Encodes a text; the error is the offset of the first character that the encoding lacks.
pub(crate) fn encode_other(known: &'static encoding_rs::Encoding, text: &str) -> Result<Vec<u8>, usize> {
    let mut encoder = known.new_encoder();
    let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len()).ok_or(0_usize)?;
    let mut bytes = Vec::with_capacity(room);
    match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true) {
        (EncoderResult::InputEmpty, _) => Ok(bytes),
        (EncoderResult::Unmappable(c), read) => Err(read - c.len_utf8()),
        (EncoderResult::OutputFull, read) => Err(read),
    }
}
