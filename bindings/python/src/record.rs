//! Values that answers consist of: immutable, compared by what they hold, picklable, and shown in a line.

use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyTupleMethods};

/// Characters of a field that are shown.
const WIDTH: usize = 72;

/// Defines a class whose constructor takes its fields in order, each with its type in Python; `with` adds methods of its
/// own. `tools/stub.py` reads the fields, their types and their docs.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:literal),* $(,)? }
        $(with { $($methods:tt)* })?
    ) => {
        $(#[$doc])*
        #[pyo3::pyclass(frozen, get_all, module = "fuzzy_edit")]
        pub(crate) struct $name {
            $($(#[$field_doc])* pub(crate) $field: pyo3::Py<pyo3::PyAny>,)*
        }

        #[pyo3::pymethods]
        impl $name {
            #[new]
            // As many as the class has fields.
            #[allow(clippy::too_many_arguments)]
            const fn new($($field: pyo3::Py<pyo3::PyAny>),*) -> Self {
                Self { $($field),* }
            }

            $($($methods)*)?

            #[classattr]
            #[pyo3(name = "__match_args__")]
            fn match_args(py: pyo3::Python<'_>) -> pyo3::PyResult<pyo3::Bound<'_, pyo3::types::PyTuple>> {
                pyo3::types::PyTuple::new(py, <Self as $crate::record::Record>::NAMES)
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
    };
}

pub(crate) use record;

/// A class that [`record!`] defined.
pub(crate) trait Record {
    /// Its name.
    const CLASS: &'static str;
    /// Its fields, in order.
    const NAMES: &'static [&'static str];

    /// Returns what its fields hold, in order.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>>;
}

/// Shows a record in one line: what is `None` or empty is left out, what is long is cut.
pub(crate) fn shown<R: Record>(py: Python<'_>, record: &R) -> PyResult<String> {
    let mut fields = Vec::new();
    for (name, value) in R::NAMES.iter().zip(record.values(py)?) {
        let is_empty = value.is_none() || value.cast::<PyTuple>().is_ok_and(PyTupleMethods::is_empty);
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
