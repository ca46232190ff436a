//! Finds the old text's lines in order, with other lines between them.
//!
//! - Accepts: lines that the old text omits, indentation, trailing blanks, blank lines.
//! - Refuses: a line of the old text that the place lacks, lines in another order, a place with more than twice as many lines.
//! - Cost: a substring pass for each of the old text's first, last and rarest line, and at most twice the old text's lines
//!   below each place of the first. It refuses if that would take more than a scan of a hundred such files.

use std::ops::ControlFlow;

use fuzzy_core::{Candidate, Found, Query, Similarity, Span, Strategy, blank, line_end, rarity};

/// Finds the old text's non-blank lines, trimmed and in order, inside at most twice as many lines of the file. The first
/// and the last line are at the ends of the place; for each first line the earliest end counts.
///
/// The similarity is the share of the old text's lines among the place's non-blank lines.
#[derive(Debug)]
pub struct Subsequence;

/// Bytes to read per byte of text, at most.
const BUDGET_PER_BYTE: usize = 100;

impl Strategy for Subsequence {
    fn name(&self) -> &'static str {
        "subsequence"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let lines = query.old_lines().iter().map(|line| blank::trim(line));
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return ControlFlow::Continue(()) };
        let rarest = rarity::rarest(lines.iter(), |line| line).unwrap_or(first);
        let is_absent = |line: &&&str| query.first_occurrence(line).is_none();
        if lines.iter().any(|line| query.known_absent(line)) || [first, last, rarest].iter().any(is_absent) {
            return ControlFlow::Continue(());
        }
        let mut budget = BUDGET_PER_BYTE * (query.text().len() + query.old().len());
        for top in query.lines_trimmed_to(first) {
            let place = place_below(query.text(), top, &lines, &mut budget);
            query.spend(top.len())?;
            if budget == 0 {
                return query.too_costly();
            }
            if let Some(place) = place {
                found.propose(place)?;
            }
        }
        if query.stopped().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Returns the place that starts with the line `top`, the first of `lines`, and ends as early as possible.
fn place_below(haystack: &str, top: Span, lines: &[&str], budget: &mut usize) -> Option<Candidate> {
    let mut missing = lines[1..].iter().peekable();
    let mut line = top;
    let mut inked = 1;
    for _ in 1..2 * lines.len() {
        if missing.peek().is_none() || line.end() == haystack.len() {
            break;
        }
        let start = line.end() + 1;
        line = Span::new(start, line_end(haystack, start));
        *budget = budget.saturating_sub(line.len() + 1);
        let text = blank::trim(line.text(haystack));
        inked += usize::from(!text.is_empty());
        missing.next_if(|missing| **missing == text);
    }
    let similarity = Similarity::new(lines.len() as f64 / inked as f64);
    missing.next().is_none().then(|| Candidate::new(Span::new(top.start(), line.end()), similarity))
}

fuzzy_core::register! {
    Subsequence, priority = 120;
}
