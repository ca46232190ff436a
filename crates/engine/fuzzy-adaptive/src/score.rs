//! Says how likely a place is the one that was meant, from a few named features of it.
//!
//! The model is additive: a place starts with what a perfect one is worth, and each feature takes something away
//! where it lies beyond a limit, in log-odds. It is monotone, so no flaw ever helps. The limits' costs occur in
//! [`Model::FITTED`], which `cargo xtask fit` makes from labelled edits.

use std::borrow::Cow;

use fuzzy_alignment::{Needle, Place, TIE};
use fuzzy_core::{Feature, ScoreBreakdown, Splice};
use fuzzy_merge::{Finding, Kind as RuleKind, Line, Merged, information};

/// A wrong landing costs as much as 30 refusals, so a place has to be right 30 times out of 31.
pub const ACCEPTED: f32 = 30.0 / 31.0;

/// The least probability of a proposal: it is checked before it lands, so it has to be rather right than wrong.
pub(crate) const MIN_PROPOSED: f32 = 0.5;

/// The least similarity of two lines that are clearly one, miscopied.
const MIN_CLEAR_SIMILARITY: f32 = 0.85;

/// A kind of feature of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What it measures.
    pub meaning: &'static str,
    /// Whether more of it is better; else less is.
    pub more_is_better: bool,
}

impl Kind {
    /// The features, in the order in which a model has their steps.
    pub const ALL: [Self; FEATURES] = [
        Self {
            name: "lead",
            meaning: "how much better the place explains the needle than the next one",
            more_is_better: true,
        },
        Self {
            name: "clearance",
            meaning: "the share of the next place's flaws that this one has not",
            more_is_better: true,
        },
        Self {
            name: "alone",
            meaning: "telling lines found as they are that stand nowhere else in the file",
            more_is_better: true,
        },
        Self { name: "touched", meaning: "the share of what the edit takes away that was found", more_is_better: true },
        Self { name: "unlike", meaning: "letters that differ in the lines found", more_is_better: false },
        Self { name: "extra", meaning: "the share of the needle's lines that the place lacks", more_is_better: false },
        Self {
            name: "breaks",
            meaning: "lines hardly alike, and places where needle and file part, a wide one counted twice",
            more_is_better: false,
        },
    ];

    /// Returns whether a value is worse than a limit.
    #[must_use]
    pub fn is_beyond(&self, value: f32, limit: f32) -> bool {
        if self.more_is_better { value < limit } else { value > limit }
    }
}

/// How many features there are.
pub const FEATURES: usize = 7;

/// The least likeness of a needle of one line that occurs nowhere as it is to its place: another argument is as small a
/// difference as a slip of the finger.
const MIN_SINGLE_LINE_SIMILARITY: f32 = 0.965;

/// The positions of single features among the values: two that compare rivals, and what the edit takes away.
const LEAD: usize = 0;
const CLEARANCE: usize = 1;
const TOUCHED: usize = 3;

/// What a feature takes away beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The value that is still good enough.
    pub limit: f32,
    /// What a worse one costs, in log-odds; never less than 0.
    pub cost: f32,
}

/// Makes a step; the table is easier to read that way.
pub(crate) const fn step(limit: f32, cost: f32) -> Step {
    Step { limit, cost }
}

/// What places are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The log-odds of a place without a flaw.
    pub perfect: f32,
    /// The share of the texts that are right where the place is: what the place cannot tell.
    pub text_accuracy: f32,
    /// The steps of each feature.
    pub steps: [Cow<'static, [Step]>; FEATURES],
}

impl Model {
    /// Returns what each feature adds to the log-odds of a perfect place: nothing, or less than that.
    #[must_use]
    pub fn contributions(&self, values: &[f32; FEATURES]) -> [f32; FEATURES] {
        std::array::from_fn(|at| {
            let steps = self.steps[at].iter().filter(|step| Kind::ALL[at].is_beyond(values[at], step.limit));
            -steps.map(|step| step.cost).sum::<f32>()
        })
    }

    /// Returns the probability that a place with these values is the one that was meant.
    #[must_use]
    pub fn probability(&self, values: &[f32; FEATURES]) -> f32 {
        let log_odds = self.perfect + self.contributions(values).iter().sum::<f32>();
        1.0 / (1.0 + (-log_odds).exp())
    }
}

/// What the decision about a place rests on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Score {
    values: [f32; FEATURES],
    pub(crate) ruled_out: Option<RuledOut>,
    /// Whether nothing but one line, which differs, shows the place.
    is_single_line: bool,
    /// Whether the place has other words where the edit changes nothing.
    has_other_words: bool,
}

/// What keeps an edit from landing however good its place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuledOut {
    /// What the edit changes is not there.
    Absent,
    /// File and new text both differ from the needle at the same words.
    Conflict,
    /// A line of the needle occurs elsewhere, and at the place another in its stead.
    Elsewhere,
    /// Nothing but one line, which differs, shows the place.
    SingleLine,
    /// Another place explains the needle as well.
    Tie,
    /// Lines went that the needle does not have, or an end of the place is not known.
    Uncertain,
    /// New lines occur somewhere among lines that the needle forgot.
    Insertion,
    /// The text breaks a law of merging.
    AuditFailed,
}

/// What is in the way of an edit, for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// Other places would do as well.
    Rivals,
    /// Fitting the replacement takes a guess.
    Uncertain,
    /// The place is too unlike, or what the edit changes is not there.
    TooDifferent,
    /// The place has something of its own where the edit changes something.
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

    /// Says it to people.
    const fn reason(self) -> &'static str {
        match self {
            Self::Absent => "what the edit changes is not there",
            Self::Conflict => "the file has something of its own where the edit changes something",
            Self::Elsewhere => "a line of the old text occurs elsewhere, and another one here",
            Self::SingleLine => "one line alone must be nearly as the old text has it",
            Self::Tie => "another place explains the needle as well",
            Self::Uncertain => "fitting the new text takes a guess",
            Self::Insertion => "new lines could stand in several places",
            Self::AuditFailed => "the new text cannot be fitted to the place",
        }
    }
}

impl Score {
    /// Measures a place. `rival` is the score of the next one.
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

    /// Returns the probability that what would land is what was meant: the right text at the right place.
    pub(crate) fn confidence(&self) -> f32 {
        Model::FITTED.text_accuracy * self.probability()
    }

    /// Returns what is in the way of the edit, if anything is.
    pub(crate) fn obstacle(&self) -> Option<Obstacle> {
        let is_likely = self.probability() >= ACCEPTED;
        match self.ruled_out {
            // Of a place that may well be another one than the one meant, what it has says nothing.
            Some(RuledOut::Conflict) if self.is_probable() && !self.has_other_words => Some(Obstacle::Conflict),
            Some(RuledOut::Absent | RuledOut::Conflict | RuledOut::Elsewhere | RuledOut::SingleLine) => {
                Some(Obstacle::TooDifferent)
            }
            None if is_likely => None,
            Some(RuledOut::Uncertain | RuledOut::Insertion | RuledOut::AuditFailed) if is_likely => {
                Some(Obstacle::Uncertain)
            }
            // More context helps only where each of the places would do.
            _ if self.is_likely_without_rivals() => Some(Obstacle::Rivals),
            _ => Some(Obstacle::TooDifferent),
        }
    }

    /// Returns whether the place would be accepted if no other resembled it.
    fn is_likely_without_rivals(&self) -> bool {
        let mut values = self.values;
        (values[LEAD], values[CLEARANCE]) = (1.0, 1.0);
        Model::FITTED.probability(&values) >= ACCEPTED
    }

    /// Returns whether what would land is worth a look: nothing is guessed but where new lines go, and
    /// what the edit takes away occurs in the file, letter by letter.
    pub(crate) fn is_worth_proposing(&self) -> bool {
        let is_new_text = self.values[TOUCHED] >= 1.0;
        is_new_text && self.is_probable() && matches!(self.ruled_out, None | Some(RuledOut::Insertion))
    }

    /// Returns whether more than the line that is in conflict shows the place.
    pub(crate) fn has_other_evidence(&self) -> bool {
        !self.is_single_line
    }

    /// Returns whether the place is rather the one meant than another one.
    fn is_probable(&self) -> bool {
        self.probability() >= MIN_PROPOSED
    }

    /// Returns what would land, and what the decision rests on, in the engine's words.
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

/// Returns a part's share; the whole where there is nothing to have a part of.
fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

/// Returns the number of places where needle and file part, and those where the file has many lines more.
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
