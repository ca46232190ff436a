//! The text of a file, decoded from its bytes.

use encoding_rs::DecoderResult;

use crate::detect::{self, Basis};
use crate::encoding::{Kind, encode_other};
use crate::verbatim::{Verbatims, WRONG};
use crate::{Encoding, NotText};

/// The byte order mark, as the first character of a text.
const MARK: &str = "\u{feff}";

/// The text of a file, decoded from its bytes.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) encoding: Encoding,
    pub(crate) basis: Basis,
    /// The text, with its byte order mark if it has one.
    pub(crate) text: String,
    /// The ranges of the text after the mark that keep their original bytes.
    pub(crate) verbatims: Verbatims,
    /// The bytes, if they differ from the bytes of `text`.
    raw: Option<Vec<u8>>,
}

impl Decoded {
    /// Makes an empty text in UTF-8.
    pub(crate) fn empty() -> Self {
        Self::valid(String::new())
    }

    fn valid(text: String) -> Self {
        let (encoding, basis) = (Encoding::UTF_8, Basis::Known);
        Self { encoding, basis, text, verbatims: Verbatims::default(), raw: None }
    }

    /// Decodes `bytes`; `named` is the encoding that the caller names.
    pub(crate) fn new(bytes: Vec<u8>, named: Option<Encoding>) -> Result<Self, NotText> {
        let known = match named {
            Some(named) => Some(named),
            // The mark of UTF-32 begins like the mark of UTF-16.
            None if bytes.starts_with(b"\xff\xfe\0\0") => return Err(NotText::Marked { encoding: "UTF-32" }),
            None if bytes.starts_with(b"\xff\xfe") => Some(Encoding(Kind::Utf16 { big_endian: false })),
            None if bytes.starts_with(b"\xfe\xff") => Some(Encoding(Kind::Utf16 { big_endian: true })),
            None => None,
        };
        let is_utf16 = matches!(known, Some(Encoding(Kind::Utf16 { .. })));
        if let Some(offset) = memchr::memchr(0, &bytes).filter(|_| !is_utf16) {
            return Err(NotText::Binary { offset });
        }
        let bytes = match known {
            None | Some(Encoding::UTF_8) => match String::from_utf8(bytes) {
                Ok(text) if known.is_none() && detect::is_iso_2022_jp(&text) => {
                    return Err(NotText::Marked { encoding: "ISO-2022-JP" });
                }
                Ok(text) => return Ok(Self::valid(text)),
                Err(error) => error.into_bytes(),
            },
            Some(_) => bytes,
        };
        let (encoding, basis) = match known {
            Some(known) => (known, Basis::Known),
            None => detect::guess(&bytes)?,
        };
        let (text, mut verbatims) = decode(encoding, &bytes);
        if text.starts_with(MARK) {
            verbatims.shift(MARK.len());
        }
        Ok(Self { encoding, basis, text, verbatims, raw: Some(bytes) })
    }

    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.raw.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// Returns the byte order mark of the text, or an empty text.
    pub(crate) fn mark(&self) -> &'static str {
        if self.text.starts_with(MARK) { MARK } else { "" }
    }

    /// Returns the first wrong byte in UTF-8, or in UTF-16 with a mark, if there is one.
    pub(crate) fn first_wrong(&self) -> Option<NotText> {
        if !matches!(self.encoding.0, Kind::Utf16 { .. }) {
            return self.raw.as_deref().map(detect::wrong_utf8);
        }
        let text = &self.text[self.mark().len()..];
        let at = self.verbatims.first_wrong(text)?;
        let offset = self.encoding.length(self.mark()) + self.verbatims.length(self.encoding, text, at);
        let line = detect::line_after(&text.as_bytes()[..at]);
        Some(NotText::Wrong { encoding: self.encoding, offset, line })
    }
}

/// Decodes bytes; each wrong sequence becomes one U+FFFD.
pub(crate) fn decode(encoding: Encoding, bytes: &[u8]) -> (String, Verbatims) {
    match encoding.0 {
        Kind::Utf8 => decode_utf8(bytes),
        Kind::Utf16 { big_endian } => decode_utf16(bytes, big_endian),
        Kind::Other(known) => decode_other(known, bytes),
    }
}

fn decode_utf8(bytes: &[u8]) -> (String, Verbatims) {
    let (mut text, mut verbatims) = (String::with_capacity(bytes.len()), Verbatims::default());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            push_wrong(&mut text, &mut verbatims, chunk.invalid());
        }
    }
    (text, verbatims)
}

fn decode_utf16(bytes: &[u8], big_endian: bool) -> (String, Verbatims) {
    let read_unit = if big_endian { u16::from_be_bytes } else { u16::from_le_bytes };
    let (pairs, rest) = bytes.as_chunks();
    let (mut text, mut verbatims) = (String::with_capacity(bytes.len()), Verbatims::default());
    let mut read = 0;
    for decoded in char::decode_utf16(pairs.iter().map(|pair| read_unit(*pair))) {
        if let Ok(c) = decoded {
            text.push(c);
            read += 2 * c.len_utf16();
        } else {
            push_wrong(&mut text, &mut verbatims, &bytes[read..read + 2]);
            read += 2;
        }
    }
    if !rest.is_empty() {
        push_wrong(&mut text, &mut verbatims, rest);
    }
    (text, verbatims)
}

fn decode_other(known: &'static encoding_rs::Encoding, bytes: &[u8]) -> (String, Verbatims) {
    let (mut text, mut verbatims) = (String::new(), Verbatims::default());
    let mut rest = bytes;
    while !rest.is_empty() {
        let mut decoder = known.new_decoder_without_bom_handling();
        text.reserve(decoder.max_utf8_buffer_length_without_replacement(rest.len()).unwrap_or(0));
        let start = text.len();
        let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut text, true);
        let (valid, wrong) = match result {
            DecoderResult::Malformed(length, after) => {
                let (length, after) = (usize::from(length), usize::from(after));
                (read - after - length, length)
            }
            DecoderResult::InputEmpty | DecoderResult::OutputFull => (read, 0),
        };
        note_other_codes(known, &text, start, &rest[..valid], &mut verbatims);
        if wrong > 0 {
            push_wrong(&mut text, &mut verbatims, &rest[valid..valid + wrong]);
        }
        rest = &rest[valid + wrong..];
    }
    (text, verbatims)
}

fn push_wrong(text: &mut String, verbatims: &mut Verbatims, bytes: &[u8]) {
    verbatims.push(text.len()..text.len() + WRONG.len_utf8(), bytes);
    text.push(WRONG);
}

/// Records each character after `start` whose bytes differ from its usual bytes in the encoding.
fn note_other_codes(
    known: &'static encoding_rs::Encoding,
    text: &str,
    start: usize,
    bytes: &[u8],
    verbatims: &mut Verbatims,
) {
    if encode_other(known, &text[start..]).is_ok_and(|again| again == bytes) {
        return;
    }
    let (mut at, mut rest) = (start, bytes);
    while let Some(c) = text[at..].chars().next() {
        let own = encode_other(known, c.encode_utf8(&mut [0; 4])).unwrap_or_default();
        let is_own = !own.is_empty() && rest.starts_with(&own);
        let (length, count) = if is_own { (c.len_utf8(), own.len()) } else { next_character(known, rest) };
        if !is_own {
            verbatims.push(at..at + length, &rest[..count]);
        }
        (at, rest) = (at + length, &rest[count..]);
    }
}

/// Returns the length of the first character of valid bytes: of its text, which has one or two characters, and in
/// bytes.
fn next_character(known: &'static encoding_rs::Encoding, bytes: &[u8]) -> (usize, usize) {
    let mut text = String::new();
    let mut decoder = known.new_decoder_without_bom_handling();
    text.reserve(decoder.max_utf8_buffer_length_without_replacement(bytes.len().min(8)).unwrap_or(0));
    for (index, byte) in bytes.iter().enumerate() {
        let _ = decoder.decode_to_string_without_replacement(std::slice::from_ref(byte), &mut text, false);
        if !text.is_empty() {
            return (text.len(), index + 1);
        }
    }
    (text.len(), bytes.len())
}
