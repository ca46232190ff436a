//! A Markdown table.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table as Cells};

/// Rows of cells under a header.
pub struct Table {
    cells: Cells,
    words: usize,
}

impl Table {
    /// Makes a table whose first `words` columns have words; the others have numbers and are aligned right.
    #[must_use]
    pub fn new(words: usize, header: &[&str]) -> Self {
        let mut cells = Cells::new();
        cells.load_style(ASCII_MARKDOWN).set_header(header.to_vec());
        cells.column_iter_mut().skip(words).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        Self { cells, words }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.cells.add_row(cells);
    }

    /// Formats the table with aligned columns.
    #[must_use]
    pub fn render(&self) -> String {
        let mut lines: Vec<String> = self.cells.lines().collect();
        // Markdown aligns a column right if its line under the header ends with a colon.
        let ends: Vec<usize> = lines[1].match_indices("-|").map(|(at, _)| at).collect();
        ends[self.words..].iter().for_each(|at| lines[1].replace_range(*at..=*at, ":"));
        lines.join("\n") + "\n"
    }
}

/// Formats whether a condition holds; `NO` catches the eye.
#[must_use]
pub fn yes_or_no(is_so: bool) -> String {
    if is_so { "yes" } else { "NO" }.to_owned()
}

#[test]
fn numbers_are_aligned_right() {
    let mut table = Table::new(1, &["name", "n"]);
    table.row(vec!["é".to_owned(), "10".to_owned()]);
    assert_eq!(table.render(), "| name |  n |\n|------|---:|\n| é    | 10 |\n");
}
