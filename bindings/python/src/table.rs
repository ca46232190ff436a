//! `apply_batch`: reads a table of edits, returns a table of results.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread::available_parallelism;

use arrow_array::RecordBatchReader;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::batch::Answers;
use crate::error::{bad_input, raised};
use crate::ffi;
use crate::request::Settings;

/// A table of results that is computed while it is read, and can be read once. Every reader of Arrow's C streams can read
/// it: ``pyarrow.table(answers)``, ``polars.DataFrame(answers)``, ``pyarrow.RecordBatchReader.from_stream(answers)``.
#[pyclass(frozen, weakref, module = "fuzzy_edit")]
pub(crate) struct AnswerStream(Mutex<Option<Box<dyn RecordBatchReader + Send>>>);

#[pymethods]
impl AnswerStream {
    /// Returns the stream; raises ``FuzzyEditError`` after the first call.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the requested schema.
        let _ = requested_schema;
        let stream = self.0.lock().ok().and_then(|mut stream| stream.take());
        let stream = stream.ok_or_else(|| {
            refused(py, "these answers were read already", "Keep what was read, or call apply_batch again.")
        })?;
        ffi::export(py, stream)
    }

    fn __repr__(&self) -> &'static str {
        let is_read = self.0.lock().map_or(true, |stream| stream.is_none());
        if is_read { "<fuzzy_edit.AnswerStream, read>" } else { "<fuzzy_edit.AnswerStream>" }
    }
}

/// Starts to apply the edits of a table.
pub(crate) fn apply_batch(
    table: &Bound<'_, PyAny>,
    settings: Settings,
    threads: Option<NonZero<usize>>,
) -> PyResult<AnswerStream> {
    let py = table.py();
    let no_table = "Give a table of Arrow's: one of pyarrow, polars, pandas 2.2 or later, DuckDB, …";
    if !table.hasattr("__arrow_c_stream__")? {
        return Err(refused(py, format!("{} has no __arrow_c_stream__", table.get_type().qualname()?), no_table));
    }
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>().map_err(|error| refused(py, error.to_string(), no_table))?;
    let edits = ffi::import(capsule)?.map_err(|error| refused(py, error.to_string(), no_table))?;
    let threads = threads.or_else(|| available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let columns =
        "Give the columns content, old and new of strings, or others that help(fuzzy_edit.apply_batch) lists.";
    let answers = Answers::new(edits, settings, threads).map_err(|message| refused(py, message, columns))?;
    Ok(AnswerStream(Mutex::new(Some(Box::new(answers)))))
}

/// Returns the exception for a table that is rejected.
fn refused(py: Python<'_>, message: impl Into<String>, next_step: &str) -> PyErr {
    raised(py, &bad_input(message, next_step))
}
