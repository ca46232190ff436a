//! The decider: where an edit lands and what it writes there.

use std::cell::OnceCell;
use std::ops::Range;

use fuzzy_alignment::{Search, any_word_stands, of_lines, similarity, trimmed_place};
use fuzzy_core::blank::is_blank;
use fuzzy_core::{
    Candidate, Decided, Decider, Failure, Landing, Match, Places, Query, Question, Refusal, Span, Splice, Strategy,
};
use fuzzy_merge::narrowed;

use crate::decision::{Decision, EXACT, NAME, Reason, whole_lines};
use crate::exact::exact;
use crate::judge::Judge;
use crate::trace::Kept;
use crate::trimmed;

/// Accepts the place that the needle's lines align with best where it is good enough and clearly ahead, and carries
/// the replacement over to it.
///
/// # Complexity
///
/// A few substring passes over the haystack for an exact needle, for one that differs in the blanks
/// around its lines only, and for one whose words do not occur in it; else one pass to index the
/// lines, and alignments of the needle with a few windows of its size.
#[derive(Debug)]
pub struct Adaptive;

impl Decider for Adaptive {
    fn name(&self) -> &'static str {
        "margin"
    }

    fn fits_line_endings(&self) -> bool {
        true
    }

    fn decide<'q>(&self, strategies: &'q [&'static dyn Strategy], question: &Question<'q>) -> Decided<'q> {
        let mut seen = Seen::default();
        let mut decision = seen.decide(question);
        let query = &question.query;
        let haystack = query.haystack();
        let judged = match &decision {
            Decision::Lands { splices, similarity, .. } => {
                splices.first().map(|splice| (whole_lines(haystack, splice.span.range()), *similarity))
            }
            Decision::Found { at, similarity, .. } => Some((whole_lines(haystack, at.clone()), *similarity)),
            Decision::Refused { judged, .. } => judged.clone(),
            Decision::AlreadyApplied { .. } => None,
        };
        let score = match &decision {
            Decision::Lands { splices, score: Some(score), .. } => {
                splices.first().map(|splice| (splice.clone(), score.clone()))
            }
            Decision::Refused { score, .. } => score.clone(),
            _ => None,
        };
        let judged = judged.map(|(at, alike)| Candidate::new(Span::new(at.start, at.end), similarity(alike)));
        let contest = match &mut decision {
            Decision::Refused { contest, .. } => contest.take(),
            _ => None,
        };
        let (result, meant) = told(question, decision, judged);
        let result = query.stopped().map_or(result, |stop| Err(stop.into()));
        let found = result.as_ref().map(|landing| landing.found).map_err(|failure| *failure);
        let Seen { exact, search, located, .. } = seen;
        let kept =
            Kept { strategies, found, exact, search, located, judged, meant, score, contest, shown: OnceCell::new() };
        Decided { result, trace: Box::new(kept) }
    }
}

/// What was looked at on the way to a decision.
#[derive(Default)]
struct Seen<'q> {
    /// The places of a needle that occurs as it is, if they are several.
    exact: Places,
    /// The search of the whole haystack.
    search: Option<Search<'q>>,
    /// What it found, if it was asked for one place.
    located: OnceCell<Option<fuzzy_alignment::Located>>,
    /// The same, where a line has chosen between equal places.
    chosen: OnceCell<Option<fuzzy_alignment::Located>>,
}

impl<'q> Seen<'q> {
    fn decide(&mut self, question: &Question<'q>) -> Decision {
        let Question { query, replacement, replace_all, .. } = question;
        if let Some((decision, places)) = exact(question) {
            self.exact = places;
            return decision;
        }
        let needle = query.needle();
        if needle.chars().all(is_blank) {
            return Decision::refused(Reason::NotFound);
        }
        if !replace_all && let Some(place) = trimmed_place(query) {
            let Some(replacement) = replacement else {
                let end = place.end - usize::from(query.haystack()[place.clone()].ends_with('\r'));
                return Decision::Found { at: place.start..end, similarity: 1.0, confidence: 1.0 };
            };
            let (search, located) = trimmed::search(query, replacement, place);
            // Where the index was cut short the place may lie beyond it.
            if query.stopped().is_some() {
                return Decision::refused(Reason::NotFound);
            }
            return Judge { query, search: &search, is_chosen: false }.decide(&located);
        }
        // Who asks for all places without a new text is told those that a deletion would take.
        let new = replacement.unwrap_or(if *replace_all { "" } else { needle });
        let readings = of_lines(needle, new);
        if !any_word_stands(query, &readings, new) {
            return Decision::refused(Reason::NotFound);
        }
        let search = self.search.insert(Search::new(query, readings));
        if query.stopped().is_some() {
            return Decision::refused(Reason::NotFound);
        }
        let judge = Judge { query, search, is_chosen: false };
        if *replace_all {
            return judge.all();
        }
        let Some(located) = self.located.get_or_init(|| search.locate(query)) else {
            return Decision::refused(Reason::NotFound);
        };
        let chosen = self.chosen.get_or_init(|| judge.by_line(located, question)).as_ref();
        let judge = Judge { is_chosen: chosen.is_some(), ..judge };
        let located = chosen.unwrap_or(located);
        if replacement.is_none() {
            return judge.place(located);
        }
        let decision = judge.decide(located);
        let Some(mended) = search.mended(query, located) else { return decision };
        search.add(mended);
        let again = search.locate(query).filter(|located| located.reading + 1 == search.readings.len());
        if let Some(located) = again {
            let mended = Judge { query, search, is_chosen: false }.decide(&located);
            if matches!(mended, Decision::Lands { .. }) {
                self.located = OnceCell::from(Some(located));
                return mended;
            }
        }
        search.readings.pop();
        decision
    }
}

/// Tells a decision in the engine's words; also what would land if the caller let it.
fn told(
    question: &Question<'_>,
    decision: Decision,
    judged: Option<Candidate>,
) -> (Result<Landing, Failure>, Option<Splice>) {
    match decision {
        Decision::Lands { splices, similarity, confidence, .. } => {
            let landing = landing(question, splices, similarity, confidence);
            let meant = landing.splices.as_ref().and_then(|splices| match &splices[..] {
                [splice] => Some(splice.clone()),
                _ => None,
            });
            (Ok(landing), meant)
        }
        Decision::Found { at, similarity, confidence } => {
            let strategy = if question.query.haystack()[at.clone()] == *question.query.needle() { EXACT } else { NAME };
            (Ok(Landing { found: found(strategy, &at, similarity, confidence), splices: None }), None)
        }
        Decision::AlreadyApplied { span } => {
            (Err(Failure::AlreadyApplied { span: Span::new(span.start, span.end) }), None)
        }
        Decision::Refused { reason, score, .. } => {
            let meant = score.filter(|(_, score)| score.is_worth_proposing()).map(|(splice, _)| splice);
            let failure = match reason {
                Reason::NotFound => Failure::NotFound,
                Reason::Ambiguous(_) => ambiguous(&question.query, judged),
                Reason::Unlike => Failure::Refused(Refusal::TooDifferent),
                Reason::Conflict => Failure::Refused(Refusal::Conflict),
                Reason::Guess => Failure::Refused(Refusal::Uncertain),
            };
            (Err(failure), meant)
        }
    }
}

/// Makes a landing of splices, without the blank lines around them that stay.
fn landing(question: &Question<'_>, splices: Vec<Splice>, similarity: f32, confidence: f32) -> Landing {
    let (haystack, needle) = (question.query.haystack(), question.query.needle());
    let replacement = question.replacement.unwrap_or_default();
    // A landing is called exact where the replacement is pasted over the needle as both are.
    let mut all = splices.iter();
    let is_pasted = all.all(|splice| splice.text == replacement && splice.span.text(haystack) == needle);
    let splices: Vec<_> = splices
        .into_iter()
        .map(|Splice { span, text }| {
            let (span, text) = narrowed(haystack, span.range(), text);
            Splice { span: Span::new(span.start, span.end), text }
        })
        .collect();
    let first = splices.first().map_or(0..0, |splice| splice.span.range());
    let strategy = if is_pasted { EXACT } else { NAME };
    Landing { found: found(strategy, &first, similarity, confidence), splices: Some(splices) }
}

/// Makes a match in the engine's words.
fn found(strategy: &'static str, at: &Range<usize>, alike: f32, confidence: f32) -> Match {
    let candidate = Candidate::new(Span::new(at.start, at.end), similarity(alike));
    Match::new(strategy, candidate).with_confidence(similarity(confidence))
}

/// Names the strategy whose places are counted: the exact ones, if the needle occurs anywhere as it is.
fn ambiguous(query: &Query<'_>, judged: Option<Candidate>) -> Failure {
    match (query.first_exact(), judged) {
        (Some(at), _) => Failure::Ambiguous { strategy: EXACT, span: Span::new(at, at + query.needle().len()) },
        (None, Some(Candidate { span, .. })) => Failure::Ambiguous { strategy: NAME, span },
        (None, None) => Failure::NotFound,
    }
}
