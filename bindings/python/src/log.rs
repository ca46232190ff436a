//! A line for each decision, for Python's `logging`: the logger `fuzzy_edit`, level DEBUG. It has no text of a file.

use std::fmt::Write as _;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The level, as `logging` numbers it.
const DEBUG: u8 = 10;

/// The logger, once the program has one.
static LOGGER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Logs what became of a call, if the program listens; `told` makes the line.
pub(crate) fn log(py: Python<'_>, told: impl FnOnce() -> PyResult<String>) -> PyResult<()> {
    let Some(logger) = logger(py)? else { return Ok(()) };
    if logger.call_method1("isEnabledFor", (DEBUG,))?.is_truthy()? {
        logger.call_method1("debug", ("%s", told()?))?;
    }
    Ok(())
}

/// Returns the logger, unless the program has not imported `logging`: nobody listens then, and the import would take longer
/// than that of this package.
fn logger(py: Python<'_>) -> PyResult<Option<Bound<'_, PyAny>>> {
    if let Some(logger) = LOGGER.get(py) {
        return Ok(Some(logger.bind(py).clone()));
    }
    let modules = py.import("sys")?.getattr("modules")?;
    let logging = modules.call_method1("get", ("logging",))?;
    // While another thread imports it, it is there and not whole.
    if logging.is_none() || !logging.hasattr("getLogger")? {
        return Ok(None);
    }
    let logger = logging.call_method1("getLogger", ("fuzzy_edit",))?.unbind();
    Ok(Some(LOGGER.get_or_init(py, || logger).bind(py).clone()))
}

/// Writes the name of a call and those of some fields of its answer that are not None.
pub(crate) fn line(answer: &Bound<'_, PyAny>, call: &str, fields: &[&str]) -> PyResult<String> {
    let mut line = call.to_owned();
    for name in fields {
        let value = answer.getattr(*name)?;
        if !value.is_none() {
            // A string takes whatever is written.
            let _ = write!(line, " {name}={}", value.str()?);
        }
    }
    Ok(line)
}
