//! Compares blocks without the indentation that all their lines share.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy, Stripped, blank};

/// Compares windows with as many lines as the old text, after removing from the lines of each side as many leading blanks
/// as its least indented line has. A tab counts as one blank, and blank lines are compared unchanged.
#[derive(Debug)]
pub struct IndentationFlexible;

impl Strategy for IndentationFlexible {
    fn name(&self) -> &'static str {
        "indentation-flexible"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        if query.old().is_empty() {
            return ControlFlow::Continue(());
        }
        let needle = Dedented::new(query.old_lines());
        // Lines that are equal without their common indentation are equal without any.
        query.windows_equal_by(query.old_lines(), &Stripped, |window| {
            let text = window.text(query.text());
            query.spend(text.len())?;
            if needle.equals(text) {
                found.propose_equal(window.start(), window.end())
            } else {
                ControlFlow::Continue(())
            }
        })
    }
}

/// The old text's lines in the form that windows are compared with.
struct Dedented<'n> {
    lines: Vec<Line<'n>>,
}

enum Line<'n> {
    /// A blank line, whose blanks are text and not indentation.
    Blank(&'n str),
    Indented {
        /// The number of leading blanks, of any width.
        blanks: usize,
        /// The leading blanks that not all lines share.
        own: &'n str,
    },
}

impl<'n> Dedented<'n> {
    fn new(lines: &[&'n str]) -> Self {
        let indented = lines.iter().filter(|line| !blank::is_blank_text(line));
        let shared = indented.map(|line| indentation(line).chars().count()).min().unwrap_or(0);
        let line = |line: &&'n str| match indentation(line) {
            blanks if blanks.len() == line.len() => Line::Blank(line),
            blanks => {
                let own = blanks.char_indices().nth(shared).map_or(blanks.len(), |(at, _)| at);
                Line::Indented { blanks: blanks.chars().count(), own: &blanks[own..] }
            }
        };
        Self { lines: lines.iter().map(line).collect() }
    }

    /// Returns whether `window`, whose lines equal the old text's except for indentation, is equal when dedented.
    ///
    /// It is if all lines are shifted by the same amount, because their common indentation then differs by that amount
    /// too, and if the indentation of each line still ends with its own blanks.
    fn equals(&self, window: &str) -> bool {
        let mut moved = None;
        self.lines.iter().zip(window.split('\n')).all(|(wanted, line)| match wanted {
            Line::Blank(wanted) => line == *wanted,
            Line::Indented { blanks, own } => {
                let indentation = indentation(line);
                let there = indentation.chars().count();
                let (from, to) = *moved.get_or_insert((*blanks, there));
                there + from == blanks + to && indentation.ends_with(own)
            }
        })
    }
}

/// Returns the leading blanks of `line`.
fn indentation(line: &str) -> &str {
    &line[..blank::leading(line)]
}
