//! What is asked: texts and settings as Python gives them.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use fuzzy_pipeline::{Attempt, Document, Edit, Pipeline, Similarity, ladder};
use fuzzy_report::Failure;
use pyo3::exceptions::{PyOverflowError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use crate::error::{bad_input, raised};

/// A string of Python that is text: without lone surrogates, which no file of UTF-8 can hold.
pub(crate) struct Text(PyBackedStr);

impl Text {
    /// Returns it as a string of Python.
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

impl FromPyObject<'_, '_> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        object.extract::<PyBackedStr>().map(Self).map_err(|error| {
            if error.is_instance_of::<PyUnicodeEncodeError>(py) {
                let message = format!("a text has a lone surrogate: {error}");
                raised(
                    py,
                    &bad_input(message, "Decode the text without errors=\"surrogateescape\" or \"surrogatepass\"."),
                )
            } else {
                error
            }
        })
    }
}

/// Every linked ladder by its name.
static PIPELINES: LazyLock<HashMap<&'static str, Pipeline>> = LazyLock::new(|| {
    // One that cannot be made is missing, and says why when it is asked for.
    ladder::names().filter_map(|name| Some((name, Pipeline::new(ladder::named(name).ok()?)))).collect()
});

/// How to search, and what that may cost.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) pipeline: &'static Pipeline,
    pub(crate) least_confidence: Similarity,
    pub(crate) raw_endings: bool,
    /// The longest that one search may take.
    pub(crate) timeout: Option<Duration>,
    /// The largest text that is read or made, in bytes of UTF-8.
    pub(crate) max_bytes: u64,
}

impl Settings {
    /// Checks what was given; `timeout` is in seconds.
    pub(crate) fn new(
        ladder: &str,
        min_confidence: Option<f64>,
        raw_endings: bool,
        timeout: Option<f64>,
        max_bytes: u64,
    ) -> Result<Self, Box<Failure>> {
        let Some(pipeline) = PIPELINES.get(ladder) else {
            let error =
                ladder::named(ladder).map_or_else(|error| error.to_string(), |_| "the ladder is broken".to_owned());
            return Err(bad_input(error, "fuzzy_edit.LADDERS lists the ladders."));
        };
        let least = min_confidence.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&least) {
            return Err(bad_input(format!("min_confidence is {least}"), "Give a number from 0 to 1."));
        }
        let timeout = timeout.map(Duration::try_from_secs_f64).transpose().map_err(|error| {
            bad_input(format!("timeout: {error}"), "Give seconds, or None for a search without an end.")
        })?;
        Ok(Self { pipeline, least_confidence: Similarity::new(least), raw_endings, timeout, max_bytes })
    }

    /// Tries an edit; the time runs from now on.
    pub(crate) fn attempt<'a>(&self, edit: Edit<'a>, document: &'a Document<'a>) -> Attempt<'a> {
        let attempt = edit.with_raw_endings(self.raw_endings).attempt(self.pipeline, document);
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        attempt.with_deadline(deadline).with_least_confidence(self.least_confidence)
    }
}

/// A number of a line, counted from 1.
pub(crate) struct Line(pub(crate) usize);

impl FromPyObject<'_, '_> for Line {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let number = match object.extract::<usize>() {
            Ok(number) => number,
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => 0,
            Err(error) => return Err(error),
        };
        if number == 0 {
            let message = format!("the line {} is no line of any text", object.repr()?);
            return Err(raised(py, &bad_input(message, "Count lines from 1, or leave the line out.")));
        }
        Ok(Self(number))
    }
}
