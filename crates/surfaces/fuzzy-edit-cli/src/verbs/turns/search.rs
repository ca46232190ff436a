//! Searches for the first bad one of several states, of which the last is bad.

use std::ops::Range;

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Good,
    Bad,
    /// The state cannot be judged.
    Skip,
}

/// The first bad state.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    One(usize),
    /// The states between could not be judged.
    Among(Range<usize>),
}

/// Halves the states until only one can be the first bad one. The state before them all is good, the last one is bad,
/// and neither is judged again. States that are skipped are replaced by their nearest neighbours.
pub(super) fn search<E>(count: usize, mut judge: impl FnMut(usize) -> Result<Judgement, E>) -> Result<Found, E> {
    let mut skipped = vec![false; count];
    // All states before `good` are good; the state `bad` is bad.
    let (mut good, mut bad) = (0, count.saturating_sub(1));
    loop {
        let middle = good + (bad - good) / 2;
        let mut candidates: Vec<usize> = (good..bad).filter(|at| !skipped[*at]).collect();
        candidates.sort_by_key(|at| at.abs_diff(middle));
        let Some(at) = candidates.first().copied() else {
            return Ok(if good == bad { Found::One(bad) } else { Found::Among(good..bad + 1) });
        };
        match judge(at)? {
            Judgement::Good => good = at + 1,
            Judgement::Bad => bad = at,
            Judgement::Skip => skipped[at] = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Judgement, search};

    #[test]
    fn the_first_bad_state_is_found_with_few_runs() {
        for count in [1, 2, 3, 7, 200] {
            for first in 0..count {
                let mut runs = 0;
                let found = search::<()>(count, |at| {
                    runs += 1;
                    Ok(if at < first { Judgement::Good } else { Judgement::Bad })
                });
                assert_eq!(found, Ok(Found::One(first)), "{count}");
                assert!(runs <= 8, "{runs} runs for {count} states");
            }
        }
    }

    #[test]
    fn skipped_states_are_passed_over() {
        for first in 0..20 {
            for skipped in [vec![9], vec![8, 9, 10], vec![first], (0..19).collect::<Vec<_>>()] {
                let found = search::<()>(20, |at| {
                    Ok(match at {
                        _ if skipped.contains(&at) => Judgement::Skip,
                        _ if at < first => Judgement::Good,
                        _ => Judgement::Bad,
                    })
                });
                match found {
                    Ok(Found::One(at)) => assert_eq!(at, first, "{skipped:?}"),
                    Ok(Found::Among(range)) => assert!(range.contains(&first), "{range:?} {first} {skipped:?}"),
                    Err(()) => unreachable!(),
                }
            }
        }
    }
}
