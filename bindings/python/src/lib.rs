//! The native half of the Python package `fuzzy_edit`: edits of texts, of tables and of files.
//!
//! What is decided here is an answer, also where an edit is refused; what could not be tried is an exception with a code,
//! and so is a panic. The interpreter runs other threads while this works.

mod answer;
mod batch;
mod columns;
mod decide;
mod error;
mod explanation;
mod ffi;
mod files;
mod html;
mod offsets;
#[cfg(feature = "failpoints")]
mod panics;
mod record;
mod request;
mod table;

use pyo3::prelude::*;

#[cfg(feature = "failpoints")]
fuzzy_core::register!(panics::Panics, priority = 200);

#[pymodule]
mod _native {
    use std::num::NonZero;
    use std::path::PathBuf;

    use fuzzy_report::FileEdit;
    use pyo3::exceptions::PyRuntimeError;
    use pyo3::prelude::*;
    use pyo3::types::{PyMapping, PyTuple};

    #[pymodule_export]
    use crate::answer::{Conflict, Located, Nearest, Place, Proposal, Result, Splice};
    use crate::decide::Asked;
    #[pymodule_export]
    use crate::error::FuzzyEditError;
    use crate::error::{detached, raised};
    #[pymodule_export]
    use crate::explanation::{Alignment, Candidate, Explanation, Feature, LandedLine, Row, Tried, Weighed};
    use crate::files::{Editing, Patching};
    #[pymodule_export]
    use crate::files::{FileResult, PatchResult};
    use crate::request::{Line, Settings, Text};
    #[pymodule_export]
    use crate::table::AnswerStream;

    /// Replaces a text in a text.
    #[pyfunction]
    #[pyo3(signature = (text, old, new, *, ladder = "adaptive", replace_all = false, line = None, min_confidence = None,
        raw_endings = false, timeout = 2.0, max_bytes = 33_554_432))]
    // As many as there are things to say about an edit.
    #[allow(clippy::too_many_arguments)]
    fn apply(
        py: Python<'_>,
        text: Text,
        old: Text,
        new: Text,
        ladder: &str,
        replace_all: bool,
        line: Option<Line>,
        min_confidence: Option<f64>,
        raw_endings: bool,
        timeout: Option<f64>,
        max_bytes: u64,
    ) -> PyResult<Result> {
        let settings = Settings::new(ladder, min_confidence, raw_endings, timeout, max_bytes);
        let settings = settings.map_err(|failure| raised(py, &failure))?;
        let line = line.map(|line| line.0);
        let asked = Asked { text: &text, old: &old, new: Some(&new), replace_all, line };
        let answer = detached(py, || asked.answer(&settings))?;
        Result::of(py, &text, answer)
    }

    /// Says where a text is.
    #[pyfunction]
    #[pyo3(signature = (text, old, new = None, *, ladder = "adaptive", replace_all = false, line = None,
        min_confidence = None, raw_endings = false, timeout = 2.0, max_bytes = 33_554_432))]
    // As many as there are things to say about an edit.
    #[allow(clippy::too_many_arguments)]
    fn locate(
        py: Python<'_>,
        text: Text,
        old: Text,
        new: Option<Text>,
        ladder: &str,
        replace_all: bool,
        line: Option<Line>,
        min_confidence: Option<f64>,
        raw_endings: bool,
        timeout: Option<f64>,
        max_bytes: u64,
    ) -> PyResult<Located> {
        let settings = Settings::new(ladder, min_confidence, raw_endings, timeout, max_bytes);
        let settings = settings.map_err(|failure| raised(py, &failure))?;
        let line = line.map(|line| line.0);
        let asked = Asked { text: &text, old: &old, new: new.as_deref(), replace_all, line };
        let answer = detached(py, || asked.answer(&settings))?;
        Located::of(py, answer)
    }

    /// Says of every strategy what it proposes, and why that is or is not taken.
    #[pyfunction]
    #[pyo3(signature = (text, old, new = None, *, ladder = "adaptive", replace_all = false, line = None,
        min_confidence = None, raw_endings = false, timeout = 2.0, max_bytes = 33_554_432))]
    // As many as there are things to say about an edit.
    #[allow(clippy::too_many_arguments)]
    fn explain(
        py: Python<'_>,
        text: Text,
        old: Text,
        new: Option<Text>,
        ladder: &str,
        replace_all: bool,
        line: Option<Line>,
        min_confidence: Option<f64>,
        raw_endings: bool,
        timeout: Option<f64>,
        max_bytes: u64,
    ) -> PyResult<Explanation> {
        let settings = Settings::new(ladder, min_confidence, raw_endings, timeout, max_bytes);
        let settings = settings.map_err(|failure| raised(py, &failure))?;
        let line = line.map(|line| line.0);
        let asked = Asked { text: &text, old: &old, new: new.as_deref(), replace_all, line };
        let reasons = detached(py, || asked.explain(&settings))?;
        Explanation::of(py, reasons)
    }

    /// Answers the edits of a table.
    #[pyfunction]
    #[pyo3(signature = (table, *, ladder = "adaptive", min_confidence = None, raw_endings = false, timeout = 2.0,
        max_bytes = 33_554_432, threads = None))]
    // As many as there are things to say about edits.
    #[allow(clippy::too_many_arguments)]
    fn apply_batch(
        table: &Bound<'_, PyAny>,
        ladder: &str,
        min_confidence: Option<f64>,
        raw_endings: bool,
        timeout: Option<f64>,
        max_bytes: u64,
        threads: Option<NonZero<usize>>,
    ) -> PyResult<AnswerStream> {
        let settings = Settings::new(ladder, min_confidence, raw_endings, timeout, max_bytes);
        let settings = settings.map_err(|failure| raised(table.py(), &failure))?;
        crate::table::apply_batch(table, settings, threads)
    }

    /// Carries out a patch on texts.
    #[pyfunction]
    #[pyo3(signature = (files, patch, *, target = None, ladder = "adaptive", min_confidence = None, timeout = 2.0,
        max_bytes = 33_554_432))]
    // As many as there are things to say about a patch.
    #[allow(clippy::too_many_arguments)]
    fn apply_patch(
        files: &Bound<'_, PyMapping>,
        patch: Text,
        target: Option<Text>,
        ladder: &str,
        min_confidence: Option<f64>,
        timeout: Option<f64>,
        max_bytes: u64,
    ) -> PyResult<PatchResult> {
        let py = files.py();
        let settings = Settings::new(ladder, min_confidence, false, timeout, max_bytes);
        let settings = settings.map_err(|failure| raised(py, &failure))?;
        let files = files.items()?.iter().map(|item| item.extract()).collect::<PyResult<Vec<_>>>()?;
        let patching = Patching { files, patch, target };
        let patched = detached(py, || patching.carry_out(&settings))?;
        PatchResult::of(py, &patching, patched)
    }

    /// Edits a file.
    #[pyfunction]
    #[pyo3(signature = (path, old, new, *, root = None, replace_all = false, line = None, count = None, expected_hash = None,
        dry_run = false, encoding = None, ladder = "adaptive", min_confidence = None, timeout = 2.0,
        max_bytes = 33_554_432))]
    // As many as there are things to say about an edit.
    #[allow(clippy::too_many_arguments)]
    fn edit_file(
        py: Python<'_>,
        path: PathBuf,
        old: Text,
        new: Text,
        root: Option<PathBuf>,
        replace_all: bool,
        line: Option<Line>,
        count: Option<usize>,
        expected_hash: Option<String>,
        dry_run: bool,
        encoding: Option<String>,
        ladder: &str,
        min_confidence: Option<f64>,
        timeout: Option<f64>,
        max_bytes: u64,
    ) -> PyResult<FileResult> {
        let settings = Settings::new(ladder, min_confidence, false, timeout, max_bytes);
        let settings = settings.map_err(|failure| raised(py, &failure))?;
        let edit = FileEdit {
            replace_all,
            line: line.map(|line| line.0),
            count,
            expected_hash,
            ..FileEdit::new(&path, &*old, &*new)
        };
        let editing = Editing { edit, root, encoding, dry_run };
        let reports = detached(py, || editing.carry_out(&settings))?;
        let report = reports.into_iter().next().ok_or_else(|| PyRuntimeError::new_err("an edit without a report"))?;
        FileResult::of(py, report)
    }

    /// Names the strategy that found the place of an edit, or several places of which none is certain.
    #[pyfunction]
    // As many as there are things to say about an edit.
    #[allow(clippy::too_many_arguments)]
    fn decided_by(
        py: Python<'_>,
        text: Text,
        old: Text,
        new: Text,
        replace_all: bool,
        line: Option<Line>,
        ladder: &str,
        timeout: Option<f64>,
        max_bytes: u64,
    ) -> PyResult<Option<&'static str>> {
        let settings =
            Settings::new(ladder, None, false, timeout, max_bytes).map_err(|failure| raised(py, &failure))?;
        let line = line.map(|line| line.0);
        let asked = Asked { text: &text, old: &old, new: Some(&new), replace_all, line };
        detached(py, || asked.decided_by(&settings))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // What it registers has to be named, or the linker drops it.
        #[cfg(feature = "failpoints")]
        crate::link();
        let ladders: Vec<&str> = fuzzy_pipeline::ladder::names().collect();
        module.add("LADDERS", PyTuple::new(module.py(), ladders)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
