//! What is answered to an edit of a text, as Python sees it.

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
    /// What became of an edit of a text. It is true if it is ``ok``.
    Result {
        /// Whether ``output`` is the text as the edit leaves it.
        ok: "bool",
        /// The new text; the old one where the edit was made before; None where it was refused.
        output: "str | None",
        /// The one word that names why it was refused, or ``already_applied``; None where the edit was made.
        code: "str | None",
        /// The rule that refuses the edit, such as ``different-value``, where a rule does.
        rule: "str | None",
        /// The strategy that found the place.
        strategy: "str | None",
        /// How alike the old text and the place are under that strategy's rule, 0 to 1.
        similarity: "float | None",
        /// How sure it is that this is the place, 0 to 1.
        confidence: "float | None",
        /// What was put where, from top to bottom.
        splices: "tuple[Splice, ...]",
        /// The lines that come nearest to the old text, where it was refused.
        nearest: "Nearest | None",
        /// Where the text and the new one both differ from the old one, where the code is ``conflict``.
        conflicts: "tuple[Conflict, ...]",
        /// The lines of each place that an ambiguous old text may mean, counted from 1; the first hundred.
        ambiguous_at: "tuple[tuple[int, int], ...]",
        /// How many places an ambiguous old text may mean.
        count: "int",
        /// The lines that would be lost, where the code is ``placeholder``: a line of the new text only holds their place.
        lost: "str | None",
        /// The strategies that looked for the old text in vain, where it was refused.
        tried: "tuple[str, ...]",
        /// The edit that was probably meant, where there is a good guess.
        proposal: "Proposal | None",
        /// What is wrong, or what to know about an old text that did not match exactly.
        message: "str | None",
        /// What to do next, where it was refused.
        next_step: "str | None",
    }
}

record! {
    /// A text that takes the place of another: ``text[:start] + splice.text + text[end:]``.
    Splice {
        /// Where the replaced text begins, as an index of the string.
        start: "int",
        /// Where it ends.
        end: "int",
        /// What is put there.
        text: "str",
        /// Where it begins and ends in the text as UTF-8.
        bytes: "tuple[int, int]",
        /// Its first and last line, counted from 1.
        lines: "tuple[int, int]",
    }
}

record! {
    /// A place in a text: ``text[place.start:place.end]``.
    Place {
        /// Where it begins, as an index of the string.
        start: "int",
        /// Where it ends.
        end: "int",
        /// Where it begins and ends in the text as UTF-8.
        bytes: "tuple[int, int]",
        /// Its first and last line, counted from 1.
        lines: "tuple[int, int]",
    }
}

record! {
    /// The lines of a text that come nearest to an old text.
    Nearest {
        /// The first and the last of them, counted from 1.
        lines: "tuple[int, int]",
        /// How much of the old text is there, 0 to 1.
        similarity: "float",
        /// How the old text (``-``) differs from these lines (``+``), with blanks visible where they do.
        diff: "str",
    }
}

record! {
    /// Lines where a text and a new one both differ from the old one, each in its own way. What is long is cut.
    Conflict {
        /// The first and the last of them, counted from 1.
        lines: "tuple[int, int]",
        /// What the text has where it differs.
        file: "str",
        /// What the old text has there.
        old: "str",
        /// What the new text has there.
        new: "str",
        /// The lines as they stay if what the text has is meant.
        keeping: "str",
        /// The lines as they are if the new text is meant.
        taking: "str",
    }
}

record! {
    /// An edit that would succeed.
    Proposal {
        /// The text to replace, copied from the file.
        old: "str",
        /// The text to put there, fitted to it.
        new: "str",
    }
}

record! {
    /// Where an edit would land. It is true if it is ``ok``.
    Located {
        /// Whether there is one answer.
        ok: "bool",
        /// The one word that names why there is none, or ``already_applied``.
        code: "str | None",
        /// The rule that refuses the edit, such as ``different-value``, where a rule does.
        rule: "str | None",
        /// The strategy that found the place.
        strategy: "str | None",
        /// How alike the old text and the place are under that strategy's rule, 0 to 1.
        similarity: "float | None",
        /// How sure it is that this is the place, 0 to 1.
        confidence: "float | None",
        /// Whether the edit would change the text; None where there is no new text, or no answer.
        changed: "bool | None",
        /// Every place that would be replaced, or those that an ambiguous old text may mean, from top to bottom.
        places: "tuple[Place, ...]",
        /// The lines that come nearest to the old text, where it was not found.
        nearest: "Nearest | None",
        /// Where the text and the new one both differ from the old one, where the code is ``conflict``.
        conflicts: "tuple[Conflict, ...]",
        /// The lines of each place that an ambiguous old text may mean, counted from 1; the first hundred.
        ambiguous_at: "tuple[tuple[int, int], ...]",
        /// How many places an ambiguous old text may mean.
        count: "int",
        /// The lines that would be lost, where the code is ``placeholder``: a line of the new text only holds their place.
        lost: "str | None",
        /// The strategies that looked for the old text in vain, where it was refused.
        tried: "tuple[str, ...]",
        /// The edit that was probably meant, where there is a good guess.
        proposal: "Proposal | None",
        /// What is wrong, or what to know about an old text that did not match exactly.
        message: "str | None",
        /// What to do next, where there is no answer.
        next_step: "str | None",
    }
}

impl Result {
    /// Tells what became of an edit.
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
    /// Tells where an edit would land.
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

/// What a failure says, each part None where there is none; of lists there may be empty ones.
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
    /// Tells a failure; without one, what there is to know all the same.
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
