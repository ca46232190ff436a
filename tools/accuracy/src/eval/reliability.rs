//! Whether confidence means something: of the edits that a ladder was so and so sure of, how many are right.

use crate::eval::judge::Outcome;
use fuzzy_testkit::verdict::Verdict;

/// How many bins confidences fall into, all of the same width.
pub(crate) const BINS: usize = 5;

/// The judged edits that were carried out with a confidence between two values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bin {
    pub(crate) edits: usize,
    pub(crate) right: usize,
}

impl Bin {
    /// Returns the share that is right, or nothing where there is no edit.
    pub(crate) fn share(self) -> Option<f64> {
        (self.edits > 0).then(|| self.right as f64 / self.edits as f64)
    }
}

/// Sorts edits into bins; the last one holds full confidence too.
pub(crate) fn bins<'o>(outcomes: impl IntoIterator<Item = &'o Outcome>) -> [Bin; BINS] {
    let mut bins = [Bin::default(); BINS];
    for outcome in outcomes {
        if let (Some(verdict), Some(confidence)) = (outcome.verdict, outcome.confidence)
            && let Some(index) = (0..BINS).rfind(|index| edge(*index) <= confidence)
        {
            bins[index].edits += 1;
            bins[index].right += usize::from(verdict == Verdict::Right);
        }
    }
    bins
}

/// Returns the least confidence of a bin, which is also the share of it that has to be right.
pub(crate) fn edge(bin: usize) -> f64 {
    bin as f64 / BINS as f64
}

#[cfg(test)]
mod tests {
    use super::{Bin, bins};
    use crate::eval::judge::Outcome;
    use fuzzy_testkit::verdict::Verdict;

    #[test]
    fn only_judged_edits_that_were_carried_out_are_sorted() {
        let outcomes = [
            (Some(Verdict::Right), Some(1.0)),
            (Some(Verdict::Tails), Some(0.8)),
            (Some(Verdict::Right), Some(0.799)),
            (Some(Verdict::Wrong), Some(0.0)),
            (Some(Verdict::Right), None),
            (None, Some(0.5)),
        ];
        let bins = bins(&outcomes.map(|(verdict, confidence)| Outcome {
            verdict,
            confidence,
            ns: None,
            is_refusal: confidence.is_none(),
            proposal: None,
            again: None,
            answer: None,
        }));
        let [zero, one, two, three, four] = bins;
        assert_eq!(zero, Bin { edits: 1, right: 0 });
        assert_eq!((one, two), (Bin::default(), Bin::default()));
        assert_eq!(three, Bin { edits: 1, right: 1 });
        assert_eq!(four, Bin { edits: 2, right: 1 });
        assert_eq!((one.share(), four.share()), (None, Some(0.5)));
    }
}
