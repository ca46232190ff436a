//! Line endings: a view of the text in which every one is `\n`, and the way back.

use std::borrow::Cow;

use memchr::memmem;

use crate::{Document, Span, line_end};

/// A text with `\n` for every `\r\n`, which maps its offsets back to the file's.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) document: Document<'static>,
    /// Where, in the view, the `\n` are that lost their `\r`.
    shortened: Vec<usize>,
}

impl View {
    /// Makes the view of `file`; one pass, a copy of the text, and 8 bytes for each `\r\n`.
    pub(crate) fn new(file: &str) -> Self {
        let mut text = String::with_capacity(file.len());
        let mut shortened = Vec::new();
        let mut rest = 0;
        for place in memmem::find_iter(file.as_bytes(), "\r\n") {
            text.push_str(&file[rest..place]);
            shortened.push(text.len());
            rest = place + 1;
        }
        text.push_str(&file[rest..]);
        Self { document: Document::new(text), shortened }
    }

    /// Returns the same span in the file. An end at a line break lies before all of it, so no `\r\n` is cut.
    pub(crate) fn in_file(&self, span: Span) -> Span {
        Span::new(self.offset_in_file(span.start()), self.offset_in_file(span.end()))
    }

    /// Returns the file's offset of `at`: a byte more for each `\r\n` before it.
    fn offset_in_file(&self, at: usize) -> usize {
        at + self.shortened.partition_point(|newline| *newline < at)
    }
}

/// Returns whether `text` has a `\r\n`. Most texts have no `\r`, and one byte is found faster than two.
pub(crate) fn has_crlf(text: &str) -> bool {
    memchr::memchr(b'\r', text.as_bytes()).is_some_and(|at| text[at..].contains("\r\n"))
}

/// Returns `text` with `\n` for every `\r\n`. Cost: one pass, and a copy if there is one.
#[must_use]
pub fn to_lf(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
}

/// Returns `text`, all of whose line breaks are `\n`, with the line breaks that suit the place it replaces.
pub(crate) fn paste<'t>(text: &'t str, file: &str, place: Span) -> Cow<'t, str> {
    if text.contains('\n') && ends_in_crlf(file, place) {
        Cow::Owned(text.replace('\n', "\r\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns whether a text pasted over `place` should end its lines with `\r\n`.
///
/// The lines it replaces decide, the break after the last of them included; where they are divided or have none,
/// the lines above and below; then the whole file. Where that is divided too, or has no line break, it is `\n`.
fn ends_in_crlf(file: &str, place: Span) -> bool {
    let closed = place.text(file).ends_with('\n');
    let last = if closed { place.end() } else { (line_end(file, place.end()) + 1).min(file.len()) };
    let above = file[..place.start()].rfind('\n').map_or("", |newline| {
        let crlf = file[..newline].ends_with('\r');
        &file[newline - usize::from(crlf)..=newline]
    });
    let below = (line_end(file, last) + 1).min(file.len());
    let neighbours = Votes::of(above) + Votes::of(&file[last..below]);
    [Votes::of(&file[place.start()..last]), neighbours]
        .iter()
        .find_map(Votes::majority)
        .or_else(|| Votes::of(file).majority())
        .unwrap_or(false)
}

/// Line breaks of either kind.
#[derive(Clone, Copy, Default)]
struct Votes {
    crlf: usize,
    lf: usize,
}

impl Votes {
    fn of(text: &str) -> Self {
        let crlf = memmem::find_iter(text.as_bytes(), "\r\n").count();
        Self { crlf, lf: memchr::memchr_iter(b'\n', text.as_bytes()).count() - crlf }
    }

    /// Returns whether `\r\n` is the more frequent kind, if one is.
    fn majority(&self) -> Option<bool> {
        (self.crlf != self.lf).then_some(self.crlf > self.lf)
    }
}

impl std::ops::Add for Votes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { crlf: self.crlf + other.crlf, lf: self.lf + other.lf }
    }
}
