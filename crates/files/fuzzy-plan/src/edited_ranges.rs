//! The parts of a text that earlier edits of the same request wrote.

use fuzzy_core::{Applied, Replaced, Span};

/// The ranges that earlier edits wrote, each with its edit.
#[derive(Debug, Default)]
pub(crate) struct EditedRanges {
    wrote: Vec<(Span, usize)>,
    /// The ranges that an edit would have written but that were already there.
    had: Vec<(Span, usize)>,
}

impl EditedRanges {
    /// Returns the earlier edit whose text a later one touches, if the later one was not found exactly.
    ///
    /// A similar place may only be similar because of the text of an earlier edit.
    pub(crate) fn touched_loosely(&self, applied: &Applied) -> Option<usize> {
        if applied.found.is_exact() {
            return None;
        }
        let places = applied.replaced.iter().map(|place| place.before).chain([applied.found.span]);
        let mut touched = places.filter_map(|place| self.wrote.iter().find(|(span, _)| touch(place, *span)));
        touched.next().map(|(_, edit)| *edit)
    }

    /// Returns whether an earlier edit wrote some of these bytes, or removed some between them.
    pub(crate) fn touches(&self, place: Span) -> bool {
        self.wrote.iter().any(|(span, _)| touch(place, *span))
    }

    /// Returns whether an earlier edit would have written some of these bytes, which were already there.
    pub(crate) fn had(&self, place: Span) -> bool {
        self.had.iter().any(|(span, _)| touch(place, *span))
    }

    /// Adds the ranges that `edit` would have written but that were already there.
    pub(crate) fn add_had(&mut self, edit: usize, spans: impl IntoIterator<Item = Span>) {
        self.had.extend(spans.into_iter().map(|span| (span, edit)));
    }

    /// Makes the ranges of a text that `edit` wrote as a whole.
    pub(crate) fn whole(edit: usize, text: &str) -> Self {
        Self { wrote: vec![(Span::new(0, text.len()), edit)], had: Vec::new() }
    }

    /// Moves all ranges to their positions after `edit`, and adds the ranges that it wrote.
    pub(crate) fn add(&mut self, edit: usize, replaced: &[Replaced]) {
        for spans in [&mut self.wrote, &mut self.had] {
            spans.retain_mut(|(span, _)| {
                let (start, end) = (start_after(span.start(), replaced), end_after(span.end(), replaced));
                // Otherwise nothing of the range is left.
                let is_left = start <= end;
                *span = Span::new(start, end.max(start));
                is_left
            });
        }
        self.wrote.extend(replaced.iter().map(|place| (place.after, edit)));
    }
}

/// Returns the new position of the start of a range: after a place that replaced its first byte.
fn start_after(start: usize, replaced: &[Replaced]) -> usize {
    match replaced.iter().rev().find(|place| place.before.start() <= start) {
        Some(place) if start < place.before.end() => place.after.end(),
        Some(place) => place.after.end() + (start - place.before.end()),
        None => start,
    }
}

/// Returns the new position of the end of a range: before a place that replaced its last byte.
fn end_after(end: usize, replaced: &[Replaced]) -> usize {
    match replaced.iter().rev().find(|place| place.before.start() < end) {
        Some(place) if end <= place.before.end() => place.after.start(),
        Some(place) => place.after.end() + (end - place.before.end()),
        None => end,
    }
}

/// Returns whether two spans share a byte, or an empty one is inside the other.
pub(crate) fn touch(a: Span, b: Span) -> bool {
    a.start() < b.end() && b.start() < a.end()
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use fuzzy_core::{Replaced, Span};

    use super::EditedRanges;

    fn replaced(before: Range<usize>, after: Range<usize>) -> Replaced {
        Replaced { before: Span::new(before.start, before.end), after: Span::new(after.start, after.end) }
    }

    fn spans(written: &EditedRanges) -> Vec<(usize, usize, usize)> {
        written.wrote.iter().map(|(span, edit)| (span.start(), span.end(), *edit)).collect()
    }

    #[test]
    fn ranges_move_with_later_edits() {
        let mut written = EditedRanges::default();
        written.add(0, &[replaced(10..12, 10..15)]);
        // Two bytes more before it and after it.
        written.add(1, &[replaced(0..1, 0..3), replaced(20..20, 22..24)]);
        assert_eq!(spans(&written), [(12, 17, 0), (0, 3, 1), (22, 24, 1)]);
        // Its first two bytes, then its last two, then all of it.
        written.add(2, &[replaced(11..14, 11..12)]);
        assert_eq!(spans(&written)[0], (12, 15, 0));
        written.add(3, &[replaced(13..20, 13..13)]);
        assert_eq!(spans(&written)[0], (12, 13, 0));
        written.add(4, &[replaced(12..13, 12..14)]);
        assert!(!spans(&written).iter().any(|(_, _, edit)| *edit == 0), "{:?}", spans(&written));
    }

    #[test]
    fn a_deletion_is_a_range_too() {
        let mut written = EditedRanges::default();
        written.add(0, &[replaced(5..9, 5..5)]);
        written.add(1, &[replaced(0..1, 0..0)]);
        assert_eq!(spans(&written), [(4, 4, 0), (0, 0, 1)]);
    }
}
