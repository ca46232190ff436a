//! Counts the answers of each ladder.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use fuzzy_edit::Code;
use schemars::JsonSchema;
use serde::Serialize;

use super::case::Worth;
use super::record::At;
use super::times::{Percentiles, Times};

/// The most disagreements and unreadable lines to list; all are counted.
const LISTED: usize = 1000;

/// The most kinds of drift, and values of a column, to count separately; a log may have a different word on every line.
const KINDS: usize = 1000;

/// The name for all further kinds.
const OTHER_KINDS: &str = "(other)";

/// The answer of one ladder to one edit.
pub(super) struct Answer {
    /// The strategy that found the place, or several places.
    pub(super) strategy: Option<&'static str>,
    /// The failure, or `already_applied`.
    pub(super) code: Option<Code>,
    /// The rule that refused the edit.
    pub(super) rule: Option<&'static str>,
    pub(super) worth: Option<Worth>,
    pub(super) ns: u64,
}

impl Answer {
    /// Returns the strategy that found the place, or the code of the failure.
    pub(super) fn name(&self) -> &'static str {
        self.code.map(Code::as_str).or(self.strategy).unwrap_or_default()
    }

    /// Whether the ladder refused the edit.
    pub(super) fn is_refusal(&self) -> bool {
        self.code.is_some_and(|code| code != Code::AlreadyApplied)
    }
}

/// The verdicts on labelled edits.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
pub(crate) struct Judged {
    /// The result was the expected text, or the expected refusal.
    pub(crate) right: u64,
    /// The result has the words of the expected text, and other whitespace.
    pub(crate) whitespace: u64,
    /// The result was another text, or any text where a refusal was expected.
    pub(crate) wrong: u64,
    /// The edit was refused, although a text was expected.
    pub(crate) missed: u64,
}

impl Judged {
    const fn add(&mut self, worth: Worth) {
        match worth {
            Worth::Right => self.right += 1,
            Worth::Whitespace => self.whitespace += 1,
            Worth::Wrong => self.wrong += 1,
            Worth::Missed => self.missed += 1,
        }
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { right, whitespace, wrong, missed } = self;
        write!(f, "{right}/{whitespace}/{wrong}/{missed}")
    }
}

impl AddAssign for Judged {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.whitespace += other.whitespace;
        self.wrong += other.wrong;
        self.missed += other.missed;
    }
}

/// The decisions of one strategy of a ladder.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
pub(crate) struct Tier {
    /// Edits whose place it found.
    pub(crate) matched: u64,
    /// Edits for which it found several places.
    pub(crate) ambiguous: u64,
    /// Edits whose place it found, and that the first ladder refuses.
    pub(crate) instead: u64,
    /// The verdicts on the labelled ones among them.
    #[serde(flatten)]
    pub(crate) judged: Judged,
}

/// The answers of one ladder to the edits with one value in a column.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
pub(crate) struct Group {
    /// The number of edits.
    pub(crate) edits: u64,
    /// Edits that the ladder carried out.
    pub(crate) matched: u64,
    /// Edits that it refused.
    pub(crate) refused: u64,
    /// The verdicts on the labelled ones among them.
    #[serde(flatten)]
    pub(crate) judged: Judged,
}

impl Group {
    fn add(&mut self, answer: &Answer) {
        self.edits += 1;
        self.matched += u64::from(answer.code.is_none());
        self.refused += u64::from(answer.is_refusal());
        if let Some(worth) = answer.worth {
            self.judged.add(worth);
        }
    }
}

impl AddAssign for Group {
    fn add_assign(&mut self, other: Self) {
        self.edits += other.edits;
        self.matched += other.matched;
        self.refused += other.refused;
        self.judged += other.judged;
    }
}

/// The answers of one ladder to all edits.
#[derive(Default)]
pub(super) struct Tally {
    tiers: BTreeMap<&'static str, Tier>,
    codes: BTreeMap<&'static str, u64>,
    rules: BTreeMap<&'static str, u64>,
    drifts: BTreeMap<String, Judged>,
    /// By column, then by value.
    groups: Vec<BTreeMap<String, Group>>,
    matched: u64,
    judged: Judged,
    times: Times,
}

/// The counts of one ladder, for the report.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct OfLadder {
    pub(crate) ladder: &'static str,
    /// Edits that it carried out.
    pub(crate) matched: u64,
    /// All other edits, by code.
    pub(crate) codes: BTreeMap<&'static str, u64>,
    /// The refused edits, by rule.
    pub(crate) rules: BTreeMap<&'static str, u64>,
    /// The verdicts on the labelled edits.
    #[serde(flatten)]
    pub(crate) judged: Judged,
    /// The times of decision and replacement.
    pub(crate) us: Percentiles,
    /// By the strategy that decided.
    pub(crate) tiers: BTreeMap<&'static str, Tier>,
    /// Labelled edits by kind of drift.
    pub(crate) drifts: BTreeMap<String, Judged>,
    /// The edits by column of `--group-by`, then by value.
    pub(crate) groups: BTreeMap<String, BTreeMap<String, Group>>,
    /// The number of decisions for each doubling of the time, from a nanosecond; for the page.
    #[serde(skip)]
    pub(super) doublings: Vec<u64>,
}

impl Tally {
    /// Makes a tally with this number of columns to group by.
    pub(super) fn new(columns: usize) -> Self {
        Self { groups: vec![BTreeMap::new(); columns], ..Self::default() }
    }

    /// Adds an answer. `groups` are the values of the columns; `is_refused_first` says that the first ladder refuses the
    /// edit.
    pub(super) fn add(&mut self, answer: &Answer, drift: Option<&str>, groups: &[String], is_refused_first: bool) {
        self.times.add(answer.ns);
        for (column, value) in self.groups.iter_mut().zip(groups) {
            entry(column, value).add(answer);
        }
        match answer.code {
            Some(code) => *self.codes.entry(code.as_str()).or_default() += 1,
            None => self.matched += 1,
        }
        if let Some(rule) = answer.rule {
            *self.rules.entry(rule).or_default() += 1;
        }
        if let Some(strategy) = answer.strategy {
            let tier = self.tiers.entry(strategy).or_default();
            if answer.code.is_none() {
                tier.matched += 1;
                tier.instead += u64::from(is_refused_first);
            } else {
                tier.ambiguous += 1;
            }
            if let Some(worth) = answer.worth {
                tier.judged.add(worth);
            }
        }
        if let Some(worth) = answer.worth {
            self.judged.add(worth);
            if let Some(drift) = drift {
                entry(&mut self.drifts, drift).add(worth);
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (strategy, tier) in other.tiers {
            let sum = self.tiers.entry(strategy).or_default();
            sum.matched += tier.matched;
            sum.ambiguous += tier.ambiguous;
            sum.instead += tier.instead;
            sum.judged += tier.judged;
        }
        for (code, count) in other.codes {
            *self.codes.entry(code).or_default() += count;
        }
        for (rule, count) in other.rules {
            *self.rules.entry(rule).or_default() += count;
        }
        for (drift, judged) in other.drifts {
            *entry(&mut self.drifts, &drift) += judged;
        }
        for (column, other) in self.groups.iter_mut().zip(other.groups) {
            for (value, group) in other {
                *entry(column, &value) += group;
            }
        }
        self.matched += other.matched;
        self.judged += other.judged;
        self.times.merge(&other.times);
    }

    pub(super) fn of_ladder(self, ladder: &'static str, columns: &[String]) -> OfLadder {
        let Self { tiers, codes, rules, drifts, groups, matched, judged, times } = self;
        let (us, doublings) = (times.percentiles(), times.doublings());
        let groups = columns.iter().cloned().zip(groups).collect();
        OfLadder { ladder, matched, codes, rules, judged, us, tiers, drifts, groups, doublings }
    }
}

/// Returns the count of a kind, or of all further kinds if there are too many.
fn entry<'m, T: Default>(counts: &'m mut BTreeMap<String, T>, kind: &str) -> &'m mut T {
    let is_new = !counts.contains_key(kind);
    let key = if is_new && counts.len() >= KINDS { OTHER_KINDS } else { kind };
    counts.entry(key.to_owned()).or_default()
}

/// A counter that keeps the first items by position.
pub(super) struct Listed<T> {
    count: u64,
    first: BTreeMap<(usize, u64), T>,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { count: 0, first: BTreeMap::new() }
    }
}

impl<T> Listed<T> {
    pub(super) fn add(&mut self, at: &At, thing: T) {
        self.count += 1;
        self.first.insert((at.file, at.line), thing);
        if self.first.len() > LISTED {
            self.first.pop_last();
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.first.extend(other.first);
        while self.first.len() > LISTED {
            self.first.pop_last();
        }
    }

    pub(super) fn into_list(self) -> List<T> {
        List { count: self.count, first: self.first.into_values().collect() }
    }
}

/// The count of all items, and a list of the first.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct List<T> {
    /// The number of items.
    pub(crate) count: u64,
    /// The first thousand items, in the order of the input.
    pub(crate) first: Vec<T>,
}
