//! Requests: reads texts and settings from Python values.

use std::collections::HashMap;
use std::num::NonZero;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use fuzzy_pipeline::{Attempt, Document, Edit, Pipeline, Similarity, ladder};
use fuzzy_report::{CellEdit, CellType, LineQuote, LineTransfer, NewPlace, PlaceError, Side};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyBytes, PyString};

use crate::error::{bad_input, raised};

/// A Python string without lone surrogates, which UTF-8 cannot encode.
pub(crate) struct Text(PyBackedStr);

impl Text {
    /// Reads a string; `name` is the argument, or the part of one, that errors name.
    ///
    /// # Errors
    ///
    /// `TypeError` if the value is not a string, `bad_input` if it has a lone surrogate.
    pub(crate) fn of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = value.py();
        let Ok(string) = value.cast::<PyString>() else { return Err(other_type(name, value, "str")) };
        string.extract::<PyBackedStr>().map(Self).map_err(|error| {
            if error.is_instance_of::<PyUnicodeEncodeError>(py) {
                let message = format!("{name} has a lone surrogate: {error}");
                raised(
                    py,
                    &bad_input(message, "Decode the text without errors=\"surrogateescape\" or \"surrogatepass\"."),
                )
            } else {
                error
            }
        })
    }

    /// Returns the text as a Python string.
    pub(crate) fn to_object(&self, py: Python<'_>) -> Py<PyAny> {
        PyString::new(py, self).into_any().unbind()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// The quote that names the lines of an edit, as arguments.
pub(crate) struct PlaceArguments<'a, 'py> {
    pub(crate) first: Option<&'a Bound<'py, PyAny>>,
    pub(crate) last: Option<&'a Bound<'py, PyAny>>,
    pub(crate) expected_lines: Option<usize>,
    pub(crate) after: Option<&'a Bound<'py, PyAny>>,
    pub(crate) before: Option<&'a Bound<'py, PyAny>>,
    pub(crate) lines: Option<(usize, usize)>,
}

impl PlaceArguments<'_, '_> {
    /// Returns whether there is no quote.
    pub(crate) const fn is_empty(&self) -> bool {
        let Self { first, last, expected_lines, after, before, lines } = self;
        let has_text = first.is_some() || last.is_some() || after.is_some() || before.is_some();
        !has_text && expected_lines.is_none() && lines.is_none()
    }

    /// Reads the arguments; `has_old` is whether there is an old text.
    ///
    /// # Errors
    ///
    /// `bad_input` if they do not say where in exactly one way.
    pub(crate) fn read(self, py: Python<'_>, has_old: bool, replace_all: bool) -> PyResult<Option<LineQuote>> {
        let text = |name, value: Option<&Bound<'_, PyAny>>| {
            value.map(|value| Text::of(name, value).map(|text| text.to_string())).transpose()
        };
        let Self { first, last, expected_lines, after, before, lines } = self;
        let (first, last) = (text("first", first)?, text("last", last)?);
        let (after, before) = (text("after", after)?, text("before", before)?);
        let quote = LineQuote { first, last, expected_lines, after, before, lines, insert_line: None };
        quote.check(has_old, replace_all).map_err(|error| {
            raised(
                py,
                &bad_input(worded(&error), "Give old, or first and last, or after, or before, or lines with first."),
            )
        })?;
        Ok((!quote.is_empty()).then_some(quote))
    }
}

/// The new place of lines that are moved or copied, as arguments.
pub(crate) struct TransferArguments<'a, 'py> {
    pub(crate) move_after: Option<&'a Bound<'py, PyAny>>,
    pub(crate) move_before: Option<&'a Bound<'py, PyAny>>,
    pub(crate) move_to: Option<PathBuf>,
    pub(crate) copy: bool,
}

impl TransferArguments<'_, '_> {
    /// Reads the arguments beside those of [`PlaceArguments`].
    ///
    /// # Errors
    ///
    /// `bad_input` if they do not say one new place, or the edit has a new text.
    pub(crate) fn read(
        self,
        py: Python<'_>,
        quote: Option<&LineQuote>,
        replace_all: bool,
        has_new: bool,
    ) -> PyResult<Option<LineTransfer>> {
        let text = |name, value: Option<&Bound<'_, PyAny>>| {
            value.map(|value| Text::of(name, value).map(|text| text.to_string())).transpose()
        };
        let (after, before) = (text("move_after", self.move_after)?, text("move_before", self.move_before)?);
        let to = NewPlace { file_path: self.move_to, after, before };
        if to == NewPlace::default() && !self.copy {
            return Ok(None);
        }
        let transfer = LineTransfer::new(to, self.copy);
        transfer.check(quote, replace_all, has_new).map_err(|error| {
            raised(
                py,
                &bad_input(worded(&error), "Give move_after or move_before, without new; copy keeps the lines, too."),
            )
        })?;
        Ok(Some(transfer))
    }
}

/// Checks that the parts of an edit of a cell belong together, as [`CellEdit::check`] does.
///
/// # Errors
///
/// `bad_input` names the contradiction, or the missing part.
pub(crate) fn checked_cell(
    py: Python<'_>,
    cell: CellEdit,
    has_place: bool,
    has_new: bool,
    transfer: Option<&LineTransfer>,
) -> PyResult<CellEdit> {
    cell.check(has_place, has_new, transfer).map_err(|error| {
        let next_step = "Give cell with new to replace it, insert_cell with new, cell with delete_cell, or cell with \
            move_after or move_before.";
        raised(py, &bad_input(worded(&error), next_step))
    })?;
    Ok(cell)
}

/// Returns the message of an error with the names of our arguments.
fn worded(error: &PlaceError) -> String {
    error.worded(|name| match name {
        "old_string" => "`old`".to_owned(),
        "new_string" => "`new`".to_owned(),
        name => format!("`{name}`"),
    })
}

/// Every linked ladder, by name.
static PIPELINES: LazyLock<HashMap<&'static str, Pipeline>> = LazyLock::new(|| {
    // A ladder that cannot be built is missing here; a request for it fails.
    ladder::names().filter_map(|name| Some((name, Pipeline::new(ladder::named(name).ok()?)))).collect()
});

/// The settings of a search, and its limits.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) pipeline: &'static Pipeline,
    pub(crate) least_confidence: Similarity,
    pub(crate) raw_endings: bool,
    /// The time limit of one search.
    pub(crate) timeout: Option<Duration>,
    /// The size limit of every text, read or produced, in bytes of UTF-8.
    pub(crate) max_bytes: u64,
}

impl Settings {
    /// Checks the settings; `timeout` is in seconds.
    ///
    /// # Errors
    ///
    /// `bad_input` names the invalid setting.
    pub(crate) fn new(
        py: Python<'_>,
        ladder: &str,
        min_confidence: Option<f64>,
        raw_endings: bool,
        timeout: Option<f64>,
        max_bytes: u64,
    ) -> PyResult<Self> {
        let invalid = |message, next_step| raised(py, &bad_input(message, next_step));
        let Some(pipeline) = PIPELINES.get(ladder) else {
            return Err(invalid(format!("the ladder {ladder:?} is broken"), "Name another one."));
        };
        let least = min_confidence.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&least) {
            return Err(invalid(format!("min_confidence is {least}"), "Give a number from 0 to 1."));
        }
        let limit = timeout.map(Duration::try_from_secs_f64).transpose();
        let timeout = limit.map_err(|_| {
            let message = format!("timeout is {}", timeout.unwrap_or_default());
            invalid(message, "Give seconds from 0 on, or None for a search without an end.")
        })?;
        Ok(Self { pipeline, least_confidence: Similarity::new(least), raw_endings, timeout, max_bytes })
    }

    /// Prepares an edit. The time limit starts here.
    pub(crate) fn attempt<'a>(&self, edit: Edit<'a>, document: &'a Document<'a>) -> Attempt<'a> {
        let attempt = edit.with_raw_endings(self.raw_endings).attempt(self.pipeline, document);
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        attempt.with_deadline(deadline).with_least_confidence(self.least_confidence)
    }
}

/// Defines a reader for each argument. Its type error names the argument, which the error of the interpreter does not.
macro_rules! readers {
    ($($name:ident: $type:ty = $read:expr;)*) => {
        $(
            /// Reads the argument of this name.
            pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
                let read: fn(&str, &Bound<'_, PyAny>) -> PyResult<$type> = $read;
                read(stringify!($name), value)
            }
        )*
    };
}

readers! {
    cell: Option<String> = |name, value| {
        if value.is_none() {
            Ok(None)
        } else if value.is_instance_of::<PyString>() {
            Text::of(name, value).map(|id| Some(id.to_string()))
        } else if value.is_instance_of::<PyBool>() {
            Err(other_type(name, value, "str or int"))
        } else {
            whole::<usize>(name, value, 1, "Give the id of the cell, or its number from 1.")
                .map(|number| Some(number.to_string()))
                .map_err(|error| {
                    if error.is_instance_of::<PyTypeError>(value.py()) { other_type(name, value, "str or int") } else { error }
                })
        }
    };
    cell_type: Option<CellType> = |name, value| {
        one_of(name, value, &[("code", CellType::Code), ("markdown", CellType::Markdown), ("raw", CellType::Raw)])
    };
    copy: bool = flag;
    count: Option<usize> = |name, value| {
        optional(name, value, 0, "Give the number of places that there must be, or None for any.")
    };
    delete_cell: bool = flag;
    dry_run: bool = flag;
    insert_cell: Option<Side> = |name, value| one_of(name, value, &[("before", Side::Before), ("after", Side::After)]);
    ladder: &'static str = known_ladder;
    expected_lines: Option<usize> = |name, value| {
        optional(name, value, 1, "Give the number of lines from first to last, or None.")
    };
    line: Option<usize> = |name, value| optional(name, value, 1, "Count lines from 1, or leave the line out.");
    move_to: Option<PathBuf> = |name, value| named(name, value, "str or os.PathLike");
    lines: Option<(usize, usize)> = |name, value| named(name, value, "a pair of line numbers");
    max_bytes: u64 = |name, value| whole(name, value, 0, "Give a number of bytes from 0 to 2**64 - 1.");
    min_confidence: Option<f64> = number;
    path: PathBuf = |name, value| named(name, value, "str or os.PathLike");
    raw_endings: bool = flag;
    replace_all: bool = flag;
    reverse: bool = flag;
    root: Option<PathBuf> = |name, value| named(name, value, "str or os.PathLike");
    strip: Option<usize> = |name, value| {
        optional(name, value, 0, "Give the number of components to take off every name, or None for the a/ of a diff.")
    };
    threads: Option<NonZero<usize>> = |name, value| {
        let next_step = "Give a number from 1 on, or None for as many as there are cores.";
        Ok(optional(name, value, 1, next_step)?.and_then(NonZero::new))
    };
    timeout: Option<f64> = number;
}

fn flag(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    named(name, value, "bool")
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    named(name, value, "float")
}

/// Reads None or one of some words.
fn one_of<T: Copy>(name: &str, value: &Bound<'_, PyAny>, words: &[(&str, T)]) -> PyResult<Option<T>> {
    if value.is_none() {
        return Ok(None);
    }
    let given = Text::of(name, value)?;
    let found = words.iter().find(|(word, _)| *word == &*given);
    found.map(|(_, meaning)| Some(*meaning)).ok_or_else(|| {
        let known: Vec<_> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        let next_step = format!("Give {}.", known.join(" or "));
        raised(value.py(), &bad_input(format!("{name} is {:?}", &*given), next_step))
    })
}

/// Reads the name of a linked ladder.
fn known_ladder(name: &str, value: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    let asked = Text::of(name, value)?;
    if let Some(known) = ladder::names().find(|known| *known == &*asked) {
        return Ok(known);
    }
    let error = ladder::named(&asked).err().map_or_else(String::new, |error| error.to_string());
    Err(raised(value.py(), &bad_input(error, "fuzzy_edit.LADDERS lists the ladders.")))
}

/// Reads None or a whole number of at least `least`.
fn optional(name: &str, value: &Bound<'_, PyAny>, least: usize, next_step: &str) -> PyResult<Option<usize>> {
    if value.is_none() { Ok(None) } else { whole(name, value, least, next_step).map(Some) }
}

/// Reads a whole number of at least `least`.
fn whole<'py, N>(name: &str, value: &Bound<'py, PyAny>, least: N, next_step: &str) -> PyResult<N>
where
    N: PartialOrd + for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let py = value.py();
    match named::<N>(name, value, "int") {
        Ok(number) if number >= least => Ok(number),
        Err(error) if !error.is_instance_of::<PyOverflowError>(py) => Err(error),
        _ => Err(raised(py, &bad_input(format!("{name} is {}", value.repr()?), next_step))),
    }
}

/// Reads a value; the error for a wrong type names the argument.
fn named<'py, T>(name: &str, value: &Bound<'py, PyAny>, wanted: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract::<T>().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(value.py()) { other_type(name, value, wanted) } else { error }
    })
}

/// Makes the error for an argument of the wrong type.
pub(crate) fn other_type(name: &str, value: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let hint = if wanted == "str" && value.is_instance_of::<PyBytes>() { "; decode it first" } else { "" };
    match value.get_type().name() {
        Ok(kind) => PyTypeError::new_err(format!("{name} is of type {kind}, not {wanted}{hint}")),
        Err(error) => error,
    }
}
