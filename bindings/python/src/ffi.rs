//! Tables from Python and to Python, exchanged through the C stream interface of Arrow in capsules.
//!
//! The only module with unsafe code. It trusts the producer of a capsule that the content has the type that the name of
//! the capsule states, and the memory layout of the interface: no check of either is possible.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchOptions, RecordBatchReader, StructArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The name of capsules with a stream.
const STREAM: &CStr = c"arrow_array_stream";

/// Moves the stream out of a capsule; no other reader can use it after that.
///
/// # Errors
///
/// The outer one if the capsule has another name, the inner one if its stream was read already or has no table.
pub(crate) fn import(capsule: &Bound<'_, PyCapsule>) -> PyResult<Result<Tables, ArrowError>> {
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: the interface guarantees that a capsule of this name holds a stream, and allows the receiver to move it
    // out: the original is then marked as released. This thread is attached, so no other thread moves it meanwhile.
    Ok(Tables::new(unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) }))
}

/// Puts a stream into a capsule, which releases the stream unless a consumer moves it out.
pub(crate) fn export(py: Python<'_>, batches: Box<dyn RecordBatchReader + Send>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}

/// The tables of a stream. It differs from Arrow's own reader in one point: a column of the null type may have a buffer
/// (polars exports one), although the interface allows none.
pub(crate) struct Tables {
    stream: FFI_ArrowArrayStream,
    schema: SchemaRef,
}

impl Tables {
    fn new(mut stream: FFI_ArrowArrayStream) -> Result<Self, ArrowError> {
        let get_schema = stream.get_schema().ok_or_else(|| broken("the stream is released already"))?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, or it would have no callback; the schema is empty and writable.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        fail(&mut stream, code)?;
        let schema = Arc::new(Schema::try_from(&schema)?);
        Ok(Self { stream, schema })
    }

    fn read(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let get_next = self.stream.get_next().ok_or_else(|| broken("the stream has no tables"))?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        fail(&mut self.stream, code)?;
        if array.is_released() {
            return Ok(None);
        }
        let kind = DataType::Struct(self.schema.fields().clone());
        // SAFETY: the array is ours now, and has the type of the schema of the stream.
        let data = unsafe {
            without_buffers((&raw mut array).cast(), &kind);
            from_ffi_and_data_type(array, kind)?
        };
        let rows = RecordBatchOptions::new().with_row_count(Some(data.len()));
        let columns = StructArray::from(data).into_parts().1;
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows).map(Some)
    }
}

impl Iterator for Tables {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

impl RecordBatchReader for Tables {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Returns the error of the last call of the stream, if it failed.
fn fail(stream: &mut FFI_ArrowArrayStream, code: c_int) -> Result<(), ArrowError> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: the last call failed, and its message is valid until the next call.
    let said = stream.get_last_error().map(|get_last_error| unsafe { get_last_error(stream) });
    let said = said.filter(|said| !said.is_null()).map(|said| unsafe { CStr::from_ptr(said) }.to_string_lossy());
    Err(broken(&said.unwrap_or_else(|| format!("the reader of the table failed with {code}").into())))
}

fn broken(message: &str) -> ArrowError {
    ArrowError::CDataInterface(message.to_owned())
}

/// The first fields of an array in the layout of the interface.
#[repr(C)]
struct Layout {
    _numbers: [i64; 3],
    buffers: i64,
    children: i64,
    _pointers: *mut *const c_void,
    child: *mut *mut Layout,
}

/// Sets the number of buffers to 0 in each column of the null type, as the interface requires.
///
/// # Safety
///
/// The array must have this type. Its producer must not need the number of buffers to release them: it must own them
/// through its private data.
unsafe fn without_buffers(array: *mut Layout, kind: &DataType) {
    let kinds: Vec<&DataType> = match kind {
        DataType::Null => {
            // SAFETY: the caller guarantees the type, here and below.
            unsafe { (*array).buffers = 0 };
            return;
        }
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _) => {
            vec![field.data_type()]
        }
        _ => return,
    };
    let children = usize::try_from(unsafe { (*array).children }).unwrap_or(0);
    for (index, kind) in kinds.into_iter().enumerate().take(children) {
        unsafe { without_buffers(*(*array).child.add(index), kind) };
    }
}
