//! Changes of whole cells.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use fuzzy_core::{Span, Splice};
use fuzzy_report::CellType;

use super::Notebook;
use super::render::{self, Layout};

impl Notebook<'_> {
    /// Returns the changes that give a cell another source, top to bottom.
    pub(crate) fn rewritten(&self, at: usize, source: &str) -> Vec<Splice> {
        self.cells[at].source.rewritten(self.text, source)
    }

    /// Returns the change that inserts a cell before the cell `at`, or at the end.
    pub(crate) fn inserted(&self, at: usize, kind: CellType, source: &str) -> Splice {
        let is_ascii = render::is_ascii(self.text).unwrap_or_default();
        let id = self.has_ids.then(|| self.new_id(at, source));
        let Some(first) = self.cells.first() else {
            let list = Layout::of(self.text, self.list);
            let cell = list.deeper().cell(kind, id.as_deref(), source, is_ascii);
            return Splice { span: self.list, text: list.around(&cell) };
        };
        let cell = Layout::of(self.text, first.span).cell(kind, id.as_deref(), source, is_ascii);
        self.insertion(at, &cell)
    }

    /// Returns the change that deletes a cell.
    pub(crate) fn deleted(&self, at: usize) -> Splice {
        let span = match (self.cells.get(at + 1), at.checked_sub(1)) {
            (Some(next), _) => Span::new(self.cells[at].span.start(), next.span.start()),
            (None, Some(last)) => Span::new(self.cells[last].span.end(), self.cells[at].span.end()),
            (None, None) => return Splice { span: self.list, text: "[]".to_owned() },
        };
        Splice { span, text: String::new() }
    }

    /// Returns the changes that move a cell before the cell `to`, or to the end; none if it is there.
    pub(crate) fn moved(&self, at: usize, to: usize) -> Option<Vec<Splice>> {
        if to == at || to == at + 1 {
            return None;
        }
        let mut splices = vec![self.deleted(at), self.insertion(to, self.cells[at].span.text(self.text))];
        splices.sort_by_key(|splice| splice.span.start());
        Some(splices)
    }

    /// Returns the change that writes a cell before the cell `at`, or behind the last one; there is a cell.
    fn insertion(&self, at: usize, cell: &str) -> Splice {
        let between = self.between();
        if let Some(next) = self.cells.get(at) {
            let start = next.span.start();
            Splice { span: Span::new(start, start), text: format!("{cell}{between}") }
        } else {
            let end = self.cells[self.cells.len() - 1].span.end();
            Splice { span: Span::new(end, end), text: format!("{between}{cell}") }
        }
    }

    /// Returns the text between two cells.
    fn between(&self) -> String {
        match &self.cells[..] {
            [first, second, ..] => self.text[first.span.end()..second.span.start()].to_owned(),
            [only] => format!(",{}", &self.text[self.list.start() + 1..only.span.start()]),
            [] => ",".to_owned(),
        }
    }

    /// Returns an id that no cell has; the same for the same request.
    fn new_id(&self, at: usize, source: &str) -> String {
        for round in 0_u64.. {
            let mut hasher = DefaultHasher::new();
            (self.text, at, source, round).hash(&mut hasher);
            let id = format!("{:08x}", hasher.finish() >> 32);
            if !self.cells.iter().any(|cell| cell.id.as_deref() == Some(&*id)) {
                return id;
            }
        }
        String::new()
    }
}
