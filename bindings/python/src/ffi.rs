//! Tables that come from Python and go there, as the C stream interface of Arrow hands them over in capsules.
//!
//! The only module with unsafe code: that a capsule of this name holds what its name says is an agreement with the
//! code that made it, which nothing can check.

#![allow(unsafe_code)]

use std::ffi::CStr;

use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// What capsules with a stream are called.
const STREAM: &CStr = c"arrow_array_stream";

/// Takes the stream out of a capsule; nobody else can read it after that.
///
/// # Errors
///
/// The outer one if that is another capsule, the inner one if its stream is read already or is none of a table.
pub(crate) fn import(capsule: &Bound<'_, PyCapsule>) -> PyResult<Result<RecordBatchStreamReader, ArrowError>> {
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: the interface says that a capsule of this name holds a stream, and lets its receiver move it out: what is
    // left behind is marked as released. This thread is attached, so nobody else moves it meanwhile.
    Ok(unsafe { RecordBatchStreamReader::from_raw(pointer.cast().as_ptr()) })
}

/// Puts a stream into a capsule, which releases it unless somebody takes it out.
pub(crate) fn export(py: Python<'_>, batches: Box<dyn RecordBatchReader + Send>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}
