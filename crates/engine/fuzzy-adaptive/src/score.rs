//! Computes the probability that a place is the intended one, from a few named features.
//!
//! The model is additive in log-odds: a place starts with the value of a perfect one, and each feature subtracts a cost
//! beyond its limits. It is monotone: a flaw never helps. `cargo xtask fit` computes limits and costs from labelled
//! edits; [`Model::FITTED`] has them.

use std::borrow::Cow;

use fuzzy_alignment::{Needle, Place, TIE};
use fuzzy_core::{Feature, ScoreBreakdown, Splice};
use fuzzy_merge::{Finding, Kind as RuleKind, Line, Merged, information};

/// The least probability of an accepted place: a wrong landing costs as much as 30 refusals.
pub const ACCEPTED: f32 = 30.0 / 31.0;

/// The least probability of a proposal: the caller checks it before it lands.
pub(crate) const MIN_PROPOSED: f32 = 0.5;

/// The least similarity of a line and its clear copy.
const MIN_CLEAR_SIMILARITY: f32 = 0.85;

/// A kind of feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// Whether greater values are better.
    pub more_is_better: bool,
}

impl Kind {
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

/// The least similarity of a one-line needle without an exact place: a different argument is as small a difference as a
/// typing slip.
const MIN_SINGLE_LINE_SIMILARITY: f32 = 0.965;

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

/// Makes a step; keeps the table short.
pub(crate) const fn step(limit: f32, cost: f32) -> Step {
    Step { limit, cost }
}

/// The model of a place's probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The log-odds of a place without a flaw.
    pub perfect: f32,
    /// The share of right texts at right places, 0 to 1.
    pub text_accuracy: f32,
    /// The steps of each feature.
    pub steps: [Cow<'static, [Step]>; FEATURES],
}

impl Model {
    /// Returns each feature's contribution to the log-odds; never more than 0.
    #[must_use]
    pub fn contributions(&self, values: &[f32; FEATURES]) -> [f32; FEATURES] {
        std::array::from_fn(|at| {
            let steps = self.steps[at].iter().filter(|step| Kind::ALL[at].is_beyond(values[at], step.limit));
            -steps.map(|step| step.cost).sum::<f32>()
        })
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
    pub(crate) ruled_out: Option<RuledOut>,
    /// Whether the only evidence is one line that differs from the needle.
    is_single_line: bool,
    /// Whether the place has other words where the edit changes nothing: it may be a similar block.
    has_other_words: bool,
}

/// A reason for a refusal that no probability overrides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuledOut {
    /// The place lacks the text that the edit changes.
    Absent,
    /// The file and the new text change the same words of the needle.
    Conflict,
    /// A line of the needle occurs elsewhere, and the place has another line instead.
    Elsewhere,
    /// The only evidence is one line that differs from the needle.
    SingleLine,
    /// Another place explains the needle equally well.
    Tie,
    /// The merge has doubts: it deleted lines that the needle lacks, or does not know an end of the place.
    Uncertain,
    /// New lines could land in several places among lines that the needle omits.
    Insertion,
    /// The merged text breaks a law of the audit.
    AuditFailed,
}

/// The obstacle of an edit, for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// Other places explain the needle, too.
    Rivals,
    /// How to fit the replacement is uncertain.
    Uncertain,
    /// The place differs too much, or lacks the text that the edit changes.
    TooDifferent,
    /// The place has a text of its own where the edit changes the needle.
    Conflict,
}

impl RuledOut {
    /// Returns the weightiest of some reasons.
    fn of(findings: &[Finding], tied: bool) -> Option<Self> {
        let has = |kind| findings.iter().any(|finding| finding.rule.kind == kind);
        if has(RuleKind::Absent) {
            Some(Self::Absent)
        } else if has(RuleKind::Conflict) && !has(RuleKind::ForgottenLines) {
            Some(Self::Conflict)
        } else if tied {
            Some(Self::Tie)
        } else if findings.is_empty() {
            None
        } else if findings.iter().all(|finding| finding.rule.kind == RuleKind::InsertionPoint) {
            Some(Self::Insertion)
        } else {
            Some(Self::Uncertain)
        }
    }

    /// Returns the reason in words.
    const fn reason(self) -> &'static str {
        match self {
            Self::Absent => "the place lacks the text that the edit changes",
            Self::Conflict => "the file has something of its own where the edit changes something",
            Self::Elsewhere => "a line of the old text occurs elsewhere, and another one here",
            Self::SingleLine => "one line alone must be nearly equal to the old text",
            Self::Tie => "another place explains the needle as well",
            Self::Uncertain => "how to fit the new text is uncertain",
            Self::Insertion => "new lines could land in several places",
            Self::AuditFailed => "the new text cannot be fitted to the place",
        }
    }
}

impl Score {
    /// Measures a place; `rival` is the score of the next one.
    pub(crate) fn new(needle: &Needle<'_>, place: &Place, rival: Option<f32>, merged: &Merged) -> Self {
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
        let ruled_out = RuledOut::of(&merged.findings, lead.is_some_and(|lead| lead < TIE));
        let similarity = place.similarity.max(share(evidence.old_found, evidence.old));
        let is_single_line = needle.lines.len() == 1 && similarity < MIN_SINGLE_LINE_SIMILARITY;
        let ruled_out = ruled_out.or(is_single_line.then_some(RuledOut::SingleLine));
        Self { values, ruled_out, is_single_line, has_other_words: evidence.another > 0 }
    }

    fn probability(&self) -> f32 {
        Model::FITTED.probability(&self.values)
    }

    /// Returns the probability of the right text at the right place.
    pub(crate) fn confidence(&self) -> f32 {
        Model::FITTED.text_accuracy * self.probability()
    }

    /// Returns the obstacle, if there is one.
    pub(crate) fn obstacle(&self) -> Option<Obstacle> {
        let is_likely = self.probability() >= ACCEPTED;
        match self.ruled_out {
            // A conflict counts only if this is probably the intended place.
            Some(RuledOut::Conflict) if self.is_probable() && !self.has_other_words => Some(Obstacle::Conflict),
            Some(RuledOut::Absent | RuledOut::Conflict | RuledOut::Elsewhere | RuledOut::SingleLine) => {
                Some(Obstacle::TooDifferent)
            }
            None if is_likely => None,
            Some(RuledOut::Uncertain | RuledOut::Insertion | RuledOut::AuditFailed) if is_likely => {
                Some(Obstacle::Uncertain)
            }
            // More context helps only if the place would be accepted without its rivals.
            _ if self.is_likely_without_rivals() => Some(Obstacle::Rivals),
            _ => Some(Obstacle::TooDifferent),
        }
    }

    /// Returns whether the place would be accepted without its rivals.
    fn is_likely_without_rivals(&self) -> bool {
        let mut values = self.values;
        (values[LEAD], values[CLEARANCE]) = (1.0, 1.0);
        Model::FITTED.probability(&values) >= ACCEPTED
    }

    /// Returns whether the text is worth proposing: the only doubt is the place of new lines, and the file has all of
    /// the deleted text.
    pub(crate) fn is_worth_proposing(&self) -> bool {
        let is_new_text = self.values[TOUCHED] >= 1.0;
        is_new_text && self.is_probable() && matches!(self.ruled_out, None | Some(RuledOut::Insertion))
    }

    /// Returns whether the place has evidence besides the conflicting line.
    pub(crate) fn has_other_evidence(&self) -> bool {
        !self.is_single_line
    }

    /// Returns whether this is more likely the intended place than not.
    fn is_probable(&self) -> bool {
        self.probability() >= MIN_PROPOSED
    }

    /// Returns the score in the engine's type, with the proposed splice.
    pub(crate) fn breakdown(&self, splice: Splice) -> ScoreBreakdown {
        let adds = Model::FITTED.contributions(&self.values);
        let features = Kind::ALL.iter().zip(self.values.iter().zip(adds));
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
            ruled_out: self.ruled_out.map(RuledOut::reason),
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
