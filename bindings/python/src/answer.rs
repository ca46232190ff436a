//! The Python classes for the result of an edit of a text.

use fuzzy_pipeline::{Match, Similarity, report};
use fuzzy_report::{Code, ContestedLines, Failure, NearestLines, OfEdit};
use pyo3::prelude::*;

use crate::decide::{Answer, Outcome};
use crate::offsets::Spot;
use crate::record::{filled, record};
use crate::request::Text;
use crate::values::ToPython;

record! {
    /// The result of an edit of a text. It is true if ``ok`` is.
    Result {
        /// Whether ``output`` is the edited text.
        ok: "bool",
        /// The edited text; the unchanged text if the edit was applied earlier; None if the edit was refused.
        output: "str | None",
        /// The reason for a refusal in one word, or ``already_applied``; None if the edit was applied.
        code: "str | None",
        /// The rule that refused the edit, such as ``different-value``, if a rule did.
        rule: "str | None",
        /// The strategy that found the match.
        strategy: "str | None",
        /// The similarity of the old text and the match, by that strategy's measure, 0 to 1.
        similarity: "float | None",
        /// The confidence that the match is the intended place, 0 to 1.
        confidence: "float | None",
        /// The replacements, from top to bottom.
        splices: "tuple[Splice, ...]",
        /// The lines most similar to the old text, if the edit was refused.
        nearest: "Nearest | None",
        /// The places where the text and the new text both differ from the old text, if the code is ``conflict``.
        conflicts: "tuple[Conflict, ...]",
        /// The lines of each match of an ambiguous old text, counted from 1; at most the first hundred matches.
        ambiguous_at: "tuple[tuple[int, int], ...]",
        /// The number of matches of an ambiguous old text.
        count: "int",
        /// The lines that would be lost, if the code is ``placeholder``: the new text has a placeholder in their place.
        lost: "str | None",
        /// The strategies that did not find the old text, if the edit was refused.
        tried: "tuple[str, ...]",
        /// The edit that was probably intended, if there is a likely one.
        proposal: "Proposal | None",
        /// The error message, or a note about an old text that did not match exactly.
        message: "str | None",
        /// The advice on the next step, if the edit was refused.
        next_step: "str | None",
    }
}

record! {
    /// One replacement: the edited text is ``text[:start] + splice.text + text[end:]``.
    Splice = Replacement {
        /// The start of the replaced text, as an index of the string.
        start: "int",
        /// The end, as an index of the string.
        end: "int",
        /// The replacement.
        text: "str",
        /// The start and the end in bytes of UTF-8.
        bytes: "tuple[int, int]",
        /// The first and the last line, counted from 1.
        lines: "tuple[int, int]",
    }
}

record! {
    /// A place in a text: ``text[place.start:place.end]``.
    Place = Spot {
        /// The start, as an index of the string.
        start: "int",
        /// The end, as an index of the string.
        end: "int",
        /// The start and the end in bytes of UTF-8.
        bytes: "tuple[int, int]",
        /// The first and the last line, counted from 1.
        lines: "tuple[int, int]",
    }
}

record! {
    /// The lines of a text that are most similar to an old text.
    Nearest = NearestLines {
        /// The first and the last line, counted from 1.
        lines: "tuple[int, int]",
        /// The share of the old text that these lines contain, 0 to 1.
        similarity: "float",
        /// The diff of the old text (``-``) and these lines (``+``), as they are; long ones are cut.
        diff: "str",
    }
}

record! {
    /// Lines where a text and the new text differ from the old text in different ways. Long fields are cut.
    Conflict = ContestedLines {
        /// The first and the last line, counted from 1.
        lines: "tuple[int, int]",
        /// The content of the text.
        file: "str",
        /// The content of the old text.
        old: "str",
        /// The content of the new text.
        new: "str",
        /// The resulting lines if the content of the text is kept.
        keeping: "str",
        /// The resulting lines if the content of the new text is taken.
        taking: "str",
    }
}

record! {
    /// An edit that would succeed.
    Proposal = report::Proposal {
        /// The text to replace, copied from the file.
        old: "str",
        /// The replacement, fitted to the file.
        new: "str",
    }
}

record! {
    /// The place where an edit would land. It is true if ``ok`` is.
    Located {
        /// Whether the place was found, or the edit was applied earlier.
        ok: "bool",
        /// The reason for a refusal in one word, or ``already_applied``; None if the place was found.
        code: "str | None",
        /// The rule that refused the edit, such as ``different-value``, if a rule did.
        rule: "str | None",
        /// The strategy that found the match.
        strategy: "str | None",
        /// The similarity of the old text and the match, by that strategy's measure, 0 to 1.
        similarity: "float | None",
        /// The confidence that the match is the intended place, 0 to 1.
        confidence: "float | None",
        /// Whether the edit would change the text; None without a new text, or if ``ok`` is false.
        changed: "bool | None",
        /// Every place that would be replaced, or the matches of an ambiguous old text, from top to bottom.
        places: "tuple[Place, ...]",
        /// The lines most similar to the old text, if it was not found.
        nearest: "Nearest | None",
        /// The places where the text and the new text both differ from the old text, if the code is ``conflict``.
        conflicts: "tuple[Conflict, ...]",
        /// The lines of each match of an ambiguous old text, counted from 1; at most the first hundred matches.
        ambiguous_at: "tuple[tuple[int, int], ...]",
        /// The number of matches of an ambiguous old text.
        count: "int",
        /// The lines that would be lost, if the code is ``placeholder``: the new text has a placeholder in their place.
        lost: "str | None",
        /// The strategies that did not find the old text, if the edit was refused.
        tried: "tuple[str, ...]",
        /// The edit that was probably intended, if there is a likely one.
        proposal: "Proposal | None",
        /// The error message, or a note about an old text that did not match exactly.
        message: "str | None",
        /// The advice on the next step, if ``ok`` is false.
        next_step: "str | None",
    }
}

/// One replacement.
pub(crate) struct Replacement {
    start: usize,
    end: usize,
    text: String,
    bytes: (usize, usize),
    lines: (usize, usize),
}

/// The values of a match: strategy, similarity and confidence.
fn found_in(found: Option<Match>) -> (Option<&'static str>, Option<Similarity>, Option<Similarity>) {
    (
        found.map(|found| found.strategy),
        found.map(|found| found.similarity),
        found.map(|found| found.confidence_or_similarity()),
    )
}

/// Returns the code, the message, the next step and the details of a failure; without one, `note` is the message.
pub(crate) fn told(
    failure: Option<Box<Failure>>,
    note: Option<String>,
) -> (Option<Code>, Option<String>, Option<String>, OfEdit) {
    match failure {
        Some(failure) => (Some(failure.code), Some(failure.message), Some(failure.next_step), failure.details),
        None => (None, note, None, OfEdit::default()),
    }
}

impl Result {
    /// Converts the result of an edit.
    pub(crate) fn of(py: Python<'_>, text: &Text, answer: Answer) -> PyResult<Self> {
        let Answer { outcome, spots, failure, message, .. } = answer;
        let (code, message, next_step, details) = told(failure, message);
        let (output, code, found, texts) = match outcome {
            Outcome::Lands { output, found, texts } => (output.to_python(py)?, code, Some(found), texts),
            Outcome::IsThere => (text.to_object(py), Some(Code::AlreadyApplied), None, Vec::new()),
            Outcome::Refused => (py.None(), code, None, Vec::new()),
        };
        let splices = spots.into_iter().zip(texts).map(|(Spot { start, end, bytes, lines }, text)| Replacement {
            start,
            end,
            text,
            bytes,
            lines,
        });
        let (strategy, similarity, confidence) = found_in(found);
        Ok(filled!(
            py,
            details,
            Result {
                ok: !output.is_none(py),
                output,
                code,
                strategy,
                similarity,
                confidence,
                splices: splices.collect::<Vec<_>>(),
                message,
                next_step,
            }
        ))
    }
}

impl Located {
    /// Converts the result of a search.
    pub(crate) fn of(py: Python<'_>, answer: Answer) -> PyResult<Self> {
        let Answer { outcome, spots: places, changed, failure, message } = answer;
        let (code, message, next_step, details) = told(failure, message);
        let (ok, code, found) = match outcome {
            Outcome::Lands { found, .. } => (true, code, Some(found)),
            Outcome::IsThere => (true, Some(Code::AlreadyApplied), None),
            Outcome::Refused => (false, code, None),
        };
        let (strategy, similarity, confidence) = found_in(found);
        Ok(filled!(
            py,
            details,
            Located { ok, code, strategy, similarity, confidence, changed, places, message, next_step }
        ))
    }
}
