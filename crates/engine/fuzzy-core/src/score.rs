//! How likely a place is the one that was meant, and what that rests on.

use std::fmt;

use crate::Splice;

/// What would land at the place that was judged, whether or not it was accepted, and how likely the place is the one
/// that was meant.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ScoreBreakdown {
    /// What would be replaced there, and by what.
    pub splice: Splice,
    /// The probability that the place is the one that was meant.
    pub probability: f64,
    /// The probability that it takes to be accepted.
    pub accepted: f64,
    /// The log-odds of a place without a flaw.
    pub perfect: f64,
    /// What each feature adds to them.
    pub features: Vec<Feature>,
    /// What keeps the edit from landing however likely the place is.
    pub ruled_out: Option<&'static str>,
}

/// A feature of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Feature {
    /// Its name.
    pub name: &'static str,
    /// What it measures.
    pub meaning: &'static str,
    /// How much of that the place has.
    pub value: f64,
    /// What that adds to the log-odds; never more than 0.
    pub adds: f64,
}

impl fmt::Display for ScoreBreakdown {
    /// Writes a line per feature, with what it measures, how much of that there is, and what that adds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { probability, accepted, perfect, .. } = self;
        writeln!(f, "the place is the one that is meant with probability {probability:.3}; {accepted:.3} is enough")?;
        writeln!(f, "{:<10}  {:>7}  {:>6}", "feature", "value", "adds")?;
        writeln!(f, "{:<10}  {:>7}  {perfect:>6.2}  what a place without a flaw has", "", "")?;
        for Feature { name, meaning, value, adds } in &self.features {
            // No zero with a sign.
            let (value, adds) = (value + 0.0, adds + 0.0);
            writeln!(f, "{name:<10}  {value:>7.3}  {adds:>6.2}  {meaning}")?;
        }
        self.ruled_out.map_or(Ok(()), |why| writeln!(f, "ruled out, however likely the place is: {why}"))
    }
}
