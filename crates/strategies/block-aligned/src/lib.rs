//! Finds the old text after moving it, as a whole, to the indentation of the place.
//!
//! - Accepts: a block moved left or right, also from tabs to spaces if all its lines begin with the same; trailing
//!   blanks.
//! - Refuses: lines moved relative to each other, another number of lines, changed blanks inside a line.
//! - Cost: a substring pass for each of the old text's first, last and rarest line; a window is verified only at a place
//!   of the rarest line. It refuses if the verification would take more than a scan of a hundred such files.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy, Trimmed, blank};

/// Moves the old text so that its first non-blank line has the indentation of the window's; all lines must then be equal
/// except for trailing blanks. A final `\n` of the old text does not count as a line.
#[derive(Debug)]
pub struct BlockAligned;

/// Bytes to compare per byte of text, at most. Only files that repeat a line thousands of times, in several
/// indentations, approach it.
const BUDGET_PER_BYTE: usize = 100;

impl Strategy for BlockAligned {
    fn name(&self) -> &'static str {
        "block-aligned"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let lines = query.old_lines_trimmed();
        let Some(inked) = lines.iter().position(|line| !blank::is_blank_text(line)) else {
            return ControlFlow::Continue(());
        };
        let mut budget = BUDGET_PER_BYTE * (query.text().len() + query.old().len());
        // Lines that are equal after a move are equal without the blanks at both ends.
        query.windows_equal_by(lines, &Trimmed, |window| {
            let mut work = 0;
            let text = window.text(query.text());
            let place = text.split('\n').skip(inked).inspect(|line| work += line.len() + 1);
            let is_equal = is_moved_as_one(&lines[inked..], place);
            query.spend(work)?;
            match budget.checked_sub(work) {
                Some(rest) => budget = rest,
                None => return query.too_costly(),
            }
            if is_equal { found.propose_equal(window.start(), window.end()) } else { ControlFlow::Continue(()) }
        })
    }
}

/// Returns whether the lines of `needle` have the same relative indentation to their first one as those of `place`.
fn is_moved_as_one<'t>(needle: &[&str], mut place: impl Iterator<Item = &'t str>) -> bool {
    let (Some(from), Some(to)) = (needle.first().map(|line| indentation(line)), place.next().map(indentation)) else {
        return false;
    };
    needle[1..].iter().zip(place).all(|(line, there)| {
        blank::is_blank_text(line)
            || moved(indentation(line), from, to).is_some_and(|(kept, added)| {
                let there = indentation(there);
                there.strip_prefix(kept) == Some(added)
            })
    })
}

/// Returns the indentation `indent` after `from` has become `to`, in two pieces; `None` if `to` lacks the part of
/// `from` beyond `indent`.
fn moved<'t>(indent: &'t str, from: &str, to: &'t str) -> Option<(&'t str, &'t str)> {
    let shared = indent.char_indices().zip(from.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let shared = shared.unwrap_or(indent.len().min(from.len()));
    let kept = to.strip_suffix(&from[shared..])?;
    Some((kept, &indent[shared..]))
}

fn indentation(line: &str) -> &str {
    &line[..blank::leading(line)]
}

fuzzy_core::register! {
    BlockAligned, priority = 100;
}
