//! The classes of results: immutable, compared by value, picklable, and with a `repr` of one line.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyTupleMethods};

/// The maximum number of characters of a field in the `repr`.
const WIDTH: usize = 72;

/// Defines a class whose constructor takes its fields in order, each with its Python type; `with` adds methods, and
/// `= Type` converts that Rust type, which has fields of the same names. `tools/stub.py` reads the fields, their types
/// and their docs.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $name:ident $(= $source:ty)? { $($(#[doc = $field_doc:literal])* $field:ident: $type:literal),* $(,)? }
        $(with { $($methods:tt)* })?
    ) => {
        $(#[$doc])*
        ///
        $(#[doc = concat!(":ivar ", stringify!($field), ": ", $type, ".", $($field_doc),*)])*
        #[pyo3::pyclass(frozen, get_all, weakref, module = "fuzzy_edit")]
        pub(crate) struct $name {
            $($(#[doc = $field_doc])* pub(crate) $field: pyo3::Py<pyo3::PyAny>,)*
        }

        #[pyo3::pymethods]
        impl $name {
            #[new]
            // The constructor has a parameter for each field.
            #[allow(clippy::too_many_arguments)]
            const fn new($($field: pyo3::Py<pyo3::PyAny>),*) -> Self {
                Self { $($field),* }
            }

            $($($methods)*)?

            fn __bool__(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<bool> {
                $crate::record::truth(py, self)
            }

            /// Returns a dictionary of the fields; values of this package in them are dictionaries, too.
            fn to_dict<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyDict>> {
                $crate::record::dict(py, self)
            }

            /// Returns one line of JSON, as the command prints it with ``--json``; for a ``Result``, as ``fuzzy-edit batch``
            /// prints it. Results about texts lack the fields that describe a file.
            fn to_json(slf: &pyo3::Bound<'_, Self>) -> pyo3::PyResult<pyo3::Py<pyo3::PyAny>> {
                $crate::record::json(slf.as_any())
            }

            #[classattr]
            #[pyo3(name = "__match_args__")]
            fn match_args(py: pyo3::Python<'_>) -> pyo3::PyResult<pyo3::Bound<'_, pyo3::types::PyTuple>> {
                pyo3::types::PyTuple::new(py, <Self as $crate::record::Record>::NAMES)
            }

            /// Returns a copy with some fields changed: ``copy.replace(value, field=…)`` calls it.
            #[pyo3(signature = (**changes))]
            fn __replace__<'py>(
                &self,
                py: pyo3::Python<'py>,
                changes: Option<&pyo3::Bound<'py, pyo3::types::PyDict>>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                $crate::record::replaced(&py.get_type::<Self>(), self, changes)
            }

            fn __reduce__<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<(pyo3::Bound<'py, pyo3::types::PyType>, pyo3::Bound<'py, pyo3::types::PyTuple>)> {
                Ok((py.get_type::<Self>(), $crate::record::Record::values(self, py)?))
            }

            fn __eq__(&self, other: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<bool> {
                let py = other.py();
                match other.cast::<Self>() {
                    Ok(other) => pyo3::types::PyAnyMethods::eq(
                        &*$crate::record::Record::values(self, py)?,
                        $crate::record::Record::values(other.get(), py)?,
                    ),
                    Err(_) => Ok(false),
                }
            }

            fn __hash__(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<isize> {
                pyo3::types::PyAnyMethods::hash(&*$crate::record::Record::values(self, py)?)
            }

            fn __repr__(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                $crate::record::shown(py, self)
            }
        }

        impl $crate::record::Record for $name {
            const CLASS: &'static str = stringify!($name);
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            fn values<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyTuple>> {
                pyo3::types::PyTuple::new(py, [$(&self.$field),*])
            }
        }

        $crate::record::convert!($name { $($field),* } $($source)?);
    };
}

/// Converts a Rust type with these fields to a class.
macro_rules! convert {
    ($name:ident { $($field:ident),* }) => {};
    ($name:ident { $($field:ident),* } $source:ty) => {
        impl $crate::values::ToPython for $source {
            fn to_python(self, py: pyo3::Python<'_>) -> pyo3::PyResult<pyo3::Py<pyo3::PyAny>> {
                let made = $name { $($field: $crate::values::ToPython::to_python(self.$field, py)?),* };
                pyo3::IntoPyObjectExt::into_py_any(made, py)
            }
        }
    };
}

/// Makes a class of Rust values: `filled!(py, Name { field, other: value })`, with `details` for the fields of a refusal.
macro_rules! filled {
    ($py:expr, $details:ident, $name:ident { $($fields:tt)* }) => {{
        let fuzzy_report::OfEdit { rule, nearest, conflicts, ambiguous_at, count, lost, tried, proposal, .. } = $details;
        $crate::record::filled!($py, $name {
            rule, nearest, conflicts, ambiguous_at, count, lost, tried, proposal, $($fields)*
        })
    }};
    ($py:expr, $name:ident { $($field:ident $(: $value:expr)?),* $(,)? }) => {
        $name { $($field: $crate::record::filled!(@ $py, $field $(, $value)?)),* }
    };
    (@ $py:expr, $field:ident) => {
        $crate::values::ToPython::to_python($field, $py)?
    };
    (@ $py:expr, $field:ident, $value:expr) => {
        $crate::values::ToPython::to_python($value, $py)?
    };
}

pub(crate) use {convert, filled, record};

/// A class defined by [`record!`].
pub(crate) trait Record {
    /// The name of the class.
    const CLASS: &'static str;
    /// The names of the fields, in order.
    const NAMES: &'static [&'static str];

    /// Returns the values of the fields, in order.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>>;
}

/// Returns the `repr` of a record in one line. It omits `None`, empty tuples and a count of 0, and cuts long values.
pub(crate) fn shown<R: Record>(py: Python<'_>, record: &R) -> PyResult<String> {
    let mut fields = Vec::new();
    for (name, value) in R::NAMES.iter().zip(record.values(py)?) {
        let is_empty = value.is_none()
            || value.cast::<PyTuple>().is_ok_and(PyTupleMethods::is_empty)
            || (*name == "count" && !value.is_truthy()?);
        if !is_empty {
            let text = value.repr()?.to_string_lossy().into_owned();
            fields.push(match text.char_indices().nth(WIDTH) {
                Some((end, _)) => format!("{name}={}…", &text[..end]),
                None => format!("{name}={text}"),
            });
        }
    }
    Ok(format!("{}({})", R::CLASS, fields.join(", ")))
}

/// Returns the field `ok` as the truth of a record; a record without that field is true.
pub(crate) fn truth<R: Record>(py: Python<'_>, record: &R) -> PyResult<bool> {
    match R::NAMES.iter().position(|name| *name == "ok") {
        Some(ok) => record.values(py)?.get_item(ok)?.is_truthy(),
        None => Ok(true),
    }
}

/// Returns a dictionary of the fields; records in them become dictionaries, too.
pub(crate) fn dict<'py, R: Record>(py: Python<'py>, record: &R) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in R::NAMES.iter().zip(record.values(py)?) {
        dict.set_item(name, plain(&value)?)?;
    }
    Ok(dict)
}

/// Converts every record in a value to a dictionary.
fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    if let Ok(values) = value.cast::<PyTuple>() {
        let values = values.iter().map(|value| plain(&value)).collect::<PyResult<Vec<_>>>()?;
        return Ok(PyTuple::new(py, values)?.into_any());
    }
    if value.hasattr("to_dict")? { value.call_method0("to_dict") } else { Ok(value.clone()) }
}

/// Returns a value as one line of JSON, in the format of the command.
pub(crate) fn json(value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    Ok(value.py().import("fuzzy_edit._json")?.call_method1("dumps", (value,))?.unbind())
}

/// Returns a copy of a record with some fields changed.
pub(crate) fn replaced<'py, R: Record>(
    class: &Bound<'py, pyo3::types::PyType>,
    record: &R,
    changes: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let fields = PyDict::new(py);
    for (name, value) in R::NAMES.iter().zip(record.values(py)?) {
        fields.set_item(name, value)?;
    }
    if let Some(changes) = changes {
        fields.update(changes.as_mapping())?;
    }
    class.call((), Some(&fields))
}
