//! Fits line endings: those of the needle to find its place, those of the new text to the place.

use std::borrow::Cow;
use std::ops::Range;

use fuzzy_core::{Adjustment, Query, Span, Splice, to_lf};
use fuzzy_merge::ending;

use crate::decision::Pasted;

/// Returns the forms of the needle that may occur in the file: as given, and with the other line ending.
pub(super) fn forms<'q>(query: &Query<'q>) -> impl Iterator<Item = Cow<'q, str>> {
    let needle = query.old();
    std::iter::once(Cow::Borrowed(needle)).chain(std::iter::once_with(|| other_form(query)).flatten())
}

/// Returns the needle with the other line ending. A needle of one line has none, and most files have no `\r`.
fn other_form<'q>(query: &Query<'q>) -> Option<Cow<'q, str>> {
    let needle = query.old();
    let has_other = needle.contains('\n') && (needle.contains('\r') || query.first_occurrence("\r").is_some());
    has_other.then(|| if needle.contains("\r\n") { to_lf(needle) } else { to_crlf(needle) })
}

/// Returns the places of a form, top to bottom. None begins inside a `\r\n`.
pub(super) fn places<'a>(query: &'a Query<'_>, form: &'a str) -> impl Iterator<Item = Span> + 'a {
    let is_inside = |start: usize| form.starts_with('\n') && query.text()[..start].ends_with('\r');
    let known = if form == query.old() { query.first_exact() } else { Some(0) };
    let places = known.into_iter().flat_map(|first| query.occurrences_from(form, first));
    places.filter(move |start| !is_inside(*start)).map(|start| Span::new(start, start + form.len()))
}

/// Puts a new text in a place, with the line ending of the place.
///
/// A place of one line has the ending of the lines around it. Two places keep the given bytes: one with both endings,
/// and one that the edit gives another ending and nothing else.
pub(super) fn pasted(query: &Query<'_>, at: Range<usize>, new: &str) -> Pasted {
    let old = &query.text()[at.clone()];
    let crlf = old.matches("\r\n").count();
    let lf = old.matches('\n').count() - crlf;
    let text = if !new.contains('\n') || (crlf > 0 && lf > 0) || to_lf(old) == to_lf(new) {
        Cow::Borrowed(new)
    } else if crlf > 0 || (lf == 0 && ending(query.text(), &at) == "\r\n") {
        to_crlf(new)
    } else {
        to_lf(new)
    };
    let is_given = text == new && old == query.old();
    let splice = Splice { span: Span::new(at.start, at.end), text: text.into_owned() };
    Pasted { splice, adjustment: (!is_given).then_some(Adjustment::LineEndings) }
}

fn to_crlf(text: &str) -> Cow<'_, str> {
    Cow::Owned(to_lf(text).replace('\n', "\r\n"))
}
