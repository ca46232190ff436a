//! The most similar windows with their similarities.

use std::ops::ControlFlow;

use fuzzy_core::{Candidate, SimilarWindow, SimilarWindows, Similarity};

/// A window with its similarity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) window: SimilarWindow,
    pub(crate) similarity: Similarity,
}

impl Measured {
    pub(crate) fn candidate(&self) -> Candidate {
        Candidate::new(self.window.span, self.similarity)
    }
}

/// More than the rounding error of two similarities, and less than the effect of one edit in any measured text.
const ROUNDING: f64 = 1e-9;

/// Returns the windows with a similarity of at least `least` and at most `lead` below the best, the best first; of
/// equal ones the first, then the shorter one.
///
/// Measures windows in the order of their bounds, as long as the bound may still count.
pub(crate) fn best(windows: &SimilarWindows<'_, '_>, least: Similarity, lead: f64) -> ControlFlow<(), Vec<Measured>> {
    let mut bounded: Vec<_> = windows.all().iter().map(|window| (window.bound(), window)).collect();
    bounded.sort_by(|(a, _), (b, _)| b.cmp(a));
    let mut measured: Vec<Measured> = Vec::new();
    let mut needed = least;
    for (bound, window) in bounded {
        if bound < needed {
            break;
        }
        let Some(distance) = windows.distance(window, needed)? else { continue };
        let similarity = Similarity::of_distance(distance, window.longer);
        if similarity >= needed {
            measured.push(Measured { window: *window, similarity });
            needed = needed.max(Similarity::new(similarity.get() - lead - ROUNDING));
        }
    }
    measured.retain(|it| it.similarity >= needed);
    measured.sort_by(|a, b| {
        let place = |it: &Measured| (it.window.first, it.window.lines);
        b.similarity.cmp(&a.similarity).then_with(|| place(a).cmp(&place(b)))
    });
    ControlFlow::Continue(measured)
}
