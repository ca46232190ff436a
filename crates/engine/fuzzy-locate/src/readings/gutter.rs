//! Reads texts without the marks of a gutter before their lines.

use std::borrow::Cow;

use fuzzy_core::blank::{is_blank, is_blank_text};

use super::evidence::{Evidence, Slip};
use crate::mechanisms::GUTTER;
use crate::variant::Variant;

/// Marks that a prompt or a quotation puts before every line.
const GUTTERS: [&str; 7] = ["│ ", "│", "┃ ", "| ", "|", "> ", ">"];

/// Returns the variant without a gutter: every line starts with the same mark.
pub(super) fn read<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    let mark = common_mark(needle);
    mark.map(|mark| without_marks(needle, replacement, mark)).into_iter().collect()
}

/// Returns the first mark at the start of all lines that are not blank.
fn common_mark(text: &str) -> Option<&'static str> {
    let full: Vec<&str> = text.split('\n').filter(|line| !is_blank_text(line)).collect();
    let mut marks = GUTTERS.into_iter().filter(|_| !full.is_empty());
    marks.find(|mark| full.iter().all(|line| without_mark(line, mark).is_some()))
}

/// Returns the variant without a mark at the start of its lines.
fn without_marks<'t>(needle: &str, replacement: &'t str, mark: &'static str) -> Variant<'t> {
    let strip = |line: &str| without_mark(line, mark).unwrap_or(line).to_owned();
    let evidence = |lines: &[&str], at: usize| match without_mark(lines[at], mark) {
        Some(_) => Evidence::Slipped,
        None if is_blank_text(lines[at]) => Evidence::Free,
        None => Evidence::Clean,
    };
    let old: Vec<String> = needle.split('\n').map(strip).collect();
    let own =
        Slip { evidence: &evidence, undo: &strip, token: &|line| line.get(..mark.len()).filter(|it| *it == mark) };
    let new = own.undo_in_new(needle, replacement);
    Variant::new(Cow::Owned(old.join("\n")), new, replacement, &GUTTER)
}

/// Returns a line without the mark at its start; a blank line may have lost its blanks.
fn without_mark<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    line.strip_prefix(mark)
        .or_else(|| (line.trim_end_matches(is_blank) == mark.trim_end_matches(is_blank)).then_some(""))
}
