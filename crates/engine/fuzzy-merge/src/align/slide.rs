//! Chooses the alignment that a reader prefers among equally good ones.

use crate::align::lines::{Alignment, Pair};
use crate::mechanisms::{SLIDE, SLIDE_END};
use crate::run::Run;
use crate::text::lines::Line;

/// Slides runs that only one text has so that the longest run of pairs gets longer.
///
/// `a, b, [b, c,] b, d` and `a, [b, b, c,] b, d` leave out the same lines; the first one leaves more lines together.
pub(crate) fn slide(aligned: &mut Alignment, left: &[Line<'_>], right: &[Line<'_>], run: Run<'_>) {
    let pairs = &mut aligned.pairs;
    if !(run.uses(&SLIDE) && pairs.iter().all(Pair::is_one_to_one)) {
        return;
    }
    for at in 1..pairs.len() {
        let (before, after) = (&pairs[at - 1], &pairs[at]);
        let extra = (after.left.start - before.left.start - 1).cast_signed();
        let missing = (after.right.start - before.right.start - 1).cast_signed();
        if (extra == 0) == (missing == 0) {
            continue;
        }
        let head = 1 + (1..at).rev().take_while(|&pair| are_adjacent(&pairs[pair - 1], &pairs[pair])).count();
        let tail = 1 + (at + 1..pairs.len()).take_while(|&pair| are_adjacent(&pairs[pair - 1], &pairs[pair])).count();
        // Pairs before the run may move after it, or pairs after it before it.
        let fits =
            |pair: &Pair, sign: isize| are_equal(&pair.clone().shifted(sign * extra, sign * missing), left, right);
        let down = pairs[..at].iter().rev().take(head).take_while(|pair| fits(pair, 1)).count();
        let up = pairs[at..].iter().take(tail).take_while(|pair| fits(pair, -1)).count();
        if down > 0 && tail + down > head {
            shift(&mut pairs[at - down..at], extra, missing);
        } else if head + up >= tail {
            shift(&mut pairs[at..at + up], -extra, -missing);
        }
    }
    if run.uses(&SLIDE_END) {
        slide_end(pairs, left, right);
    }
}

/// Slides the last run of pairs to the end of both texts, if one unpaired run then replaces two, before and after it.
fn slide_end(pairs: &mut [Pair], left: &[Line<'_>], right: &[Line<'_>]) {
    let Some(last) = pairs.last() else { return };
    let extra = (left.len() - last.left.end).cast_signed();
    let missing = (right.len() - last.right.end).cast_signed();
    let start = pairs.windows(2).rposition(|pair| !are_adjacent(&pair[0], &pair[1])).map(|at| at + 1);
    let Some(start) = start.filter(|_| (extra == 0) != (missing == 0)) else { return };
    let (before, first) = (&pairs[start - 1], &pairs[start]);
    let is_one_run =
        if extra > 0 { before.right.end == first.right.start } else { before.left.end == first.left.start };
    let fits = |pair: &Pair| are_equal(&pair.clone().shifted(extra, missing), left, right);
    if is_one_run && pairs[start..].iter().all(fits) {
        shift(&mut pairs[start..], extra, missing);
    }
}

fn are_adjacent(a: &Pair, b: &Pair) -> bool {
    a.left.start + 1 == b.left.start && a.right.start + 1 == b.right.start
}

fn are_equal(pair: &Pair, left: &[Line<'_>], right: &[Line<'_>]) -> bool {
    left[pair.left.start].text == right[pair.right.start].text
}

fn shift(pairs: &mut [Pair], left: isize, right: isize) {
    for pair in pairs {
        *pair = pair.clone().shifted(left, right);
    }
}
