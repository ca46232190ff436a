//! The sources of cells as one text.

use std::ops::Range;

use std::path::Path;

use fuzzy_core::{LineRange, Span};
use fuzzy_report::CellLines;

use super::{Notebook, is_notebook};

/// The sources of all cells of a notebook as one text, as edits search it.
#[derive(Debug)]
pub struct Sources<'t> {
    book: Notebook<'t>,
    joined: Joined,
}

impl<'t> Sources<'t> {
    /// Reads the notebook at `path`; returns none for any other file.
    #[must_use]
    pub fn read(path: &Path, text: &'t str) -> Option<Self> {
        let book = is_notebook(path).then(|| Notebook::read(text)).flatten()?;
        let joined = Joined::of(&book, 0..book.cells.len());
        Some(Self { book, joined })
    }

    /// Returns the sources, with a blank line between two.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.joined.text
    }

    /// Returns the lines of the cell in which a place of this text begins, and the span of the cell's source in the file.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<(Span, CellLines)> {
        let part = self.joined.parts.iter().rfind(|part| part.range.start <= span.start())?;
        let inner = Span::new(span.start().min(part.range.end), span.end().clamp(part.range.start, part.range.end));
        let above = self.joined.lines_above(part.cell);
        let LineRange { first, last } = LineRange::of(self.text(), inner);
        let lines = LineRange { first: first - above, last: last - above };
        Some((self.book.source_span(part.cell), self.book.lines_of(part.cell, lines)))
    }
}

/// The sources of some cells, one below the other, with a blank line between two.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) text: String,
    parts: Vec<Part>,
}

/// The source of a cell in the text.
#[derive(Debug)]
struct Part {
    cell: usize,
    /// With its last line break.
    range: Range<usize>,
    /// Whether that line break was added.
    is_closed_here: bool,
}

impl Joined {
    /// Joins the sources of cells.
    pub(crate) fn of(book: &Notebook<'_>, cells: impl Iterator<Item = usize>) -> Self {
        let (mut text, mut parts) = (String::new(), Vec::new());
        for cell in cells {
            let source = book.source(cell);
            if !text.is_empty() {
                text.push('\n');
            }
            let start = text.len();
            text.push_str(source);
            let is_closed_here = !source.is_empty() && !source.ends_with('\n');
            if is_closed_here {
                text.push('\n');
            }
            parts.push(Part { cell, range: start..text.len(), is_closed_here });
        }
        // One cell alone is its source.
        if let [only] = &mut parts[..]
            && only.is_closed_here
        {
            text.pop();
            *only = Part { range: only.range.start..text.len(), is_closed_here: false, ..*only };
        }
        Self { text, parts }
    }

    /// Returns the cell that has a span; none if it is not in one cell alone.
    pub(crate) fn cell(&self, span: Span) -> Option<usize> {
        self.part(span).map(|part| part.cell)
    }

    /// Returns the number of lines before the source of a cell.
    pub(crate) fn lines_above(&self, cell: usize) -> usize {
        let part = self.parts.iter().find(|part| part.cell == cell);
        part.map_or(0, |part| self.text[..part.range.start].matches('\n').count())
    }

    fn part(&self, span: Span) -> Option<&Part> {
        self.parts.iter().find(|part| part.range.start <= span.start() && span.end() <= part.range.end)
    }

    /// Returns the new source of each cell that these changes are in, in their order; none if a change is not in one cell
    /// alone. The first change decides for a place between two cells, `anchor`.
    pub(crate) fn changed(&self, splices: &[(Span, &str)], anchor: Span) -> Option<Vec<(usize, String)>> {
        let mut changed: Vec<(usize, String, usize)> = Vec::new();
        let beside = self.part(anchor);
        for (span, text) in splices.iter().rev() {
            let at_anchor = |part: &&Part| part.range.start <= span.start() && span.end() <= part.range.end;
            let part = beside.filter(at_anchor).or_else(|| self.part(*span))?;
            let known = changed.iter_mut().find(|(cell, ..)| *cell == part.cell);
            let source = if let Some((_, source, _)) = known {
                source
            } else {
                changed.push((part.cell, self.text[part.range.clone()].to_owned(), part.range.start));
                let (_, source, _) = changed.last_mut()?;
                source
            };
            source.replace_range(span.start() - part.range.start..span.end() - part.range.start, text);
        }
        let closed = |cell: usize| self.parts.iter().any(|part| part.cell == cell && part.is_closed_here);
        let sources = changed.into_iter().rev().map(|(cell, mut source, _)| {
            if closed(cell) && source.ends_with('\n') {
                source.pop();
            }
            (cell, source)
        });
        Some(sources.collect())
    }
}
