//! Marks at the start of lines.

use std::borrow::Cow;

use fuzzy_core::blank::{is_blank, is_blank_text};
use fuzzy_merge::Mechanism;

use super::evidence::{Evidence, Slip};
use crate::variant::Variant;

/// Returns the first mark at the start of all lines that are not blank.
pub(super) fn common_mark<'l>(lines: impl Iterator<Item = &'l str>, marks: &[&'static str]) -> Option<&'static str> {
    let full: Vec<&str> = lines.filter(|line| !is_blank_text(line)).collect();
    let mut marks = marks.iter().copied().filter(|_| !full.is_empty());
    marks.find(|mark| full.iter().all(|line| without_mark(line, mark).is_some()))
}

/// Returns the variant without a mark at the start of its lines. If the needle's first line lacks it, the replacement's
/// may, too.
pub(super) fn without_marks<'t>(
    needle: &str,
    replacement: &'t str,
    mark: &'static str,
    slip: &'static Mechanism,
) -> Variant<'t> {
    let strip = |line: &str| without_mark(line, mark).unwrap_or(line).to_owned();
    let may_lack = without_mark(first_line(needle), mark).is_none();
    let evidence = |lines: &[&str], at: usize| match without_mark(lines[at], mark) {
        Some(_) => Evidence::Slipped,
        None if (at == 0 && may_lack) || is_blank_text(lines[at]) => Evidence::Free,
        None => Evidence::Clean,
    };
    let old: Vec<String> = needle.split('\n').map(strip).collect();
    let own =
        Slip { evidence: &evidence, undo: &strip, token: &|line| line.get(..mark.len()).filter(|it| *it == mark) };
    let new = own.undo_in_new(needle, replacement);
    Variant::new(Cow::Owned(old.join("\n")), new, replacement, slip)
}

pub(super) fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default()
}

/// Returns a line without the mark at its start; a blank line may have lost its blanks.
fn without_mark<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    line.strip_prefix(mark)
        .or_else(|| (line.trim_end_matches(is_blank) == mark.trim_end_matches(is_blank)).then_some(""))
}
