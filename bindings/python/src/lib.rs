//! The native module of the Python package `fuzzy_edit`: edits of texts, of tables and of files.
//!
//! Functions return a result for every decision, also for a refused edit. They raise an exception with a code if an edit
//! could not be tried, or after a panic. The interpreter runs other threads meanwhile.

mod answer;
mod batch;
mod columns;
mod decide;
mod docs;
mod error;
mod explanation;
mod ffi;
mod files;
mod html;
mod log;
mod offsets;
#[cfg(feature = "failpoints")]
mod panics;
mod record;
mod request;
mod table;
mod values;
mod workspace;

use pyo3::prelude::*;

#[cfg(feature = "failpoints")]
fuzzy_core::register!(panics::Panics, priority = 200);

#[pymodule]
mod _native {
    use std::num::NonZero;
    use std::path::PathBuf;

    use fuzzy_edit::Tools;
    use fuzzy_report::{CellEdit, CellType, FileEdit, Labelled, PatchOptions, Side};
    use pyo3::PyClass;
    use pyo3::exceptions::{PyRuntimeError, PyTypeError};
    use pyo3::prelude::*;
    use pyo3::types::{PyMapping, PyTuple};

    #[pymodule_export]
    use crate::answer::{Conflict, Located, Nearest, Place, Proposal, Result, Splice};
    use crate::decide::Asked;
    use crate::docs::about;
    #[pymodule_export]
    use crate::error::FuzzyEditError;
    use crate::error::detached;
    #[pymodule_export]
    use crate::explanation::{
        Alignment, Candidate, Explanation, Feature, LandedLine, NumberedLine, Repair, Row, Tried, Weighed,
    };
    #[pymodule_export]
    use crate::files::{CellLines, FileResult, PatchResult};
    use crate::files::{Editing, Patching};
    use crate::log;
    use crate::request::{self, PlaceArguments, Settings, Text, TransferArguments};
    #[pymodule_export]
    use crate::table::AnswerStream;
    use crate::workspace;
    #[pymodule_export]
    use crate::workspace::{EditsResult, UndoResult};

    /// The logged fields of a result.
    const LOGGED: [&str; 5] = ["ok", "code", "rule", "strategy", "confidence"];

    /// The logged fields of a result about a file.
    const FILE_LOGGED: [&str; 6] = ["path", "status", "code", "rule", "strategy", "confidence"];

    /// Replaces ``old`` in ``text`` by ``new``, where ``old`` may be slightly wrong.
    ///
    /// The ladder defines how ``old`` may differ from the text. ``new`` is fitted to the place that matches (indentation,
    /// quotes, line endings); the rest of the text does not change. An uncertain edit is refused: the result gives the
    /// reason, and nothing is raised.
    ///
    /// >>> import fuzzy_edit
    /// >>> result = fuzzy_edit.apply("def f():\n\treturn  1\n", "    return 1", "    return 2")
    /// >>> result.output
    /// 'def f():\n\treturn  2\n'
    /// >>> refused = fuzzy_edit.apply("a = 1\nb = 1\na = 1\n", "a = 1", "a = 2")
    /// >>> bool(refused), refused.code, refused.ambiguous_at
    /// (False, 'ambiguous', ((1, 1), (3, 3)))
    ///
    /// Other threads run meanwhile, so ``await asyncio.to_thread(fuzzy_edit.apply, text, old, new)`` does not block an
    /// event loop.
    ///
    #[doc = about!(text)]
    #[doc = about!(old)]
    #[doc = about!(new)]
    #[doc = about!(ladder)]
    #[doc = about!(replace_all)]
    #[doc = about!(line)]
    #[doc = about!(base)]
    #[doc = about!(min_confidence)]
    #[doc = about!(raw_endings)]
    #[doc = about!(timeout)]
    #[doc = about!(max_bytes)]
    #[doc = about!(first)]
    #[doc = about!(last)]
    #[doc = about!(expected_lines)]
    #[doc = about!(after)]
    #[doc = about!(before)]
    #[doc = about!(lines)]
    #[doc = about!(move_after)]
    #[doc = about!(move_before)]
    #[doc = about!(copy)]
    /// :returns: a ``Result``, true if ``output`` is the edited text. Its ``code`` is None if the edit was applied, and
    ///     ``already_applied`` if it was applied earlier. A refusal has one of ``not_found``, ``ambiguous``,
    ///     ``conflict``, ``refused``, ``placeholder``, ``identical``, ``empty_old``; ``message``, ``next_step``,
    ///     ``nearest``, ``conflicts`` and ``proposal`` help to correct the edit.
    #[doc = about!(raises)]
    #[pyfunction]
    #[pyo3(signature = (text, old = None, new = None, *, ladder = "adaptive", replace_all = false, line = None, base = None,
        min_confidence = None, raw_endings = false, timeout = 2.0, max_bytes = 33_554_432,
        first = None, last = None, expected_lines = None, after = None, before = None, lines = None,
        move_after = None, move_before = None, copy = false))]
    // Every setting of an edit is a parameter.
    #[allow(clippy::too_many_arguments)]
    fn apply(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        old: Option<&Bound<'_, PyAny>>,
        new: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::ladder)] ladder: &'static str,
        #[pyo3(from_py_with = request::replace_all)] replace_all: bool,
        #[pyo3(from_py_with = request::line)] line: Option<usize>,
        base: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::min_confidence)] min_confidence: Option<f64>,
        #[pyo3(from_py_with = request::raw_endings)] raw_endings: bool,
        #[pyo3(from_py_with = request::timeout)] timeout: Option<f64>,
        #[pyo3(from_py_with = request::max_bytes)] max_bytes: u64,
        first: Option<&Bound<'_, PyAny>>,
        last: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::expected_lines)] expected_lines: Option<usize>,
        after: Option<&Bound<'_, PyAny>>,
        before: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::lines)] lines: Option<(usize, usize)>,
        move_after: Option<&Bound<'_, PyAny>>,
        move_before: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::copy)] copy: bool,
    ) -> PyResult<Py<Result>> {
        let place = PlaceArguments { first, last, expected_lines, after, before, lines };
        let quote = place.read(py, old.is_some(), replace_all)?;
        let transfer = TransferArguments { move_after, move_before, move_to: None, copy };
        let transfer = transfer.read(py, quote.as_ref(), replace_all, new.is_some())?;
        let (text, old, new) = (Text::of("text", text)?, optional("old", old)?, optional("new", new)?);
        if new.is_none() && transfer.is_none() {
            return Err(PyTypeError::new_err("the argument new is missing"));
        }
        let base = optional("base", base)?;
        let settings = Settings::new(py, ladder, min_confidence, raw_endings, timeout, max_bytes)?;
        let old = old.as_deref().unwrap_or_default();
        let asked = Asked {
            text: &text,
            old,
            new: Some(new.as_deref().unwrap_or_default()),
            replace_all,
            line,
            quote: quote.as_ref(),
            base: base.as_deref(),
            transfer: transfer.as_ref(),
        };
        let answer = detached(py, || asked.answer(&settings))?;
        logged(py, "apply", Result::of(py, &text, answer)?)
    }

    /// Finds the place where an edit would land or, without ``new``, where ``old`` occurs. It changes nothing.
    ///
    /// >>> import fuzzy_edit
    /// >>> located = fuzzy_edit.locate("one\ntwo  words\n", "two words")
    /// >>> located.places[0].lines, located.strategy
    /// ((2, 2), 'alignment')
    ///
    #[doc = about!(text)]
    #[doc = about!(old)]
    #[doc = about!(no_new)]
    #[doc = about!(ladder)]
    #[doc = about!(replace_all)]
    #[doc = about!(line)]
    #[doc = about!(base)]
    #[doc = about!(min_confidence)]
    #[doc = about!(raw_endings)]
    #[doc = about!(timeout)]
    #[doc = about!(max_bytes)]
    #[doc = about!(first)]
    #[doc = about!(last)]
    #[doc = about!(expected_lines)]
    #[doc = about!(after)]
    #[doc = about!(before)]
    #[doc = about!(lines)]
    /// :returns: a ``Located``, true if the place was found or the edit was applied earlier. Its ``code`` is None or one
    ///     of those of ``apply``; ``places`` are those that would be replaced, or the matches of an ambiguous ``old``.
    #[doc = about!(raises)]
    #[pyfunction]
    #[pyo3(signature = (text, old = None, new = None, *, ladder = "adaptive", replace_all = false, line = None, base = None,
        min_confidence = None, raw_endings = false, timeout = 2.0, max_bytes = 33_554_432,
        first = None, last = None, expected_lines = None, after = None, before = None, lines = None))]
    // Every setting of an edit is a parameter.
    #[allow(clippy::too_many_arguments)]
    fn locate(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        old: Option<&Bound<'_, PyAny>>,
        new: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::ladder)] ladder: &'static str,
        #[pyo3(from_py_with = request::replace_all)] replace_all: bool,
        #[pyo3(from_py_with = request::line)] line: Option<usize>,
        base: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::min_confidence)] min_confidence: Option<f64>,
        #[pyo3(from_py_with = request::raw_endings)] raw_endings: bool,
        #[pyo3(from_py_with = request::timeout)] timeout: Option<f64>,
        #[pyo3(from_py_with = request::max_bytes)] max_bytes: u64,
        first: Option<&Bound<'_, PyAny>>,
        last: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::expected_lines)] expected_lines: Option<usize>,
        after: Option<&Bound<'_, PyAny>>,
        before: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::lines)] lines: Option<(usize, usize)>,
    ) -> PyResult<Py<Located>> {
        let place = PlaceArguments { first, last, expected_lines, after, before, lines };
        let quote = place.read(py, old.is_some(), replace_all)?;
        let (text, old, new) = (Text::of("text", text)?, optional("old", old)?, optional("new", new)?);
        let (old, base) = (old.as_deref().unwrap_or_default(), optional("base", base)?);
        let settings = Settings::new(py, ladder, min_confidence, raw_endings, timeout, max_bytes)?;
        let asked = Asked {
            text: &text,
            old,
            new: new.as_deref(),
            replace_all,
            line,
            quote: quote.as_ref(),
            base: base.as_deref(),
            transfer: None,
        };
        let answer = detached(py, || asked.answer(&settings))?;
        logged(py, "locate", Located::of(py, answer)?)
    }

    /// Explains, for every strategy, which places it proposes and why they are accepted or not.
    ///
    /// The explanation is for people: ``print`` shows it as text, and a notebook shows it as tables.
    ///
    /// >>> import fuzzy_edit
    /// >>> explanation = fuzzy_edit.explain("one\ntwo  words\n", "two words", "two lines")
    /// >>> [(tried.strategy, tried.verdict) for tried in explanation.strategies]
    /// [('exact', 'nothing'), ('alignment', 'taken')]
    ///
    #[doc = about!(text)]
    #[doc = about!(old)]
    #[doc = about!(no_new)]
    #[doc = about!(ladder)]
    #[doc = about!(replace_all)]
    #[doc = about!(line)]
    #[doc = about!(base)]
    #[doc = about!(min_confidence)]
    #[doc = about!(raw_endings)]
    #[doc = about!(timeout)]
    #[doc = about!(max_bytes)]
    #[doc = about!(first)]
    #[doc = about!(last)]
    #[doc = about!(expected_lines)]
    #[doc = about!(after)]
    #[doc = about!(before)]
    #[doc = about!(lines)]
    /// :returns: an ``Explanation``; its ``located`` is the result of ``locate``.
    #[doc = about!(raises)]
    /// :raises FuzzyEditError: also with ``empty_old`` and ``identical``: there is nothing to explain.
    #[pyfunction]
    #[pyo3(signature = (text, old = None, new = None, *, ladder = "adaptive", replace_all = false, line = None, base = None,
        min_confidence = None, raw_endings = false, timeout = 2.0, max_bytes = 33_554_432,
        first = None, last = None, expected_lines = None, after = None, before = None, lines = None))]
    // Every setting of an edit is a parameter.
    #[allow(clippy::too_many_arguments)]
    fn explain(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        old: Option<&Bound<'_, PyAny>>,
        new: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::ladder)] ladder: &'static str,
        #[pyo3(from_py_with = request::replace_all)] replace_all: bool,
        #[pyo3(from_py_with = request::line)] line: Option<usize>,
        base: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::min_confidence)] min_confidence: Option<f64>,
        #[pyo3(from_py_with = request::raw_endings)] raw_endings: bool,
        #[pyo3(from_py_with = request::timeout)] timeout: Option<f64>,
        #[pyo3(from_py_with = request::max_bytes)] max_bytes: u64,
        first: Option<&Bound<'_, PyAny>>,
        last: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::expected_lines)] expected_lines: Option<usize>,
        after: Option<&Bound<'_, PyAny>>,
        before: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::lines)] lines: Option<(usize, usize)>,
    ) -> PyResult<Explanation> {
        let place = PlaceArguments { first, last, expected_lines, after, before, lines };
        let quote = place.read(py, old.is_some(), replace_all)?;
        let (text, old, new) = (Text::of("text", text)?, optional("old", old)?, optional("new", new)?);
        let (old, base) = (old.as_deref().unwrap_or_default(), optional("base", base)?);
        let settings = Settings::new(py, ladder, min_confidence, raw_endings, timeout, max_bytes)?;
        let asked = Asked {
            text: &text,
            old,
            new: new.as_deref(),
            replace_all,
            line,
            quote: quote.as_ref(),
            base: base.as_deref(),
            transfer: None,
        };
        let reasons = detached(py, || asked.explain(&settings))?;
        Explanation::of(py, reasons)
    }

    /// Applies the edits of a table on all cores, while other Python threads run.
    ///
    /// >>> import fuzzy_edit, pyarrow
    /// >>> edits = pyarrow.table({"id": [1], "content": ["a  b"], "old": ["a b"], "new": ["c"]})
    /// >>> answers = pyarrow.table(fuzzy_edit.apply_batch(edits))
    /// >>> answers.select(["id", "ok", "output"]).to_pylist()
    /// [{'id': 1, 'ok': True, 'output': 'c'}]
    ///
    /// The work happens while the stream is read, some thousand rows at a time. In a coroutine, read it in a thread:
    /// ``await asyncio.to_thread(lambda: pyarrow.table(fuzzy_edit.apply_batch(edits)))``.
    ///
    /// :param table: anything with ``__arrow_c_stream__``: a table of pyarrow, polars, pandas or DuckDB, or a reader. It
    ///     must have the string columns ``content``, ``old`` and ``new``; optional are ``replace_all`` (booleans) and
    ///     ``id`` (any type), which is copied to the result. Where ``old`` is null or missing, the columns ``first``,
    ///     ``last``, ``after``, ``before`` (strings), ``expected_lines`` (whole numbers) and ``lines`` (pairs of them) say
    ///     where, as the parameters of ``apply`` do; a null is an absent one.
    #[doc = about!(ladder)]
    #[doc = about!(min_confidence)]
    #[doc = about!(raw_endings)]
    #[doc = about!(timeout)]
    #[doc = about!(max_bytes)]
    /// :param threads: the number of threads; None for one per core.
    /// :returns: an ``AnswerStream`` for ``pyarrow.table``, ``polars.DataFrame`` and the like, with the columns ``id`` (if
    ///     the table has it), ``ok``, ``output``, ``code``, ``rule``, ``strategy``, ``similarity``, ``confidence`` and
    ///     ``proposal`` (``old_string``, ``new_string``), in the order of the table. A row that cannot be tried has a code
    ///     and does not affect other rows: ``bad_input`` if a text is null or two columns say where, ``too_large``, ``timeout``, ``internal``.
    /// :raises FuzzyEditError: ``bad_input`` if the table is not of this form, or a setting is invalid. If the memory of
    ///     the table is malformed, the reader of the stream raises its own error.
    #[pyfunction]
    #[pyo3(signature = (table, *, ladder = "adaptive", min_confidence = None, raw_endings = false, timeout = 2.0,
        max_bytes = 33_554_432, threads = None))]
    // Every setting of the edits is a parameter.
    #[allow(clippy::too_many_arguments)]
    fn apply_batch(
        table: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = request::ladder)] ladder: &'static str,
        #[pyo3(from_py_with = request::min_confidence)] min_confidence: Option<f64>,
        #[pyo3(from_py_with = request::raw_endings)] raw_endings: bool,
        #[pyo3(from_py_with = request::timeout)] timeout: Option<f64>,
        #[pyo3(from_py_with = request::max_bytes)] max_bytes: u64,
        #[pyo3(from_py_with = request::threads)] threads: Option<NonZero<usize>>,
    ) -> PyResult<AnswerStream> {
        let settings = Settings::new(table.py(), ladder, min_confidence, raw_endings, timeout, max_bytes)?;
        crate::table::apply_batch(table, settings, threads)
    }

    /// Applies a patch to texts, all of it or nothing, without reading or writing files.
    ///
    /// A patch is SEARCH/REPLACE blocks, a unified diff, ``*** Begin Patch``, or a model response that contains these.
    ///
    /// >>> import fuzzy_edit
    /// >>> patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    /// >>> fuzzy_edit.apply_patch({"a.txt": "one\ntwo\n"}, patch).files
    /// {'a.txt': 'one\n2\n'}
    /// >>> fuzzy_edit.apply_patch({"a.txt": "one\n2\n"}, patch, reverse=True).files
    /// {'a.txt': 'one\ntwo\n'}
    ///
    /// :param files: the texts of all files that the patch may name, by path.
    /// :param patch: the patch.
    /// :param file: the file for blocks and hunks that name none.
    /// :param reverse: whether to undo the patch instead.
    /// :param strip: the number of leading components to remove from every name. The ``a/`` and ``b/`` of a diff count as
    ///     the first. By default only they are removed; with 0 they are a part of the name.
    #[doc = about!(ladder)]
    #[doc = about!(min_confidence)]
    #[doc = about!(timeout)]
    #[doc = about!(max_bytes)]
    /// :returns: a ``PatchResult``, true if the whole patch was applied; ``files`` has all files after the patch,
    ///     ``changes`` only those that differ. A refusal describes the first failed edit; ``edits`` has every edit.
    #[doc = about!(raises)]
    /// :raises FuzzyEditError: also with ``parse`` if the patch cannot be read.
    #[pyfunction]
    #[pyo3(signature = (files, patch, *, file = None, reverse = false, strip = None, ladder = "adaptive",
        min_confidence = None, timeout = 2.0, max_bytes = 33_554_432))]
    // Every setting of a patch is a parameter.
    #[allow(clippy::too_many_arguments)]
    fn apply_patch(
        files: &Bound<'_, PyAny>,
        patch: &Bound<'_, PyAny>,
        file: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::reverse)] reverse: bool,
        #[pyo3(from_py_with = request::strip)] strip: Option<usize>,
        #[pyo3(from_py_with = request::ladder)] ladder: &'static str,
        #[pyo3(from_py_with = request::min_confidence)] min_confidence: Option<f64>,
        #[pyo3(from_py_with = request::timeout)] timeout: Option<f64>,
        #[pyo3(from_py_with = request::max_bytes)] max_bytes: u64,
    ) -> PyResult<PatchResult> {
        let py = files.py();
        let patch = Text::of("patch", patch)?;
        let file = optional("file", file)?;
        let settings = Settings::new(py, ladder, min_confidence, false, timeout, max_bytes)?;
        let named = |(path, text): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let key = Text::of("a path of files", &path)?;
            Ok((key, Text::of(&format!("files[{}]", path.repr()?), &text)?))
        };
        let Ok(files) = files.cast::<PyMapping>() else {
            return Err(request::other_type("files", files, "a mapping of texts by their paths"));
        };
        let files = files.items()?.iter().map(|item| named(item.extract()?)).collect::<PyResult<Vec<_>>>()?;
        let patching = Patching { files, patch, file, reverse, strip };
        let patched = detached(py, || patching.carry_out(&settings))?;
        let result = PatchResult::of(py, &patching, patched)?;
        for edit in result.edits.bind(py).try_iter()? {
            log::log(py, || log::line(&edit?, "apply_patch", &FILE_LOGGED))?;
        }
        Ok(result)
    }

    /// Edits a file like the command ``fuzzy-edit apply``: atomically, and without changing bytes outside the match.
    ///
    /// >>> import fuzzy_edit, pathlib, tempfile
    /// >>> with tempfile.TemporaryDirectory() as root:
    /// ...     path = pathlib.Path(root, "a.py")
    /// ...     _ = path.write_text("def f():\n\treturn  1\n")
    /// ...     result = fuzzy_edit.edit_file("a.py", "    return 1", "    return 2", root=root)
    /// ...     result.status, path.read_text()
    /// ('applied', 'def f():\n\treturn  2\n')
    ///
    /// :param path: the file.
    /// :param old: the text to replace, as quoted. It may be slightly wrong; with an empty string, ``new`` becomes the
    ///     content of a file that is missing or empty.
    #[doc = about!(new)]
    /// :param root: the directory that must contain the file; a relative path is relative to it. Without it, every path is
    ///     allowed.
    #[doc = about!(replace_all)]
    #[doc = about!(line)]
    /// :param count: the required number of matches.
    /// :param expected_hash: the SHA-256 of the file when it was read, such as the ``file_hash`` of an earlier result.
    /// :param dry_run: whether to report the change without writing it.
    /// :param encoding: the encoding of the file, by its name in HTML, such as ``windows-1252``. Without it, or with
    ///     ``auto``, it is UTF-8, UTF-16 with a byte order mark, or else the most likely one.
    #[doc = about!(ladder)]
    #[doc = about!(min_confidence)]
    #[doc = about!(timeout)]
    #[doc = about!(max_bytes)]
    #[doc = about!(first)]
    #[doc = about!(last)]
    #[doc = about!(expected_lines)]
    #[doc = about!(after)]
    #[doc = about!(before)]
    #[doc = about!(lines)]
    #[doc = about!(move_after)]
    #[doc = about!(move_before)]
    /// :param move_to: the file of ``move_after`` or ``move_before``, if it is another one; without them a file that does not
    ///     exist or is empty.
    #[doc = about!(copy)]
    #[doc = about!(cell)]
    #[doc = about!(insert_cell)]
    #[doc = about!(cell_type)]
    #[doc = about!(delete_cell)]
    /// :returns: a ``FileResult``, true if the file has the edit now, or would have it without ``dry_run``. A file that
    ///     cannot be edited raises nothing: in addition to the codes of ``apply``, the result may have ``missing``,
    ///     ``outside_root``, ``permission``, ``not_a_file``, ``binary``, ``encoding``, ``stale``, ``count_mismatch``,
    ///     ``too_large``, ``timeout``, ``busy`` and ``io``.
    /// :raises FuzzyEditError: ``bad_input`` if a setting is invalid or the root is not a directory; ``internal``.
    /// :raises TypeError: if an argument has the wrong type; the message names the argument.
    #[pyfunction]
    #[pyo3(signature = (path, old = None, new = None, *, root = None, replace_all = false, line = None, count = None, expected_hash = None,
        dry_run = false, encoding = None, ladder = "adaptive", min_confidence = None, timeout = 2.0,
        max_bytes = 33_554_432,
        first = None, last = None, expected_lines = None, after = None, before = None, lines = None,
        move_after = None, move_before = None, move_to = None, copy = false,
        cell = None, insert_cell = None, cell_type = None, delete_cell = false))]
    // Every setting of an edit is a parameter.
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools)]
    fn edit_file(
        py: Python<'_>,
        #[pyo3(from_py_with = request::path)] path: PathBuf,
        old: Option<&Bound<'_, PyAny>>,
        new: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::root)] root: Option<PathBuf>,
        #[pyo3(from_py_with = request::replace_all)] replace_all: bool,
        #[pyo3(from_py_with = request::line)] line: Option<usize>,
        #[pyo3(from_py_with = request::count)] count: Option<usize>,
        expected_hash: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::dry_run)] dry_run: bool,
        encoding: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::ladder)] ladder: &'static str,
        #[pyo3(from_py_with = request::min_confidence)] min_confidence: Option<f64>,
        #[pyo3(from_py_with = request::timeout)] timeout: Option<f64>,
        #[pyo3(from_py_with = request::max_bytes)] max_bytes: u64,
        first: Option<&Bound<'_, PyAny>>,
        last: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::expected_lines)] expected_lines: Option<usize>,
        after: Option<&Bound<'_, PyAny>>,
        before: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::lines)] lines: Option<(usize, usize)>,
        move_after: Option<&Bound<'_, PyAny>>,
        move_before: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::move_to)] move_to: Option<PathBuf>,
        #[pyo3(from_py_with = request::copy)] copy: bool,
        #[pyo3(from_py_with = request::cell)] cell: Option<String>,
        #[pyo3(from_py_with = request::insert_cell)] insert_cell: Option<Side>,
        #[pyo3(from_py_with = request::cell_type)] cell_type: Option<CellType>,
        #[pyo3(from_py_with = request::delete_cell)] delete_cell: bool,
    ) -> PyResult<Py<FileResult>> {
        let (old, new) = (optional("old", old)?, optional("new", new)?);
        let cell = CellEdit { cell, insert: insert_cell, cell_type, delete: delete_cell };
        let cell = (cell != CellEdit::default()).then_some(cell);
        // An empty old text beside a cell is none.
        let old = old.filter(|old| cell.is_none() || !old.is_empty());
        let place = PlaceArguments { first, last, expected_lines, after, before, lines };
        let has_place = old.is_some() || !place.is_empty();
        let is_whole = cell.is_some() && !has_place;
        let quote = if is_whole { None } else { place.read(py, old.is_some(), replace_all)? };
        let transfer = TransferArguments { move_after, move_before, move_to, copy };
        let transfer = transfer.read(py, quote.as_ref(), replace_all, new.is_some())?;
        let check = |cell| request::checked_cell(py, cell, has_place, new.is_some(), transfer.as_ref());
        let cell = cell.map(check).transpose()?;
        if new.is_none() && transfer.is_none() && cell.is_none() {
            return Err(PyTypeError::new_err("the argument new is missing"));
        }
        let (old, new) = (old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default());
        let settings = Settings::new(py, ladder, min_confidence, false, timeout, max_bytes)?;
        let expected_hash = optional("expected_hash", expected_hash)?.map(|hash| hash.to_string());
        let encoding = optional("encoding", encoding)?.map(|encoding| encoding.to_string());
        let edit = FileEdit { replace_all, line, count, expected_hash, ..FileEdit::new(&path, old, new) };
        let edit =
            FileEdit { quote: quote.map(Box::new), transfer: transfer.map(Box::new), cell: cell.map(Box::new), ..edit };
        let editing = Editing { edit, root, encoding, dry_run };
        let reports = detached(py, || editing.carry_out(&settings))?;
        let report = reports.into_iter().next().ok_or_else(|| PyRuntimeError::new_err("an edit without a report"))?;
        let result = Py::new(py, FileResult::of(py, report)?)?;
        log::log(py, || log::line(result.bind(py).as_any(), "edit_file", &FILE_LOGGED))?;
        Ok(result)
    }

    /// The files of a ``Workspace``: what its methods call.
    #[pyclass(frozen, module = "fuzzy_edit._native")]
    struct WorkspaceFiles(Tools);

    #[pymethods]
    impl WorkspaceFiles {
        #[new]
        #[pyo3(signature = (root, *, encoding, ladder, min_confidence, timeout, max_bytes))]
        fn new(
            py: Python<'_>,
            #[pyo3(from_py_with = request::path)] root: PathBuf,
            encoding: Option<&Bound<'_, PyAny>>,
            #[pyo3(from_py_with = request::ladder)] ladder: &'static str,
            #[pyo3(from_py_with = request::min_confidence)] min_confidence: Option<f64>,
            #[pyo3(from_py_with = request::timeout)] timeout: Option<f64>,
            #[pyo3(from_py_with = request::max_bytes)] max_bytes: u64,
        ) -> PyResult<Self> {
            let settings = Settings::new(py, ladder, min_confidence, false, timeout, max_bytes)?;
            let encoding = optional("encoding", encoding)?;
            detached(py, || workspace::tools(&root, encoding.as_deref(), &settings)).map(Self)
        }

        fn read(&self, py: Python<'_>, #[pyo3(from_py_with = request::path)] path: PathBuf) -> PyResult<String> {
            detached(py, || self.0.read(&path))
        }

        fn edits(&self, py: Python<'_>, edits: &Bound<'_, PyAny>, dry_run: bool) -> PyResult<Py<EditsResult>> {
            let edits = Text::of("edits", edits)?;
            let list = detached(py, || workspace::edit(&self.0, &edits, dry_run))?;
            file_edits(py, "workspace", EditsResult::of(py, list)?)
        }

        fn patch(
            &self,
            py: Python<'_>,
            patch: &Bound<'_, PyAny>,
            file: Option<&Bound<'_, PyAny>>,
            reverse: bool,
            strip: Option<usize>,
            dry_run: bool,
        ) -> PyResult<Py<EditsResult>> {
            let (patch, file) = (Text::of("patch", patch)?, optional("file", file)?);
            let options = PatchOptions { target: file.as_deref(), reverse, strip };
            let list = detached(py, || self.0.patch(&patch, &options, dry_run))?;
            file_edits(py, "workspace", EditsResult::of(py, list)?)
        }

        fn undo(&self, py: Python<'_>, batch: Option<&Bound<'_, PyAny>>, dry_run: bool) -> PyResult<UndoResult> {
            let batch = optional("batch", batch)?;
            UndoResult::of(py, detached(py, || Ok(self.0.undo(batch.as_deref(), dry_run)))?)
        }
    }

    /// Logs every edit of a result and returns it.
    fn file_edits(py: Python<'_>, call: &str, result: EditsResult) -> PyResult<Py<EditsResult>> {
        for edit in result.edits.bind(py).try_iter()? {
            log::log(py, || log::line(&edit?, call, &FILE_LOGGED))?;
        }
        Py::new(py, result)
    }

    /// Returns the name of the strategy that found the match, or the matches of an ambiguous edit.
    #[pyfunction]
    #[pyo3(signature = (text, old, new, replace_all, line, *, ladder, timeout, max_bytes,
        first = None, last = None, expected_lines = None, after = None, before = None, lines = None))]
    // Every setting of an edit is a parameter.
    #[allow(clippy::too_many_arguments)]
    fn decided_by(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        old: Option<&Bound<'_, PyAny>>,
        new: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = request::replace_all)] replace_all: bool,
        #[pyo3(from_py_with = request::line)] line: Option<usize>,
        #[pyo3(from_py_with = request::ladder)] ladder: &'static str,
        #[pyo3(from_py_with = request::timeout)] timeout: Option<f64>,
        max_bytes: u64,
        first: Option<&Bound<'_, PyAny>>,
        last: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::expected_lines)] expected_lines: Option<usize>,
        after: Option<&Bound<'_, PyAny>>,
        before: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = request::lines)] lines: Option<(usize, usize)>,
    ) -> PyResult<Option<&'static str>> {
        let place = PlaceArguments { first, last, expected_lines, after, before, lines };
        let quote = place.read(py, old.is_some(), replace_all)?;
        let (text, old, new) = (Text::of("text", text)?, optional("old", old)?, Text::of("new", new)?);
        let settings = Settings::new(py, ladder, None, false, timeout, max_bytes)?;
        let old = old.as_deref().unwrap_or_default();
        let asked = Asked {
            text: &text,
            old,
            new: Some(&new),
            replace_all,
            line,
            quote: quote.as_ref(),
            base: None,
            transfer: None,
        };
        detached(py, || asked.decided_by(&settings))
    }

    /// Returns the verdict on the result of a labelled edit, as `fuzzy-edit replay` does; none if the label is not sufficient.
    #[pyfunction]
    // The label is a row of a table.
    #[allow(clippy::too_many_arguments)]
    fn verdict(
        content: &str,
        old: Option<&str>,
        new: &str,
        expected: Option<&str>,
        expected_kind: Option<&str>,
        accept_noop: Option<bool>,
        output: Option<&str>,
    ) -> Option<&'static str> {
        let labelled = Labelled {
            content,
            is_same: old == Some(new),
            expected,
            accept: &[],
            kind: expected_kind.unwrap_or_default(),
            accept_noop: accept_noop == Some(true),
            target: None,
        };
        Some(labelled.verdict(output)?.summary())
    }

    /// Reads an optional text; errors name the argument.
    fn optional(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Text>> {
        value.map(|value| Text::of(name, value)).transpose()
    }

    /// Logs a result and returns it.
    fn logged<T: PyClass + Into<PyClassInitializer<T>>>(py: Python<'_>, call: &str, answer: T) -> PyResult<Py<T>> {
        let answer = Py::new(py, answer)?;
        log::log(py, || log::line(answer.bind(py).as_any(), call, &LOGGED))?;
        Ok(answer)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Without this reference the linker drops the registered ladder.
        #[cfg(feature = "failpoints")]
        crate::link();
        // Users import these functions from the package.
        for name in ["apply", "apply_batch", "apply_patch", "edit_file", "explain", "locate"] {
            module.getattr(name)?.setattr("__module__", "fuzzy_edit")?;
        }
        let ladders: Vec<&str> = fuzzy_pipeline::ladder::names().collect();
        module.add("LADDERS", PyTuple::new(module.py(), ladders)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
