//! Finds one of the blocks between two anchor lines.

use std::ops::ControlFlow;

use fuzzy_core::{AnchorBlock, Candidate, Found, Query, Similarity, Strategy};

use crate::inner::{Inner, ROUNDING, Score};

/// For each line equal to the old text's first, takes the block down to the first line, at least two lines below, that
/// equals its last; all trimmed. Proposes the only such block, or of several the one with the most similar inner lines
/// (of equal ones the first), if they are similar enough.
///
/// The similarity of a single block is a lower bound if its comparison would cost too much.
#[derive(Debug)]
pub struct BlockAnchor {
    name: &'static str,
    /// The least similarity of a single block.
    least_alone: f64,
    /// The least similarity of the best of several blocks.
    least_of_several: f64,
    /// Whether a block must have nearly as many lines as the old text.
    keeps_length: bool,
}

impl BlockAnchor {
    /// Accepts a single block with any content, because its two ends are right, and the best of several with a
    /// similarity of at least 0.3: two blocks with the same ends often share that much by chance, so this only excludes
    /// absurd ones.
    pub const PLAIN: Self = Self { name: "block-anchor", least_alone: 0.0, least_of_several: 0.3, keeps_length: false };

    /// Requires a similarity of about two thirds, and at most a quarter more or fewer lines, so that the block is
    /// recognizable.
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
        let needle_lines = query.old_lines_trimmed().len();
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
        // If the deadline stopped the search, the best block may be missing.
        if query.stopped().is_some() {
            return ControlFlow::Break(());
        }
        if let Some((block, score)) = best {
            found.propose(Candidate::new(block.span, Similarity::new(score)))?;
        }
        ControlFlow::Continue(())
    }
}

/// A block with an upper bound of its inner lines' similarity.
struct Bounded {
    block: AnchorBlock,
    bound: f64,
}

/// Returns the block with the highest score, of equal ones the first, if it is at least `least`.
///
/// Computes a cheap upper bound of every score first, then exact scores in the order of the bounds, while a bound can
/// still win.
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
            // No later block is strictly better, and no earlier one was as good.
            return ControlFlow::Continue(Some((block, value)));
        }
        if value + ROUNDING >= least {
            bounded.push(Bounded { block, bound: value });
        }
    }
    if query.stopped().is_some() {
        return ControlFlow::Break(());
    }
    // The sort is stable, so that of equal bounds the first block remains first.
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
