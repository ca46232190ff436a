//! Says when a place is good enough, and how sure it is.

use fuzzy_carry_over::{Carried, Doubt};

use crate::decide::Reason;
use crate::place::{Needle, Place};

/// Scores that differ by less than this are equal.
pub(crate) const TIE: f32 = 0.02;

/// Holds what the decision rests on; every value runs from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    /// Says how well the best place explains the needle, missing and extra lines counted.
    pub(crate) score: f32,
    /// Gives the lead over the best place that shares no line with it.
    pub(crate) lead: f32,
    /// Gives the share of the needle's lines that were found, weighed by rarity.
    pub(crate) similarity: f32,
    /// Gives the share of the needle's characters that were found.
    pub(crate) characters: f32,
    /// Gives the share of the characters to be taken away that were found.
    pub(crate) touched: f32,
    /// Sums the evidence that was found, in rare lines.
    pub(crate) evidence: f32,
    /// Tells whether the first and the last line are paired.
    pub(crate) pinned: (bool, bool),
    /// Tells whether a stricter equality decided between equals.
    pub(crate) settled: bool,
    pub(crate) absent: bool,
    pub(crate) doubtful: bool,
}

impl Features {
    pub(crate) fn new(needle: &Needle<'_>, place: &Place, second: f32, settled: bool, carried: &Carried) -> Self {
        let share = |part: f32, whole: f32| if whole > 0.0 { part / whole } else { 1.0 };
        let evidence = &carried.evidence;
        Self {
            score: place.score,
            lead: place.score - second.max(0.0),
            similarity: place.similarity,
            characters: share(evidence.needle_found, evidence.needle),
            touched: share(evidence.touched_found, evidence.touched),
            evidence: place.similarity * needle.total,
            pinned: (
                place.pairs.first().is_some_and(|pair| pair.left.0 == 0),
                place
                    .pairs
                    .last()
                    .is_some_and(|pair| pair.left.0 + pair.left.1 == needle.lines.len()),
            ),
            settled,
            absent: carried.doubts.contains(&Doubt::Absent),
            doubtful: !carried.doubts.is_empty(),
        }
    }
}

/// Says what to do with a carried-over edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Accept(f32),
    Propose(Reason),
    Refuse(Reason),
}

/// Judges a place.
pub(crate) fn judge(features: &Features) -> Verdict {
    let f = features;
    if f.lead < TIE && !f.settled {
        return Verdict::Refuse(Reason::Ambiguous(2));
    }
    let lead = if f.settled { 0.2 } else { f.lead };
    if f.absent || f.score < 0.35 || f.touched < 0.5 || f.characters < 0.5 {
        return Verdict::Refuse(Reason::Unlike);
    }
    if lead < 0.12 {
        return Verdict::Refuse(Reason::Ambiguous(2));
    }
    if f.doubtful {
        return Verdict::Propose(Reason::Guess);
    }
    if f.score >= 0.5 && f.touched >= 0.8 && f.characters >= 0.7 {
        return Verdict::Accept(f.score.min(0.99));
    }
    Verdict::Propose(Reason::Unlike)
}
