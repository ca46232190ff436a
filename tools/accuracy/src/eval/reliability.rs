//! The reliability of confidences: the share of right edits among those with a certain confidence.

use crate::eval::judge::Outcome;
use fuzzy_testkit::verdict::Verdict;

/// The least confidence of each bin, which is also the required share of right edits. Nearly every landing is above
/// 0.9, so the bins are narrow there.
const EDGES: [f64; BINS] = [0.0, 0.5, 0.8, 0.9, 0.95, 0.99];

const BINS: usize = 6;

/// The rated edits that were applied with a confidence in a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bin {
    pub(crate) edits: usize,
    pub(crate) right: usize,
}

impl Bin {
    /// Returns the share of right edits, or `None` without edits.
    pub(crate) fn share(self) -> Option<f64> {
        (self.edits > 0).then(|| self.right as f64 / self.edits as f64)
    }
}

/// Sorts edits into bins; the last one includes full confidence.
pub(crate) fn bins<'o>(outcomes: impl IntoIterator<Item = &'o Outcome>) -> [Bin; BINS] {
    let mut bins = [Bin::default(); BINS];
    for outcome in outcomes {
        if let (Some(verdict), Some(confidence)) = (outcome.verdict, outcome.confidence)
            && let Some(index) = EDGES.iter().rposition(|least| *least <= confidence)
        {
            bins[index].edits += 1;
            bins[index].right += usize::from(verdict == Verdict::Right);
        }
    }
    bins
}

/// Returns the least confidence of a bin and its end.
pub(crate) fn range(bin: usize) -> (f64, f64) {
    (EDGES[bin], EDGES.get(bin + 1).copied().unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use super::{Bin, bins, range};
    use crate::eval::judge::Outcome;
    use fuzzy_testkit::verdict::Verdict;

    #[test]
    fn only_judged_edits_that_were_carried_out_are_sorted() {
        let outcomes = [
            (Some(Verdict::Right), Some(1.0)),
            (Some(Verdict::Tails), Some(0.99)),
            (Some(Verdict::Right), Some(0.989)),
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
        let [zero, others @ .., fourth, last] = bins;
        assert_eq!(zero, Bin { edits: 1, right: 0 });
        assert_eq!(others, [Bin::default(); 3]);
        assert_eq!(fourth, Bin { edits: 1, right: 1 });
        assert_eq!(last, Bin { edits: 2, right: 1 });
        assert_eq!((others[0].share(), last.share()), (None, Some(0.5)));
        assert_eq!((range(0), range(5)), ((0.0, 0.5), (0.99, 1.0)));
    }
}
