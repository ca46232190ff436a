//! The exception of the package.

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
    "An edit could not be tried: a request is invalid, too large or took too long, or fuzzy-edit itself failed.\n\n\
     It is a ``ValueError``. A refused edit raises nothing: its result gives the reason.\n\n\
     :ivar code: The failure in one word: ``bad_input``, ``too_large``, ``timeout``, ``parse``, ``internal``.\n\
     :ivar message: The error message.\n\
     :ivar next_step: The advice on the next step, in one sentence."
);

/// Converts a failure to an exception.
pub(crate) fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    let error = FuzzyEditError::new_err(failure.to_string());
    let value = error.value(py);
    let attributes = [
        ("code", failure.code.as_str()),
        ("message", failure.message.as_str()),
        ("next_step", failure.next_step.as_str()),
    ];
    for (name, text) in attributes {
        // This fails only if there is no memory for a string; then that error is returned.
        if let Err(error) = value.setattr(name, text) {
            return error;
        }
    }
    error
}

/// Makes the failure for an invalid request.
pub(crate) fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Box<Failure> {
    Box::new(Failure::bad_input(message, next_step))
}

/// Makes the failure for a text above the size limit.
pub(crate) fn too_large(limit: u64) -> Box<Failure> {
    let message = format!("the text is larger than the limit of {limit} bytes");
    Box::new(Failure::new(Code::TooLarge, message, "Raise max_bytes, or give a smaller text."))
}

/// Calls `work`; a panic becomes a failure with the code `internal`.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Box<Failure>> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| internal(&*panic))
}

/// Calls `work` while other Python threads run; raises its failure, or its panic as `internal`.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Box<Failure>> + Send) -> PyResult<T> {
    py.detach(|| caught(work).and_then(|result| result)).map_err(|failure| raised(py, &failure))
}

fn internal(panic: &(dyn Any + Send)) -> Box<Failure> {
    let said = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("fuzzy-edit itself failed: {}", said.unwrap_or("it panicked"));
    Box::new(Failure::new(Code::Internal, message, "Report this as a bug, with the texts if they may be shown."))
}
