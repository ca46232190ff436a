//! A table for terminals and Markdown, and numbers for people.

use std::fmt::Write as _;

/// Rows of cells under a header.
pub struct Table {
    rows: Vec<Vec<String>>,
    /// The number of columns with words, from the left; the others have numbers and are aligned right.
    words: usize,
}

impl Table {
    /// Makes a table whose first `words` columns have words.
    #[must_use]
    pub fn new(words: usize, header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(|&cell| cell.to_owned()).collect()], words }
    }

    /// Adds a row; a cell of the first column that repeats the one above is left empty.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Formats the table with aligned columns.
    #[must_use]
    pub fn render(&self) -> String {
        let widths: Vec<usize> = (0..self.rows[0].len())
            .map(|column| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let _ = if column < self.words {
                    write!(text, "| {cell:<width$} ")
                } else {
                    write!(text, "| {cell:>width$} ")
                };
            }
            text.push_str("|\n");
            if index == 0 {
                for (column, width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width + 1);
                    let _ = if column < self.words { write!(text, "|-{dashes}") } else { write!(text, "|{dashes}:") };
                }
                text.push_str("|\n");
            }
        }
        text
    }
}

/// Formats a number with three significant digits.
#[must_use]
pub fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// Formats a time in nanoseconds.
#[must_use]
pub fn time(ns: f64) -> String {
    match ns {
        ns if ns >= 1e9 => format!("{} s", number(ns / 1e9)),
        ns if ns >= 1e6 => format!("{} ms", number(ns / 1e6)),
        ns if ns >= 1e3 => format!("{} µs", number(ns / 1e3)),
        ns => format!("{} ns", number(ns)),
    }
}

/// Formats a number of bytes.
#[must_use]
pub fn bytes(count: f64) -> String {
    match count {
        b if b >= 1e9 => format!("{} GB", number(b / 1e9)),
        b if b >= 1e6 => format!("{} MB", number(b / 1e6)),
        b if b >= 1e3 => format!("{} kB", number(b / 1e3)),
        b => format!("{b:.0} B"),
    }
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
