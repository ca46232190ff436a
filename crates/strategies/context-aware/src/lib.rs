//! Finds a block by its first and last line if at least half of the lines between them are correct.
//!
//! - Accepts: changed lines between two correct ones, changed indentation.
//! - Refuses: a changed first or last line, another number of lines, changes in more than half of the inner lines.
//! - Cost: a substring pass for the old text's first and for its last line; lines are compared only between these.

use std::ops::ControlFlow;

use fuzzy_core::{Candidate, Found, Query, Similarity, Strategy, blank};

/// Proposes, for each line equal to the old text's first, the block down to the first line that equals its last, if it
/// has the old text's number of lines and at least half of its inner ones; lines are trimmed, and pairs of blank lines do
/// not count.
#[derive(Debug)]
pub struct ContextAware;

/// The least share of equal inner lines: at least half of the block is then recognized.
const MIN_EQUAL: f64 = 0.5;

impl Strategy for ContextAware {
    fn name(&self) -> &'static str {
        "context-aware"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let Some(blocks) = query.anchor_blocks() else { return ControlFlow::Continue(()) };
        let needle = query.old_lines_trimmed();
        for block in blocks.filter(|block| block.lines == needle.len()) {
            query.spend(block.span.len())?;
            let share = share_equal(needle, block.span.text(query.text()));
            if share >= MIN_EQUAL {
                found.propose(Candidate::new(block.span, Similarity::new(share)))?;
            }
        }
        if query.stopped().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Returns the share of equal inner lines; 1 if there are none to compare.
fn share_equal(needle: &[&str], block: &str) -> f64 {
    let pairs = needle.iter().map(|line| blank::trim(line)).zip(block.split('\n').map(blank::trim));
    let inner = pairs.take(needle.len() - 1).skip(1).filter(|(needle, block)| !(needle.is_empty() && block.is_empty()));
    let (mut equal, mut all) = (0_usize, 0_usize);
    for (needle, block) in inner {
        equal += usize::from(needle == block);
        all += 1;
    }
    if all == 0 { 1.0 } else { equal as f64 / all as f64 }
}

fuzzy_core::register!(ContextAware, priority = 80);
