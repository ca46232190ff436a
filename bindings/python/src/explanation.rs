//! The Python classes that explain the decision on an edit.

use std::time::Instant;

use fuzzy_pipeline::{Document, LineRange, Span, report};
use fuzzy_report::{Explained, Failure, Place, Proposed};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::answer::Located;
use crate::decide::{Answer, Asked};
use crate::html;
use crate::offsets::{Offsets, Spot};
use crate::record::{filled, record};
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
    Tried = report::Explanation<Proposed<Spot>> {
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
    Candidate = Proposed<Spot> {
        /// The place.
        place: "Place",
        /// The similarity of the old text and the place, by the strategy's measure, 0 to 1.
        similarity: "float",
    }
}

record! {
    /// The old text beside the file, and the origin of each line of the result.
    Alignment = report::SideBySide {
        /// The names of the slips that were undone, such as ``line-numbers``.
        undone: "tuple[str, ...]",
        /// The aligned lines of both, in the order of the file.
        rows: "tuple[Row, ...]",
        /// The lines that the edit writes or would write.
        lands: "tuple[LandedLine, ...]",
    }
}

record! {
    /// Lines of the old text and the lines of the file that they match; one side may be empty.
    Row = report::Row {
        /// The lines of the old text.
        old: "tuple[NumberedLine, ...]",
        /// The lines of the file.
        file: "tuple[NumberedLine, ...]",
        /// The weight of the lines of the old text as evidence, 0 to 1 per line.
        evidence: "float",
        /// The similarity of the sides without whitespace; None if one side is empty.
        similarity: "float | None",
    }
}

record! {
    /// A line and its number.
    NumberedLine = report::NumberedLine {
        /// The number of the line in its text, counted from 1.
        number: "int",
        /// The line without its line break.
        text: "str",
    }
}

record! {
    /// A line that the edit writes or would write.
    LandedLine = report::LandedLine {
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
    Weighed = report::ScoreBreakdown {
        /// The probability that the place is the intended one.
        probability: "float",
        /// The lowest probability that is accepted.
        accepted: "float",
        /// The log-odds of a place without any flaw.
        perfect: "float",
        /// The features of the place; each adds to the log-odds.
        features: "tuple[Feature, ...]",
        /// The differences between edit and file that the landing repairs; each lowers the confidence.
        repairs: "tuple[Repair, ...]",
        /// The rule that rejects the edit at any probability, if there is one.
        ruled_out: "str | None",
    }
}

record! {
    /// A difference between the texts of an edit and the file that a landing repairs.
    Repair = report::Repair {
        /// The name of the difference; that of a slip, if it is one.
        name: "str",
        /// The measured share of right texts among the landings with this repair, 0 to 1.
        right: "float",
    }
}

record! {
    /// A feature of a place.
    Feature = report::Feature {
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
    /// The results of the strategies, with places in the Python string.
    strategies: Vec<report::Explanation<Proposed<Spot>>>,
    text: String,
    html: String,
    answer: Answer,
}

impl Asked<'_> {
    /// Decides, and explains the decision.
    pub(crate) fn explain(self, settings: &Settings) -> std::result::Result<Reasons, Box<Failure>> {
        self.check_size(settings.max_bytes)?;
        let document = Document::new(self.text);
        let deadline = settings.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let explained = self.with_judgement(settings, &document, |judgement| {
            let ladder = settings.pipeline.ladder();
            let explained = Explained::of(judgement, ladder, settings.max_bytes, |span| Place {
                lines: LineRange::of(self.text, span),
                bytes: (span.start(), span.end()),
                cell: None,
            })?;
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                // The explanation of an interrupted strategy would say that it found nothing.
                return Err(Box::new(Failure::of_search(judgement, &fuzzy_pipeline::Failure::Deadline)));
            }
            Ok(explained)
        })??;
        let mut offsets = Offsets::new(self.text);
        let mut spot = |Proposed { place: Place { bytes: (start, end), .. }, similarity }: Proposed| Proposed {
            place: offsets.of(Span::new(start, end)),
            similarity,
        };
        let strategies = explained.strategies.iter().map(|tried| tried.clone().map(&mut spot)).collect();
        let (text, html) = (explained.to_string(), html::of(&explained));
        Ok(Reasons { strategies, text, html, answer: self.answer(settings)?, explained })
    }
}

impl Explanation {
    /// Converts an explanation.
    pub(crate) fn of(py: Python<'_>, reasons: Reasons) -> PyResult<Self> {
        let Reasons { explained, strategies, text, html, answer } = reasons;
        let Explained { ladder, policy, alignment, weighed, .. } = explained;
        let located = Located::of(py, answer)?.into_py_any(py)?;
        Ok(filled!(py, Explanation { ladder, policy, located, strategies, alignment, weighed, text, html }))
    }
}
