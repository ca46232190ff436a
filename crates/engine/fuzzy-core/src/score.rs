//! The score of a place: its probability, and how each feature contributes.

use std::fmt;

use crate::Splice;

/// The proposal at the best place, accepted or not, and the probability that this is the intended place.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ScoreBreakdown {
    /// The proposed splice. The JSON lacks it: its span is in bytes, and each interface has places of its own.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub splice: Splice,
    /// The probability that this is the intended place, 0 to 1. The JSON has three decimals of each number.
    #[cfg_attr(feature = "serde", serde(serialize_with = "rounded"))]
    pub probability: f64,
    /// The least probability of an accepted place, 0 to 1.
    #[cfg_attr(feature = "serde", serde(serialize_with = "rounded"))]
    pub accepted: f64,
    /// The log-odds of a place without a flaw.
    #[cfg_attr(feature = "serde", serde(serialize_with = "rounded"))]
    pub perfect: f64,
    /// The features, and their contributions to the log-odds.
    pub features: Vec<Feature>,
    /// The repairs of the texts; the confidence is the probability times the accuracy of each.
    pub repairs: Vec<Repair>,
    /// The reason for a refusal that no probability overrides.
    pub ruled_out: Option<&'static str>,
}

/// A difference between the texts of an edit and the file that a landing repairs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Repair {
    /// Its name; that of a slip, if it is one.
    pub name: &'static str,
    /// The measured share of right texts among the landings with this repair, 0 to 1.
    #[cfg_attr(feature = "serde", serde(serialize_with = "rounded"))]
    pub right: f64,
}

/// A feature of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Feature {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// The measured value; each feature has a unit of its own.
    #[cfg_attr(feature = "serde", serde(serialize_with = "rounded"))]
    pub value: f64,
    /// The contribution to the log-odds; never more than 0.
    #[cfg_attr(feature = "serde", serde(serialize_with = "rounded"))]
    pub adds: f64,
}

impl fmt::Display for ScoreBreakdown {
    /// Writes a line per feature: its value, its contribution and its meaning; then a line per repair.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { probability, accepted, perfect, .. } = self;
        writeln!(f, "the probability of the place is {probability:.3}; {accepted:.3} is enough")?;
        writeln!(f, "{:<10}  {:>7}  {:>6}", "feature", "value", "adds")?;
        writeln!(f, "{:<10}  {:>7}  {perfect:>6.2}  log-odds of a place without a flaw", "", "")?;
        for Feature { name, meaning, value, adds } in &self.features {
            // Never a negative zero.
            let (value, adds) = (value + 0.0, adds + 0.0);
            writeln!(f, "{name:<10}  {value:>7.3}  {adds:>6.2}  {meaning}")?;
        }
        for Repair { name, right } in &self.repairs {
            writeln!(f, "repaired: {name} (of 100 such texts, {:.1} are right)", right * 100.0)?;
        }
        self.ruled_out.map_or(Ok(()), |why| writeln!(f, "ruled out, however likely the place is: {why}"))
    }
}

/// Writes a number with three decimals, so that the JSON is the same on every machine; never a negative zero.
#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn rounded<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((value * 1000.0).round() / 1000.0 + 0.0)
}
