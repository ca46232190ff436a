//! Computes the probability that a place is the intended one, from the share of the old text that it explains.
//!
//! It has to explain a part of it by similar lines, and to have few of the flaws of the next place. A place that has all
//! lines that change as they are, one of them only there, need not: the other lines may be those of another version.

use std::borrow::Cow;

use fuzzy_core::report::{Feature, Repair, ScoreBreakdown};
use fuzzy_core::{Failure, Refusal, Splice};
use fuzzy_locate::{Needle, Place, Variant, full_lines};
use fuzzy_merge::{Evidence, Finding, Key, Kind, LeftOut, Merged, Phase, Rule};
use rustc_hash::FxHashSet;

use crate::rules::{equal_place, gravest, low_score, single_line};

/// The least probability of an accepted place: a wrong landing costs as much as 30 refusals.
pub const ACCEPTED: f32 = 30.0 / 31.0;

/// The log-odds of a place without a flaw: of the `-train` sets, one in a thousand is another one.
const PERFECT: f32 = 6.9;

/// The cost of a flaw in log-odds: one refuses a place, whose text may still be proposed, and two leave no proposal.
const COST: f32 = 4.0;

/// The least probability of a proposal: the caller checks it before it lands.
const MIN_PROPOSED: f32 = 0.5;

/// The rules whose doubt a reader of the proposal can settle, beside those about the place of new lines.
const SMALL_DOUBTS: [&str; 2] = ["single-line", "other-block-end"];

/// A kind of feature: a share of 1, of which a place may lack a part.
struct FeatureKind {
    name: &'static str,
    meaning: &'static str,
    /// The least value without a cost.
    limit: f32,
}

impl FeatureKind {
    /// All features, in the order of a score's values.
    const ALL: [Self; FEATURES] = [
        Self { name: "explained", meaning: "the share of the old text that the place explains", limit: 0.4 },
        Self { name: "alike", meaning: "the similarity of the lines that both have", limit: 0.9 },
        Self { name: "clearance", meaning: "the share of the next place's flaws that this place lacks", limit: 0.5 },
    ];

    /// Returns the contribution of a value to the log-odds; never more than 0.
    const fn adds(&self, value: f32) -> f32 {
        if value < self.limit { -COST } else { 0.0 }
    }
}

/// The number of features.
const FEATURES: usize = 3;

/// Index of a single feature among the values.
const CLEARANCE: usize = 2;

/// Returns the probability that a place with these values is the intended one, 0 to 1.
fn probability(values: &[f32; FEATURES]) -> f32 {
    let adds = FeatureKind::ALL.iter().zip(values).map(|(kind, &value)| kind.adds(value));
    1.0 / (1.0 + (-(PERFECT + adds.sum::<f32>())).exp())
}

/// Makes an accuracy; keeps the table short.
pub(crate) const fn accuracy(name: &'static str, right: f32) -> TextAccuracy {
    TextAccuracy { name, right }
}

/// The accuracy of a repair that no edit of the fit had: that of an average one.
pub const UNMEASURED: f32 = 0.98;

/// The accuracy of the texts of landings with a repair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextAccuracy {
    /// The name of the repair: that of a slip, or of another difference between the old text and the place.
    pub name: &'static str,
    /// The share of texts that this repair leaves right, 0 to 1.
    pub right: f32,
}

/// The model of the texts of landings.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The share of right texts among landings without a repair, 0 to 1.
    pub plain: f32,
    /// The accuracy of each repair, by name.
    pub repairs: Cow<'static, [TextAccuracy]>,
}

impl Model {
    /// Returns the accuracy of a repair, 0 to 1.
    #[must_use]
    pub fn accuracy(&self, repair: &str) -> f32 {
        self.repairs.iter().find(|known| known.name == repair).map_or(UNMEASURED, |known| known.right)
    }

    /// Returns the share of right texts among landings with these repairs, 0 to 1: each may spoil the text by itself.
    #[must_use]
    pub fn text_accuracy(&self, repairs: &[&str]) -> f32 {
        self.plain * repairs.iter().map(|repair| self.accuracy(repair)).product::<f32>()
    }
}

/// The measured features of a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Score {
    values: [f32; FEATURES],
    /// How much of the old text the merge found.
    evidence: Evidence,
    /// The names of the repairs, which lower the confidence.
    repairs: Vec<&'static str>,
    /// The rule that refuses the edit whatever the probability of the place, if one does.
    pub(crate) ruled_out: Option<&'static Rule>,
    /// Whether the only evidence is one line that differs from the needle.
    pub(crate) is_single_line: bool,
    /// Whether the merged text breaks a law of the audit; computed only for a text that may be proposed.
    pub(crate) breaks_law: bool,
    /// The findings of the merge, for reports.
    pub(crate) findings: Vec<Finding>,
    /// The names of the slips that the merge undid, for reports.
    pub(crate) undone: Vec<&'static str>,
}

impl Score {
    /// Measures a place; `rival` is the score of the next one.
    pub(crate) fn new(
        needle: &Needle<'_>,
        place: &Place,
        rival: Option<f32>,
        (variant, merged): (&Variant<'_>, &Merged),
        repairs: Vec<&'static str>,
        left_out: LeftOut,
    ) -> Self {
        let evidence = merged.evidence;
        let lead = rival.map(|rival| place.score - rival.max(0.0));
        let flaws = (1.0 - place.score).max(0.0);
        let paired: f32 = place.pairs.iter().map(|pair| needle.weight(pair)).sum();
        let alike = share(place.similarity * needle.total, paired);
        let clearance = lead.map_or(1.0, |lead| share(lead, lead + flaws));
        // Lines of a repair are the file's: they prove nothing.
        let is_quoted = variant.slip.is_none_or(|slip| slip.phase != Phase::Repair);
        let is_anchored = is_quoted && is_anchored(needle, place, &variant.replacement);
        let values = [place.score, if is_anchored { 1.0 } else { alike }, if is_anchored { 1.0 } else { clearance }];
        let tie = equal_place::check(lead).then_some(&equal_place::RULE).and_then(|rule| left_out.keep(rule));
        let similarity = place.similarity.max(share(evidence.old_found, evidence.old));
        let is_single_line = single_line::check(needle.lines.len(), similarity);
        let single_line = is_single_line.then_some(&single_line::RULE).and_then(|rule| left_out.keep(rule));
        let ruled_out = gravest(&merged.findings, tie).or(single_line);
        let (findings, undone) = (merged.findings.clone(), merged.undone.clone());
        Self { values, evidence, repairs, ruled_out, is_single_line, breaks_law: false, findings, undone }
    }

    fn probability(&self) -> f32 {
        probability(&self.values)
    }

    /// Returns the probability of the right text at the right place.
    pub(crate) fn confidence(&self) -> f32 {
        Model::FITTED.text_accuracy(&self.repairs) * self.probability()
    }

    /// Returns the rule that refuses the edit, and the failure for callers. `ambiguous` is the failure if an equal place
    /// exists.
    pub(crate) fn refusal(&self, ambiguous: Option<Failure>) -> Option<(&'static Rule, Failure)> {
        let is_likely = self.probability() >= ACCEPTED;
        let too_different = || Failure::Refused(Refusal::TooDifferent);
        // More context helps only if the place would be accepted without its rivals.
        let other_place = ambiguous.filter(|_| self.is_likely_without_rivals()).unwrap_or_else(too_different);
        let Some(rule) = self.ruled_out else { return (!is_likely).then_some((&low_score::RULE, other_place)) };
        Some(match rule.kind {
            // A conflict counts only if this is probably the intended place, and no similar block with other words.
            Kind::Conflict if self.is_probable() && self.evidence.replaced_words == 0 => {
                // The decision fills in the conflicts, if it is final.
                (rule, Failure::Refused(Refusal::Conflict { conflicts: Vec::new() }))
            }
            Kind::Conflict | Kind::Absent => (rule, too_different()),
            Kind::Place => (rule, other_place),
            _ if self.is_probable() => (rule, Failure::Refused(Refusal::Uncertain)),
            _ => (&low_score::RULE, other_place),
        })
    }

    /// Returns whether the place would be accepted without its rivals.
    fn is_likely_without_rivals(&self) -> bool {
        let mut values = self.values;
        values[CLEARANCE] = 1.0;
        probability(&values) >= ACCEPTED
    }

    /// Returns whether the text is worth proposing: the only doubt is the place of new lines, or that the old text is
    /// one line, and the file has all of the deleted text.
    pub(crate) fn is_worth_proposing(&self) -> bool {
        let is_new_text = self.evidence.touched_found >= self.evidence.touched && !self.breaks_law;
        let is_small = |rule: &Rule| rule.kind == Kind::InsertionPoint || SMALL_DOUBTS.contains(&rule.name);
        is_new_text && self.is_probable() && self.ruled_out.is_none_or(is_small)
    }

    /// Returns whether this is more likely the intended place than not.
    fn is_probable(&self) -> bool {
        self.probability() >= MIN_PROPOSED
    }

    /// Returns the score in the engine's type, with the proposed splice.
    pub(crate) fn breakdown(&self, splice: Splice) -> ScoreBreakdown {
        let feature = |(kind, value): (FeatureKind, f32)| Feature {
            name: kind.name,
            meaning: kind.meaning,
            value: f64::from(value),
            adds: f64::from(kind.adds(value)),
        };
        let repair = |&name| Repair { name, right: f64::from(Model::FITTED.accuracy(name)) };
        ScoreBreakdown {
            splice,
            probability: f64::from(self.probability()),
            accepted: f64::from(ACCEPTED),
            perfect: f64::from(PERFECT),
            features: FeatureKind::ALL.into_iter().zip(self.values).map(feature).collect(),
            repairs: self.repairs.iter().map(repair).collect(),
            ruled_out: self.ruled_out.map(|rule| rule.why),
        }
    }
}

/// Returns a part's share of the whole; 1 if the whole is empty.
fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

/// Returns whether a place has all lines that the edit changes as they are, and one of them occurs only there. If it
/// changes none, these are the lines around the first new one.
fn is_anchored(needle: &Needle<'_>, place: &Place, new: &str) -> bool {
    let new = full_lines(new);
    let kept: FxHashSet<Key> = new.iter().map(|line| line.key).collect();
    let mut changed: Vec<usize> = (0..needle.lines.len()).collect();
    changed.retain(|&at| !kept.contains(&needle.lines[at].key));
    if changed.is_empty() {
        let first = needle.lines.iter().zip(&new).take_while(|(old, new)| old.key == new.key).count();
        changed.extend(first.saturating_sub(1)..needle.lines.len().min(first + 1));
    }
    let is_equal = |at: &usize| place.pairs.iter().any(|pair| pair.similarity >= 1.0 && pair.left.contains(at));
    changed.iter().all(is_equal) && changed.iter().any(|&at| needle.is_unique(at))
}
