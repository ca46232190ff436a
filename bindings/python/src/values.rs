//! Converts Rust values to Python values: lists to tuples, words to strings.

use fuzzy_pipeline::report::{Origin, Verdict};
use fuzzy_pipeline::{LineRange, Similarity};
use fuzzy_report::{Code, Status};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A value of a field of a class that `record!` defines.
pub(crate) trait ToPython {
    /// Returns the value as a Python object.
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

/// Converts types, each by an expression whose value pyo3 converts.
macro_rules! values {
    ($($type:ty: $value:ident => $converted:expr;)*) => {$(
        impl ToPython for $type {
            fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                let $value = self;
                $converted.into_py_any(py)
            }
        }
    )*};
}

values! {
    bool: value => value;
    usize: value => value;
    f64: value => value;
    &'static str: value => value;
    String: value => value;
    Py<PyAny>: value => value;
    (usize, usize): value => value;
    (String, &'static str): value => value;
    LineRange: lines => (lines.first, lines.last);
    Similarity: value => value.get();
    Code: code => code.as_str();
    Origin: origin => origin.as_str();
    Status: status => status.as_str();
    Verdict: verdict => verdict.as_str();
}

impl<T: ToPython> ToPython for Option<T> {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.map_or_else(|| Ok(py.None()), |value| value.to_python(py))
    }
}

impl<T: ToPython> ToPython for Vec<T> {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let values = self.into_iter().map(|value| value.to_python(py)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, values)?.into_py_any(py)
    }
}
