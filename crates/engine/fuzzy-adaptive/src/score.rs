//! Computes the probability that a place is the intended one, from a few named features.
//!
//! The model is additive in log-odds: a place starts with the value of a perfect one, and each feature subtracts a cost
//! beyond its limits. It is monotone: a flaw never helps. `cargo xtask fit` computes limits and costs from labelled
//! edits; [`Model::FITTED`] has them.

use std::borrow::Cow;

use fuzzy_core::report::{Feature, Repair, ScoreBreakdown};
use fuzzy_core::{Failure, Refusal, Splice};
use fuzzy_locate::{Needle, Place};
use fuzzy_merge::{Finding, Kind, LeftOut, Line, Merged, Rule, information};

use crate::rules::other_name::MIN_CLEAR_SIMILARITY;
use crate::rules::{equal_place, gravest, low_score, single_line};

/// The least probability of an accepted place: a wrong landing costs as much as 30 refusals.
pub const ACCEPTED: f32 = 30.0 / 31.0;

/// The least probability of a proposal: the caller checks it before it lands.
const MIN_PROPOSED: f32 = 0.5;

/// The rules whose doubt a reader of the proposal can settle, beside those about the place of new lines.
const SMALL_DOUBTS: [&str; 2] = ["single-line", "other-block-end"];

/// A kind of feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureKind {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// Whether greater values are better.
    pub more_is_better: bool,
}

impl FeatureKind {
    /// All features, in the order of a model's steps.
    pub const ALL: [Self; FEATURES] = [
        Self {
            name: "lead",
            meaning: "how much better the place explains the needle than the next one",
            more_is_better: true,
        },
        Self {
            name: "clearance",
            meaning: "the share of the next place's flaws that this place lacks",
            more_is_better: true,
        },
        Self {
            name: "alone",
            meaning: "information in lines that occur unchanged, and only once in the file",
            more_is_better: true,
        },
        Self { name: "touched", meaning: "the share of the deleted text that was found", more_is_better: true },
        Self { name: "unlike", meaning: "letters that differ in the aligned lines", more_is_better: false },
        Self { name: "extra", meaning: "the share of the needle's lines that the place lacks", more_is_better: false },
        Self {
            name: "breaks",
            meaning: "barely similar lines and gaps in the alignment; a wide gap counts twice",
            more_is_better: false,
        },
    ];

    /// Returns whether a value is worse than a limit.
    #[must_use]
    pub fn is_beyond(&self, value: f32, limit: f32) -> bool {
        if self.more_is_better { value < limit } else { value > limit }
    }
}

/// The number of features.
pub const FEATURES: usize = 7;

/// Indexes of single features among the values.
const LEAD: usize = 0;
const CLEARANCE: usize = 1;
const TOUCHED: usize = 3;

/// The cost of a feature beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The last value without this cost, in the feature's unit.
    pub limit: f32,
    /// The cost of a worse value, in log-odds; never less than 0.
    pub cost: f32,
}

/// Makes an accuracy; keeps the table short.
pub(crate) const fn accuracy(name: &'static str, right: f32) -> TextAccuracy {
    TextAccuracy { name, right }
}

/// Makes a step; keeps the table short.
pub(crate) const fn step(limit: f32, cost: f32) -> Step {
    Step { limit, cost }
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

/// The model of a place's probability, and of its text's.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The log-odds of a place without a flaw.
    pub perfect: f32,
    /// The share of right texts among landings without a repair, 0 to 1.
    pub plain: f32,
    /// The accuracy of each repair, by name.
    pub repairs: Cow<'static, [TextAccuracy]>,
    /// The steps of each feature.
    pub steps: [Cow<'static, [Step]>; FEATURES],
}

impl Model {
    /// Returns each feature's contribution to the log-odds; never more than 0.
    #[must_use]
    pub fn contributions(&self, values: &[f32; FEATURES]) -> [f32; FEATURES] {
        std::array::from_fn(|at| {
            let steps = self.steps[at].iter().filter(|step| FeatureKind::ALL[at].is_beyond(values[at], step.limit));
            -steps.map(|step| step.cost).sum::<f32>()
        })
    }

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

    /// Returns the probability that a place with these values is the intended one, 0 to 1.
    #[must_use]
    pub fn probability(&self, values: &[f32; FEATURES]) -> f32 {
        let log_odds = self.perfect + self.contributions(values).iter().sum::<f32>();
        1.0 / (1.0 + (-log_odds).exp())
    }
}

/// The measured features of a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Score {
    values: [f32; FEATURES],
    /// The names of the repairs, which lower the confidence.
    repairs: Vec<&'static str>,
    /// The rule that refuses the edit whatever the probability of the place, if one does.
    pub(crate) ruled_out: Option<&'static Rule>,
    /// Whether the only evidence is one line that differs from the needle.
    pub(crate) is_single_line: bool,
    /// Whether the merged text breaks a law of the audit; computed only for a text that may be proposed.
    pub(crate) breaks_law: bool,
    /// Whether the place has other words where the edit changes nothing: it may be a similar block.
    has_other_words: bool,
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
        merged: &Merged,
        repairs: Vec<&'static str>,
        left_out: LeftOut,
    ) -> Self {
        let evidence = &merged.evidence;
        let lead = rival.map(|rival| place.score - rival.max(0.0));
        let flaws = (1.0 - place.score).max(0.0);
        let alone = place.pairs.iter().filter(|pair| pair.similarity >= 1.0 && needle.is_unique(pair.left.start));
        let weak = place.pairs.iter().filter(|pair| pair.similarity < MIN_CLEAR_SIMILARITY).count();
        let (gaps, wide) = gaps(needle, place);
        let values = [
            lead.unwrap_or(1.0),
            lead.map_or(1.0, |lead| share(lead, lead + flaws)),
            alone.flat_map(|pair| needle.paired(pair)).map(|line| information(line.key)).sum(),
            share(evidence.touched_found, evidence.touched),
            place.pairs.iter().map(|pair| (1.0 - pair.similarity) * letters(needle.paired(pair))).sum(),
            1.0 - share(place.pairs.iter().map(|pair| needle.weight(pair)).sum(), needle.total),
            (weak + gaps + wide) as f32,
        ];
        let tie = equal_place::check(lead).then_some(&equal_place::RULE).and_then(|rule| left_out.keep(rule));
        let similarity = place.similarity.max(share(evidence.old_found, evidence.old));
        let is_single_line = single_line::check(needle.lines.len(), similarity);
        let single_line = is_single_line.then_some(&single_line::RULE).and_then(|rule| left_out.keep(rule));
        let ruled_out = gravest(&merged.findings, tie).or(single_line);
        let (findings, undone) = (merged.findings.clone(), merged.undone.clone());
        let has_other_words = evidence.replaced_words > 0;
        Self { values, repairs, ruled_out, is_single_line, breaks_law: false, has_other_words, findings, undone }
    }

    fn probability(&self) -> f32 {
        Model::FITTED.probability(&self.values)
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
            // A conflict counts only if this is probably the intended place.
            Kind::Conflict if self.is_probable() && !self.has_other_words => {
                // The decision fills in the conflicts, if it is final.
                (rule, Failure::Refused(Refusal::Conflict { conflicts: Vec::new() }))
            }
            Kind::Conflict | Kind::Absent => (rule, too_different()),
            Kind::Place => (rule, other_place),
            _ if is_likely => (rule, Failure::Refused(Refusal::Uncertain)),
            _ => (&low_score::RULE, other_place),
        })
    }

    /// Returns whether the place would be accepted without its rivals.
    fn is_likely_without_rivals(&self) -> bool {
        let mut values = self.values;
        (values[LEAD], values[CLEARANCE]) = (1.0, 1.0);
        Model::FITTED.probability(&values) >= ACCEPTED
    }

    /// Returns whether the text is worth proposing: the only doubt is the place of new lines, or that the old text is
    /// one line, and the file has all of the deleted text.
    pub(crate) fn is_worth_proposing(&self) -> bool {
        let is_new_text = self.values[TOUCHED] >= 1.0 && !self.breaks_law;
        let is_small = |rule: &Rule| rule.kind == Kind::InsertionPoint || SMALL_DOUBTS.contains(&rule.name);
        is_new_text && self.is_probable() && self.ruled_out.is_none_or(is_small)
    }

    /// Returns whether this is more likely the intended place than not.
    fn is_probable(&self) -> bool {
        self.probability() >= MIN_PROPOSED
    }

    /// Returns the score in the engine's type, with the proposed splice.
    pub(crate) fn breakdown(&self, splice: Splice) -> ScoreBreakdown {
        let adds = Model::FITTED.contributions(&self.values);
        let features = FeatureKind::ALL.iter().zip(self.values.iter().zip(adds));
        let repair = |&name| Repair { name, right: f64::from(Model::FITTED.accuracy(name)) };
        ScoreBreakdown {
            splice,
            probability: f64::from(self.probability()),
            accepted: f64::from(ACCEPTED),
            perfect: f64::from(Model::FITTED.perfect),
            features: features
                .map(|(kind, (&value, adds))| Feature {
                    name: kind.name,
                    meaning: kind.meaning,
                    value: f64::from(value),
                    adds: f64::from(adds),
                })
                .collect(),
            repairs: self.repairs.iter().map(repair).collect(),
            ruled_out: self.ruled_out.map(|rule| rule.why),
        }
    }
}

/// Returns the number of letters and digits of lines.
fn letters(lines: &[Line<'_>]) -> f32 {
    lines.iter().map(|line| line.key.word).sum::<u32>() as f32
}

/// Returns a part's share of the whole; 1 if the whole is empty.
fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

/// Returns the number of gaps in the alignment, and of wide gaps in the file's lines.
fn gaps(needle: &Needle<'_>, place: &Place) -> (usize, usize) {
    let mut count = 0;
    let mut left = 0;
    let mut right = None;
    for pair in &place.pairs {
        let between = &needle.lines[left..pair.left.start];
        let extra = between.iter().any(|line| !line.elision);
        let elided = between.iter().any(|line| line.elision);
        let missing = right.map_or(0, |end| pair.right.start - end);
        count += usize::from(extra || (missing > 0 && !elided));
        left = pair.left.end;
        right = Some(pair.right.end);
    }
    count += usize::from(needle.lines[left..].iter().any(|line| !line.elision));
    let wide = place.pairs.windows(2).filter(|pairs| needle.is_wide(&pairs[0], &pairs[1])).count();
    (count, wide)
}
