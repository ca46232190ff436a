//! The Python classes for the result of an edit of a text.

use fuzzy_pipeline::Match;
use fuzzy_report::{Code, ContestedLines, Failure, Lines, NearestLines, OfEdit, ProposedEdit};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::decide::{Answer, Outcome};
use crate::offsets::Spot;
use crate::record::record;
use crate::request::Text;

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
    Splice {
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
    Place {
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
    Nearest {
        /// The first and the last line, counted from 1.
        lines: "tuple[int, int]",
        /// The share of the old text that these lines contain, 0 to 1.
        similarity: "float",
        /// The diff of the old text (``-``) and these lines (``+``), with whitespace visible where it differs.
        diff: "str",
    }
}

record! {
    /// Lines where a text and the new text differ from the old text in different ways. Long fields are cut.
    Conflict {
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
    Proposal {
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

impl Result {
    /// Converts the result of an edit.
    pub(crate) fn of(py: Python<'_>, text: &Text, answer: Answer) -> PyResult<Self> {
        let Answer { outcome, spots, failure, message, .. } = answer;
        let told = Told::of(py, failure, message)?;
        let (output, code, found, splices) = match outcome {
            Outcome::Lands { output, found, texts } => {
                let splices = spots.into_iter().zip(texts).map(|(spot, text)| Splice::of(py, spot, text));
                (output.into_py_any(py)?, told.code, Some(found), splices.collect::<PyResult<Vec<_>>>()?)
            }
            Outcome::IsThere => (text.to_object(py), Code::AlreadyApplied.as_str().into_py_any(py)?, None, Vec::new()),
            Outcome::Refused => (py.None(), told.code, None, Vec::new()),
        };
        let (strategy, similarity, confidence) = found_in(py, found)?;
        Ok(Self {
            ok: (!output.is_none(py)).into_py_any(py)?,
            output,
            code,
            rule: told.rule,
            strategy,
            similarity,
            confidence,
            splices: PyTuple::new(py, splices)?.into_py_any(py)?,
            nearest: told.nearest,
            conflicts: told.conflicts,
            ambiguous_at: told.ambiguous_at,
            count: told.count,
            lost: told.lost,
            tried: told.tried,
            proposal: told.proposal,
            message: told.message,
            next_step: told.next_step,
        })
    }
}

impl Located {
    /// Converts the result of a search.
    pub(crate) fn of(py: Python<'_>, answer: Answer) -> PyResult<Self> {
        let Answer { outcome, spots, changed, failure, message } = answer;
        let told = Told::of(py, failure, message)?;
        let (ok, code, found) = match outcome {
            Outcome::Lands { found, .. } => (true, told.code, Some(found)),
            Outcome::IsThere => (true, Code::AlreadyApplied.as_str().into_py_any(py)?, None),
            Outcome::Refused => (false, told.code, None),
        };
        let (strategy, similarity, confidence) = found_in(py, found)?;
        let places = spots.into_iter().map(|spot| Place::of(py, spot)).collect::<PyResult<Vec<_>>>()?;
        Ok(Self {
            ok: ok.into_py_any(py)?,
            code,
            rule: told.rule,
            strategy,
            similarity,
            confidence,
            changed: changed.into_py_any(py)?,
            places: PyTuple::new(py, places)?.into_py_any(py)?,
            nearest: told.nearest,
            conflicts: told.conflicts,
            ambiguous_at: told.ambiguous_at,
            count: told.count,
            lost: told.lost,
            tried: told.tried,
            proposal: told.proposal,
            message: told.message,
            next_step: told.next_step,
        })
    }
}

fn found_in(py: Python<'_>, found: Option<Match>) -> PyResult<(Py<PyAny>, Py<PyAny>, Py<PyAny>)> {
    let strategy = found.map(|found| found.strategy).into_py_any(py)?;
    let similarity = found.map(|found| found.similarity.get()).into_py_any(py)?;
    Ok((strategy, similarity, found.map(|found| found.confidence_or_similarity().get()).into_py_any(py)?))
}

impl Splice {
    fn of(py: Python<'_>, spot: Spot, text: String) -> PyResult<Self> {
        let Place { start, end, bytes, lines } = Place::of(py, spot)?;
        Ok(Self { start, end, text: text.into_py_any(py)?, bytes, lines })
    }
}

impl Place {
    pub(crate) fn of(py: Python<'_>, spot: Spot) -> PyResult<Self> {
        Ok(Self {
            start: spot.points.0.into_py_any(py)?,
            end: spot.points.1.into_py_any(py)?,
            bytes: spot.bytes.into_py_any(py)?,
            lines: spot.lines.into_py_any(py)?,
        })
    }
}

impl Nearest {
    fn of(py: Python<'_>, nearest: NearestLines) -> PyResult<Self> {
        let NearestLines { lines: Lines(first, last), similarity, diff } = nearest;
        Ok(Self {
            lines: (first, last).into_py_any(py)?,
            similarity: similarity.into_py_any(py)?,
            diff: diff.into_py_any(py)?,
        })
    }
}

impl Conflict {
    fn of(py: Python<'_>, contested: ContestedLines) -> PyResult<Self> {
        let ContestedLines { lines: Lines(first, last), file, old, new, keeping, taking } = contested;
        Ok(Self {
            lines: (first, last).into_py_any(py)?,
            file: file.into_py_any(py)?,
            old: old.into_py_any(py)?,
            new: new.into_py_any(py)?,
            keeping: keeping.into_py_any(py)?,
            taking: taking.into_py_any(py)?,
        })
    }
}

impl Proposal {
    fn of(py: Python<'_>, proposal: ProposedEdit) -> PyResult<Self> {
        let ProposedEdit { old_string, new_string } = proposal;
        Ok(Self { old: old_string.into_py_any(py)?, new: new_string.into_py_any(py)? })
    }
}

/// The parts of a failure as Python values. A missing part is `None`, a missing list is an empty tuple.
pub(crate) struct Told {
    pub(crate) code: Py<PyAny>,
    pub(crate) rule: Py<PyAny>,
    pub(crate) nearest: Py<PyAny>,
    pub(crate) conflicts: Py<PyAny>,
    pub(crate) ambiguous_at: Py<PyAny>,
    pub(crate) count: Py<PyAny>,
    pub(crate) lost: Py<PyAny>,
    pub(crate) tried: Py<PyAny>,
    pub(crate) proposal: Py<PyAny>,
    pub(crate) message: Py<PyAny>,
    pub(crate) next_step: Py<PyAny>,
}

impl Told {
    /// Converts a failure; without one, `note` becomes the message.
    pub(crate) fn of(py: Python<'_>, failure: Option<Box<Failure>>, note: Option<String>) -> PyResult<Self> {
        let (code, message, next_step, details) = match failure {
            Some(failure) => {
                let Failure { code, message, next_step, details, .. } = *failure;
                (Some(code.as_str()), Some(message), Some(next_step), details)
            }
            None => (None, note, None, OfEdit::default()),
        };
        let nearest = details.nearest.map(|nearest| Nearest::of(py, nearest)).transpose()?;
        let conflicts = details.conflicts.into_iter().map(|contested| Conflict::of(py, contested));
        let conflicts = conflicts.collect::<PyResult<Vec<_>>>()?;
        let places = details.ambiguous_at.into_iter().map(|Lines(first, last)| (first, last));
        let proposal = details.proposal.map(|proposal| Proposal::of(py, proposal)).transpose()?;
        Ok(Self {
            code: code.into_py_any(py)?,
            rule: details.rule.into_py_any(py)?,
            nearest: nearest.into_py_any(py)?,
            conflicts: PyTuple::new(py, conflicts)?.into_py_any(py)?,
            ambiguous_at: PyTuple::new(py, places.collect::<Vec<_>>())?.into_py_any(py)?,
            count: details.count.into_py_any(py)?,
            lost: details.lost.into_py_any(py)?,
            tried: PyTuple::new(py, details.tried)?.into_py_any(py)?,
            proposal: proposal.into_py_any(py)?,
            message: message.into_py_any(py)?,
            next_step: next_step.into_py_any(py)?,
        })
    }
}
