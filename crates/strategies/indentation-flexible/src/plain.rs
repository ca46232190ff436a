//! Compares blocks after taking off the indentation that all their lines share.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy, Stripped, blank};

/// Compares windows of as many lines as the needle has after taking from both sides' lines as many leading blanks as
/// the least indented one has. A tab counts as one blank, and blank lines compare as they are.
#[derive(Debug)]
pub struct IndentationFlexible;

impl Strategy for IndentationFlexible {
    fn name(&self) -> &'static str {
        "indentation-flexible"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        if query.needle().is_empty() {
            return ControlFlow::Continue(());
        }
        let needle: Vec<&str> = dedented(query.needle_lines().iter().copied()).collect();
        // Lines that are equal without their common indentation are equal without any.
        query.windows_equal_by(query.needle_lines(), &Stripped, |window| {
            let text = window.text(query.haystack());
            query.spend(text.len())?;
            if dedented(text.split('\n')).eq(needle.iter().copied()) {
                found.propose_equal(window.start(), window.end())?;
            }
            ControlFlow::Continue(())
        })
    }
}

/// Returns the lines less the indentation that all of them but the blank ones share.
fn dedented<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> impl Iterator<Item = &'t str> {
    let indents = lines.clone().filter(|line| !blank::is_blank_text(line)).map(indentation);
    let shared = indents.min().unwrap_or(0);
    lines.map(move |line| if blank::is_blank_text(line) { line } else { behind(line, shared) })
}

/// Counts the blanks at the start of `line`, whatever their width.
fn indentation(line: &str) -> usize {
    line[..blank::leading(line)].chars().count()
}

fn behind(line: &str, chars: usize) -> &str {
    let mut rest = line.chars();
    for _ in 0..chars {
        rest.next();
    }
    rest.as_str()
}
