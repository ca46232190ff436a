//! Says when a place is good enough, and how sure it is.

use fuzzy_carry_over::{Carried, Doubt};

use crate::decide::Reason;
use crate::place::{Needle, Place};

/// Scores that differ by less than this are equal.
pub(crate) const TIE: f32 = 0.02;

/// A place with this score leaves nothing of the needle unexplained that matters.
pub(crate) const SOUND: f32 = 0.93;

/// Lines less alike than this are hardly one line miscopied.
const WEAK: f32 = 0.85;

/// A block forgotten in one piece is seldom longer than this, or than the needle.
const WIDE: usize = 8;

/// A needle of one line that stands nowhere as it is must be at least this much like its place:
/// another argument is as small a difference as a slip of the finger.
const LONE: f32 = 0.965;

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
    /// Says how strictly the place equals the needle.
    pub(crate) strict: u8,
    /// Gives the share of the evidence in lines that were found as they are.
    pub(crate) equal: f32,
    /// Counts runs of lines that only the needle has.
    pub(crate) extra_runs: usize,
    /// Counts runs of lines that only the file has, and their lines.
    pub(crate) missing_runs: usize,
    pub(crate) missing: usize,
    /// Counts lines paired though they differ.
    pub(crate) changed: usize,
    /// Counts those of them that differ much.
    pub(crate) weak: usize,
    /// Counts places where needle and file part: a run of lines that only one of them has.
    pub(crate) gaps: usize,
    /// Counts those where the file has more lines than the whole needle.
    pub(crate) wide: usize,
    pub(crate) lines: usize,
    pub(crate) absent: bool,
    pub(crate) doubtful: bool,
    /// Tells whether the only doubt is where among forgotten lines new ones belong.
    pub(crate) only_insertion: bool,
}

impl Features {
    pub(crate) fn new(
        needle: &Needle<'_>,
        place: &Place,
        second: f32,
        (settled, strict): (bool, u8),
        carried: &Carried,
    ) -> Self {
        let share = |part: f32, whole: f32| if whole > 0.0 { part / whole } else { 1.0 };
        let evidence = &carried.evidence;
        let (gaps, wide) = gaps(needle, place);
        Self {
            score: place.score,
            lead: place.score - second.max(0.0),
            similarity: place.similarity,
            characters: share(evidence.needle_found, evidence.needle),
            touched: share(evidence.touched_found, evidence.touched),
            evidence: place.similarity * needle.total,
            pinned: (
                place.pairs.first().is_some_and(|pair| pair.left.0 == 0),
                place.pairs.last().is_some_and(|pair| pair.left.0 + pair.left.1 == needle.lines.len()),
            ),
            settled,
            strict,
            equal: place
                .pairs
                .iter()
                .filter(|pair| pair.similarity >= 1.0)
                .map(|pair| {
                    needle.lines[pair.left.0..pair.left.0 + pair.left.1].iter().map(|line| line.weight).sum::<f32>()
                })
                .sum::<f32>()
                / needle.total,
            extra_runs: {
                let mut runs = 0;
                let mut at = 0;
                for pair in &place.pairs {
                    runs += usize::from(needle.lines[at..pair.left.0].iter().any(|line| !line.elision));
                    at = pair.left.0 + pair.left.1;
                }
                runs + usize::from(needle.lines[at..].iter().any(|line| !line.elision))
            },
            missing_runs: place
                .pairs
                .windows(2)
                .filter(|pair| pair[0].right.0 + pair[0].right.1 < pair[1].right.0)
                .count(),
            missing: place.pairs.windows(2).map(|pair| pair[1].right.0 - pair[0].right.0 - pair[0].right.1).sum(),
            changed: place.pairs.iter().filter(|pair| pair.similarity < 1.0).count(),
            weak: place.pairs.iter().filter(|pair| pair.similarity < WEAK).count(),
            gaps,
            wide,
            lines: needle.lines.len(),
            absent: carried.doubts.contains(&Doubt::Absent),
            only_insertion: carried.doubts.iter().all(|&doubt| doubt == Doubt::InsertionPoint),
            doubtful: !carried.doubts.is_empty(),
        }
    }
}

/// Counts the places where needle and file part, and those where the file has many lines more.
fn gaps(needle: &Needle<'_>, place: &Place) -> (usize, usize) {
    let (mut count, mut wide) = (0, 0);
    let mut left = 0;
    let mut right = None;
    for pair in &place.pairs {
        let between = &needle.lines[left..pair.left.0];
        let extra = between.iter().any(|line| !line.elision);
        let elided = between.iter().any(|line| line.elision);
        let missing = right.map_or(0, |end| pair.right.0 - end);
        count += usize::from(extra || (missing > 0 && !elided));
        wide += usize::from(!elided && missing > WIDE.max(needle.lines.len()));
        left = pair.left.0 + pair.left.1;
        right = Some(pair.right.0 + pair.right.1);
    }
    count += usize::from(needle.lines[left..].iter().any(|line| !line.elision));
    (count, wide)
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
    if f.absent || f.score < 0.35 || f.touched < 0.5 || f.characters < 0.4 {
        return Verdict::Refuse(Reason::Unlike);
    }
    let clear = f.settled || f.strict >= 2 || f.lead >= 0.12 || 1.0 - f.score <= 0.4 * (1.0 - f.score + f.lead);
    if !clear {
        return Verdict::Refuse(Reason::Ambiguous(2));
    }
    let events = f.weak + f.gaps + f.wide;
    let alone = f.lines == 1 && f.equal <= 0.0;
    let sound = (f.score >= SOUND && f.wide == 0)
        || (f.gaps == 0 && events <= 1 && f.score >= 0.7 && (f.equal >= 0.3 || (f.changed <= 2 && f.lead >= 0.4)))
        || (events <= 1 && f.changed <= 1 && f.equal >= 0.45)
        || (events == 2 && f.wide == 0 && f.changed <= 2 && f.equal >= 0.65)
        || (events <= 1 + f.lines / 8 && f.equal >= 0.75);
    if sound && f.touched >= 0.6 && !f.doubtful && !(alone && f.similarity.max(f.characters) < LONE) {
        return Verdict::Accept(f.score.min(0.99));
    }
    let near = sound || (f.changed <= 1 && f.gaps <= 2 && f.equal >= 0.6);
    let reason = if f.doubtful { Reason::Guess } else { Reason::Unlike };
    // A proposal is worth making where one open question is left, not two.
    let offered = near
        && !alone
        && (f.wide == 0 || (f.lead >= 0.5 && !f.doubtful))
        && (!f.doubtful || (f.only_insertion && f.pinned == (true, true)));
    if offered {
        return Verdict::Propose(reason);
    }
    Verdict::Refuse(reason)
}
