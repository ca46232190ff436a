//! What is raised instead of answered.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fuzzy_report::{Code, Failure};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    fuzzy_edit,
    FuzzyEditError,
    PyValueError,
    "What was asked could not be tried: it makes no sense, is too large, took too long, or fuzzy-edit itself failed.\n\n\
     It is a ``ValueError``. A refused edit raises nothing: it is an answer.\n\n\
     :ivar code: The one word that names the failure: ``bad_input``, ``too_large``, ``timeout``, ``parse``, ``internal``.\n\
     :ivar message: What is wrong.\n\
     :ivar next_step: What to do, in one sentence."
);

/// Returns the exception that tells a failure.
pub(crate) fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    let error = FuzzyEditError::new_err(failure.to_string());
    let value = error.value(py);
    let attributes = [
        ("code", failure.code.as_str()),
        ("message", failure.message.as_str()),
        ("next_step", failure.next_step.as_str()),
    ];
    for (name, text) in attributes {
        // The exception has a dictionary; without memory for a string there is no exception either.
        if let Err(error) = value.setattr(name, text) {
            return error;
        }
    }
    error
}

/// Makes the failure of a request that cannot be understood.
pub(crate) fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Box<Failure> {
    Box::new(Failure::bad_input(message, next_step))
}

/// Makes the failure of a text that is larger than the limit.
pub(crate) fn too_large(limit: u64) -> Box<Failure> {
    let message = format!("the text is larger than the limit of {limit} bytes");
    Box::new(Failure::new(Code::TooLarge, message, "Raise max_bytes, or give a smaller text."))
}

/// Calls `work`; a panic becomes a failure with the code `internal`.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Box<Failure>> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| internal(&*panic))
}

/// Calls `work` while other Python threads run; what fails, and a panic, is raised.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Box<Failure>> + Send) -> PyResult<T> {
    py.detach(|| caught(work).and_then(|result| result)).map_err(|failure| raised(py, &failure))
}

fn internal(panic: &(dyn Any + Send)) -> Box<Failure> {
    let said = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("fuzzy-edit itself failed: {}", said.unwrap_or("it panicked"));
    Box::new(Failure::new(Code::Internal, message, "Report this as a bug, with the texts if they may be shown."))
}
