//! Measures a prepared pattern against the texts that end at given places.

use std::ops::ControlFlow;

use super::band::Band;
use super::kernel::{STRIP, Steps};
use super::pattern::Pattern;
use super::sweep::Sweep;

/// Texts that advance side by side: parts of one text. Measured best of 2, 4 and 8.
const LANES: usize = 4;

impl Pattern {
    /// Visits the stops at which some text ends that is within `limit` of the pattern.
    ///
    /// `stops` are ascending byte offsets into `text`; one that is not on a char boundary, or
    /// lies before its predecessor, is skipped. `visit` gets each stop, in order, whose least
    /// distance between the pattern and any `text[start..stop]` is at most `limit`, and that
    /// distance. It bounds from below the distance of every window that ends there. A limit of
    /// the pattern's length or more visits every stop. The pass ends with `stops`, which may end
    /// early, at a deadline for one.
    ///
    /// # Errors
    ///
    /// Returns [`ControlFlow::Break`] as soon as `visit` does; the text is read ahead of the
    /// visits by up to 64 Ki characters, or 16 times the longest match if that is more.
    ///
    /// # Complexity
    ///
    /// One pass over `text`, about `text * pattern / 64` word steps; a small limit skips the
    /// blocks of the pattern that no match within it can have reached. Memory is proportional to
    /// the pattern and to the text read ahead, never to the whole text.
    pub fn least_ending_at(
        &self,
        text: &str,
        stops: impl IntoIterator<Item = usize>,
        limit: usize,
        visit: impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let limit = limit.min(self.len());
        let stops = valid(text, stops).peekable();
        // A match within the limit is no longer than this, so a lane that starts so far before
        // its first stop has forgotten where it started.
        let reach = self.len() + limit;
        if text.len() / LANES > reach {
            Sweep::<LANES>::new(self, limit, reach).run(text, stops, visit)
        } else {
            Sweep::<1>::new(self, limit, reach).run(text, stops, visit)
        }
    }

    /// Visits the stops whose whole prefix of `text` is within `limit` of the pattern.
    ///
    /// `stops` are as in [`Pattern::least_ending_at`]. `visit` gets each stop, in order, whose
    /// distance between the pattern and `text[..stop]` is at most `limit`, and that distance.
    ///
    /// # Errors
    ///
    /// Returns [`ControlFlow::Break`] as soon as `visit` does.
    ///
    /// # Complexity
    ///
    /// One pass over `text` that ends after the last stop, or where no later one can be within
    /// the limit; each character costs about `(2 * limit + 1) / 64 + 2` word steps at most. No memory
    /// beyond two words per 64 characters of the pattern.
    pub fn distances_at(
        &self,
        text: &str,
        stops: impl IntoIterator<Item = usize>,
        limit: usize,
        mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let limit = limit.min(self.len().saturating_add(text.len()));
        let mut stops = valid(text, stops).peekable();
        while stops.next_if_eq(&0).is_some() {
            if self.len() <= limit {
                visit(0, self.len())?;
            }
        }
        if self.len() == 0 {
            return lengths_at(text, stops, limit, visit);
        }

        let mut band = Band::<1>::new(self, limit);
        let mut chars = text.char_indices();
        while stops.peek().is_some() {
            let mut classes = [0; STRIP];
            let mut ends = [0; STRIP];
            let mut filled = 0;
            for (at, char) in chars.by_ref().take(STRIP) {
                classes[filled] = self.class(char);
                ends[filled] = at + char.len_utf8();
                filled += 1;
            }
            band.advance(&[&classes], &Steps::RISING);
            for (column, &end) in ends.iter().enumerate().take(filled) {
                while stops.next_if_eq(&end).is_some() {
                    if let Some(distance) = band.distance(0, column + 1) {
                        visit(end, distance)?;
                    }
                }
            }
            if filled < STRIP || !band.narrow_top() {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Drops stops that are outside the text, inside a character or before an earlier one.
fn valid(text: &str, stops: impl IntoIterator<Item = usize>) -> impl Iterator<Item = usize> {
    let mut least = 0;
    stops.into_iter().filter(move |&stop| {
        let keep = stop >= least && text.is_char_boundary(stop);
        if keep {
            least = stop;
        }
        keep
    })
}

/// The distances of the empty pattern: the lengths of the prefixes.
fn lengths_at(
    text: &str,
    stops: impl Iterator<Item = usize>,
    limit: usize,
    mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (mut from, mut len) = (0, 0);
    for stop in stops {
        len += super::scalar_len(&text[from..stop]);
        from = stop;
        if len > limit {
            break;
        }
        visit(stop, len)?;
    }
    ControlFlow::Continue(())
}
