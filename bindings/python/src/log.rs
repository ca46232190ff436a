//! Logs a line for each decision to Python's `logging`: the logger `fuzzy_edit`, level DEBUG, without texts of files.

use std::fmt::Write as _;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The number of the level in `logging`.
const DEBUG: u8 = 10;

/// The logger, after the first call that finds `logging` imported.
static LOGGER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Logs the result of a call, if the level is enabled; `told` makes the line.
pub(crate) fn log(py: Python<'_>, told: impl FnOnce() -> PyResult<String>) -> PyResult<()> {
    let Some(logger) = logger(py)? else { return Ok(()) };
    if logger.call_method1("isEnabledFor", (DEBUG,))?.is_truthy()? {
        logger.call_method1("debug", ("%s", told()?))?;
    }
    Ok(())
}

/// Returns the logger, or `None` if the program has not imported `logging`: then no handler exists, and the import would
/// take longer than the import of this package.
fn logger(py: Python<'_>) -> PyResult<Option<Bound<'_, PyAny>>> {
    if let Some(logger) = LOGGER.get(py) {
        return Ok(Some(logger.bind(py).clone()));
    }
    let modules = py.import("sys")?.getattr("modules")?;
    let logging = modules.call_method1("get", ("logging",))?;
    // While another thread imports the module, it is in `sys.modules`, but incomplete.
    if logging.is_none() || !logging.hasattr("getLogger")? {
        return Ok(None);
    }
    let logger = logging.call_method1("getLogger", ("fuzzy_edit",))?.unbind();
    Ok(Some(LOGGER.get_or_init(py, || logger).bind(py).clone()))
}

/// Returns a line with the name of a call and some fields of its result, without those that are None.
pub(crate) fn line(answer: &Bound<'_, PyAny>, call: &str, fields: &[&str]) -> PyResult<String> {
    let mut line = call.to_owned();
    for name in fields {
        let value = answer.getattr(*name)?;
        if !value.is_none() {
            // Writing to a string never fails.
            let _ = write!(line, " {name}={}", value.str()?);
        }
    }
    Ok(line)
}
