//! Changes of a text.

use std::ops::Range;

/// A part of a text in bytes, with the text in its place.
pub(super) type Change = (Range<usize>, String);

/// Returns a text with changes; of two that overlap, the first one counts.
pub(super) fn changed(text: &str, all: &[Change]) -> String {
    let mut changes: Vec<&Change> = all.iter().collect();
    changes.sort_by_key(|(at, _)| (at.start, at.end));
    let (mut read, mut from) = (String::with_capacity(text.len()), 0);
    for (at, file) in changes {
        if at.start < from {
            continue;
        }
        read.extend([&text[from..at.start], file]);
        from = at.end;
    }
    read + &text[from..]
}
