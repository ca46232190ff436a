//! A timed scenario, its expected answer, and its comparisons.

use std::fmt;

use fuzzy_core::blank;
use fuzzy_pipeline::{Failure, Match, Span};
use fuzzy_report::Code;

use crate::texts::Text;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The block is found.
    Hit,
    /// All its parts occur in the haystack, but the block does not.
    NearMiss,
    /// A part of it occurs nowhere in the haystack.
    Absent,
    /// Not a search.
    Other,
}

impl Class {
    /// Returns the name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::NearMiss => "near miss",
            Self::Absent => "absent",
            Self::Other => "-",
        }
    }
}

/// The result of one run; small, so that making it costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A place was found.
    At(Span),
    /// The search failed; the word is the failure's code.
    Failed(&'static str),
    /// A number of candidates, bytes, lines or edits.
    Count(usize),
}

impl From<Result<Match, Failure>> for Answer {
    fn from(result: Result<Match, Failure>) -> Self {
        match result {
            Ok(found) => Self::At(found.span),
            Err(failure) => Self::Failed(Code::from(&failure).as_str()),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(span) => write!(f, "found at {}..{}", span.start(), span.end()),
            Self::Failed(code) => f.write_str(code),
            Self::Count(count) => write!(f, "{count}"),
        }
    }
}

/// The expected result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// This place, apart from blanks at its ends.
    Place(Span),
    /// Not found.
    Nothing,
    /// Exactly this answer.
    Exactly(Answer),
    /// Any answer, but the same in every run and from the naive twin.
    Stable,
}

impl Expected {
    /// Returns whether `answer` is right for `haystack`.
    #[must_use]
    pub fn accepts(self, answer: Answer, haystack: &str) -> bool {
        match (self, answer) {
            (Self::Place(place), Answer::At(span)) => core(haystack, place) == core(haystack, span),
            (Self::Nothing, Answer::Failed(code)) => code == "not_found",
            (Self::Exactly(expected), answer) => expected == answer,
            (Self::Stable, _) => true,
            _ => false,
        }
    }
}

/// Returns the span without the blanks at its ends.
fn core(haystack: &str, span: Span) -> (usize, usize) {
    let text = span.text(haystack);
    (span.start() + blank::leading(text), span.end() - blank::trailing(text))
}

/// Something that can run repeatedly.
pub type Work = Box<dyn Fn() -> Answer>;

/// A timed scenario.
pub struct Scenario {
    /// The question it belongs to, also the name of the bench file.
    pub question: &'static str,
    /// The timed ladder, strategy or function.
    pub subject: String,
    /// The relation of needle and haystack.
    pub case: String,
    /// The result of the search.
    pub class: Class,
    /// The haystack.
    pub haystack: Text,
    /// Lines of the needle; 0 without a needle.
    pub needle_lines: usize,
    /// The timed region.
    pub work: Work,
    /// Whether wall-clock time counts, as for a search with a deadline.
    pub by_the_wall: bool,
    /// The expected answer.
    pub expected: Expected,
    /// Whether the search may also be refused because the exact answer would cost too much.
    pub may_be_refused: bool,
    /// The yardstick of this scenario, timed alternately with it.
    pub yardstick: Option<Work>,
    /// The naive computation of the same answer, run once.
    pub naive: Option<Work>,
}

impl Scenario {
    /// Makes a scenario without a search and without comparisons.
    pub(crate) fn new(
        question: &'static str,
        subject: &str,
        case: &str,
        haystack: &Text,
        work: Work,
        expected: Expected,
    ) -> Self {
        Self {
            question,
            subject: subject.to_owned(),
            case: case.to_owned(),
            class: Class::Other,
            haystack: haystack.clone(),
            needle_lines: 0,
            work,
            by_the_wall: false,
            expected,
            may_be_refused: false,
            yardstick: None,
            naive: None,
        }
    }

    /// Returns the name for filters and saved figures.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}/{}/{}/{}", self.question, self.subject, self.case, self.haystack.lines())
    }

    /// Returns whether an answer is right.
    #[must_use]
    pub fn accepts(&self, answer: Answer) -> bool {
        self.expected.accepts(answer, self.haystack.as_str())
            || (self.may_be_refused && answer == Answer::Failed("refused"))
    }

    /// Runs it once and checks the answer.
    ///
    /// # Panics
    ///
    /// Panics if the answer is not the expected one: a wrong answer is not worth timing.
    #[expect(clippy::must_use_candidate, reason = "it is called for the check as often as for the answer")]
    pub fn check(&self) -> Answer {
        let answer = (self.work)();
        assert!(self.accepts(answer), "{}: {answer}, but expected {:?}", self.id(), self.expected);
        answer
    }
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scenario").field("id", &self.id()).finish_non_exhaustive()
    }
}
