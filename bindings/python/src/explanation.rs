//! Why an edit lands where it does, or nowhere, as Python sees it.

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
    /// What a ladder makes of an old text. ``print`` shows it to people, and a notebook shows it as it is.
    Explanation {
        /// The ladder's name.
        ladder: "str",
        /// The name of what decides.
        policy: "str",
        /// Where the edit lands, or why nowhere.
        located: "Located",
        /// What each strategy makes of it, in the order in which they are tried.
        strategies: "tuple[Tried, ...]",
        /// The old text beside the file, under a ladder that aligns them.
        alignment: "Alignment | None",
        /// How likely the place is the one that is meant, under a ladder that weighs it.
        weighed: "Weighed | None",
        /// All of it, for people.
        text: "str",
        /// All of it, for a notebook.
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
    /// What one strategy makes of an old text.
    Tried {
        /// The strategy's name.
        strategy: "str",
        /// What became of its candidates: ``nothing``, ``taken``, ``ended``, ``not_unique``, ``passed_over`` or ``not_reached``.
        verdict: "str",
        /// The same in words.
        why: "str",
        /// The first of its candidates.
        candidates: "tuple[Candidate, ...]",
        /// Whether there are more.
        more: "bool",
    }
}

record! {
    /// A place that a strategy proposes.
    Candidate {
        /// The place.
        place: "Place",
        /// How alike the old text and the place are under the strategy's rule, 0 to 1.
        similarity: "float",
    }
}

record! {
    /// The old text beside the file, and where each line that lands comes from.
    Alignment {
        /// What was undone in the old text before it was read, such as ``line numbers``.
        undone: "tuple[str, ...]",
        /// The lines of both, in the order of the file.
        rows: "tuple[Row, ...]",
        /// The lines that are written, or would be.
        lands: "tuple[LandedLine, ...]",
    }
}

record! {
    /// Lines of the old text and those of the file that they mean; one side may have none.
    Row {
        /// The old text's lines, each with its number.
        old: "tuple[tuple[int, str], ...]",
        /// The file's lines, each with its number.
        file: "tuple[tuple[int, str], ...]",
        /// How much the old text's lines prove, 0 to 1 for each.
        evidence: "float",
        /// How alike the sides are but for blanks; None where one side is empty.
        similarity: "float | None",
    }
}

record! {
    /// A line that lands.
    LandedLine {
        /// The line without its line break.
        text: "str",
        /// Whose text it is: ``file``, ``new``, or ``merged`` of both.
        origin: "str",
        /// The file's line that it is or was made of, counted from 1.
        file_line: "int | None",
        /// The new text's line that it is or was made of, counted from 1.
        new_line: "int | None",
    }
}

record! {
    /// How likely a place is the one that was meant, and what that rests on.
    Weighed {
        /// The probability that the place is the one that is meant.
        probability: "float",
        /// The probability that it takes.
        accepted: "float",
        /// The log-odds of a place without a flaw.
        perfect: "float",
        /// What each feature adds to them.
        features: "tuple[Feature, ...]",
        /// What keeps the edit from landing however likely the place is.
        ruled_out: "str | None",
    }
}

record! {
    /// A feature of a place.
    Feature {
        /// Its name.
        name: "str",
        /// What it measures.
        meaning: "str",
        /// How much of that the place has.
        value: "float",
        /// What that adds to the log-odds; never more than 0.
        adds: "float",
    }
}

/// An explanation, and the answer to the same question.
pub(crate) struct Reasons {
    explained: Explained,
    answer: Answer,
    /// The places that the strategies propose, in their order.
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
                // Strategies that were cut short would read as if they had found nothing.
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
    /// Tells why.
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

/// Makes a tuple of values that can fail to be made.
fn tuple<'py, T: IntoPyObject<'py>>(py: Python<'py>, values: impl Iterator<Item = PyResult<T>>) -> PyResult<Py<PyAny>> {
    PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_py_any(py)
}
