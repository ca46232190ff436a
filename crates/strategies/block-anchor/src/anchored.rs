//! Keeps one of the blocks between two anchor lines.

use std::ops::ControlFlow;

use fuzzy_core::{AnchorBlock, Candidate, Found, Query, Similarity, Strategy};

use crate::inner::{Inner, ROUNDING, Score};

/// Takes for each line equal to the needle's first the block down to the first line, two or more below, that equals its
/// last; all trimmed. Proposes the only such block, or of several the one whose inner lines are most alike, the first
/// of equals, if they are alike enough.
///
/// The similarity of an only block whose comparison would cost too much is a lower bound.
#[derive(Debug)]
pub struct BlockAnchor {
    name: &'static str,
    /// Similarity that an only block has to have.
    least_alone: f64,
    /// Similarity that the best of several blocks has to have.
    least_of_several: f64,
    /// Whether a block must have nearly as many lines as the needle.
    keeps_length: bool,
}

impl BlockAnchor {
    /// Takes an only block whatever is in it, because its two ends are right, and the best of several if three tenths
    /// are alike: two blocks with the same ends mostly share that much by chance alone, so it only rules out the absurd.
    pub const PLAIN: Self = Self { name: "block-anchor", least_alone: 0.0, least_of_several: 0.3, keeps_length: false };

    /// Wants about two thirds alike and a quarter more or fewer lines at the most, so that a block is still recognisably
    /// the one that was meant.
    pub const GUARDED: Self =
        Self { name: "block-anchor/guarded", least_alone: 0.65, least_of_several: 0.65, keeps_length: true };

    fn may_have(&self, lines: usize, needle_lines: usize) -> bool {
        !self.keeps_length || lines.abs_diff(needle_lines) <= (needle_lines / 4).max(1)
    }
}

impl Strategy for BlockAnchor {
    fn name(&self) -> &'static str {
        self.name
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let Some(blocks) = query.anchor_blocks() else { return ControlFlow::Continue(()) };
        let needle_lines = query.needle_lines_trimmed().len();
        let mut blocks = blocks.filter(|block| self.may_have(block.lines, needle_lines));
        let (first, second) = (blocks.next(), blocks.next());
        let inner = Inner::new(query);
        let best = match (first, second) {
            (Some(only), None) => inner.score_alone(only, self.least_alone)?.map(|score| (only, score)),
            (Some(first), Some(second)) => {
                best(query, &inner, [first, second].into_iter().chain(blocks), self.least_of_several)?
            }
            (None, _) => None,
        };
        // Blocks that were cut short by the deadline may have left the better one out.
        if query.stopped().is_some() {
            return ControlFlow::Break(());
        }
        if let Some((block, score)) = best {
            found.propose(Candidate::new(block.span, Similarity::new(score)))?;
        }
        ControlFlow::Continue(())
    }
}

/// A block and how alike its inner lines can be at the most.
struct Bounded {
    block: AnchorBlock,
    bound: f64,
}

/// Returns the block with the highest score, the first of equals, if that is at least `least`.
///
/// A cheap upper bound of every score comes first; exact scores are computed best bound first, and only while a bound
/// can still win.
fn best(
    query: &Query<'_>,
    inner: &Inner<'_, '_>,
    blocks: impl Iterator<Item = AnchorBlock>,
    least: f64,
) -> ControlFlow<(), Option<(AnchorBlock, f64)>> {
    let mut bounded = Vec::new();
    for block in blocks {
        let Score { value, is_exact } = inner.bound(block)?;
        if is_exact && value >= 1.0 {
            // Nothing is strictly better, and what came before was not as good.
            return ControlFlow::Continue(Some((block, value)));
        }
        if value + ROUNDING >= least {
            bounded.push(Bounded { block, bound: value });
        }
    }
    if query.stopped().is_some() {
        return ControlFlow::Break(());
    }
    // Stable, so of equal bounds the first block comes first.
    bounded.sort_by(|a, b| b.bound.total_cmp(&a.bound));
    let mut best: Option<(AnchorBlock, f64)> = None;
    for Bounded { block, bound } in bounded {
        let to_reach = best.map_or(least, |(_, score)| score);
        if bound + ROUNDING < to_reach {
            break;
        }
        let Some(score) = inner.score(block, bound, to_reach)? else { continue };
        let wins = best.is_none_or(|(best, best_score)| {
            score > best_score || (score >= best_score && block.span.start() < best.span.start())
        });
        if wins && score >= least {
            best = Some((block, score));
        }
    }
    ControlFlow::Continue(best)
}
