//! A Markdown table, and numbers for people.

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

/// Formats a number with three significant digits.
#[must_use]
pub fn number(value: f64) -> String {
    let decimals = if value >= 100.0 { 0 } else { 2 - usize::from(value >= 10.0) };
    format!("{value:.decimals$}")
}

/// Formats a time in nanoseconds.
#[must_use]
pub fn time(ns: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
    let (size, unit) = units.into_iter().find(|(size, _)| ns >= *size).unwrap_or((1.0, "ns"));
    format!("{} {unit}", number(ns / size))
}

/// Formats whether a condition holds; `NO` catches the eye.
#[must_use]
pub fn yes_or_no(is_so: bool) -> String {
    if is_so { "yes" } else { "NO" }.to_owned()
}

/// Formats a value that may be missing.
pub fn or_dash<T>(value: Option<T>, write: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), write)
}

#[test]
fn numbers_are_aligned_right() {
    let mut table = Table::new(1, &["name", "n"]);
    table.row(vec!["é".to_owned(), "10".to_owned()]);
    assert_eq!(table.render(), "| name |  n |\n|------|---:|\n| é    | 10 |\n");
    assert_eq!([1234.5, 12.34, 1.234].map(number), ["1234", "12.3", "1.23"]);
    assert_eq!([time(2.5e6), time(3.0)], ["2.50 ms", "3.00 ns"]);
}
