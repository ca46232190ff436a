//! The windows that are most alike, with their similarities.

use std::ops::ControlFlow;

use fuzzy_core::{Candidate, SimilarWindow, SimilarWindows, Similarity};

/// A window and how alike it is.
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

/// More than two similarities differ by rounding, and less than they differ by an edit in any text that is measured.
const ROUNDING: f64 = 1e-9;

/// Returns the windows of similarity `least` or more that are at most `behind` less alike than the best, the best
/// first; of equals the one that starts first, and then the shorter one.
///
/// Bounds decide which are measured: the best bound first, as long as it may still count.
pub(crate) fn best(windows: &SimilarWindows<'_, '_>, least: Similarity, behind: f64) -> ControlFlow<(), Vec<Measured>> {
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
            needed = needed.max(Similarity::new(similarity.get() - behind - ROUNDING));
        }
    }
    measured.retain(|it| it.similarity >= needed);
    measured.sort_by(|a, b| {
        let place = |it: &Measured| (it.window.first, it.window.lines);
        b.similarity.cmp(&a.similarity).then_with(|| place(a).cmp(&place(b)))
    });
    ControlFlow::Continue(measured)
}
