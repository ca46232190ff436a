//! Notebooks of Jupyter: the sources of the cells as agents read them, in JSON of which all other bytes are kept.

mod cells;
mod joined;
mod render;
mod source;

use std::borrow::Cow;
use std::path::Path;

use fuzzy_core::{LineRange, Span};
use fuzzy_report::CellLines;
use serde::Deserialize;
use serde_json::value::RawValue;

pub(crate) use self::joined::Joined;
pub use self::joined::Sources;
use self::source::{Source, span_of};

/// The version of the format whose sources are edited; others are edited as text.
const VERSION: u64 = 4;

/// The first minor version whose cells have ids.
const IDS: u64 = 5;

/// A notebook.
#[derive(Debug)]
pub(crate) struct Notebook<'t> {
    /// The text of the file.
    text: &'t str,
    /// The list of cells.
    list: Span,
    pub(crate) cells: Vec<Cell<'t>>,
    has_ids: bool,
}

/// A cell of a notebook.
#[derive(Debug)]
pub(crate) struct Cell<'t> {
    span: Span,
    id: Option<Cow<'t, str>>,
    source: Source<'t>,
}

/// The parts of a notebook that are read.
#[derive(Deserialize)]
struct Book<'t> {
    nbformat: u64,
    #[serde(default)]
    nbformat_minor: u64,
    #[serde(borrow)]
    cells: &'t RawValue,
}

/// The parts of a cell that are read.
#[derive(Deserialize)]
struct CellParts<'t> {
    #[serde(borrow, default)]
    id: Option<Cow<'t, str>>,
    #[serde(borrow)]
    source: &'t RawValue,
}

/// Returns whether a path is that of a notebook.
pub(crate) fn is_notebook(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"))
}

impl<'t> Notebook<'t> {
    /// Reads a notebook of version 4; returns none for any other text.
    pub(crate) fn read(text: &'t str) -> Option<Self> {
        let book: Book<'t> = serde_json::from_str(text).ok()?;
        if book.nbformat != VERSION {
            return None;
        }
        let cells: Vec<&'t RawValue> = serde_json::from_str(book.cells.get()).ok()?;
        let cells = cells.into_iter().map(|cell| {
            let CellParts { id, source } = serde_json::from_str(cell.get()).ok()?;
            Some(Cell { span: span_of(text, cell.get()), id, source: Source::read(text, source.get())? })
        });
        let list = span_of(text, book.cells.get());
        Some(Self { text, list, cells: cells.collect::<Option<_>>()?, has_ids: book.nbformat_minor >= IDS })
    }

    /// Returns the indices of the cells that have a name: an id, or a number from 1. Several cells have it if ids repeat, or
    /// if the id of one is the number of another.
    pub(crate) fn named(&self, name: &str) -> Vec<usize> {
        let number = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let ids = self.cells.iter().map(|cell| cell.id.as_deref() == Some(name)).enumerate();
        ids.filter(|(at, is_id)| *is_id || number == Some(*at)).map(|(at, _)| at).collect()
    }

    /// Returns the name of a cell for messages: its number, and its id.
    pub(crate) fn name(&self, at: usize) -> String {
        match &self.cells[at].id {
            Some(id) => format!("cell {} (`{id}`)", at + 1),
            None => format!("cell {}", at + 1),
        }
    }

    /// Returns lines of the source of a cell.
    pub(crate) fn lines_of(&self, at: usize, lines: LineRange) -> CellLines {
        let id = self.cells[at].id.as_deref().map(str::to_owned);
        CellLines { number: at + 1, id, lines }
    }

    /// Returns the source of a cell.
    pub(crate) fn source(&self, at: usize) -> &str {
        self.cells[at].source.text()
    }

    /// Returns the span of a cell's source in the file.
    pub(crate) fn source_span(&self, at: usize) -> Span {
        self.cells[at].source.span()
    }
}
