//! The Python classes that explain the decision on an edit.

use std::time::Instant;

use fuzzy_pipeline::{Document, Span};
use fuzzy_report::{self as report, Explained, Failure};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::answer::{Located, Place};
use crate::decide::{Answer, Asked};
use crate::html;
use crate::offsets::{Offsets, Spot};
use crate::record::record;
use crate::request::Settings;

record! {
    /// How a ladder searched for an old text and why it decided as it did. ``print`` shows text, a notebook shows tables.
    Explanation {
        /// The name of the ladder.
        ladder: "str",
        /// The name of the policy that decides.
        policy: "str",
        /// The place where the edit would land, or the reason for a refusal.
        located: "Located",
        /// The result of each strategy, in the order of the ladder.
        strategies: "tuple[Tried, ...]",
        /// The alignment of the old text and the file, under a ladder that computes one.
        alignment: "Alignment | None",
        /// The probability of the place and its features, under a ladder that computes them.
        weighed: "Weighed | None",
        /// The explanation as text.
        text: "str",
        /// The explanation as HTML, for a notebook.
        html: "str",
    } with {
        fn __str__(&self, py: Python<'_>) -> Py<PyAny> {
            self.text.clone_ref(py)
        }

        fn _repr_html_(&self, py: Python<'_>) -> Py<PyAny> {
            self.html.clone_ref(py)
        }
    }
}

record! {
    /// The result of one strategy.
    Tried {
        /// The name of the strategy.
        strategy: "str",
        /// The verdict on its candidates: ``nothing``, ``taken``, ``ended``, ``not_unique``, ``passed_over`` or ``not_reached``.
        verdict: "str",
        /// The verdict in words.
        why: "str",
        /// The first of its candidates.
        candidates: "tuple[Candidate, ...]",
        /// Whether there are more.
        more: "bool",
    }
}

record! {
    /// A place that a strategy proposes as a match.
    Candidate {
        /// The place.
        place: "Place",
        /// The similarity of the old text and the place, by the strategy's measure, 0 to 1.
        similarity: "float",
    }
}

record! {
    /// The old text beside the file, and the origin of each line of the result.
    Alignment {
        /// The changes that were undone in the old text before the search, such as ``line numbers``.
        undone: "tuple[str, ...]",
        /// The aligned lines of both, in the order of the file.
        rows: "tuple[Row, ...]",
        /// The lines that the edit writes or would write.
        lands: "tuple[LandedLine, ...]",
    }
}

record! {
    /// Lines of the old text and the lines of the file that they match; one side may be empty.
    Row {
        /// The lines of the old text, each with its number.
        old: "tuple[tuple[int, str], ...]",
        /// The lines of the file, each with its number.
        file: "tuple[tuple[int, str], ...]",
        /// The weight of the lines of the old text as evidence, 0 to 1 per line.
        evidence: "float",
        /// The similarity of the sides without whitespace; None if one side is empty.
        similarity: "float | None",
    }
}

record! {
    /// A line that the edit writes or would write.
    LandedLine {
        /// The line without its line break.
        text: "str",
        /// The origin of the line: ``file``, ``new``, or ``merged`` from both.
        origin: "str",
        /// The number of the line of the file that it is made from, counted from 1.
        file_line: "int | None",
        /// The number of the line of the new text that it is made from, counted from 1.
        new_line: "int | None",
    }
}

record! {
    /// The probability that a place is the intended one, and its features.
    Weighed {
        /// The probability that the place is the intended one.
        probability: "float",
        /// The lowest probability that is accepted.
        accepted: "float",
        /// The log-odds of a place without any flaw.
        perfect: "float",
        /// The features of the place; each adds to the log-odds.
        features: "tuple[Feature, ...]",
        /// The rule that rejects the edit at any probability, if there is one.
        ruled_out: "str | None",
    }
}

record! {
    /// A feature of a place.
    Feature {
        /// The name of the feature.
        name: "str",
        /// A description of the feature.
        meaning: "str",
        /// The value of the feature at the place.
        value: "float",
        /// The contribution to the log-odds; at most 0.
        adds: "float",
    }
}

/// An explanation, and the result of the same edit.
pub(crate) struct Reasons {
    explained: Explained,
    answer: Answer,
    /// The places of all candidates, in the order of the strategies.
    spots: Vec<Spot>,
}

impl Asked<'_> {
    /// Decides, and explains the decision.
    pub(crate) fn explain(self, settings: &Settings) -> std::result::Result<Reasons, Box<Failure>> {
        self.check_size(settings.max_bytes)?;
        let document = Document::new(self.text);
        let deadline = settings.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let explained = self.with_judgement(settings, &document, |judgement| {
            let ladder = settings.pipeline.ladder();
            let explained = Explained::of(judgement, ladder, settings.max_bytes, |span| report::Place {
                lines: fuzzy_pipeline::LineRange::of(self.text, span).into(),
                bytes: (span.start(), span.end()),
            })?;
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                // The explanation of an interrupted strategy would say that it found nothing.
                return Err(Box::new(Failure::of_search(judgement, &fuzzy_pipeline::Failure::Deadline)));
            }
            Ok(explained)
        })?;
        let mut offsets = Offsets::new(self.text);
        let candidates = explained.strategies.iter().flat_map(|tried| &tried.candidates);
        let spots = candidates.map(|candidate| {
            let (start, end) = candidate.place.bytes;
            offsets.of(Span::new(start, end))
        });
        Ok(Reasons { spots: spots.collect(), answer: self.answer(settings)?, explained })
    }
}

impl Explanation {
    /// Converts an explanation.
    pub(crate) fn of(py: Python<'_>, reasons: Reasons) -> PyResult<Self> {
        let Reasons { explained, answer, spots } = reasons;
        let (text, html) = (explained.to_string(), html::of(&explained));
        let Explained { ladder, policy, strategies, alignment, weighed, .. } = explained;
        let mut spots = spots.into_iter();
        let strategies = strategies.into_iter().map(|tried| Tried::of(py, tried, &mut spots));
        Ok(Self {
            ladder: ladder.into_py_any(py)?,
            policy: policy.into_py_any(py)?,
            located: Located::of(py, answer)?.into_py_any(py)?,
            strategies: tuple(py, strategies)?,
            alignment: alignment.map(|alignment| Alignment::of(py, alignment)).transpose()?.into_py_any(py)?,
            weighed: weighed.map(|weighed| Weighed::of(py, weighed)).transpose()?.into_py_any(py)?,
            text: text.into_py_any(py)?,
            html: html.into_py_any(py)?,
        })
    }
}

impl Tried {
    fn of(py: Python<'_>, tried: report::Tried, spots: &mut impl Iterator<Item = Spot>) -> PyResult<Self> {
        let candidates = tried.candidates.into_iter().zip(spots).map(|(candidate, spot)| {
            Ok(Candidate {
                place: Place::of(py, spot)?.into_py_any(py)?,
                similarity: candidate.similarity.into_py_any(py)?,
            })
        });
        Ok(Self {
            strategy: tried.strategy.into_py_any(py)?,
            verdict: tried.verdict.into_py_any(py)?,
            why: tried.why.into_py_any(py)?,
            candidates: tuple(py, candidates)?,
            more: tried.more.into_py_any(py)?,
        })
    }
}

impl Alignment {
    fn of(py: Python<'_>, alignment: report::Alignment) -> PyResult<Self> {
        let rows = alignment.rows.into_iter().map(|row| {
            Ok(Row {
                old: numbered(py, row.old)?,
                file: numbered(py, row.file)?,
                evidence: row.evidence.into_py_any(py)?,
                similarity: row.similarity.into_py_any(py)?,
            })
        });
        let lands = alignment.lands.into_iter().map(|line| {
            Ok(LandedLine {
                text: line.text.into_py_any(py)?,
                origin: line.from.into_py_any(py)?,
                file_line: line.file_line.into_py_any(py)?,
                new_line: line.new_line.into_py_any(py)?,
            })
        });
        Ok(Self {
            undone: tuple(py, alignment.undone.into_iter().map(Ok))?,
            rows: tuple(py, rows)?,
            lands: tuple(py, lands)?,
        })
    }
}

impl Weighed {
    fn of(py: Python<'_>, weighed: report::Weights) -> PyResult<Self> {
        let features = weighed.features.iter().map(|feature| {
            Ok(Feature {
                name: feature.name.into_py_any(py)?,
                meaning: feature.meaning.into_py_any(py)?,
                value: feature.value.into_py_any(py)?,
                adds: feature.adds.into_py_any(py)?,
            })
        });
        Ok(Self {
            probability: weighed.probability.into_py_any(py)?,
            accepted: weighed.accepted.into_py_any(py)?,
            perfect: weighed.perfect.into_py_any(py)?,
            features: tuple(py, features)?,
            ruled_out: weighed.ruled_out.into_py_any(py)?,
        })
    }
}

/// Makes a tuple of lines and their numbers.
fn numbered(py: Python<'_>, lines: Vec<report::Numbered>) -> PyResult<Py<PyAny>> {
    tuple(py, lines.into_iter().map(|line| Ok((line.line, line.text))))
}

/// Makes a tuple of values whose creation can fail.
fn tuple<'py, T: IntoPyObject<'py>>(py: Python<'py>, values: impl Iterator<Item = PyResult<T>>) -> PyResult<Py<PyAny>> {
    PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_py_any(py)
}
