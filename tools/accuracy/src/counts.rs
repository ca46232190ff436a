//! Counts verdicts.

use fuzzy_testkit::verdict::Verdict;

/// The number of cases per verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts([usize; Verdict::ALL.len()]);

impl Counts {
    /// Returns the number of cases of a verdict.
    pub(crate) const fn of(&self, verdict: Verdict) -> usize {
        self.0[verdict as usize]
    }

    /// Returns the number of all cases.
    pub(crate) fn all(&self) -> usize {
        self.0.iter().sum()
    }

    /// Returns a verdict's share, in percent; 0 without cases.
    pub(crate) fn share(&self, verdict: Verdict) -> f64 {
        self.of(verdict) as f64 / self.all().max(1) as f64 * 100.0
    }

    /// Writes a verdict's share, in percent.
    pub(crate) fn percent(&self, verdict: Verdict, decimals: usize) -> String {
        format!("{:.decimals$}", self.share(verdict))
    }

    /// Adds a case.
    pub(crate) const fn add(&mut self, verdict: Verdict) {
        self.0[verdict as usize] += 1;
    }
}
