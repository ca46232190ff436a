//! Chooses among equally good alignments the one that a reader would.

use crate::align::lines::{Alignment, Pair};
use crate::text::lines::Line;

/// Slides runs that only one text has so that the longest stretch of pairs gets longer.
///
/// `a, b, [b, c,] b, d` and `a, [b, b, c,] b, d` leave out the same lines; a reader takes the one
/// that leaves more in one piece.
pub(crate) fn slide(aligned: &mut Alignment, left: &[Line<'_>], right: &[Line<'_>]) {
    let pairs = &mut aligned.pairs;
    if !pairs.iter().all(Pair::is_one_to_one) {
        return;
    }
    for at in 1..pairs.len() {
        let (before, after) = (&pairs[at - 1], &pairs[at]);
        let extra = after.left.start - before.left.start - 1;
        let missing = after.right.start - before.right.start - 1;
        if (extra == 0) == (missing == 0) {
            continue;
        }
        let head = 1 + (1..at).rev().take_while(|&pair| joined(&pairs[pair - 1], &pairs[pair])).count();
        let tail = 1 + (at + 1..pairs.len()).take_while(|&pair| joined(&pairs[pair - 1], &pairs[pair])).count();
        // Pairs before the run may move after it, or pairs after it before it.
        let mut down = 0;
        while down < head {
            let pair = &pairs[at - 1 - down];
            if left[pair.left.start + extra].text != right[pair.right.start + missing].text {
                break;
            }
            down += 1;
        }
        if down > 0 && tail + down > head {
            for pair in &mut pairs[at - down..at] {
                *pair = pair.clone().shifted(extra.cast_signed(), missing.cast_signed());
            }
            continue;
        }
        let mut up = 0;
        while up < tail {
            let pair = &pairs[at + up];
            if left[pair.left.start - extra].text != right[pair.right.start - missing].text {
                break;
            }
            up += 1;
        }
        if up > 0 && head + up >= tail {
            for pair in &mut pairs[at..at + up] {
                *pair = pair.clone().shifted(-extra.cast_signed(), -missing.cast_signed());
            }
        }
    }
    slide_end(pairs, left, right);
}

/// Slides the last stretch to the end of both texts, if one run then takes the place of one before it and one after it.
fn slide_end(pairs: &mut [Pair], left: &[Line<'_>], right: &[Line<'_>]) {
    let Some(last) = pairs.last() else { return };
    let (extra, missing) = (left.len() - last.left.end, right.len() - last.right.end);
    let stretch = pairs.windows(2).rposition(|pair| !joined(&pair[0], &pair[1])).map(|at| at + 1);
    let Some(start) = stretch.filter(|_| (extra == 0) != (missing == 0)) else { return };
    let (before, first) = (&pairs[start - 1], &pairs[start]);
    let is_one_run =
        if extra > 0 { before.right.end == first.right.start } else { before.left.end == first.left.start };
    let fits = |pair: &Pair| left[pair.left.start + extra].text == right[pair.right.start + missing].text;
    if is_one_run && pairs[start..].iter().all(fits) {
        for pair in &mut pairs[start..] {
            *pair = pair.clone().shifted(extra.cast_signed(), missing.cast_signed());
        }
    }
}

/// Returns whether two pairs follow each other in both texts.
fn joined(a: &Pair, b: &Pair) -> bool {
    a.left.start + 1 == b.left.start && a.right.start + 1 == b.right.start
}
