//! Which parts of a growing text earlier edits of the same request wrote.

use fuzzy_pipeline::{Applied, Replaced, Span};

/// What earlier edits wrote into a text, and which of them it was.
#[derive(Debug, Default)]
pub(crate) struct Written {
    wrote: Vec<(Span, usize)>,
    /// The texts that were there before an edit would have written them.
    had: Vec<(Span, usize)>,
}

impl Written {
    /// Returns the earlier edit whose text a later one touches, if the later one was not found exactly.
    ///
    /// A place that is only like the needle may be so because of what an earlier edit wrote.
    pub(crate) fn touched_loosely(&self, applied: &Applied) -> Option<usize> {
        if applied.found.is_exact() {
            return None;
        }
        let places = applied.replaced.iter().map(|place| place.before).chain([applied.found.span]);
        let mut touched = places.filter_map(|place| self.wrote.iter().find(|(span, _)| touch(place, *span)));
        touched.next().map(|(_, edit)| *edit)
    }

    /// Returns whether an earlier edit wrote some of these bytes, or took out some between them.
    pub(crate) fn touches(&self, place: Span) -> bool {
        self.wrote.iter().any(|(span, _)| touch(place, *span))
    }

    /// Returns whether an earlier edit would have written some of these bytes, which were there before.
    pub(crate) fn had(&self, place: Span) -> bool {
        self.had.iter().any(|(span, _)| touch(place, *span))
    }

    /// Adds the texts that were there before `edit` would have written them.
    pub(crate) fn add_had(&mut self, edit: usize, spans: impl IntoIterator<Item = Span>) {
        self.had.extend(spans.into_iter().map(|span| (span, edit)));
    }

    /// Makes it that of a text which `edit` wrote as a whole.
    pub(crate) fn whole(edit: usize, text: &str) -> Self {
        Self { wrote: vec![(Span::new(0, text.len()), edit)], had: Vec::new() }
    }

    /// Moves everything to where it is after `edit`, and adds what that wrote.
    pub(crate) fn add(&mut self, edit: usize, replaced: &[Replaced]) {
        for spans in [&mut self.wrote, &mut self.had] {
            spans.retain_mut(|(span, _)| {
                let (start, end) = (start_after(span.start(), replaced), end_after(span.end(), replaced));
                // Otherwise nothing is left of it.
                let is_left = start <= end;
                *span = Span::new(start, end.max(start));
                is_left
            });
        }
        self.wrote.extend(replaced.iter().map(|place| (place.after, edit)));
    }
}

/// Returns where what began at `start` begins now: after a place that took its first byte.
fn start_after(start: usize, replaced: &[Replaced]) -> usize {
    match replaced.iter().rev().find(|place| place.before.start() <= start) {
        Some(place) if start < place.before.end() => place.after.end(),
        Some(place) => place.after.end() + (start - place.before.end()),
        None => start,
    }
}

/// Returns where what ended at `end` ends now: in front of a place that took its last byte.
fn end_after(end: usize, replaced: &[Replaced]) -> usize {
    match replaced.iter().rev().find(|place| place.before.start() < end) {
        Some(place) if end <= place.before.end() => place.after.start(),
        Some(place) => place.after.end() + (end - place.before.end()),
        None => end,
    }
}

/// Returns whether two spans share a byte, or one that is empty lies inside the other.
pub(crate) fn touch(a: Span, b: Span) -> bool {
    a.start() < b.end() && b.start() < a.end()
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use fuzzy_pipeline::{Replaced, Span};

    use super::Written;

    fn replaced(before: Range<usize>, after: Range<usize>) -> Replaced {
        Replaced { before: Span::new(before.start, before.end), after: Span::new(after.start, after.end) }
    }

    fn spans(written: &Written) -> Vec<(usize, usize, usize)> {
        written.wrote.iter().map(|(span, edit)| (span.start(), span.end(), *edit)).collect()
    }

    #[test]
    fn what_was_written_moves_with_later_edits() {
        let mut written = Written::default();
        written.add(0, &[replaced(10..12, 10..15)]);
        // In front of it and after it, two bytes more each.
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
    fn what_was_taken_out_is_a_place_too() {
        let mut written = Written::default();
        written.add(0, &[replaced(5..9, 5..5)]);
        written.add(1, &[replaced(0..1, 0..0)]);
        assert_eq!(spans(&written), [(4, 4, 0), (0, 0, 1)]);
    }
}
