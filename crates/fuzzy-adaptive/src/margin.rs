//! Says when a place is good enough, and how sure it is.

use fuzzy_alignment::{Needle, Place, SOUND, TIE, full_lines};
use fuzzy_carry_over::{Carried, Doubt, Pair};

use crate::decision::Reason;

/// Lines less alike than this are hardly one line miscopied.
const WEAK: f32 = 0.85;

/// A needle of one line that stands nowhere as it is must be at least this much like its place:
/// another argument is as small a difference as a slip of the finger.
const LONE: f32 = 0.965;

/// A place that explains less than this is no place; nor is one with less than half of what the
/// edit changes, or few of the needle's characters.
const HOPELESS: f32 = 0.35;
const HALF: f32 = 0.5;
const FEW: f32 = 0.4;

/// So much of the touched lines must stand in the file, a miscopied word counted in part.
const MOST: f32 = 0.6;

/// A lead of this is clear: about one line in eight. So is one that leaves the next place with two
/// and a half times the flaws.
pub(crate) const CLEAR: f32 = 0.12;
const RIVAL_FLAWS: f32 = 0.4;

/// So much of the evidence must be equal lines for changed ones to lean on; without them the next
/// place must be far behind.
const ANCHORED: f32 = 0.3;
const DISTANT: f32 = 0.4;

/// What most of the evidence is.
const MOSTLY: f32 = 0.7;

/// So many letters that stand here alone prove a place: about one and a half telling lines.
const PROOF: u32 = 30;

/// A needle may differ in one more thing for each so many lines.
const LINES_A_DIFFERENCE: usize = 8;

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
    /// Tells whether the first and the last line are paired.
    pub(crate) pinned: (bool, bool),
    /// Tells whether a stricter equality decided between equals.
    pub(crate) settled: bool,
    /// Says how strictly the place equals the needle.
    pub(crate) strict: u8,
    /// Gives the share of the evidence in lines that were found as they are.
    pub(crate) equal: f32,
    /// Counts lines paired though they differ.
    pub(crate) changed: usize,
    /// Counts those of them that differ much.
    pub(crate) weak: usize,
    /// Counts places where needle and file part: a run of lines that only one of them has.
    pub(crate) gaps: usize,
    /// Counts those where the file has more lines than the whole needle.
    pub(crate) wide: usize,
    pub(crate) lines: usize,
    /// Counts the letters of the lines to be taken away that stand here as they are and nowhere else;
    /// none if one of those lines does not.
    pub(crate) proven: u32,
    /// Counts the words for which the file has quite another.
    pub(crate) another: usize,
    /// Says what had to be guessed.
    pub(crate) guess: Guess,
}

/// Names the worst guess that carrying over took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// Nothing had to be guessed.
    None,
    /// New lines stand somewhere among lines that the needle forgot.
    Insertion,
    /// Lines went that the needle does not have, or an end of the place is not known.
    Extent,
    /// What the edit changes is not there.
    Absent,
}

impl Guess {
    fn of(doubts: &[Doubt]) -> Self {
        if doubts.is_empty() {
            Self::None
        } else if doubts.contains(&Doubt::Absent) {
            Self::Absent
        } else if doubts.iter().all(|&doubt| doubt == Doubt::InsertionPoint) {
            Self::Insertion
        } else {
            Self::Extent
        }
    }
}

impl Features {
    pub(crate) fn new(
        needle: &Needle<'_>,
        place: &Place,
        replacement: &str,
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
            changed: place.pairs.iter().filter(|pair| pair.similarity < 1.0).count(),
            weak: place.pairs.iter().filter(|pair| pair.similarity < WEAK).count(),
            gaps,
            wide,
            lines: needle.lines.len(),
            another: evidence.another,
            proven: proven(needle, place, replacement),
            guess: Guess::of(&carried.doubts),
        }
    }
}

/// Counts the places where needle and file part, and those where the file has many lines more.
fn gaps(needle: &Needle<'_>, place: &Place) -> (usize, usize) {
    let mut count = 0;
    let mut left = 0;
    let mut right = None;
    for pair in &place.pairs {
        let between = &needle.lines[left..pair.left.0];
        let extra = between.iter().any(|line| !line.elision);
        let elided = between.iter().any(|line| line.elision);
        let missing = right.map_or(0, |end| pair.right.0 - end);
        count += usize::from(extra || (missing > 0 && !elided));
        left = pair.left.0 + pair.left.1;
        right = Some(pair.right.0 + pair.right.1);
    }
    count += usize::from(needle.lines[left..].iter().any(|line| !line.elision));
    let wide = place.pairs.windows(2).filter(|pairs| needle.is_wide(&pairs[0], &pairs[1])).count();
    (count, wide)
}

/// Counts the letters of the lines that the replacement leaves out, if all of them are paired with
/// equal ones; those of lines that stand elsewhere too prove nothing.
fn proven(needle: &Needle<'_>, place: &Place, replacement: &str) -> u32 {
    let kept = full_lines(replacement);
    let mut letters = 0;
    for (at, line) in needle.lines.iter().enumerate() {
        if line.elision || kept.iter().any(|kept| kept.key == line.key) {
            continue;
        }
        let holds = |pair: &&Pair| (pair.left.0..pair.left.0 + pair.left.1).contains(&at);
        if !place.pairs.iter().find(holds).is_some_and(|pair| pair.similarity >= 1.0) {
            return 0;
        }
        letters += if needle.is_lone(at) { line.key.word } else { 0 };
    }
    letters
}

/// Says what to do with a carried-over edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Accept(f32),
    Propose(Reason),
    Refuse(Reason),
}

/// Judges a place that `ties` others equal.
pub(crate) fn judge(features: &Features, ties: usize) -> Verdict {
    let f = features;
    let lone = f.lines == 1 && f.equal <= 0.0;
    let sound = f.is_sound();
    let slip = !lone || f.similarity.max(f.characters) >= LONE;
    if f.score < HOPELESS || f.touched < HALF || f.characters < FEW {
        return Verdict::Refuse(Reason::Unlike);
    }
    if (f.lead < TIE && !f.settled) || !f.is_clear() {
        // More context helps only where each of the places would do.
        let reason = if sound && slip { Reason::Ambiguous((ties + 1).max(2)) } else { Reason::Unlike };
        return Verdict::Refuse(reason);
    }
    if f.guess == Guess::Absent {
        return Verdict::Refuse(Reason::Unlike);
    }
    if sound && slip && f.touched >= MOST && f.guess == Guess::None {
        return Verdict::Accept(f.score.min(0.99));
    }
    // A proposal is worth making where one open question is left, not two.
    let near = sound || (f.changed <= 1 && f.gaps <= 2 && f.equal >= MOST);
    let extent = f.wide == 0 || (f.lead >= HALF && f.guess == Guess::None);
    let guess = f.guess == Guess::None || (f.guess == Guess::Insertion && f.pinned == (true, true));
    let reason = if f.guess == Guess::None { Reason::Unlike } else { Reason::Guess };
    if near && !lone && extent && guess { Verdict::Propose(reason) } else { Verdict::Refuse(reason) }
}

impl Features {
    /// Tells whether the place is far enough ahead of the next.
    fn is_clear(&self) -> bool {
        let flaws = 1.0 - self.score;
        self.settled || self.strict >= 2 || self.lead >= CLEAR || flaws <= RIVAL_FLAWS * (flaws + self.lead)
    }

    /// Tells whether so little is wrong with the place that one accident of copying explains it:
    /// the more things differ, the more of the rest must be as it is in the file.
    fn is_sound(&self) -> bool {
        // Where several words are others, and on several lines, it is a sibling that they tell apart.
        if self.another >= 2 && self.changed >= 2 && self.equal < HALF {
            return false;
        }
        let differences = self.weak + self.gaps + self.wide;
        let anchored = self.equal >= ANCHORED || (self.changed <= 2 && self.lead >= DISTANT);
        (self.score >= SOUND && self.wide == 0)
            || (self.gaps == 0 && differences <= 1 && self.score >= MOSTLY && anchored)
            || (differences <= 1 && self.changed <= 1 && self.equal >= HALF - 0.05)
            || (differences == 2 && self.wide == 0 && self.changed <= 2 && self.equal >= MOSTLY - 0.05)
            || (self.proven >= PROOF && self.changed + self.gaps <= 2 && self.wide == 0 && self.pinned == (true, true))
            || (differences <= 1 + self.lines / LINES_A_DIFFERENCE && self.equal >= MOSTLY + 0.05)
    }
}
