//! Searches as scenarios: a needle drifted from a block of a haystack, searched by a ladder or by one strategy.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use fuzzy_core::Found;
use fuzzy_pipeline::{Candidate, Document, Ladder, Pipeline, Query, Span, Strategy, ladder};
use fuzzy_testkit::naive;
use memchr::memmem;

use crate::drift::Drift;
use crate::scenario::{Answer, Class, Expected, Scenario, Work};
use crate::texts::Text;

/// The replacement of every search: the timed path is that of an edit.
const REPLACEMENT: &str = "    replaced(by, this);";

/// A needle, a haystack and the expected answer, for any ladder or strategy.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) question: &'static str,
    pub(crate) case: String,
    pub(crate) class: Class,
    pub(crate) haystack: Text,
    pub(crate) needle: String,
    pub(crate) expected: Expected,
    pub(crate) may_be_refused: bool,
}

impl Search {
    /// Searches the clear block of `lines` lines of `haystack`, changed by `drift`.
    pub(crate) fn drifted(question: &'static str, haystack: &Text, lines: usize, drift: Drift) -> Self {
        let block = haystack.clear_block(lines);
        Self {
            question,
            case: drift.name().to_owned(),
            class: drift.class(),
            haystack: haystack.clone(),
            needle: drift.apply(block.text),
            expected: match drift.class() {
                Class::Hit => Expected::Place(Span::new(block.start, block.end())),
                _ => Expected::Nothing,
            },
            may_be_refused: false,
        }
    }

    /// Prefixes the case's name with `prefix`.
    pub(crate) fn named(mut self, prefix: &str) -> Self {
        self.case = format!("{prefix}{}", self.case);
        self
    }

    /// Times the walk of the ladder `name`.
    pub(crate) fn by_ladder(&self, name: &str) -> Scenario {
        let pipeline = pipeline(name);
        let yardstick = (self.case.ends_with(Drift::Exact.name())).then(|| self.count_all());
        let is_affordable = self.can_be_naive(measures(name) || name == "opencode");
        let naive = naive_twin(pipeline.ladder()).filter(|_| is_affordable).map(|naive| self.walk(naive, None));
        // This ladder rates the nearest place and rejects it.
        let may_be_refused = self.may_be_refused || (name == "adaptive" && self.class != Class::Hit);
        Scenario { may_be_refused, yardstick, naive, ..self.scenario(name, self.walk(pipeline, None)) }
    }

    /// Times the walk of the ladder `name` with a deadline, for any answer.
    pub(crate) fn by_ladder_within(&self, name: &str, deadline: Duration) -> Scenario {
        let work = self.walk(pipeline(name), Some(deadline));
        Scenario { by_the_wall: true, expected: Expected::Stable, ..self.scenario(name, work) }
    }

    /// Times the walk of the ladder `name` and its reports, with a deadline for both.
    pub(crate) fn with_reports_within(&self, name: &str, deadline: Duration) -> Scenario {
        let (pipeline, haystack, needle) = (pipeline(name), self.haystack.clone(), self.needle.clone());
        let work = Box::new(move || {
            let document = Document::new(haystack.as_str());
            let query = Query::new(&document, &needle).with_deadline(Some(Instant::now() + deadline));
            let judgement = pipeline.decide(query, Some(REPLACEMENT), false);
            black_box((judgement.nearest(), judgement.places(), judgement.proposal()));
            judgement.found().into()
        });
        Scenario { by_the_wall: true, expected: Expected::Stable, ..self.scenario(name, work) }
    }

    /// Times one strategy alone: counts all its candidates.
    pub(crate) fn by_rung(&self, strategy: &'static dyn Strategy) -> Scenario {
        let name = strategy.name();
        let is_slow = ["levenshtein", "best-window", "best-window/boocode"].contains(&name);
        let naive = naive::rung(name).filter(|_| self.can_be_naive(is_slow)).map(|naive| self.first_candidate(naive));
        Scenario { naive, ..self.scenario(strategy.name(), self.first_candidate(strategy)) }
    }

    /// Returns whether the naive computation takes a few seconds at most: its time is proportional to haystack times
    /// needle, and larger if it `is_slow` because it computes distances.
    fn can_be_naive(&self, is_slow: bool) -> bool {
        self.question != "adversarial"
            && self.needle.len() <= 100_000
            && self.haystack.lines() <= if is_slow { 1_000 } else { 20_000 }
    }

    fn scenario(&self, subject: &str, work: Work) -> Scenario {
        Scenario {
            class: self.class,
            needle_lines: self.needle.split('\n').count(),
            may_be_refused: self.may_be_refused,
            ..Scenario::new(self.question, subject, &self.case, &self.haystack, work, self.expected)
        }
    }

    fn walk(&self, pipeline: Pipeline, deadline: Option<Duration>) -> Work {
        let (haystack, needle) = (self.haystack.clone(), self.needle.clone());
        Box::new(move || {
            let document = Document::new(haystack.as_str());
            let query = Query::new(&document, &needle).with_deadline(deadline.map(|left| Instant::now() + left));
            pipeline.decide(query, Some(REPLACEMENT), false).found().into()
        })
    }

    fn first_candidate(&self, strategy: &'static dyn Strategy) -> Work {
        let (haystack, needle) = (self.haystack.clone(), self.needle.clone());
        Box::new(move || {
            let document = Document::new(haystack.as_str());
            let query = Query::new(&document, &needle);
            let mut first = None;
            let _ = strategy.candidates(
                &query,
                &mut Found::new(&mut |candidate: Candidate| {
                    first.get_or_insert(candidate.span);
                    ControlFlow::Continue(())
                }),
            );
            match (query.stopped(), first) {
                (Some(_), _) => Answer::Failed("refused"),
                (None, Some(span)) => Answer::At(span),
                (None, None) => Answer::Failed("not_found"),
            }
        })
    }

    /// The yardstick of an exact search: counting all occurrences by memmem.
    fn count_all(&self) -> Work {
        let (haystack, needle) = (self.haystack.clone(), self.needle.clone());
        Box::new(move || Answer::Count(memmem::find_iter(haystack.as_str().as_bytes(), needle.as_bytes()).count()))
    }
}

/// Returns the twin of a ladder made of naive definitions, if all its strategies have one.
fn naive_twin(ladder: &Ladder) -> Option<Pipeline> {
    let rungs = ladder.strategies().iter().map(|strategy| naive::rung(strategy.name()));
    let twins = rungs.map(|rung| Some(rung? as &dyn Strategy)).collect::<Option<_>>()?;
    Some(Pipeline::new(Ladder::new(ladder.name(), ladder.decider(), twins)))
}

/// Returns the pipeline of the ladder `name`.
pub(crate) fn pipeline(name: &str) -> Pipeline {
    Pipeline::new(ladder::named(name).expect("every ladder of the workspace can be built"))
}

/// Returns the ladders with a policy and an order of their own, without the one that lists all linked strategies.
pub(crate) fn ladders() -> impl Iterator<Item = &'static str> {
    ladder::names().filter(|name| *name != "registered" && ladder::named(name).is_ok())
}

/// Returns whether a ladder computes similarities, so that it may find a needle that is only partly absent.
pub(crate) fn measures(name: &str) -> bool {
    ["best-window", "levenshtein", "alignment"]
        .iter()
        .any(|family| pipeline(name).ladder().strategies().iter().any(|strategy| strategy.name().starts_with(family)))
}

/// Returns the drifts for every ladder: two hits, absent needles and a near miss.
pub(crate) fn drifts(ladder: &str) -> Vec<Drift> {
    let absent: &[Drift] =
        if measures(ladder) { &[Drift::AbsentAll] } else { &[Drift::AbsentFirst, Drift::AbsentLast] };
    [&[Drift::Exact, Drift::Indent], absent, &[Drift::Reversed]].concat()
}
