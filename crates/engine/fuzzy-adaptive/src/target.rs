//! Merges an edit with the place that a finder found for it, and decides: a landing, an edit that is made already, or a
//! refusal by a rule or a law.

use std::ops::Range;

use fuzzy_audit::{Equivalences, Landing, broken};
use fuzzy_core::distance::{self, utf16_distance};
use fuzzy_core::{Failure, Query, Refusal, Span};
use fuzzy_locate::{Needle, Place, Search, Variant, alignment_time};
use fuzzy_merge::{Finding, Kind, LeftOut, Merged, Rule, Run, Taken, merge_while, take};

use crate::blocks::LinePair;
use crate::decision::{Decision, NAME, ambiguous, splice};
use crate::repairs::repairs;
use crate::rules::{
    self, broken_law, commented_out, gravest, line_elsewhere, no_change, not_mergeable, other_block, other_name,
    top_level, torn_word,
};
use crate::score::{Model, Score};
use crate::siblings::Names;

/// The most audited lines on each side of a place: repeated blocks are seldom longer.
const MAX_LINES_BESIDE: usize = 40;

/// The place that a finder found, and the texts to merge there.
pub(crate) struct Target<'s, 't> {
    pub(crate) query: &'s Query<'t>,
    pub(crate) left_out: LeftOut,
    /// The bytes of the place in the haystack.
    pub(crate) at: Range<usize>,
    /// Old and new text, after conversions.
    pub(crate) old: &'s str,
    pub(crate) new: &'s str,
    /// Whether the old text is what the file was.
    pub(crate) is_past: bool,
}

/// The alignment that found a place, and its rivals.
pub(crate) struct Alignment<'s> {
    pub(crate) search: &'s Search<'s>,
    pub(crate) variant: &'s Variant<'s>,
    pub(crate) needle: &'s Needle<'s>,
    pub(crate) place: &'s Place,
    /// The score of the next place, 0 if there is none; none if that is no rival.
    pub(crate) rival: Option<f32>,
    /// Whether another place explains the needle equally well.
    pub(crate) is_tie: bool,
}

/// The evidence for a place.
pub(crate) enum Evidence<'s> {
    /// It was searched, and its score decides.
    Aligned(Alignment<'s>),
    /// It is known, and these laws do not apply, by their names.
    Known { exempt: &'static [&'static str] },
}

impl Target<'_, '_> {
    /// Merges the texts with the place, within the query's limits.
    ///
    /// # Errors
    ///
    /// Returns the rule of texts that cannot be merged.
    pub(crate) fn merged(&self) -> Result<Merged, &'static Rule> {
        let Self { query, left_out, at, old, new, is_past } = self;
        let haystack = query.text();
        let lines = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        if query.may_take(alignment_time(lines(old) + lines(new), lines(&haystack[at.clone()]))).is_break() {
            return Err(&not_mergeable::RULE);
        }
        let run = Run { is_needed: &|| !query.is_over(), left_out: *left_out, is_past: *is_past };
        merge_while(haystack, at.clone(), old, new, run).map_err(rules::of_refusal)
    }

    /// Returns the finding of the first law that a merged text breaks. See [`fuzzy_audit`].
    pub(crate) fn broken_law(&self, merged: &Merged, exempt: &[&str]) -> Option<Finding> {
        let (haystack, Range { start, end }) = (self.query.text(), merged.span.clone());
        let place = &haystack[start..end];
        // An added block is no longer than the new text.
        let count = self.new.matches('\n').count().clamp(1, MAX_LINES_BESIDE);
        let bytes = haystack.as_bytes();
        let from = memchr::memrchr_iter(b'\n', &bytes[..start]).nth(count).map_or(0, |at| at + 1);
        let to = memchr::memchr_iter(b'\n', &bytes[end..]).nth(count - 1).map_or(bytes.len(), |at| end + at + 1);
        let landing = Landing {
            before: &haystack[from..start],
            place,
            after: &haystack[end..to],
            needle: &merged.texts[0],
            new: &merged.texts[1],
            given: [self.old, self.new],
            result: &merged.text,
        };
        let applies = |rule: &&Rule| !exempt.contains(&rule.name);
        let mut broken = broken(&landing, Equivalences::between(place, landing.needle));
        broken.find_map(|broken| {
            let rule = self.left_out.keep(broken_law::rule(broken.law)).filter(applies)?;
            Some(Finding::in_merged(rule, broken.token))
        })
    }

    /// Merges the texts, asks rules and laws, and decides.
    pub(crate) fn decide(&self, evidence: &Evidence<'_>) -> Decision {
        let haystack = self.query.text();
        let (alignment, exempt) = match evidence {
            Evidence::Aligned(alignment) => (Some(alignment), &[][..]),
            Evidence::Known { exempt } => (None, *exempt),
        };
        let similarity = alignment.map_or(1.0, |alignment| alignment.place.similarity);
        let refused = |rule, failure| Decision::refused(rule, failure).at(&self.at, similarity);
        let uncertain = |rule| refused(rule, Failure::Refused(Refusal::Uncertain));
        let merged = match self.merged() {
            Ok(merged) => merged,
            Err(rule) => return uncertain(rule),
        };
        let is_unchanged = haystack[merged.span.clone()] == merged.text;
        let mut score = alignment.map(|alignment| alignment.score(&merged, self.left_out));
        let is_single_line = score.as_ref().is_some_and(|score| score.is_single_line);
        // A sibling explains any other doubt.
        let sibling = alignment.and_then(|alignment| alignment.sibling(self, &merged));
        let refusal = match (&mut score, alignment) {
            (Some(score), Some(alignment)) => {
                let is_ambiguous = match &sibling {
                    Some(Sibling { finding, apart }) => {
                        score.ruled_out = Some(finding.rule);
                        apart.is_some()
                    }
                    None => alignment.is_tie,
                };
                score.refusal(is_ambiguous.then(|| ambiguous(&self.at)))
            }
            _ => gravest(&merged.findings, None).map(|rule| (rule, refusal_of_known(rule))),
        };
        if is_unchanged && refusal.is_none() {
            // Else the file lacks the text that the edit changes.
            let is_made = alignment.is_none() || self.is_nearer_to_new(&merged.text);
            return if is_made { Decision::already_applied(&merged.span) } else { uncertain(&no_change::RULE) };
        }
        if self.query.is_over() {
            return uncertain(&not_mergeable::RULE);
        }
        score = score.filter(|_| !is_unchanged);
        // A refusal is audited for its proposal.
        let is_audited = refusal.is_none() || score.as_ref().is_some_and(Score::is_worth_proposing);
        let law = if is_audited { self.broken_law(&merged, exempt) } else { None };
        if let Some(score) = &mut score {
            match &refusal {
                Some(_) => score.breaks_law = law.is_some(),
                None => score.ruled_out = law.as_ref().map(|law| law.rule),
            }
        }
        let apart = sibling.as_ref().and_then(|sibling| sibling.apart);
        let (mut decision, finding) = match (refusal, law) {
            (Some((rule, failure)), _) => (refused(rule, failure), sibling.map(|sibling| sibling.finding)),
            (None, Some(law)) => (uncertain(law.rule), Some(law)),
            (None, None) => {
                let accuracy = || Model::FITTED.text_accuracy(&merged.undone);
                let confidence = score.as_ref().map_or_else(accuracy, Score::confidence);
                let splice = splice(merged);
                let score = score.map(|score| (splice.clone(), score));
                let landing = Decision::lands(haystack, NAME, vec![splice], [similarity, confidence]);
                return Decision { score, ..landing };
            }
        };
        decision.finding = finding.map(Box::new);
        if let Some((alignment, lines)) = alignment.zip(apart) {
            let line = alignment.search.index.lines[lines.theirs];
            decision.other_place = Some(Span::new(line.start, line.end));
            decision.apart = alignment.numbered(self.query, lines);
        }
        decision.score = score.map(|score| (splice(merged), score));
        let proposed = decision.score.iter().find(|(_, score)| score.is_worth_proposing());
        decision.proposal = proposed.map(|(splice, _)| splice.clone());
        if decision.is_conflict() {
            self.add_conflicts(&mut decision, !is_single_line);
        }
        decision
    }

    /// Returns whether a text is nearer to the new text than to the old one; false if the limits do not allow the
    /// comparison.
    fn is_nearer_to_new(&self, text: &str) -> bool {
        let cost = |other: &str| distance::cost(text.len(), other.len());
        self.query.may_take(distance::time(cost(self.old) + cost(self.new))).is_continue()
            && utf16_distance(text, self.new) < utf16_distance(text, self.old)
    }

    /// Adds both versions of each conflict to a refusal. Proposes the new text's version if there is one conflict, like
    /// for like, and the place has other evidence.
    fn add_conflicts(&self, decision: &mut Decision, has_other_evidence: bool) {
        let haystack = self.query.text();
        let Ok(Some(taken)) = take(haystack, self.at.clone(), self.old, self.new) else { return };
        let Taken { merged, conflicts, is_like_for_like, .. } = taken;
        let is_probable = has_other_evidence
            && is_like_for_like
            && merged.findings.is_empty()
            && haystack[merged.span.clone()] != merged.text
            && self.broken_law(&merged, &[]).is_none();
        decision.found = Err(Failure::Refused(Refusal::Conflict { conflicts }));
        decision.proposal = decision.proposal.take().or_else(|| is_probable.then(|| splice(merged)));
    }
}

/// Returns the failure of a finding at a known place.
const fn refusal_of_known(rule: &Rule) -> Failure {
    Failure::Refused(match rule.kind {
        // `add_conflicts` fills them in.
        Kind::Conflict => Refusal::Conflict { conflicts: Vec::new() },
        _ => Refusal::Uncertain,
    })
}

/// The reason to take a place for a sibling of the intended one.
struct Sibling {
    finding: Finding,
    /// A line that is apart from the place, if the rule knows one.
    apart: Option<LinePair>,
}

impl Alignment<'_> {
    /// Measures the place.
    fn score(&self, merged: &Merged, left_out: LeftOut) -> Score {
        let repairs = repairs(self.search, self.variant, self.needle, self.place, merged);
        let texts = (self.variant, merged);
        Score::new(self.needle, self.place, self.rival, texts, repairs, left_out)
    }

    /// Returns whether the place is a sibling of the intended one; none among equal places.
    fn sibling(&self, target: &Target<'_, '_>, merged: &Merged) -> Option<Sibling> {
        if self.is_tie {
            return None;
        }
        let Self { search, needle, place, .. } = *self;
        let changed = &changed(target.query.text(), merged);
        let found = |rule, file: &str, old: &str, apart| {
            let finding = Finding::about(target.left_out.keep(rule)?, file, old);
            Some(Sibling { finding, apart })
        };
        let differing = |rule, lines: Option<LinePair>, is_apart: bool| {
            let LinePair { ours, theirs } = lines?;
            let (file, old) = (search.index.line(theirs).trim(), needle.lines[ours].text.trim());
            found(rule, file, old, lines.filter(|_| is_apart))
        };
        let renamed = || {
            let Names { ours, theirs } = other_name::check(search, needle, place)?;
            found(&other_name::RULE, theirs, ours, None)
        };
        differing(&torn_word::RULE, torn_word::check(search, needle, place), false)
            .or_else(|| differing(&commented_out::RULE, commented_out::check(search, needle, place, changed), false))
            .or_else(|| differing(&line_elsewhere::RULE, line_elsewhere::check(search, needle, place), true))
            .or_else(|| differing(&other_block::RULE, other_block::check(search, needle, place, changed), true))
            .or_else(renamed)
            .or_else(|| differing(&top_level::RULE, top_level::check(search, needle, place), false))
    }

    /// Returns the numbers of a line that is apart from the place in needle and file, and those of a line of the place.
    fn numbered(&self, query: &Query<'_>, apart: LinePair) -> Vec<(usize, usize)> {
        let Self { search, needle, place, .. } = *self;
        let beside = place.pairs.iter().filter(|pair| pair.left.start != apart.ours && pair.similarity >= 1.0);
        let beside = beside.min_by_key(|pair| pair.left.start.abs_diff(apart.ours));
        let beside = beside.map(|pair| LinePair { ours: pair.left.start, theirs: pair.right.start });
        let mut pairs: Vec<LinePair> = [apart].into_iter().chain(beside).collect();
        pairs.sort_unstable_by_key(|pair| pair.ours);
        let number = |at: usize| {
            // Another variant may lack lines of the needle.
            let mut lines = query.old().lines().enumerate().skip(at);
            Some(lines.find(|(_, line)| line.trim() == needle.lines[at].text.trim())?.0 + 1)
        };
        let line_at = |at: usize| query.document().lines().index_of(search.index.lines[at].start) + 1;
        pairs.into_iter().filter_map(|pair| Some((number(pair.ours)?, line_at(pair.theirs)))).collect()
    }
}

/// Returns the bytes of the file from the first to the last that a merge changes.
fn changed(haystack: &str, merged: &Merged) -> Range<usize> {
    let (old, new) = (&haystack.as_bytes()[merged.span.clone()], merged.text.as_bytes());
    let same = |(a, b): &(&u8, &u8)| a == b;
    let start = old.iter().zip(new).take_while(same).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(same).count();
    merged.span.start + start..merged.span.end - end
}
