//! Lines begin and end like lines of the file or the new text, and no lines are joined.
//!
//! ```text
//! file: [  a  ],
//! old:  [  a,  ],    new: [  b,  c,  ],    result: [  b,  c  ],    breaks it: no line ends with `c`
//! ```

use rustc_hash::FxHashSet;

use crate::case::{Case, Landing};
use crate::law::{Broken, Law};
use crate::text::Pair;

/// Finds a line that begins or ends like no line of the file or the new text.
pub(crate) fn unknown_end(case: &Case<'_>) -> Option<Broken> {
    let heads: FxHashSet<Pair> = case.place.heads().chain(case.new.heads()).collect();
    let tails: FxHashSet<Pair> = case.place.tails().chain(case.new.tails()).collect();
    let is_known = |known: &FxHashSet<Pair>, end| known.contains(&end) || case.omissions.allows(end);
    let mut ends = case.result.heads().zip(case.result.tails());
    let line = ends.position(|(head, tail)| !is_known(&heads, head) || !is_known(&tails, tail))?;
    Some(case.at_line(Law::Ends, line))
}

/// Finds two lines joined that the file and the new text keep apart.
pub(crate) fn joined_lines(case: &Case<'_>) -> Option<Broken> {
    let beside: FxHashSet<Pair> = case.place.neighbours().chain(case.new.neighbours()).map(|(_, pair)| pair).collect();
    let broken: FxHashSet<Pair> = case.new.breaks().filter(|pair| !beside.contains(pair)).collect();
    let kept: FxHashSet<Pair> = case.place.breaks().filter(|pair| broken.contains(pair)).collect();
    let (at, _) = case.result.neighbours().find(|(_, pair)| kept.contains(pair))?;
    Some(case.at_token(Law::Ends, at))
}

/// Finds whole lines without their last line break, unless the edit deletes it.
pub(crate) fn lost_break(case: &Case<'_>) -> Option<Broken> {
    let Landing { place, needle, new, result, .. } = case.landing;
    let is_kept = new.ends_with('\n') || !needle.ends_with('\n');
    if is_kept && place.ends_with('\n') && !result.is_empty() && !result.ends_with('\n') {
        let line = result.matches('\n').count();
        return Some(Broken { law: Law::Ends, line, token: "\n".to_owned() });
    }
    None
}
